import type { BatchField } from '@causeway/contract/batches-rules.ts';
import { type ClipboardEvent, type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { classNames } from '../../../ui/class-names.ts';
import { PlainLink } from '../../../ui/plain-link.tsx';
import type { BatchRow, Edits, Problem } from '../api.ts';
import { columnsOf } from '../columns.ts';
import { cellsOf } from '../pasted.ts';

interface Props {
  rows: readonly BatchRow[];
  /** Null: the rows can be looked at alone. */
  edits: Edits | null;
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
  /** Several cells were pasted on a column. */
  onPaste: (text: string, from: BatchField) => void;
}

interface Place {
  row: number;
  column: number;
}

/**
 * Rows as a grid (WAI-ARIA "grid"): arrows move, Enter, F2 or typing edits, Escape gives up, Delete empties. What is wrong is in the cell that it is
 * about, with what to do.
 */
export function RowGrid({ rows, edits, selected, onSelect, onPaste }: Props) {
  const t = useText();
  const columns = useMemo(() => columnsOf(rows), [rows]);
  const grid = useRef<HTMLTableElement>(null);
  const [at, setAt] = useState<Place>({ row: 0, column: 0 });
  const [editing, setEditing] = useState<{ id: string; field: BatchField; text: string } | null>(null);
  const focus = ({ row, column }: Place) => {
    const next = { row: clamp(row, rows.length), column: clamp(column, columns.length) };
    setAt(next);
    grid.current?.querySelector<HTMLElement>(`[data-cell="${next.row} ${next.column}"]`)?.focus();
  };
  const save = (row: BatchRow, field: BatchField, text: string) => {
    setEditing(null);
    if (text.trim() !== (row.written[field] ?? '')) void edits?.mend(row.id, { [field]: text });
  };
  const isAll = rows.length > 0 && rows.every(({ id }) => selected.has(id));
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };

  function onKey(event: KeyboardEvent<HTMLTableCellElement>, row: BatchRow, place: Place, field: BatchField): void {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const move = moves[event.key];
    if (move) {
      event.preventDefault();
      focus({ row: place.row + move[0], column: place.column + move[1] });
    } else if (event.key === 'Home' || event.key === 'End') {
      event.preventDefault();
      focus({ row: place.row, column: event.key === 'Home' ? 0 : columns.length - 1 });
    } else if (edits === null) {
      return;
    } else if (event.key === 'Enter' || event.key === 'F2') {
      event.preventDefault();
      setEditing({ id: row.id, field, text: row.written[field] ?? '' });
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      save(row, field, '');
    } else if (event.key.length === 1 && event.key !== ' ') {
      event.preventDefault();
      setEditing({ id: row.id, field, text: event.key });
    }
  }

  function onPasted(event: ClipboardEvent<HTMLTableCellElement>, row: BatchRow, field: BatchField): void {
    if (edits === null || event.target !== event.currentTarget) return;
    event.preventDefault();
    const text = event.clipboardData.getData('text/plain');
    const cells = cellsOf(text);
    const [only = []] = cells;
    if (cells.length === 1 && only.length === 1) save(row, field, only[0] ?? '');
    else if (cells.length > 0) onPaste(text, field);
  }

  return (
    <div className="max-h-[70vh] overflow-auto">
      <table
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table may be a grid (WAI-ARIA in HTML)
        role="grid"
        aria-label={t('batches.rows')}
        aria-readonly={edits === null}
        className="w-full border-collapse text-left text-13"
      >
        <thead className="sticky top-0 z-10 bg-surface">
          <tr className="border-b border-line text-faint">
            {edits !== null && (
              <th scope="col" className="w-9 px-3 py-2">
                <input
                  type="checkbox"
                  aria-label={t('batches.grid.selectAll')}
                  checked={isAll}
                  onChange={() => onSelect(isAll ? new Set() : new Set(rows.map(({ id }) => id)))}
                  className="size-4 accent-accent"
                />
              </th>
            )}
            <th scope="col" className="px-3 py-2 text-right font-medium whitespace-nowrap">
              {t('batches.grid.number')}
            </th>
            {columns.map((field) => (
              <th
                key={field}
                scope="col"
                className={classNames('px-3 py-2 font-medium whitespace-nowrap', field === 'amount' && 'text-right')}
              >
                {t(`batches.column.${field}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, y) => (
            <tr key={row.id} className="border-b border-line align-top last:border-b-0">
              {edits !== null && (
                <td className="px-3 py-2">
                  <input
                    type="checkbox"
                    aria-label={t('batches.grid.select', { number: row.number })}
                    checked={selected.has(row.id)}
                    onChange={() => toggle(row.id)}
                    className="size-4 accent-accent"
                  />
                </td>
              )}
              <th scope="row" className="figures px-3 py-2 text-right font-normal text-faint">
                {row.number}
              </th>
              {columns.map((field, x) => {
                const isEdited = editing?.id === row.id && editing.field === field;
                const problems = row.problems.filter(({ column }) => column === field);
                return (
                  <td
                    key={field}
                    data-cell={`${y} ${x}`}
                    data-field={field}
                    tabIndex={at.row === y && at.column === x ? 0 : -1}
                    aria-invalid={problems.some(({ severity }) => severity === 'error') || undefined}
                    onFocus={(event) => event.target === event.currentTarget && setAt({ row: y, column: x })}
                    onKeyDown={(event) => onKey(event, row, { row: y, column: x }, field)}
                    onPaste={(event) => onPasted(event, row, field)}
                    onDoubleClick={() =>
                      edits !== null && setEditing({ id: row.id, field, text: row.written[field] ?? '' })
                    }
                    className={classNames(
                      'px-3 py-2 -outline-offset-2 focus-visible:outline-2 focus-visible:outline-accent',
                      problems.length > 0 ? 'min-w-60' : 'min-w-24',
                      look(problems),
                    )}
                  >
                    {isEdited ? (
                      <CellInput
                        label={`${t(`batches.column.${field}`)} ${row.number}`}
                        text={editing.text}
                        onSave={(text, step) => {
                          save(row, field, text);
                          if (step !== null) focus({ row: y + step[0], column: x + step[1] });
                        }}
                        onCancel={() => {
                          setEditing(null);
                          focus({ row: y, column: x });
                        }}
                      />
                    ) : (
                      <CellValue row={row} field={field} />
                    )}
                    {problems.map((problem) => (
                      <ProblemNote key={problem.key} problem={problem} />
                    ))}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

function clamp(value: number, length: number): number {
  return Math.max(0, Math.min(length - 1, value));
}

function look(problems: readonly Problem[]): string {
  if (problems.some(({ severity }) => severity === 'error')) return 'bg-negative-soft';
  return problems.some(({ accepted }) => !accepted) ? 'bg-pending-soft' : '';
}

/** What was written, and beneath it what it means where that says more. */
function CellValue({ row: { written, meaning }, field }: { row: BatchRow; field: BatchField }) {
  const t = useText();
  const text = written[field] ?? '';
  const more = meaning === null ? null : meant(meaning, field, text);
  return (
    <span className={classNames('flex min-h-5 flex-col', field === 'amount' && 'figures items-end text-right')}>
      <span className="max-w-70 break-words whitespace-pre-line">{text}</span>
      {more !== null && <span className="max-w-70 text-12 break-words text-faint">{more}</span>}
      {field === 'payee' && meaning !== null && (
        <span className="text-12">
          <PlainLink
            href={
              meaning.payee.kind === 'bank' ? `/app/payee/bank/${meaning.payee.id}` : `/app/payee/${meaning.payee.id}`
            }
            className="text-accent"
          >
            {t('batches.grid.openPayee')}
          </PlainLink>
          {meaning.payee.status !== 'usable' && (
            <span className="text-pending"> · {t(`batches.payee.${meaning.payee.status}`)}</span>
          )}
        </span>
      )}
    </span>
  );
}

function meant(meaning: NonNullable<BatchRow['meaning']>, field: BatchField, text: string): string | null {
  const said: Partial<Record<BatchField, string>> = {
    payee: meaning.payee.label,
    account: meaning.payee.account,
    asset: meaning.asset,
    place: meaning.place,
    amount: amountLine(meaning.amount, meaning.asset),
  };
  const words = said[field] ?? null;
  // The coin has a column of its own.
  const known = field === 'amount' ? amountLine(meaning.amount) : words;
  return [words, known].some((one) => one?.toLowerCase() === text.toLowerCase()) ? null : words;
}

function ProblemNote({ problem: { severity, sentence, mend, accepted } }: { problem: Problem }) {
  const t = useText();
  if (accepted)
    return (
      <span className="mt-1 block max-w-70 text-12 break-words text-faint">
        {t('batches.grid.accepted', { sentence })}
      </span>
    );
  return (
    <span
      className={classNames(
        'mt-1 block max-w-70 text-12 break-words',
        severity === 'error' ? 'text-negative' : 'text-pending',
      )}
    >
      {sentence} <span className="text-muted">{mend}</span>
    </span>
  );
}

type Step = readonly [number, number] | null;

/** Enter and Tab save and go on, Escape gives up, leaving saves. */
function CellInput({
  label,
  text,
  onSave,
  onCancel,
}: {
  label: string;
  text: string;
  onSave: (text: string, step: Step) => void;
  onCancel: () => void;
}) {
  const [value, setValue] = useState(text);
  const isOver = useRef(false);
  const end = (work: () => void) => {
    if (isOver.current) return;
    isOver.current = true;
    work();
  };
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: the person has just begun to edit this cell
      autoFocus
      aria-label={label}
      value={value}
      maxLength={500}
      onChange={(event) => setValue(event.target.value)}
      onBlur={() => end(() => onSave(value, null))}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        const step: Step = event.key === 'Enter' ? [1, 0] : event.key === 'Tab' ? [0, event.shiftKey ? -1 : 1] : null;
        if (event.key === 'Escape') end(onCancel);
        if (step === null) return;
        event.preventDefault();
        end(() => onSave(value, step));
      }}
      className="w-full min-w-32 rounded-6 border border-accent bg-surface px-2 py-1 text-13 outline-none"
    />
  );
}
