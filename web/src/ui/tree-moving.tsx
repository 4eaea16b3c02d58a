import { type DragEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useText } from '../lib/locale.tsx';
import { Button, IconButton } from './button.tsx';
import {
  type DropZone,
  dropped,
  type MoveStep,
  nodeOf,
  placeOf,
  samePlace,
  stepped,
  type TreeNode,
  type TreePlace,
  withMoved,
} from './tree-moves.ts';

type PlainWord = 'hint' | 'move' | 'keep' | `step.${MoveStep}` | `stuck.${MoveStep}`;

/**
 * What is said about moving, by key; the page that has a tree brings the words, so that the others need not carry them:
 * `moving`, `moved` and `notMoved` with the name, `atTop` and `at` also with place, count and parent.
 */
export type MoveText = (
  key: PlainWord | 'moving' | 'moved' | 'notMoved' | 'atTop' | 'at',
  values?: Record<string, string | number>,
) => string;

/** What makes a tree's lines movable. */
export interface TreeMoves {
  text: MoveText;
  /** The most levels that the tree may have. */
  maxDepth: number;
  /** The node that is being moved step by step; null when none is. */
  moving: string | null;
  onMoving: (id: string | null) => void;
  /** Moves it for good; until this is settled the tree shows it in its new place, and after a refusal in its old one. */
  onMove: (id: string, to: TreePlace) => Promise<unknown>;
}

/** How a line is marked while something is moved. */
type Mark = 'moving' | 'dragged' | DropZone;

export interface Moving {
  /** The tree as it would be. */
  nodes: readonly TreeNode[];
  /** The node moved step by step. */
  id: string | null;
  label: string;
  /** What a screen reader is to say. */
  said: string;
  step: (step: MoveStep) => void;
  keep: () => void;
  giveUp: () => void;
  markOf: (id: string) => Mark | null;
  /** True when the key was meant for moving. */
  onKeyDown: (event: KeyboardEvent<HTMLElement>, id: string) => boolean;
  lineDrag: (id: string) => object;
  treeDrag: object;
  treeRef: RefObject<HTMLDivElement | null>;
}

interface Held {
  id: string;
  place: TreePlace;
}

const steps: Partial<Record<string, MoveStep>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
};

/**
 * Moves nodes of a tree: step by step (keyboard, buttons), tried out on screen and then kept or given up; or by dragging.
 * `open` opens a branch into which something goes.
 */
export function useMoving(
  nodes: readonly TreeNode[],
  moves: TreeMoves | undefined,
  open: (id: string) => void,
): Moving {
  const text: MoveText = (key, values) => moves?.text(key, values) ?? '';
  const [held, setHeld] = useState<Held | null>(null);
  const [drag, setDrag] = useState<{ id: string; over: string | null; zone: DropZone } | null>(null);
  const [said, setSaid] = useState('');
  const treeRef = useRef<HTMLDivElement>(null);
  const id = moves?.moving ?? null;
  const maxDepth = moves?.maxDepth ?? Number.POSITIVE_INFINITY;
  const shown = held === null ? nodes : withMoved(nodes, held.id, held.place);
  const label = (id === null ? undefined : nodeOf(nodes, id)?.label) ?? '';

  // The line moves in the page, which takes the focus from it; whoever stood on it keeps standing on it.
  useLayoutEffect(() => {
    const focused = document.activeElement;
    const lost = focused === document.body || treeRef.current?.contains(focused);
    if (held !== null && lost) lineOf(treeRef.current, held.id)?.focus();
  }, [held]);

  // A move may begin at a button elsewhere: the keys are then meant for the line.
  useLayoutEffect(() => lineOf(treeRef.current, id)?.focus(), [id]);

  const settle = async (moved: string, place: TreePlace) => {
    setHeld({ id: moved, place });
    if (place.parentId !== null) open(place.parentId);
    await moves?.onMove(moved, place).catch(() => undefined);
    setHeld(null);
  };
  const placeText = (tree: readonly TreeNode[], moved: string, { parentId, position }: TreePlace) => {
    const parent = parentId === null ? undefined : nodeOf(tree, parentId);
    const count = (parentId === null ? tree : (parent?.children ?? [])).length;
    const values = { name: nodeOf(tree, moved)?.label ?? '', place: position + 1, count };
    return parent === undefined ? text('atTop', values) : text('at', { ...values, parent: parent.label });
  };
  const step = (wanted: MoveStep) => {
    if (id === null) return;
    const to = stepped(shown, id, wanted, maxDepth);
    if (to === undefined) return setSaid(text(`stuck.${wanted}`));
    if (to.parentId !== null) open(to.parentId);
    setHeld({ id, place: to });
    setSaid(placeText(withMoved(shown, id, to), id, to));
  };
  const end = (sentence: string) => {
    setSaid(sentence);
    moves?.onMoving(null);
    lineOf(treeRef.current, id)?.focus();
  };
  const giveUp = () => {
    setHeld(null);
    end(text('notMoved', { name: label }));
  };
  const keep = () => {
    if (id === null || held === null || samePlace(placeOf(nodes, id), held.place)) return giveUp();
    end(text('moved', { name: label }));
    void settle(id, held.place);
  };
  const begin = (chosen: string) => {
    const { label: name = '' } = nodeOf(nodes, chosen) ?? {};
    setHeld(null);
    moves?.onMoving(chosen);
    setSaid(text('moving', { name }));
  };
  const dropOf = (over: string, zone: DropZone) =>
    drag === null ? undefined : dropped(nodes, drag.id, over, zone, maxDepth);

  return {
    nodes: shown,
    id,
    label,
    said,
    step,
    keep,
    giveUp,
    treeRef,
    markOf: (line) => {
      if (line === id) return 'moving';
      if (drag === null) return null;
      return drag.over === line ? drag.zone : drag.id === line ? 'dragged' : null;
    },
    onKeyDown: (event, line) => {
      const { key } = event;
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (moves === undefined || !plain) return false;
      if (id === null && key.toLowerCase() === 'm') begin(line);
      else if (id === null) return false;
      else if (key === 'Enter' || key === ' ') keep();
      else if (key === 'Escape') giveUp();
      else if (steps[key] !== undefined) step(steps[key]);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
    lineDrag: (line) => ({
      draggable: id === null,
      onDragStart: (event: DragEvent) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', line);
        setDrag({ id: line, over: null, zone: 'inside' });
      },
      onDragOver: (event: DragEvent<HTMLElement>) => {
        const zone = zoneOf(event);
        if (dropOf(line, zone) === undefined) {
          if (drag !== null && drag.over !== null) setDrag({ ...drag, over: null });
          return;
        }
        event.preventDefault();
        if (drag !== null && (drag.over !== line || drag.zone !== zone)) setDrag({ ...drag, over: line, zone });
      },
      onDrop: (event: DragEvent<HTMLElement>) => {
        event.preventDefault();
        const to = dropOf(line, zoneOf(event));
        if (drag !== null && to !== undefined) void settle(drag.id, to);
        setDrag(null);
      },
      onDragEnd: () => setDrag(null),
    }),
    treeDrag: {
      onDragLeave: (event: DragEvent<HTMLElement>) => {
        const inside = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget);
        if (drag !== null && !inside) setDrag({ ...drag, over: null });
      },
    },
  };
}

/** The buttons of a move under way: the same steps for those without a keyboard. */
export function MoveBar({ moving, text }: { moving: Moving; text: MoveText }) {
  const t = useText();
  if (moving.id === null) return null;
  return (
    <fieldset className="m-0 mb-2 flex min-w-0 flex-col gap-2 rounded-10 border-0 bg-notice-soft px-3 py-2.5">
      <legend className="sr-only">{text('move')}</legend>
      <p className="m-0 text-13">{text('moving', { name: moving.label })}</p>
      <div className="flex flex-wrap items-center gap-1">
        <IconButton size="small" icon="arrowUp" label={text('step.up')} onClick={() => moving.step('up')} />
        <IconButton size="small" icon="arrowDown" label={text('step.down')} onClick={() => moving.step('down')} />
        <IconButton size="small" icon="chevronRight" label={text('step.in')} onClick={() => moving.step('in')} />
        <IconButton size="small" icon="chevronLeft" label={text('step.out')} onClick={() => moving.step('out')} />
        <span className="ml-auto flex gap-1.5">
          <Button size="small" onClick={moving.giveUp}>
            {t('ui.cancel')}
          </Button>
          <Button size="small" kind="primary" onClick={moving.keep}>
            {text('keep')}
          </Button>
        </span>
      </div>
    </fieldset>
  );
}

/** The upper and lower quarters of a line mean beside it, its middle means under it. */
function zoneOf(event: DragEvent<HTMLElement>): DropZone {
  const { top, height } = event.currentTarget.getBoundingClientRect();
  const share = (event.clientY - top) / height;
  return share < 0.25 ? 'before' : share > 0.75 ? 'after' : 'inside';
}

function lineOf(tree: HTMLElement | null, id: string | null): HTMLElement | null {
  return id === null ? null : (tree?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`) ?? null);
}
