import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import { lazy, Suspense } from 'react';
import { loadTexts } from '../../../lib/locale.tsx';

const SpeedUp = lazy(async () => {
  const loading = loadTexts(['transfers-fee']);
  const { SpeedUp: loaded } = await import('./speed-up.tsx');
  await loading;
  return { default: loaded };
});

/** Raises the network fee of a transfer that waits for a block, where its fee was a choice; loads with the first such transfer. */
export function SpeedUpTransfer({ detail }: { detail: TransactionDetail }) {
  if (detail.networkFee === null || detail.status !== 'pending') return null;
  return (
    <Suspense fallback={null}>
      <SpeedUp detail={detail} networkFee={detail.networkFee} />
    </Suspense>
  );
}
