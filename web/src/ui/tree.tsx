import { type KeyboardEvent, useState } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { rowsOf, type TreeNode, type TreeRow } from './tree-rows.ts';

interface Props {
  label: string;
  nodes: readonly TreeNode[];
  selected: string | null;
  onSelect: (id: string) => void;
}

/** A tree to choose from: up and down between lines, right opens and enters, left closes and leaves. */
export function Tree({ label, nodes, selected, onSelect }: Props) {
  // Closed branches are remembered rather than open ones: a branch that comes later is shown.
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setClosed((old) => new Set(old.has(id) ? [...old].filter((other) => other !== id) : [...old, id]));
  const rows = rowsOf(nodes, closed);
  const reached = rows.some(({ node }) => node.id === selected) ? selected : rows[0]?.node.id;
  return (
    <div role="tree" aria-label={label}>
      {rows.map((row) => (
        <TreeLine
          key={row.node.id}
          row={row}
          chosen={row.node.id === selected}
          reached={row.node.id === reached}
          onSelect={() => onSelect(row.node.id)}
          onToggle={() => toggle(row.node.id)}
        />
      ))}
    </div>
  );
}

interface TreeLineProps {
  row: TreeRow;
  chosen: boolean;
  /** The one line that Tab reaches. */
  reached: boolean;
  onSelect: () => void;
  onToggle: () => void;
}

function TreeLine({ row, chosen, reached, onSelect, onToggle }: TreeLineProps) {
  const { node, level, branch, open } = row;
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-posinset={row.place}
      aria-setsize={row.siblings}
      aria-selected={chosen}
      aria-expanded={branch ? open : undefined}
      tabIndex={reached ? 0 : -1}
      className={classNames(
        'flex min-h-8 cursor-pointer items-center gap-1.5 rounded-6 py-1 pr-2.5 text-13',
        chosen ? 'bg-accent-soft font-medium text-accent' : 'hover:bg-hover',
      )}
      style={{ paddingLeft: 8 + (level - 1) * 16 }}
      onClick={(event) => {
        const onArrow = (event.target as HTMLElement).closest('[data-arrow]') !== null;
        if (onArrow && branch) onToggle();
        else onSelect();
      }}
      onKeyDown={(event) => walk(event, row, onSelect, onToggle)}
    >
      <span data-arrow className="inline-flex size-5 shrink-0 items-center justify-center text-faint">
        {branch && <Icon name={open ? 'chevronDown' : 'chevronRight'} size={12} />}
      </span>
      <span className="min-w-0 flex-1 break-words">{node.label}</span>
      {node.aside !== undefined && <span className="figures text-12 text-faint">{node.aside}</span>}
    </div>
  );
}

/** The keys of the ARIA tree pattern. */
function walk(event: KeyboardEvent<HTMLElement>, row: TreeRow, onSelect: () => void, onToggle: () => void): void {
  const here = event.currentTarget;
  const lines = [...(here.parentElement?.children ?? [])] as HTMLElement[];
  const place = lines.indexOf(here);
  const parent = () => lines.slice(0, place).findLast((other) => Number(other.getAttribute('aria-level')) < row.level);
  switch (event.key) {
    case 'ArrowDown':
      lines[place + 1]?.focus();
      break;
    case 'ArrowUp':
      lines[place - 1]?.focus();
      break;
    case 'Home':
      lines[0]?.focus();
      break;
    case 'End':
      lines.at(-1)?.focus();
      break;
    case 'ArrowRight':
      if (row.open) lines[place + 1]?.focus();
      else if (row.branch) onToggle();
      break;
    case 'ArrowLeft':
      if (row.open) onToggle();
      else parent()?.focus();
      break;
    case 'Enter':
    case ' ':
      onSelect();
      break;
    default:
      return;
  }
  event.preventDefault();
}
