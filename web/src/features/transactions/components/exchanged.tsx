import type { ExchangeDetail } from '@causeway/contract/transactions.ts';
import { lazy, Suspense } from 'react';
import { Skeleton } from '../../../ui/states.tsx';

const ExchangedFacts = lazy(async () => ({ default: (await import('./exchanged-facts.tsx')).ExchangedFacts }));

interface Props {
  exchanged: ExchangeDetail;
  /** Of the transaction that is shown. */
  id: string;
}

/** Of an exchange: its section, which no other panel loads. */
export function Exchanged(props: Props) {
  return (
    <Suspense fallback={<Skeleton height="h-64" />}>
      <ExchangedFacts {...props} />
    </Suspense>
  );
}
