import type { ExchangeQuote } from '@causeway/contract/exchange.ts';
import type { ReactNode } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { rateText } from '../../../ui/rate-text.ts';
import { Banner, Skeleton } from '../../../ui/states.tsx';
import { followingOf } from '../exchange-values.ts';
import type { ExchangeForm } from './use-exchange-form.ts';
import type { Rate } from './use-rate.ts';

interface Props {
  form: ExchangeForm;
  /** What is foreseen of it, or was said of its submission. */
  note: ReactNode;
}

/** The quote of what is typed, with its facts and how long it holds: beside the form, or in it where there is no room beside. */
export function ExchangeSummary({ form, note, inForm = false }: Props & { inForm?: boolean }) {
  const t = useText();
  const title = t('exchanges.summary');
  const content = (
    <>
      <QuoteFacts form={form} />
      <RateState form={form} />
      <div className="mt-4 empty:hidden">{note}</div>
    </>
  );
  if (!inForm) return <Card title={title}>{content}</Card>;
  return (
    <section aria-label={title} className="rounded-10 bg-sunken p-4">
      <h2 className="m-0 mb-3 text-14 font-semibold">{title}</h2>
      {content}
    </section>
  );
}

function QuoteFacts({ form: { rate, around, fields } }: { form: ExchangeForm }) {
  const t = useText();
  const quoteFacts = useQuoteFacts(rate.shown, fields.values.bound);
  const limitFacts = useLimitFacts({ rate, fields, around });
  const facts = fields.values.timing === 'limit' ? limitFacts : quoteFacts;
  if (rate.shown !== undefined) {
    return (
      <div className={rate.firm === undefined ? 'opacity-60' : undefined} aria-busy={rate.firm === undefined}>
        <DescriptionList facts={facts} />
      </div>
    );
  }
  const isAsking =
    around.sold !== undefined && around.bought !== undefined && fields.values.amount !== '' && rate.error === null;
  if (isAsking) return <Skeleton height="h-40" />;
  return rate.error === null ? <p className="m-0 text-muted">{t('exchanges.summary.empty')}</p> : null;
}

/** What leaves and arrives, at which rate, and what it costs: for the summary and once more for the confirmation. */
export function useQuoteFacts(quote: ExchangeQuote | undefined, bound: string): Fact[] {
  const t = useText();
  const formats = useFormats();
  if (quote === undefined) return [];
  const { sell, buy, toMid } = quote;
  const following = followingOf(quote);
  const money = (amount: string, coin: string) => <Money amount={amount} coin={coin} align="right" />;
  const rateLine = (from: string, rate: string, to: string) => (
    <span className="figures" title={rate}>
      {t('exchanges.summary.rateOf', { from, rate: rateText(rate), to })}
    </span>
  );
  return [
    { term: t('exchanges.summary.total'), value: money(sell.total, sell.asset) },
    { term: t('exchanges.summary.fee'), value: money(sell.fee, sell.asset) },
    { term: t('exchanges.summary.exchanged'), value: money(sell.quantity, sell.asset) },
    {
      term: t('exchanges.summary.receives'),
      value: <span className="font-semibold">{money(buy.quantity, buy.asset)}</span>,
    },
    {
      term: t('exchanges.summary.rate'),
      value: (
        <span className="flex flex-col items-end">
          {rateLine(sell.asset, quote.rate, buy.asset)}
          <span className="text-12 text-faint">{rateLine(buy.asset, quote.inverseRate, sell.asset)}</span>
        </span>
      ),
    },
    {
      term: t('exchanges.summary.toMid'),
      value: (
        <span className="figures flex flex-col items-end">
          <span>{t('exchanges.summary.percent', { percent: toMid.percent })}</span>
          <span className="text-12 text-faint">
            {t('exchanges.summary.toMidMoney', {
              amount: amountLine(toMid.amount, buy.asset),
              usd: amountLine(toMid.usd, 'USD'),
            })}
          </span>
        </span>
      ),
    },
    ...(bound === ''
      ? []
      : [
          {
            term: t(quote.fixed === 'sell' ? 'exchanges.summary.least' : 'exchanges.summary.most'),
            value: money(bound, following.asset),
          },
        ]),
    {
      term: t('exchanges.summary.ratedAt'),
      value: (
        <span className="flex flex-col items-end">
          <time dateTime={quote.ratedAt}>{formats.dateTime(quote.ratedAt)}</time>
          <span className="text-12 text-faint">{quote.sources.join(', ')}</span>
        </span>
      ),
    },
  ];
}

/** What a limit order holds, what it waits for, and what it would come to now. */
export function useLimitFacts({
  rate: { shown },
  fields: { values },
  around,
}: Pick<ExchangeForm, 'rate' | 'fields' | 'around'>): Fact[] {
  const t = useText();
  const formats = useFormats();
  const { sold, bought } = around;
  if (shown === undefined || sold === undefined || bought === undefined) return [];
  const until = new Date(values.limitUntil);
  const money = (amount: string, coin: string) => <Money amount={amount} coin={coin} align="right" />;
  const rateLine = (rate: string) => (
    <span className="figures" title={rate}>
      {t('exchanges.summary.rateOf', { from: sold.asset, rate: rateText(rate), to: bought.asset })}
    </span>
  );
  return [
    { term: t('exchanges.limit.held'), value: money(shown.sell.total, sold.asset) },
    { term: t('exchanges.summary.fee'), value: money(shown.sell.fee, sold.asset) },
    ...(values.limitRate === '' ? [] : [{ term: t('exchanges.limit.rate'), value: rateLine(values.limitRate) }]),
    ...(values.bound === ''
      ? []
      : [
          {
            term: t('exchanges.summary.least'),
            value: <span className="font-semibold">{money(values.bound, bought.asset)}</span>,
          },
        ]),
    ...(Number.isNaN(until.getTime())
      ? []
      : [{ term: t('exchanges.limit.until'), value: formats.dateTime(until.toISOString()) }]),
    { term: t('exchanges.limit.rateNow'), value: rateLine(shown.rate) },
    { term: t('exchanges.limit.receivesNow'), value: money(shown.buy.quantity, bought.asset) },
  ];
}

type RateForm = Pick<ExchangeForm, 'rate' | 'takeRate'> & { fields?: { values: { timing?: string } } };

/** How long the quote holds, what its renewal changed, and why there is none. */
export function RateState({ form: { rate, takeRate, fields } }: { form: RateForm }) {
  const t = useText();
  if (rate.error !== null) {
    return (
      <div className="mt-3">
        <Banner
          kind="negative"
          action={
            <Button size="small" onClick={rate.again}>
              {t('exchanges.rate.again')}
            </Button>
          }
        >
          {rate.error.messages[0] ?? t('exchanges.rate.none')}
        </Banner>
      </div>
    );
  }
  // The quote is not what a limit order takes.
  if (rate.shown === undefined || fields?.values.timing === 'limit') return null;
  return (
    <div className="mt-3 flex flex-col gap-2">
      <p className="figures m-0 text-12 text-faint">
        {rate.firm === undefined
          ? t('exchanges.rate.renewing')
          : t('exchanges.rate.holds', { seconds: rate.secondsLeft })}
      </p>
      <p role="status" className="figures m-0 text-13 empty:hidden">
        <Change rate={rate} />
      </p>
      {rate.isOut && (
        <Banner
          kind="pending"
          action={
            <Button size="small" onClick={takeRate}>
              {t('exchanges.rate.take')}
            </Button>
          }
        >
          {t(rate.firm?.fixed === 'sell' ? 'exchanges.rate.outLeast' : 'exchanges.rate.outMost')}
        </Banner>
      )}
    </div>
  );
}

function Change({ rate: { change } }: { rate: Rate }) {
  const t = useText();
  if (change === null) return null;
  const sign = change.amount.startsWith('-') ? '' : '+';
  const amount = `${sign}${amountLine(change.amount, change.asset)}`;
  return t(change.better ? 'exchanges.rate.better' : 'exchanges.rate.worse', { amount });
}
