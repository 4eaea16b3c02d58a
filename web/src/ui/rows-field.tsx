import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useText } from '../lib/locale.tsx';
import { Button, IconButton } from './button.tsx';
import type { Rows } from './form-rows.ts';

interface Props<Row extends object> {
  legend: string;
  of: Rows<Row>;
  /** What a row is called, by its number from 1: "Step 2". */
  rowName: (number: number) => string;
  addText: string;
  /** A new row, without values. */
  make: () => Row;
  /** Rows that there must be, and may be. */
  least?: number;
  most?: number;
  /** The fields of a row. */
  children: (row: Row, index: number) => ReactNode;
}

type Direction = 'up' | 'down';
/** Where the focus goes once the rows are drawn: a row's first control, a button of it, or the button that adds. */
type Focus = { key: string; button?: Direction } | 'add';

/** A field of rows: added, removed, and moved by drag or by button; the focus stays with what was done, and it is said. */
export function RowsField<Row extends object>(props: Props<Row>) {
  const { legend, of, rowName, addText, make, least = 1, most = Number.POSITIVE_INFINITY, children } = props;
  const t = useText();
  const element = useRef<HTMLFieldSetElement>(null);
  const focus = useRef<Focus | null>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const { rows, keys, error } = of;
  useEffect(() => {
    if (focus.current === null) return;
    moveFocus(element.current, focus.current);
    focus.current = null;
  });
  function add(): void {
    of.add(make());
    focus.current = { key: of.keys.at(-1) ?? '' };
    setSaid(t('ui.rows.added', { row: rowName(rows.length + 1) }));
  }
  function remove(index: number): void {
    const next = keys[index + 1] ?? keys[index - 1];
    focus.current = next === undefined ? 'add' : { key: next };
    of.remove(index);
    setSaid(t('ui.rows.removed', { row: rowName(index + 1) }));
  }
  function move(from: number, to: number, button?: Direction): void {
    if (from === to) return;
    const key = keys[from] ?? '';
    focus.current = { key, ...(button && { button }) };
    of.move(from, to);
    setSaid(t('ui.rows.moved', { row: rowName(from + 1), place: to + 1, count: rows.length }));
  }
  return (
    <fieldset ref={element} className="m-0 flex min-w-0 flex-col gap-3 border-0 p-0">
      <legend className="mb-1.5 p-0 text-13 font-medium">{legend}</legend>
      <div role="status" className="sr-only">
        {said}
      </div>
      <ol className="m-0 flex list-none flex-col gap-3 p-0">
        {rows.map((row, index) => {
          const name = rowName(index + 1);
          return (
            <li
              key={keys[index]}
              data-row={keys[index]}
              aria-label={name}
              draggable={rows.length > 1}
              onDragStart={() => setDragged(index)}
              onDragEnd={() => setDragged(null)}
              onDragOver={(event) => dragged !== null && event.preventDefault()}
              onDrop={() => {
                if (dragged !== null) move(dragged, index);
                setDragged(null);
              }}
              className="flex flex-col gap-3 rounded-10 border border-line p-4"
            >
              <div className="flex items-center justify-between gap-2">
                <span className="text-13 font-medium">{name}</span>
                <span className="flex gap-1">
                  <IconButton
                    icon="arrowUp"
                    data-rows="up"
                    label={t('ui.rows.up', { row: name })}
                    disabled={index === 0}
                    onClick={() => move(index, index - 1, 'up')}
                  />
                  <IconButton
                    icon="arrowDown"
                    data-rows="down"
                    label={t('ui.rows.down', { row: name })}
                    disabled={index === rows.length - 1}
                    onClick={() => move(index, index + 1, 'down')}
                  />
                  <IconButton
                    icon="trash"
                    data-rows="remove"
                    label={t('ui.rows.remove', { row: name })}
                    disabled={rows.length <= least}
                    onClick={() => remove(index)}
                  />
                </span>
              </div>
              {children(row, index)}
            </li>
          );
        })}
      </ol>
      {error !== undefined && (
        <p role="alert" className="m-0 text-12 text-negative">
          {error}
        </p>
      )}
      <div>
        <Button
          icon="plus"
          data-rows="add"
          // Where what is wrong with the rows as a whole can be put right.
          data-invalid={error !== undefined || undefined}
          disabled={rows.length >= most}
          onClick={add}
        >
          {addText}
        </Button>
      </div>
    </fieldset>
  );
}

/** A button that ends at its edge is disabled: the focus goes to the one beside it. */
function moveFocus(field: HTMLElement | null, to: Focus): void {
  if (to === 'add') {
    field?.querySelector<HTMLElement>('[data-rows="add"]')?.focus();
    return;
  }
  const row = field?.querySelector<HTMLElement>(`[data-row="${to.key}"]`);
  if (to.button) {
    const button = row?.querySelector<HTMLButtonElement>(`[data-rows="${to.button}"]:not(:disabled)`);
    (button ?? row?.querySelector<HTMLButtonElement>('[data-rows]:not(:disabled)'))?.focus();
    return;
  }
  const control = 'input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [role="combobox"]';
  (row?.querySelector<HTMLElement>(control) ?? row?.querySelector<HTMLElement>('[data-rows]:not(:disabled)'))?.focus();
}
