import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Card } from '../../../ui/card.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Batch } from '../api.ts';
import { toneOf } from '../words.ts';

/** What a batch is, what it pays out of which wallet, and the file that it came from. */
export function BatchHead({ batch }: { batch: Batch }) {
  const t = useText();
  const { name, state, rows, totals, wallets, createdBy, createdAt, fileName, fileHash } = batch;
  return (
    <Card
      title={name}
      aside={<StatusDot tone={toneOf({ state, progress: null })}>{t(`batches.state.${state}`)}</StatusDot>}
    >
      <DescriptionList
        columns
        facts={[
          { term: t('batches.field.rows'), value: String(rows) },
          {
            term: t('batches.field.totals'),
            value:
              totals.length === 0 ? (
                '–'
              ) : (
                <span className="flex flex-col">
                  {totals.map(({ asset, amount, rows: count }) => (
                    <span key={asset}>
                      {amountLine(amount, asset)}{' '}
                      <span className="text-faint">· {t('batches.rowCount', { count })}</span>
                    </span>
                  ))}
                </span>
              ),
          },
          {
            term: t('batches.field.wallets'),
            value:
              wallets.length === 0 ? (
                '–'
              ) : (
                <span className="flex flex-col">
                  {wallets.map(({ walletId, asset, place, amount }) => (
                    <span key={walletId}>
                      {asset} · {place}: {amountLine(amount, asset)}
                    </span>
                  ))}
                </span>
              ),
          },
          { term: t('batches.field.createdBy'), value: createdBy.name },
          { term: t('batches.field.createdAt'), value: <Time at={createdAt} /> },
          ...(fileName === null ? [] : [{ term: t('batches.field.file'), value: fileName }]),
          ...(fileHash === null
            ? []
            : [
                {
                  term: t('batches.field.fileHash'),
                  value: <span className="font-mono text-12 wrap-anywhere">{fileHash}</span>,
                },
              ]),
        ]}
      />
    </Card>
  );
}
