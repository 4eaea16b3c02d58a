import { downloadWrongRows, listBatchRows } from 'virtual:calls/batches';
import type { BatchField } from '@causeway/contract/batches-rules.ts';
import { useState } from 'react';
import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { reportError } from '../../../lib/report-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { defineList, ListView } from '../../../ui/list-view.tsx';
import { Banner, Skeleton } from '../../../ui/states.tsx';
import { type Batch, type Edits, useEdits } from '../api.ts';
import { PasteDialog } from './paste-dialog.tsx';
import { RowGrid } from './row-grid.tsx';

const rowList = defineList({
  call: listBatchRows,
  label: 'batches.rows',
  name: 'batchRows',
  filters: [
    { kind: 'search', name: 'keyword', label: 'batches.searchRows' },
    {
      kind: 'choice',
      name: 'show',
      label: 'batches.show',
      options: { wrong: 'batches.show.wrong', warned: 'batches.show.warned', newPayee: 'batches.show.newPayee' },
    },
  ],
  rowId: ({ id }) => id,
  empty: { icon: 'storm', title: 'batches.rows.empty', text: 'batches.rows.emptyText' },
});

/** Columns of cells that are pasted without a line of names. */
const pastedColumns: readonly BatchField[] = [
  'payee',
  'account',
  'asset',
  'place',
  'amount',
  'remittance',
  'invoiceNumber',
];

/** The rows of a batch: looked at, mended, added, taken out. */
export function BatchRows({ batch, canEdit }: { batch: Batch; canEdit: boolean }) {
  const t = useText();
  const edits = useEdits(batch);
  const read = useList(rowList, { batchId: batch.id });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [pasting, setPasting] = useState<{ text: string; columns: readonly BatchField[] } | null>(null);
  const addRow = () => void edits.add([{ id: newId(), written: {} }]);
  return (
    <div className="flex flex-col gap-4">
      {canEdit && <Findings batch={batch} edits={edits} onShow={(show) => read.state.setFilters({ show })} />}
      {canEdit && selected.size > 0 && (
        <Banner
          kind="notice"
          action={
            <span className="flex flex-wrap gap-2">
              <Button
                size="small"
                busy={edits.busy}
                onClick={() => void edits.accept([...selected]).then(() => setSelected(new Set()))}
              >
                {t('batches.acceptSelected')}
              </Button>
              <Button
                size="small"
                busy={edits.busy}
                onClick={() => void edits.remove([...selected]).then(() => setSelected(new Set()))}
              >
                {t('batches.removeSelected')}
              </Button>
            </span>
          }
        >
          {t('batches.selected', { count: selected.size })}
        </Banner>
      )}
      <ListView
        list={rowList}
        read={read}
        {...(canEdit && {
          actions: (
            <>
              <Button icon="plus" busy={edits.busy} onClick={addRow}>
                {t('batches.addRow')}
              </Button>
              <Button onClick={() => setPasting({ text: '', columns: pastedColumns })}>{t('batches.paste')}</Button>
            </>
          ),
        })}
        draw={{
          rows: (rows) => (
            <RowGrid
              rows={rows}
              edits={canEdit ? edits : null}
              selected={selected}
              onSelect={setSelected}
              onPaste={(text, from) => {
                const place = pastedColumns.indexOf(from);
                setPasting({ text, columns: place < 0 ? [from] : pastedColumns.slice(place) });
              }}
            />
          ),
          skeleton: (
            <div className="flex flex-col gap-3 p-4">
              <Skeleton height="h-8" />
              <Skeleton height="h-8" />
              <Skeleton height="h-8" />
            </div>
          ),
        }}
      />
      {canEdit && <p className="m-0 text-12 text-faint">{t('batches.grid.keys')}</p>}
      {pasting !== null && (
        <PasteDialog
          edits={edits}
          text={pasting.text}
          columns={pasting.columns}
          rows={batch.rows}
          onClose={() => setPasting(null)}
        />
      )}
    </div>
  );
}

/** What has to be done before the batch can be checked, each with its step. */
function Findings({ batch, edits, onShow }: { batch: Batch; edits: Edits; onShow: (show: string) => void }) {
  const t = useText();
  const [refused, setRefused] = useState<{ rowId: string; number: number; sentence: string }[]>([]);
  const { wrong, warned, newPayees, waitingPayees } = batch.counts;
  const recheck = async () => {
    if ((await edits.recheck()) !== null) toast('success', t('batches.rechecked'));
  };
  const savePayees = async () => {
    const failed: typeof refused = [];
    let remaining = 1;
    while (remaining > 0) {
      const answer = await edits.savePayees();
      if (answer === null) break;
      failed.push(...answer.refused);
      ({ remaining } = answer);
      // What is refused stays in the batch, so that nothing more would be saved.
      if (answer.saved === 0) break;
    }
    setRefused(failed);
  };
  return (
    <div className="flex flex-col gap-3">
      {wrong > 0 && (
        <Banner
          kind="negative"
          action={
            <span className="flex flex-wrap gap-2">
              <Button size="small" onClick={() => onShow('wrong')}>
                {t('batches.showWrong')}
              </Button>
              <Button size="small" icon="download" onClick={() => void download(batch)}>
                {t('batches.downloadWrong')}
              </Button>
              <Button size="small" busy={edits.busy} onClick={() => void recheck()}>
                {t('batches.recheck')}
              </Button>
              <Button size="small" busy={edits.busy} onClick={() => void edits.remove('wrong')}>
                {t('batches.removeWrong', { count: wrong })}
              </Button>
            </span>
          }
        >
          {t('batches.wrong', { count: wrong })}
        </Banner>
      )}
      {newPayees > 0 && (
        <Banner
          kind="pending"
          action={
            <Button size="small" kind="primary" busy={edits.busy} onClick={() => void savePayees()}>
              {t('batches.savePayees')}
            </Button>
          }
        >
          {t('batches.newPayees', { count: newPayees })}
        </Banner>
      )}
      {refused.length > 0 && (
        <Banner kind="negative">
          <ul className="m-0 pl-4">
            {refused.map(({ rowId, number, sentence }) => (
              <li key={rowId}>{t('batches.payeeRefused', { number, sentence })}</li>
            ))}
          </ul>
        </Banner>
      )}
      {waitingPayees > 0 && <Banner kind="pending">{t('batches.waitingPayees', { count: waitingPayees })}</Banner>}
      {warned > 0 && (
        <Banner
          kind="pending"
          action={
            <span className="flex flex-wrap gap-2">
              <Button size="small" onClick={() => onShow('warned')}>
                {t('batches.showWarned')}
              </Button>
              <Button size="small" busy={edits.busy} onClick={() => void edits.accept('all')}>
                {t('batches.acceptAll')}
              </Button>
            </span>
          }
        >
          {t('batches.warned', { count: warned })}
        </Banner>
      )}
    </div>
  );
}

async function download(batch: Batch): Promise<void> {
  const { download: save } = await import('../../../lib/download.ts');
  await save(downloadWrongRows, { params: { id: batch.id } }, `${batch.name}-errors.csv`).catch(reportError);
}
