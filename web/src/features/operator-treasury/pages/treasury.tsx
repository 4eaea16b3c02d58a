import { lazy, Suspense } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { useTreasury } from '../api.ts';
import { TankCard } from '../components/tank-card.tsx';
import { TreasuryPositions } from '../components/treasury-positions.tsx';

const Below = lazy(async () => ({ default: (await import('../components/treasury-below.tsx')).TreasuryBelow }));

/** The gas tanks, the platform's coins, the fees that the operator has earned, where they may go, nodes and keys. */
export function Page() {
  const t = useText();
  const read = useTreasury();
  const { data } = read;
  return (
    <Frame intro={t('ops.treasury.intro')}>
      {data === undefined && read.error !== null ? (
        <Card>
          <ErrorState error={read.error} onRetry={() => void read.refetch()} />
        </Card>
      ) : (
        <Loading loading={data === undefined} skeleton={<Skeleton height="h-64" />}>
          <div className="flex flex-col gap-6">
            {data?.chains.map((chain) => chain.tank && <TankCard key={chain.id} chain={chain} tank={chain.tank} />)}
            {data && <TreasuryPositions treasury={data} />}
          </div>
        </Loading>
      )}
      <Suspense fallback={<Skeleton height="h-64" />}>
        <Below treasury={data} />
      </Suspense>
    </Frame>
  );
}
