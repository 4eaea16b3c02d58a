import { formatAmount, parseAmount } from '@causeway/contract/money.ts';
import type { Wallet } from '@causeway/contract/wallets.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { DonutChart } from '../../../ui/chart.tsx';
import { isZero } from '../amounts.ts';
import { walletName } from '../wallet-name.ts';

/** The ring has as many colours. */
const most = 8;
/** Values are in the base currency, which has two decimals. */
const valueDecimals = 2;

interface Slice {
  name: string;
  value: string;
  weight: number;
}

/** The slices, the smallest of them as one where there are more than colours. */
function folded(slices: readonly Slice[], others: string): readonly Slice[] {
  if (slices.length <= most) return slices;
  const rest = slices.slice(most - 1);
  const minor = rest.reduce((sum, { value }) => {
    const amount = parseAmount(value, valueDecimals);
    return amount.ok ? sum + amount.minor : sum;
  }, 0n);
  const weight = rest.reduce((sum, slice) => sum + slice.weight, 0);
  return [...slices.slice(0, most - 1), { name: others, value: formatAmount(minor, valueDecimals), weight }];
}

/** What the company's total is made of, the largest first; wallets that hold nothing have no slice. */
export function Shares({ wallets }: { wallets: readonly Wallet[] }) {
  const t = useText();
  const formats = useFormats();
  const found = wallets
    .flatMap((wallet) => {
      const { share, base } = wallet;
      const { value } = base;
      const name = walletName(wallet);
      return share === null || value === null || isZero(value) ? [] : [{ name, value, weight: Number(share) }];
    })
    .sort((a, b) => b.weight - a.weight);
  const shares = folded(found, t('wallets.shares.others')).map(({ name, value, weight }) => ({
    name,
    // A sliver that rounds to nothing still has a place in the ring.
    weight: Math.max(weight, 0.01),
    percent: formats.percent(weight / 100),
    figure: amountLine(value),
  }));
  if (shares.length === 0) {
    // Without the price of one coin no share of the total is known.
    const isHolding = wallets.some(({ quantity }) => !isZero(quantity));
    return (
      <p className="m-0 w-full text-center text-13 text-faint">
        {t(isHolding ? 'wallets.shares.noPrice' : 'wallets.shares.empty')}
      </p>
    );
  }
  return <DonutChart label={t('wallets.sharesIn', { currency: wallets[0]?.base.currency ?? 'USD' })} shares={shares} />;
}
