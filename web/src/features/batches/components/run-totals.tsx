import type { RunTotal } from '@causeway/contract/batch-runs.ts';
import { useText } from '../../../lib/locale.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';

/** Of each asset what is paid, and the fees beside it. */
export function RunTotals({ totals, valueUsd }: { totals: readonly RunTotal[]; valueUsd: string | null }) {
  const t = useText();
  return (
    <DescriptionList
      facts={[
        ...totals.map(({ asset, amount, fee, rows }) => ({
          term: t('batches.totals.of', { asset, rows }),
          value: (
            <span className="flex flex-col items-end">
              <Money amount={amount} coin={asset} align="right" />
              <span className="figures text-12 text-faint">
                {t('batches.totals.fee')} <Money amount={fee} coin={asset} align="right" />
              </span>
            </span>
          ),
        })),
        ...(valueUsd === null
          ? []
          : [{ term: t('batches.totals.value'), value: <Money amount={valueUsd} coin="USD" align="right" /> }]),
      ]}
    />
  );
}
