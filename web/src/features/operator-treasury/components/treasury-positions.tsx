import type { Output } from '@causeway/contract/call.ts';
import type { getTreasury } from '@causeway/contract/operator-treasury.ts';
import { lazy, Suspense } from 'react';
import { Skeleton } from '../../../ui/states.tsx';

const load = () => import('./treasury-card.tsx');
const Card = lazy(async () => ({ default: (await load()).TreasuryCard }));
const Rates = lazy(async () => ({ default: (await import('./fee-rates-card.tsx')).FeeRatesCard }));
const Cards = lazy(async () => ({ default: (await import('./cards-owed.tsx')).CardsOwed }));
const AtBanks = lazy(async () => ({ default: (await load()).BankPositions }));

/** The fee rates of chains without a gas tank, the platform's coins on each chain, what exchanges owe at banks, and what the issuer of cards is owed: below the gas tanks, and loaded after them. */
export function TreasuryPositions({ treasury: { chains, atBanks } }: { treasury: Output<typeof getTreasury> }) {
  return (
    <Suspense fallback={<Skeleton height="h-64" />}>
      {chains.map((chain) => chain.feeRates && <Rates key={chain.id} chain={chain} fees={chain.feeRates} />)}
      {chains.map((chain) => chain.treasury && <Card key={chain.id} chain={chain} treasury={chain.treasury} />)}
      <AtBanks positions={atBanks} />
      <Cards />
    </Suspense>
  );
}
