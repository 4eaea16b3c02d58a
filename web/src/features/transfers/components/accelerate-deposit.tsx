import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import { lazy, Suspense } from 'react';
import { loadTexts } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';

const Accelerate = lazy(async () => {
  const loading = loadTexts(['transfers', 'transfers-fee']);
  const { Accelerate: loaded } = await import('./accelerate.tsx');
  await loading;
  return { default: loaded };
});

/** Has a deposit that waits for a block taken into one sooner; loads with the first such deposit. */
export function AccelerateDeposit({ detail }: { detail: TransactionDetail }) {
  const mayTransfer = usePermission('transfer.create');
  if (detail.waiting === null || mayTransfer !== true) return null;
  return (
    <Suspense fallback={null}>
      <Accelerate detail={detail} terms={detail.waiting} />
    </Suspense>
  );
}
