import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

interface Tab<Key extends string> {
  key: Key;
  label: string;
  /** A count beside the word. */
  count?: number;
}

interface Props<Key extends string> {
  label: string;
  tabs: readonly Tab<Key>[];
  value: Key;
  onChange: (key: Key) => void;
  /** What the chosen tab shows. */
  children: ReactNode;
}

/** Views of one thing side by side; arrow keys move between them. Keep the choice in the address where it matters. */
export function Tabs<Key extends string>({ label, tabs, value, onChange, children }: Props<Key>) {
  return (
    <Base.Root value={value} onValueChange={(next) => onChange(next as Key)} className="flex min-w-0 flex-col gap-5">
      <Base.List aria-label={label} className="relative flex gap-5 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.key}
            value={tab.key}
            className="-mb-px flex h-10 items-center gap-1.5 border-b-2 border-transparent bg-transparent text-14 whitespace-nowrap text-muted -outline-offset-2 hover:text-text data-active:border-accent data-active:font-medium data-active:text-text"
          >
            {tab.label}
            {tab.count !== undefined && <span className="figures text-12 text-faint">{tab.count}</span>}
          </Base.Tab>
        ))}
      </Base.List>
      <Base.Panel value={value} className="min-w-0 outline-none" tabIndex={-1}>
        {children}
      </Base.Panel>
    </Base.Root>
  );
}
