import { lazy, Suspense, useState } from 'react';
import { useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Card } from '../../../ui/card.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { usePrices } from '../api.ts';
import type { ChosenPrice } from '../components/price-dialog.tsx';
import { PriceTable } from '../components/price-table.tsx';

// Dialogs weigh more than the page itself, and most visits open none.
const PriceDialog = lazy(async () => ({ default: (await import('../components/price-dialog.tsx')).PriceDialog }));
const CompanyField = lazy(async () => ({ default: (await import('../components/company-field.tsx')).CompanyField }));
const choices = ['companyId'] as const;

/** What companies pay and may do at most, for every company or for one. */
export function Page() {
  const t = useText();
  const { filters, setFilters } = useListState(choices);
  const read = usePrices(filters.companyId);
  const mayChange = usePermission('operator.price') === true;
  const [chosen, setChosen] = useState<ChosenPrice | null>(null);
  const { data } = read;
  const isShown = data !== undefined && (data.company?.id ?? undefined) === filters.companyId;
  return (
    <Frame
      intro={t('ops.prices.intro')}
      actions={
        <PlainLink href="/app/price-history" className="text-13 font-medium text-accent">
          {t('ops.prices.allHistory')}
        </PlainLink>
      }
    >
      <div className="max-w-90">
        <Suspense fallback={<Skeleton height="h-15" />}>
          <CompanyField
            label={t('ops.prices.for')}
            value={filters.companyId ?? ''}
            known={data?.company ?? null}
            onChange={(companyId) => setFilters({ companyId: companyId === '' ? null : companyId })}
            placeholder={t('ops.prices.everyCompany')}
          />
        </Suspense>
      </div>
      {!isShown && read.error !== null ? (
        <Card>
          <ErrorState error={read.error} onRetry={() => void read.refetch()} />
        </Card>
      ) : (
        <Loading loading={!isShown} skeleton={<Shape />}>
          {isShown && data.items.length === 0 && (
            <Card>
              <EmptyState icon="exchange" title={t('ops.prices.empty')} text={t('ops.prices.emptyText')} />
            </Card>
          )}
          <div className="grid items-start gap-6 lg:grid-cols-2">
            {isShown &&
              data.items.map((item) => (
                <PriceTable
                  key={item.asset}
                  item={item}
                  companyId={filters.companyId ?? null}
                  mayChange={mayChange}
                  onChange={setChosen}
                />
              ))}
          </div>
        </Loading>
      )}
      {chosen !== null && (
        <Suspense>
          <PriceDialog price={chosen} company={data?.company ?? null} onClose={() => setChosen(null)} />
        </Suspense>
      )}
    </Frame>
  );
}

function Shape() {
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <Skeleton height="h-96" />
      <Skeleton height="h-96" />
    </div>
  );
}
