import { lazy, Suspense } from 'react';
import { loadTexts } from '../../../lib/locale.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { withoutTrailingZeros } from '../../wallets/index.ts';
import { rememberLevel } from '../network-fees.ts';
import type { TransferForm } from './use-transfer-form.ts';

const Choice = lazy(async () => {
  const loading = loadTexts(['transfers-fee']);
  const { NetworkFeeChoice } = await import('./network-fee-choice.tsx');
  await loading;
  return { default: NetworkFeeChoice };
});

/** How soon a block is to take it, on a chain where that is a choice; on the others nothing. */
export function NetworkFee({ form: { fields, wallet, networkFees } }: { form: TransferForm }) {
  if (!networkFees || wallet === undefined) return null;
  const { feeLevel } = fields.values;
  const bound = fields.value('feeLevel');
  const choose: typeof bound.onChange = (level) => {
    const [before, after] = [networkFees.most(feeLevel), networkFees.most(level)];
    // Everything is to be sent: how much that is depends on the fee.
    const isAll = before !== null && networkFees.chosen?.amount === before;
    bound.onChange(level);
    rememberLevel(level);
    if (isAll && after !== null) fields.set('amount', withoutTrailingZeros(after));
  };
  return (
    <Suspense fallback={<Skeleton height="h-40" />}>
      <Choice {...bound} onChange={choose} fees={networkFees} coin={wallet.asset} />
    </Suspense>
  );
}
