import type { PriceKind } from '@causeway/contract/operator-prices-rules.ts';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Tag } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { priceText, sayPrice } from '../../operator/index.ts';
import { type CompanyFile, usePricesOf } from '../api.ts';
import { type CompanyPrice, type PlannedPrice, plannedOf } from '../price-rules.ts';

/** What this company pays now and may do at most, which of it is its own, and what is planned. */
export function PricesSection({ company: { id } }: { company: CompanyFile }) {
  const t = useText();
  const mayChange = usePermission('operator.price') === true;
  const { data, error, refetch } = usePricesOf(id);
  if (data === undefined && error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const items = data?.items;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="m-0 text-13 text-faint">{t('ops.companies.pricesIntro')}</p>
        <PlainLink href={`/app/prices?companyId=${id}`} className={buttonClass('secondary')}>
          {t(mayChange ? 'ops.companies.changePrices' : 'ops.companies.viewPrices')}
        </PlainLink>
      </div>
      <Loading loading={items === undefined} skeleton={<Skeleton height="h-80" />}>
        {items?.length === 0 && <EmptyState icon="exchange" title={t('ops.prices.empty')} />}
        <div className="grid items-start gap-6 lg:grid-cols-2">
          {items?.map((item) => (
            <Card key={item.asset} flush title={item.asset}>
              <ul aria-label={item.asset} className="m-0 list-none p-0">
                {item.prices.map((price) => (
                  <li
                    key={`${price.kind} ${(price.chain ?? price.bank)?.id ?? ''}`}
                    className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-line px-5 py-3 not-last:border-b"
                  >
                    <PriceLine price={price} item={item} />
                  </li>
                ))}
              </ul>
            </Card>
          ))}
        </div>
      </Loading>
    </div>
  );
}

function PriceLine({ price, item }: { price: CompanyPrice; item: { asset: string; isCoin: boolean } }) {
  const t = useText();
  const { asset } = item;
  const { kind, chain, bank, value, from, since } = price;
  const place = chain ?? bank;
  return (
    <>
      <span className="min-w-0">
        {t(priceText(kind, item))}
        {place !== null && <span className="text-faint"> · {place.name}</span>}
      </span>
      <span className="ml-auto flex flex-col items-end gap-0.5 text-right">
        <span className="figures font-medium">{sayPrice(t, { kind, asset, value })}</span>
        <span className="flex flex-wrap items-center justify-end gap-x-2 text-12 text-faint">
          {from === 'company' ? (
            <Tag tone="notice">{t('ops.priceFrom.company')}</Tag>
          ) : (
            value !== null && t(`ops.priceFrom.${from}`)
          )}
          {since !== null && (
            <span>
              {t('ops.prices.since')} <Time at={since} />
            </span>
          )}
        </span>
        {plannedOf(price).map((one) => (
          <PlainLink key={one.id} href={`/app/price-history/${one.id}`} className="text-12 text-accent">
            {t('ops.prices.plannedFrom', { value: plannedText(t, { ...one, kind, asset }) })}{' '}
            <Time at={one.validFrom} />
            {` · ${t(one.isOwn ? 'ops.priceFrom.company' : 'ops.prices.everyCompany')}`}
          </PlainLink>
        ))}
      </span>
    </>
  );
}

/** A price of its own without a value ends the one before it. */
function plannedText(t: Translate, { isOwn, ...price }: PlannedPrice & { kind: PriceKind; asset: string }): string {
  return isOwn && price.value === null ? t('ops.prices.noOwn') : sayPrice(t, price);
}
