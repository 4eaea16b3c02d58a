import { type BatchField, batchFields, maxBatchRows, maxRowsAtOnce } from '@causeway/contract/batches-rules.ts';
import { useMemo, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { Banner } from '../../../ui/states.tsx';
import { TextArea } from '../../../ui/text-field.tsx';
import type { Edits } from '../api.ts';
import { cellsOf, fieldNamer, rowsOf } from '../pasted.ts';

interface Props {
  edits: Edits;
  /** What was pasted on the grid already. */
  text: string;
  /** The columns of cells without a line of names. */
  columns: readonly BatchField[];
  /** How many rows the batch has. */
  rows: number;
  onClose: () => void;
}

/** Rows out of a spreadsheet: shows how many were understood and in which columns, then adds them in parts. */
export function PasteDialog({ edits, text: given, columns, rows: before, onClose }: Props) {
  const t = useText();
  const [text, setText] = useState(given);
  const [done, setDone] = useState<number | null>(null);
  const rows = useMemo(
    () =>
      rowsOf(
        cellsOf(text),
        columns,
        fieldNamer((field) => t(`batches.column.${field}`)),
      ),
    [text, columns, t],
  );
  const used = batchFields.filter((field) => rows.some((row) => row[field] !== undefined));
  const isTooMany = before + rows.length > maxBatchRows;
  const add = async () => {
    setDone(0);
    for (let from = 0; from < rows.length; from += maxRowsAtOnce) {
      const part = rows.slice(from, from + maxRowsAtOnce).map((written) => ({ id: newId(), written }));
      // What was added before stays; the rest is still in the field.
      if ((await edits.add(part)) === null) {
        setDone(null);
        return;
      }
      setDone(from + part.length);
    }
    onClose();
  };
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => open || done !== null || onClose()}
      title={t('batches.paste.title')}
      description={t('batches.paste.text')}
      actions={
        <>
          <Button disabled={done !== null} onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button
            kind="primary"
            busy={done !== null}
            disabled={rows.length === 0 || isTooMany}
            onClick={() => void add()}
          >
            {t('batches.paste.add', { count: rows.length })}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <TextArea
          label={t('batches.paste.field')}
          hint={t('batches.paste.hint', { columns: columns.map((field) => t(`batches.column.${field}`)).join(' · ') })}
          rows={8}
          value={text}
          disabled={done !== null}
          onChange={(event) => setText(event.target.value)}
        />
        {rows.length > 0 && (
          <p role="status" className="m-0 text-13 text-muted">
            {t('batches.paste.understood', {
              count: rows.length,
              columns: used.map((field) => t(`batches.column.${field}`)).join(', '),
            })}
          </p>
        )}
        {isTooMany && <Banner kind="negative">{t('batches.paste.tooMany', { most: maxBatchRows })}</Banner>}
        {done !== null && <ProgressBar label={t('batches.paste.adding')} done={done} total={rows.length} />}
      </div>
    </Dialog>
  );
}
