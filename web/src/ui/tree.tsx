import { type KeyboardEvent, useId, useState } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { rowsOf, type TreeNode, type TreeRow } from './tree-moves.ts';
import { MoveBar, type Moving, type TreeMoves, useMoving } from './tree-moving.tsx';

interface Props {
  label: string;
  nodes: readonly TreeNode[];
  selected: string | null;
  onSelect: (id: string) => void;
  /** Makes the lines movable: by dragging, by keyboard (M, then arrows), and by the buttons that `moving` brings. */
  moves?: TreeMoves;
}

/** A tree to choose from: up and down between lines, right opens and enters, left closes and leaves. */
export function Tree({ label, nodes, selected, onSelect, moves }: Props) {
  const hintId = useId();
  // What was closed is remembered, not what was open: a branch that comes later is there to be seen.
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const open = (id: string) => setClosed((old) => new Set([...old].filter((other) => other !== id)));
  const toggle = (id: string) => (closed.has(id) ? open(id) : setClosed((old) => new Set([...old, id])));
  const moving = useMoving(nodes, moves, open);
  const rows = rowsOf(moving.nodes, new Set(openIn(moving.nodes, closed)));
  const reached = moving.id ?? (rows.some(({ node }) => node.id === selected) ? selected : rows[0]?.node.id);
  return (
    <div>
      {moves !== undefined && (
        <>
          <p id={hintId} className="sr-only">
            {moves.text('hint')}
          </p>
          <div aria-live="assertive" className="sr-only">
            {moving.said}
          </div>
          <MoveBar moving={moving} text={moves.text} />
        </>
      )}
      <div
        role="tree"
        aria-label={label}
        aria-describedby={moves === undefined ? undefined : hintId}
        ref={moving.treeRef}
        {...moving.treeDrag}
      >
        {rows.map((row) => (
          <TreeLine
            key={row.node.id}
            row={row}
            chosen={row.node.id === selected}
            reached={row.node.id === reached}
            onSelect={() => onSelect(row.node.id)}
            onToggle={() => toggle(row.node.id)}
            moving={moves === undefined ? null : moving}
          />
        ))}
      </div>
    </div>
  );
}

function openIn(nodes: readonly TreeNode[], closed: ReadonlySet<string>): string[] {
  return nodes.flatMap((node) => [...(closed.has(node.id) ? [] : [node.id]), ...openIn(node.children ?? [], closed)]);
}

interface TreeLineProps {
  row: TreeRow;
  chosen: boolean;
  /** The one line that Tab reaches. */
  reached: boolean;
  onSelect: () => void;
  onToggle: () => void;
  /** Null when lines cannot be moved. */
  moving: Moving | null;
}

function TreeLine({ row, chosen, reached, onSelect, onToggle, moving }: TreeLineProps) {
  const { node, level, branch, open } = row;
  const mark = moving?.markOf(node.id) ?? null;
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-posinset={row.place}
      aria-setsize={row.siblings}
      aria-selected={chosen}
      aria-expanded={branch ? open : undefined}
      aria-keyshortcuts={moving === null ? undefined : 'M'}
      tabIndex={reached ? 0 : -1}
      data-node={node.id}
      className={classNames(
        'relative flex min-h-8 cursor-pointer items-center gap-1.5 rounded-6 py-1 pr-2.5 text-13',
        chosen ? 'bg-accent-soft font-medium text-accent' : 'hover:bg-hover',
        mark === 'moving' && 'outline-2 -outline-offset-2 outline-accent outline-dashed',
        mark === 'dragged' && 'opacity-50',
        mark === 'inside' && 'outline-2 -outline-offset-2 outline-accent',
      )}
      style={{ paddingLeft: 8 + (level - 1) * 16 }}
      onClick={(event) => {
        const onArrow = (event.target as HTMLElement).closest('[data-arrow]') !== null;
        if (onArrow && branch) onToggle();
        else onSelect();
      }}
      onKeyDown={(event) => {
        if (moving?.onKeyDown(event, node.id) !== true) walk(event, row, onSelect, onToggle);
      }}
      {...moving?.lineDrag(node.id)}
    >
      <span data-arrow className="inline-flex size-5 shrink-0 items-center justify-center text-faint">
        {branch && <Icon name={open ? 'chevronDown' : 'chevronRight'} size={12} />}
      </span>
      <span className="min-w-0 flex-1 truncate" title={node.label}>
        {node.label}
      </span>
      {node.aside !== undefined && <span className="figures text-12 text-faint">{node.aside}</span>}
      {(mark === 'before' || mark === 'after') && (
        <span
          aria-hidden="true"
          className={classNames(
            'pointer-events-none absolute right-0 h-0.5 rounded-full bg-accent',
            mark === 'before' ? '-top-px' : '-bottom-px',
          )}
          style={{ left: 8 + (level - 1) * 16 }}
        />
      )}
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
