import { exchangeTolerances } from '@causeway/contract/exchange-rules.ts';
import type { CryptoPayoutQuote } from '@causeway/contract/payments.ts';
import { useText } from '../../../lib/locale.tsx';
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { Banner, Skeleton } from '../../../ui/states.tsx';
import { RateState, useQuoteFacts } from '../../exchange/index.ts';
import type { PaymentForm } from './use-payment-form.ts';

/** What the payment costs out of the coin wallet, how long that holds, and how far it may move. */
export function CoinQuote({ form, isLast = false }: { form: PaymentForm; isLast?: boolean }) {
  const t = useText();
  const { fields, coins } = form;
  const { rate } = coins;
  const facts = useCoinFacts(rate.shown, fields.values.bound);
  return (
    <section aria-label={t('payments.coins.title')} className="flex flex-col gap-3 rounded-10 bg-sunken p-4">
      <h3 className="m-0 text-14 font-semibold">{t('payments.coins.title')}</h3>
      {rate.shown === undefined && rate.isAsking && <Skeleton height="h-40" />}
      {rate.shown === undefined && !rate.isAsking && rate.error === null && (
        <p className="m-0 text-muted">{t('payments.coins.empty')}</p>
      )}
      {rate.shown !== undefined && (
        <div className={rate.firm === undefined ? 'opacity-60' : undefined} aria-busy={rate.firm === undefined}>
          <DescriptionList facts={facts} />
        </div>
      )}
      <RateState form={coins} />
      {isLast && rate.firm?.problem && <Banner kind="negative">{rate.firm.problem.sentence}</Banner>}
      {!isLast && (
        <SelectField
          label={t('exchanges.form.tolerance')}
          hint={t('payments.coins.toleranceHint')}
          options={exchangeTolerances.map((basisPoints) => ({
            value: String(basisPoints),
            label: t('exchanges.form.tolerancePercent', { percent: basisPoints / 100 }),
          }))}
          {...fields.value('tolerance')}
        />
      )}
      <p className="m-0 text-13 text-faint">{t('payments.coins.back')}</p>
    </section>
  );
}

function useCoinFacts(quote: CryptoPayoutQuote | undefined, bound: string): Fact[] {
  const t = useText();
  const facts = useQuoteFacts(quote, bound);
  if (quote === undefined) return [];
  const { asset, amount, fee } = quote.payout;
  return [
    {
      term: t('payments.check.receives'),
      value: (
        <span className="font-semibold">
          <Money amount={amount} coin={asset} align="right" />
        </span>
      ),
    },
    { term: t('payments.coins.bankFee'), value: <Money amount={fee} coin={asset} align="right" /> },
    ...facts,
  ];
}
