import type { PayoutDetail } from '@causeway/contract/transactions.ts';
import { lazy, Suspense } from 'react';
import { Skeleton } from '../../../ui/states.tsx';

const PayoutFacts = lazy(async () => ({ default: (await import('./payout-facts.tsx')).PayoutFacts }));

/** Of a payment out of a bank: its sections, which no other panel loads. */
export function Payout({ payout }: { payout: PayoutDetail }) {
  return (
    <Suspense fallback={<Skeleton height="h-64" />}>
      <PayoutFacts payout={payout} />
    </Suspense>
  );
}
