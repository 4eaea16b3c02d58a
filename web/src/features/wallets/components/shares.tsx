import type { Wallet } from '@causeway/contract/wallets.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { DonutChart } from '../../../ui/chart.tsx';
import { isZero } from '../amounts.ts';

/** What the company's total is made of, the largest first; wallets that hold nothing have no slice. */
export function Shares({ wallets }: { wallets: readonly Wallet[] }) {
  const t = useText();
  const formats = useFormats();
  const shares = wallets
    .flatMap(({ coin, chainName, share, value }) =>
      share === null || value === null || isZero(value) ? [] : [{ coin, chainName, value, weight: Number(share) }],
    )
    .sort((a, b) => b.weight - a.weight)
    .map(({ coin, chainName, value, weight }) => ({
      name: `${coin} · ${chainName}`,
      // A sliver that rounds to nothing still has a place in the ring.
      weight: Math.max(weight, 0.01),
      percent: formats.percent(weight / 100),
      figure: amountLine(value),
    }));
  if (shares.length === 0)
    return <p className="m-0 w-full text-center text-13 text-faint">{t('wallets.shares.empty')}</p>;
  return <DonutChart label={t('wallets.sharesIn', { currency: 'USD' })} shares={shares} />;
}
