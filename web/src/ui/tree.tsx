import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';

interface TreeNode {
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

/** A line of the tree as it stands on screen. */
interface Line {
  node: TreeNode;
  level: number;
  place: number;
  siblings: number;
  branch: boolean;
  open: boolean;
}

/** A tree to choose from: up and down between lines, right opens and enters, left closes and leaves. */
export function Tree({ label, nodes, selected, onSelect, openAtFirst }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(openAtFirst ?? branches(nodes)));
  const toggle = (id: string) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  const lines = linesOf(nodes, open);
  const reached = lines.some(({ node }) => node.id === selected) ? selected : lines[0]?.node.id;
  return (
    <div role="tree" aria-label={label}>
      {lines.map((line) => (
        <TreeLine
          key={line.node.id}
          line={line}
          chosen={line.node.id === selected}
          reached={line.node.id === reached}
          onSelect={() => onSelect(line.node.id)}
          onToggle={() => toggle(line.node.id)}
        />
      ))}
    </div>
  );
}

interface TreeLineProps {
  line: Line;
  chosen: boolean;
  /** The one line that Tab reaches. */
  reached: boolean;
  onSelect: () => void;
  onToggle: () => void;
}

function TreeLine({ line, chosen, reached, onSelect, onToggle }: TreeLineProps) {
  const { node, level, branch, open } = line;
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-posinset={line.place}
      aria-setsize={line.siblings}
      aria-selected={chosen}
      aria-expanded={branch ? open : undefined}
      tabIndex={reached ? 0 : -1}
      className={classNames(
        'flex h-8 cursor-pointer items-center gap-1.5 rounded-6 pr-2.5 text-13',
        chosen ? 'bg-accent-soft font-medium text-accent' : 'hover:bg-hover',
      )}
      style={{ paddingLeft: 8 + (level - 1) * 16 }}
      onClick={(event) => {
        const onArrow = (event.target as HTMLElement).closest('[data-arrow]') !== null;
        if (onArrow && branch) onToggle();
        else onSelect();
      }}
      onKeyDown={(event) => move(event, line, onSelect, onToggle)}
    >
      <span data-arrow className="inline-flex size-5 items-center justify-center text-faint">
        {branch && <Icon name={open ? 'chevronDown' : 'chevronRight'} size={12} />}
      </span>
      <span className="min-w-0 flex-1 truncate">{node.label}</span>
      {node.aside !== undefined && <span className="figures text-12 text-faint">{node.aside}</span>}
    </div>
  );
}

function linesOf(nodes: readonly TreeNode[], openIds: ReadonlySet<string>, level = 1): Line[] {
  return nodes.flatMap((node, index) => {
    const branch = (node.children?.length ?? 0) > 0;
    const open = branch && openIds.has(node.id);
    const line: Line = { node, level, place: index + 1, siblings: nodes.length, branch, open };
    return [line, ...(open ? linesOf(node.children ?? [], openIds, level + 1) : [])];
  });
}

function branches(nodes: readonly TreeNode[]): string[] {
  return nodes.flatMap((node) => (node.children?.length ? [node.id, ...branches(node.children)] : []));
}

/** The keys of the ARIA tree pattern. */
function move(event: KeyboardEvent<HTMLElement>, line: Line, onSelect: () => void, onToggle: () => void): void {
  const here = event.currentTarget;
  const lines = [...(here.parentElement?.children ?? [])] as HTMLElement[];
  const place = lines.indexOf(here);
  const parent = () => lines.slice(0, place).findLast((other) => Number(other.getAttribute('aria-level')) < line.level);
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
      if (line.open) lines[place + 1]?.focus();
      else if (line.branch) onToggle();
      break;
    case 'ArrowLeft':
      if (line.open) onToggle();
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
