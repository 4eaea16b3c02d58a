import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { useHealth } from '../api.ts';
import { ChecksTable } from '../components/checks-table.tsx';
import { ProcessesTable } from '../components/processes-table.tsx';
import { QueuesTable } from '../components/queues-table.tsx';
import { StorageCard } from '../components/storage-card.tsx';
import { Summary } from '../components/summary.tsx';
import { SupportCard } from '../components/support-card.tsx';
import { VerificationsCard } from '../components/verifications-card.tsx';

/** How the installation is: what runs, what waits, what was verified, what is full. */
export function Page() {
  const t = useText();
  const read = useHealth();
  const { data } = read;
  return (
    <Frame intro={t('ops.health.intro')}>
      {data === undefined && read.error !== null ? (
        <Card>
          <ErrorState error={read.error} onRetry={() => void read.refetch()} />
        </Card>
      ) : (
        <Loading loading={data === undefined} skeleton={<Skeleton height="h-96" />}>
          {data && (
            <div className="flex flex-col gap-6">
              <Summary health={data} />
              <ChecksTable checks={data.checks} />
              <ProcessesTable health={data} />
              <QueuesTable health={data} />
              <VerificationsCard health={data} />
              <StorageCard storage={data.storage} />
              <SupportCard />
            </div>
          )}
        </Loading>
      )}
    </Frame>
  );
}
