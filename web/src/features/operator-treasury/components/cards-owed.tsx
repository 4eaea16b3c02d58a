import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useCardsOwed } from '../api.ts';

/** What the issuer of cards is owed, by currency and bank, with the companies it consists of. Nothing where no card owes anything. */
export function CardsOwed() {
  const t = useText();
  const read = useCardsOwed();
  if (read.data === undefined) {
    return read.error === null ? null : (
      <Card title={t('ops.cardsOwed.title')}>
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      </Card>
    );
  }
  const { places } = read.data;
  if (places.length === 0) return null;
  return (
    <Card title={t('ops.cardsOwed.title')}>
      <p className="mt-0 text-13 text-faint">
        {t('ops.cardsOwed.text')}{' '}
        <PlainLink href="/app/banks/moneys?state=charged" className="text-accent underline">
          {t('ops.cardsOwed.suspense')}
        </PlainLink>
      </p>
      <ul aria-label={t('ops.cardsOwed.title')} className="m-0 list-none p-0">
        {places.map((place) => (
          <li key={`${place.bank}/${place.asset}`} className="border-line py-3 not-last:border-b">
            <Place place={place} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

type OwedPlace = NonNullable<ReturnType<typeof useCardsOwed>['data']>['places'][number];

function Place({ place }: { place: OwedPlace }) {
  const t = useText();
  const { asset, bankName, owed, payments, refunds, since, companies, items } = place;
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <span className="min-w-0 wrap-anywhere">{bankName}</span>
        <Money amount={owed} coin={asset} size="large" align="right" />
      </div>
      <p className="m-0 flex flex-wrap justify-between gap-x-6 text-13 text-faint">
        <span>{since !== null && <Oldest at={since} />}</span>
        {Number(refunds) !== 0 && (
          <span>
            {t('ops.cardsOwed.payments')} <Money amount={payments} coin={asset} /> · {t('ops.cardsOwed.refunds')}{' '}
            <Money amount={refunds} coin={asset} />
          </span>
        )}
      </p>
      <details className="mt-2 text-13">
        <summary className="cursor-pointer text-accent">{t('ops.cardsOwed.companies', { count: companies })}</summary>
        <ul className="m-0 list-none p-0 pt-1">
          {items.map(({ companyId, companyName, quantity }) => (
            <li key={companyId} className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-1">
              <PlainLink href={`/app/companies/${companyId}`} className="min-w-0 text-accent wrap-anywhere">
                {companyName === '' ? companyId : companyName}
              </PlainLink>
              <Money amount={quantity} coin={asset} align="right" />
            </li>
          ))}
        </ul>
        {companies > items.length && (
          <p className="m-0 pt-1 text-faint">{t('ops.cardsOwed.largest', { count: items.length })}</p>
        )}
      </details>
    </>
  );
}

function Oldest({ at }: { at: string }) {
  const t = useText();
  return (
    <>
      {t('ops.cardsOwed.since')} <Time at={at} />
    </>
  );
}
