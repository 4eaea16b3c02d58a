import type { ApprovalContent } from '@causeway/contract/approvals.ts';
import { differsFromFile } from '@causeway/contract/batch-runs-rules.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { PanelSection } from '../../../ui/side-panel.tsx';
import { Banner } from '../../../ui/states.tsx';

type Batch = Extract<ApprovalContent, { shape: 'batch' }>;

/** A run of a batch: its totals, the rows to look at first, and the way to all of them. */
export function TaskBatch({ content, runId }: { content: Batch; runId: string }) {
  const t = useText();
  const formats = useFormats();
  const { rows, waiting, totals, remarkable, batchId, fileHash, edits } = content;
  return (
    <>
      <PanelSection title={t('approvals.batch.title', { rows })}>
        {waiting < rows && <Banner kind="notice">{t('approvals.batch.waiting', { waiting, rows })}</Banner>}
        {differsFromFile(edits) && <Banner kind="notice">{t('approvals.batch.edits', edits)}</Banner>}
        <DescriptionList
          facts={[
            ...totals.map(({ asset, amount, fee, rows: count }) => ({
              term: t('approvals.batch.total', { asset, rows: count }),
              value: (
                <span className="flex flex-col items-end">
                  <Money amount={amount} coin={asset} align="right" />
                  <span className="figures text-12 text-faint">
                    {t('approvals.batch.fee', { fee: amountLine(fee, asset) })}
                  </span>
                </span>
              ),
            })),
            ...(fileHash === null
              ? []
              : [
                  {
                    term: t('approvals.batch.file'),
                    value: <span className="figures text-12 break-all">{fileHash}</span>,
                  },
                ]),
          ]}
        />
        <p className="m-0 mt-2 text-13 text-faint">{t('approvals.batch.rule')}</p>
      </PanelSection>
      {remarkable.length > 0 && (
        <PanelSection title={t('approvals.batch.look')}>
          <ul className="m-0 list-none rounded-6 border border-line p-0">
            {remarkable.map((row) => (
              <li key={row.id} className="flex flex-col gap-1 border-b border-line px-4 py-2.5 text-13 last:border-b-0">
                <span className="flex flex-wrap items-baseline justify-between gap-x-4">
                  <PlainLink href={`/app/transaction/${row.transactionId}`} className="font-medium text-accent">
                    {row.number}. {row.payee}
                  </PlainLink>
                  <span className="figures">{amountLine(row.amount, row.asset)}</span>
                </span>
                <span className="figures text-12 break-all text-faint">{row.account}</span>
                {row.findings.map(({ kind, text }) => (
                  <span key={kind} className={kind === 'newPayee' ? 'text-muted' : 'text-pending'}>
                    {text}
                  </span>
                ))}
              </li>
            ))}
          </ul>
        </PanelSection>
      )}
      <PlainLink href={`/app/storm/${batchId}/run/${runId}`} className="text-13 text-accent">
        {t('approvals.batch.all', { rows: formats.count(rows) })}
      </PlainLink>
    </>
  );
}
