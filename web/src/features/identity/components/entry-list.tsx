import type { ReactNode } from 'react';

interface Entry {
  key: string;
  title: string;
  /** A small word beside the title. */
  tag?: ReactNode;
  facts: readonly (readonly [term: string, value: ReactNode])[];
  /** Under the facts, over the whole width. */
  note?: ReactNode;
  actions?: ReactNode;
}

/** A few things of one kind with what is known of each: passkeys, sessions, browsers. Draws nothing for none. */
export function EntryList({ label, entries }: { label: string; entries: readonly Entry[] }) {
  if (entries.length === 0) return null;
  return (
    <ul aria-label={label} className="mt-0 mb-5 list-none rounded-10 border border-line p-0 last:mb-0">
      {entries.map(({ key, title, tag, facts, note, actions }) => (
        <li key={key} className="border-line px-4 py-3 not-last:border-b">
          <div className="flex items-center justify-between gap-3">
            <div className="min-w-0">
              <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <span className="min-w-0 font-medium break-words">{title}</span>
                {tag}
              </div>
              <dl className="figures m-0 mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-13">
                {facts.map(([term, value]) => (
                  <div key={term} className="flex flex-wrap gap-x-1.5">
                    <dt className="whitespace-nowrap text-faint">{term}</dt>
                    <dd className="m-0 min-w-0 break-all text-muted">{value}</dd>
                  </div>
                ))}
              </dl>
            </div>
            {actions !== undefined && <div className="flex shrink-0 items-center gap-1">{actions}</div>}
          </div>
          {note !== undefined && note !== null && <div className="mt-3">{note}</div>}
        </li>
      ))}
    </ul>
  );
}
