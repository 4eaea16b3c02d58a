import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { Banner, EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useReconciliation } from '../api.ts';
import { BankTabs } from '../components/bank-tabs.tsx';
import { FindingList } from '../components/finding-list.tsx';
import { PlaceCard } from '../components/place-card.tsx';

/** The books beside the banks' own statements, compared now. */
export function Page() {
  const t = useText();
  const read = useReconciliation();
  const { data } = read;
  return (
    <Frame
      intro={t('ops.bankReconciliation.intro')}
      actions={
        <Button busy={read.isFetching} onClick={() => void read.refetch()}>
          {t('ops.reconciliation.again')}
        </Button>
      }
    >
      <BankTabs current="bankReconciliation" />
      {data === undefined && read.error !== null ? (
        <Card>
          <ErrorState error={read.error} onRetry={() => void read.refetch()} />
        </Card>
      ) : (
        <Loading loading={data === undefined} skeleton={<Skeleton height="h-64" />}>
          {data && (
            <div className="flex flex-col gap-6">
              {data.findings.length === 0 && data.places.every(({ difference }) => !/[1-9]/.test(difference)) ? (
                <Banner kind="positive">{t('ops.reconciliation.agrees')}</Banner>
              ) : (
                <Banner kind="negative">{t('ops.reconciliation.differs', { count: data.findings.length })}</Banner>
              )}
              <p className="m-0 text-13 text-faint">
                {t('ops.reconciliation.at')} <Time at={data.at} />
                {data.night !== null && (
                  <>
                    {' · '}
                    {t(`ops.reconciliation.night.${data.night.result}`, { count: data.night.differences })}{' '}
                    <Time at={data.night.at} />
                  </>
                )}
              </p>
              {data.places.length === 0 && (
                <Card flush>
                  <EmptyState
                    icon="building"
                    title={t('ops.reconciliation.empty')}
                    text={t('ops.reconciliation.emptyText')}
                  />
                </Card>
              )}
              {data.places.map((place) => (
                <PlaceCard key={`${place.bank}/${place.asset}`} place={place} />
              ))}
              {data.findings.length > 0 && <FindingList findings={data.findings} isCut={data.isCut} />}
            </div>
          )}
        </Loading>
      )}
    </Frame>
  );
}
