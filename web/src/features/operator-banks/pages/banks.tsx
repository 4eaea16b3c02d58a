import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { useBanks } from '../api.ts';
import { BankCard } from '../components/bank-card.tsx';
import { BankTabs } from '../components/bank-tabs.tsx';
import { OpenWork } from '../components/open-work.tsx';
import { RegistryCard } from '../components/registry-card.tsx';

/** The banks of the installation: their accounts, connections and numbers, and the file that names them. */
export function Page() {
  const t = useText();
  const read = useBanks();
  const { data } = read;
  return (
    <Frame intro={t('ops.banks.intro')}>
      <BankTabs current="banks" />
      {data === undefined && read.error !== null ? (
        <Card>
          <ErrorState error={read.error} onRetry={() => void read.refetch()} />
        </Card>
      ) : (
        <Loading loading={data === undefined} skeleton={<Skeleton height="h-64" />}>
          {data && (
            <div className="flex flex-col gap-6">
              <OpenWork open={data.open} />
              {data.banks.length === 0 && (
                <Card flush>
                  <EmptyState icon="building" title={t('ops.banks.empty')} text={t('ops.banks.emptyText')} />
                </Card>
              )}
              {data.banks.map((bank) => (
                <BankCard key={bank.id} bank={bank} />
              ))}
              <RegistryCard changes={data.registry} />
            </div>
          )}
        </Loading>
      )}
    </Frame>
  );
}
