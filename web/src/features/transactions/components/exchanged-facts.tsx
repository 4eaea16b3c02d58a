import type { ExchangeDetail } from '@causeway/contract/transactions.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { rateText } from '../../../ui/rate-text.ts';
import { PanelSection } from '../../../ui/side-panel.tsx';

/** Both sides of an exchange: what was estimated and what it came to, by which rate, and what it cost. */
export function ExchangedFacts({ exchanged, id }: { exchanged: ExchangeDetail; id: string }) {
  const t = useText();
  const { soldId, boughtId } = exchanged;
  const otherId = id === soldId ? boughtId : soldId;
  return (
    <PanelSection title={t('transactions.exchange.title')}>
      <DescriptionList facts={useFacts(exchanged)} />
      {otherId !== null && (
        <PlainLink href={`/app/transaction/${otherId}`} className="mt-3 inline-block text-13 text-accent">
          {t(id === soldId ? 'transactions.exchange.toBought' : 'transactions.exchange.toSold')}
        </PlainLink>
      )}
    </PanelSection>
  );
}

function useFacts(exchanged: ExchangeDetail): Fact[] {
  const t = useText();
  const formats = useFormats();
  const { sell, buy, estimated, actual, fixed } = exchanged;
  const now = actual ?? estimated;
  const money = (amount: string, asset: string) => <Money amount={amount} coin={asset} align="right" />;
  const rateLine = (from: string, rate: string, to: string) => (
    <span className="figures" title={rate}>
      {t('transactions.exchange.rateOf', { from, rate: rateText(rate), to })}
    </span>
  );
  // What was fixed is not estimated.
  const differs =
    actual !== null && (fixed === 'sell' ? actual.bought !== estimated.bought : actual.sold !== estimated.sold);
  return [
    ...(exchanged.otcRequestId === null
      ? []
      : [
          {
            term: t('transactions.exchange.otc'),
            value: (
              <PlainLink href={`/app/otc/${exchanged.otcRequestId}`} className="text-accent">
                {t('transactions.exchange.otcOpen')}
              </PlainLink>
            ),
          },
        ]),
    { term: t('transactions.exchange.from'), value: `${sell.asset} · ${sell.placeName}` },
    { term: t('transactions.exchange.to'), value: `${buy.asset} · ${buy.placeName}` },
    { term: t('transactions.exchange.sold'), value: money(now.sold, sell.asset) },
    { term: t('transactions.exchange.fee'), value: money(now.fee, sell.asset) },
    {
      term: t(actual === null ? 'transactions.exchange.boughtEstimated' : 'transactions.exchange.bought'),
      value: money(now.bought, buy.asset),
    },
    ...(differs
      ? [
          {
            term: t('transactions.exchange.estimated'),
            value: fixed === 'sell' ? money(estimated.bought, buy.asset) : money(estimated.sold, sell.asset),
          },
        ]
      : []),
    {
      term: t(fixed === 'sell' ? 'transactions.exchange.least' : 'transactions.exchange.most'),
      value: money(exchanged.bound, fixed === 'sell' ? buy.asset : sell.asset),
    },
    ...(exchanged.limit === null
      ? []
      : [
          { term: t('transactions.exchange.limitRate'), value: rateLine(sell.asset, exchanged.limit.rate, buy.asset) },
          {
            term: t('transactions.exchange.limitUntil'),
            value: <time dateTime={exchanged.limit.until}>{formats.dateTime(exchanged.limit.until)}</time>,
          },
        ]),
    {
      term: t('transactions.exchange.rate'),
      value: (
        <span className="flex flex-col items-end">
          {rateLine(sell.asset, exchanged.rate, buy.asset)}
          <span className="text-12 text-faint">{rateLine(buy.asset, exchanged.inverseRate, sell.asset)}</span>
        </span>
      ),
    },
    { term: t('transactions.exchange.mid'), value: rateLine(sell.asset, exchanged.mid, buy.asset) },
    {
      term: t('transactions.exchange.spread'),
      value: <span className="figures">{formats.percent(exchanged.spreadBasisPoints / 10_000)}</span>,
    },
    {
      term: t('transactions.exchange.ratedAt'),
      value: (
        <span className="flex flex-col items-end">
          <time dateTime={exchanged.ratedAt}>{formats.dateTime(exchanged.ratedAt)}</time>
          <span className="text-12 text-faint">{exchanged.sources.join(', ')}</span>
        </span>
      ),
    },
  ];
}
