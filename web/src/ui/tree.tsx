import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';

export interface TreeNode {
  id: string;
  label: string;
  /** At the right end of its line: a count. */
  aside?: ReactNode;
  children?: readonly TreeNode[];
}

interface Props {
  label: string;
  nodes: readonly TreeNode[];
  selected: string | null;
  onSelect: (id: string) => void;
  /** Branches open at first; all are unless given. */
  openAtFirst?: readonly string[];
}

/** A tree to choose from: up and down between lines, right opens and enters, left closes and leaves. */
export function Tree({ label, nodes, selected, onSelect, openAtFirst }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(openAtFirst ?? branches(nodes)));
  const toggle = (id: string, wanted = !open.has(id)) => {
    const next = new Set(open);
    if (wanted) next.add(id);
    else next.delete(id);
    setOpen(next);
  };
  const view = { selected, onSelect, open, toggle, current: currentLine(nodes, selected) };
  return (
    <ul role="tree" aria-label={label} className="m-0 list-none p-0" onKeyDown={(event) => move(event, toggle)}>
      {nodes.map((node) => (
        <Line key={node.id} node={node} level={1} view={view} />
      ))}
    </ul>
  );
}

interface View {
  selected: string | null;
  onSelect: (id: string) => void;
  open: ReadonlySet<string>;
  toggle: (id: string, wanted?: boolean) => void;
  /** The one line that Tab reaches. */
  current: string | undefined;
}

function Line({ node, level, view }: { node: TreeNode; level: number; view: View }) {
  const branch = node.children !== undefined && node.children.length > 0;
  const open = branch && view.open.has(node.id);
  const chosen = view.selected === node.id;
  return (
    <li
      role="treeitem"
      aria-level={level}
      aria-selected={chosen}
      aria-expanded={branch ? open : undefined}
      aria-label={node.label}
      data-tree-id={node.id}
      tabIndex={view.current === node.id ? 0 : -1}
      className="rounded-6"
    >
      <div
        className={classNames(
          'flex h-8 cursor-pointer items-center gap-1.5 rounded-6 pr-2.5 text-13',
          chosen ? 'bg-accent-soft font-medium text-accent' : 'hover:bg-hover',
        )}
        style={{ paddingLeft: 8 + (level - 1) * 16 }}
        onClick={() => view.onSelect(node.id)}
      >
        <span
          className="inline-flex size-5 items-center justify-center text-faint"
          onClick={(event) => {
            if (!branch) return;
            event.stopPropagation();
            view.toggle(node.id);
          }}
        >
          {branch && <Icon name={open ? 'chevronDown' : 'chevronRight'} size={12} />}
        </span>
        <span className="min-w-0 flex-1 truncate">{node.label}</span>
        {node.aside !== undefined && <span className="figures text-12 text-faint">{node.aside}</span>}
      </div>
      {open && (
        <ul role="group" className="m-0 list-none p-0">
          {node.children?.map((child) => (
            <Line key={child.id} node={child} level={level + 1} view={view} />
          ))}
        </ul>
      )}
    </li>
  );
}

function branches(nodes: readonly TreeNode[]): string[] {
  return nodes.flatMap((node) => (node.children?.length ? [node.id, ...branches(node.children)] : []));
}

function currentLine(nodes: readonly TreeNode[], selected: string | null): string | undefined {
  const ids = (list: readonly TreeNode[]): string[] => list.flatMap((node) => [node.id, ...ids(node.children ?? [])]);
  return selected !== null && ids(nodes).includes(selected) ? selected : nodes[0]?.id;
}

/** The keys of the ARIA tree pattern. */
function move(event: KeyboardEvent<HTMLUListElement>, toggle: View['toggle']): void {
  const line = (event.target as HTMLElement).closest<HTMLElement>('[role="treeitem"]');
  if (line === null) return;
  const lines = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="treeitem"]')];
  const place = lines.indexOf(line);
  const id = line.dataset['treeId'] ?? '';
  const expanded = line.getAttribute('aria-expanded');
  const steps: Record<string, () => void> = {
    ArrowDown: () => lines[place + 1]?.focus(),
    ArrowUp: () => lines[place - 1]?.focus(),
    Home: () => lines[0]?.focus(),
    End: () => lines.at(-1)?.focus(),
    ArrowRight: () => (expanded === 'false' ? toggle(id, true) : expanded === 'true' && lines[place + 1]?.focus()),
    ArrowLeft: () =>
      expanded === 'true' ? toggle(id, false) : line.parentElement?.closest<HTMLElement>('[role="treeitem"]')?.focus(),
    Enter: () => line.querySelector<HTMLElement>('div')?.click(),
    ' ': () => line.querySelector<HTMLElement>('div')?.click(),
  };
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  step();
}
