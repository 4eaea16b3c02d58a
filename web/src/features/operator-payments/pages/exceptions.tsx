import { exceptionKinds } from '@causeway/contract/operator-exceptions-rules.ts';
import { Outlet } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { Banner, EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { useExceptions } from '../api-exceptions.ts';
import { ActWork } from '../components/act-work.tsx';
import { ExceptionCard } from '../components/exception-card.tsx';

/** What is open across companies, by kind, and what is being done about it. */
export function Page() {
  const t = useText();
  const read = useExceptions();
  const { data } = read;
  return (
    <>
      <Frame intro={t('ops.exceptions.intro')}>
        {data === undefined && read.error !== null ? (
          <ErrorState error={read.error} onRetry={() => void read.refetch()} />
        ) : (
          <Loading loading={data === undefined} skeleton={<Skeleton height="h-60" />}>
            {data?.isCut && <Banner kind="notice">{t('ops.exceptions.cut', { count: data.items.length })}</Banner>}
            {data?.items.length === 0 && (
              <Card flush>
                <EmptyState icon="check" title={t('ops.exceptions.empty')} text={t('ops.exceptions.emptyText')} />
              </Card>
            )}
            {exceptionKinds.map((kind) => {
              const items = data?.items.filter((item) => item.kind === kind) ?? [];
              return items.length === 0 ? null : <ExceptionCard key={kind} kind={kind} items={items} />;
            })}
            {data && <ActWork work={data.work} />}
          </Loading>
        )}
      </Frame>
      <Outlet />
    </>
  );
}
