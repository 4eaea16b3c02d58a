import type { Output } from '@causeway/contract/call.ts';
import type { listPricesInForce } from '@causeway/contract/operator-prices.ts';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Time } from '../../../ui/time.tsx';
import { placeOf, priceText, sayPrice } from '../words.ts';
import type { ChosenPrice } from './price-dialog.tsx';

type AssetPrices = Output<typeof listPricesInForce>['items'][number];
type Price = AssetPrices['prices'][number];

interface Props {
  item: AssetPrices;
  /** Of which company; null: for every company. */
  companyId: string | null;
  mayChange: boolean;
  onChange: (price: ChosenPrice) => void;
}

/** The prices of one asset: what holds, since when, what is planned. */
export function PriceTable({ item, companyId, mayChange, onChange }: Props) {
  const t = useText();
  const { asset, isCoin, decimals, companies } = item;
  return (
    <Card
      flush
      title={asset}
      aside={
        <PlainLink
          href={`/app/price-history?asset=${asset}${companyId === null ? '' : `&companyId=${companyId}`}`}
          className="text-13 font-medium text-accent no-underline hover:underline"
        >
          {t('ops.prices.history')}
        </PlainLink>
      }
    >
      <ul aria-label={asset} className="m-0 list-none p-0">
        {item.prices.map((price) => (
          <li
            key={`${price.kind} ${placeOf(price)?.id ?? ''}`}
            className="flex flex-wrap items-center gap-x-6 gap-y-2 border-line px-5 py-3 not-last:border-b"
          >
            <PriceLine price={price} item={item} isCompany={companyId !== null} />
            {mayChange && (
              <Button
                onClick={() => onChange({ ...price, asset, isCoin, decimals })}
                aria-label={t('ops.prices.change', {
                  price: t(priceText(price.kind, item)),
                  name: nameOf(asset, price),
                })}
              >
                {t('ops.prices.changeShort')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {companyId === null && companies.length > 0 && (
        <p className="m-0 border-t border-line px-5 py-3 text-13 text-faint">
          {t('ops.prices.ownPrices')}{' '}
          {companies.map(({ id, name }, index) => (
            <span key={id}>
              {index > 0 && ' · '}
              <PlainLink href={`/app/prices?companyId=${id}`} className="text-accent">
                {name}
              </PlainLink>
            </span>
          ))}
        </p>
      )}
    </Card>
  );
}

function nameOf(asset: string, price: Price): string {
  const place = placeOf(price);
  return place === null ? asset : `${asset} · ${place.name}`;
}

function PriceLine({ price, item, isCompany }: { price: Price; item: AssetPrices; isCompany: boolean }) {
  const t = useText();
  const { asset } = item;
  const { kind, value, from, since, planned, plannedForAll } = price;
  const place = placeOf(price);
  return (
    <div className="flex min-w-0 flex-1 flex-col items-baseline justify-between gap-x-6 gap-y-1 sm:flex-row">
      <span className="min-w-0">
        {t(priceText(kind, item))}
        {place !== null && <span className="text-faint"> · {place.name}</span>}
      </span>
      <span className="flex flex-col items-start sm:items-end sm:text-right">
        <span className="figures font-medium">{sayPrice(t, { kind, asset, value })}</span>
        <span className="text-12 text-faint">
          {(isCompany || from === 'registered') && value !== null ? t(`ops.priceFrom.${from}`) : null}
          {since !== null && (
            <>
              {isCompany && ' · '}
              {t('ops.prices.since')} <Time at={since} />
            </>
          )}
        </span>
        {planned.map((one) => (
          <PlainLink key={one.id} href={`/app/price-history/${one.id}`} className="text-12 text-accent">
            {isCompany && one.value === null
              ? t('ops.prices.plannedEnd')
              : t('ops.prices.plannedFrom', { value: sayPrice(t, { kind, asset, value: one.value }) })}{' '}
            <Time at={one.validFrom} />
          </PlainLink>
        ))}
        {plannedForAll.map((one) => (
          <PlainLink key={one.id} href={`/app/price-history/${one.id}`} className="text-12 text-accent">
            {t('ops.prices.plannedFrom', { value: sayPrice(t, { kind, asset, value: one.value }) })}{' '}
            <Time at={one.validFrom} /> <span className="whitespace-nowrap">· {t('ops.prices.everyCompany')}</span>
          </PlainLink>
        ))}
      </span>
    </div>
  );
}
