import type { Output } from '@causeway/contract/call.ts';
import type { tryPrice } from '@causeway/contract/operator-prices.ts';
import { priceTrialDays } from '@causeway/contract/operator-prices-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';

interface Props {
  tried: Output<typeof tryPrice>;
  asset: string;
  isCoin: boolean;
}

/** What the price would have made of the withdrawals, or payments, of the last 90 days. */
export function TrialFigures({ tried, asset, isCoin }: Props) {
  const t = useText();
  const { trial, affected } = tried;
  const companies = { term: t('ops.prices.affected'), value: t('ops.prices.companies', { count: affected }) };
  if (trial === null) return <DescriptionList framed facts={[companies]} />;
  const { usd } = trial;
  const money = (amount: string, inUsd: string | undefined, signed = false) => (
    <Money
      amount={amount}
      coin={asset}
      signed={signed}
      align="right"
      atMost={8}
      fiat={inUsd === undefined ? undefined : { amount: inUsd, coin: 'USD' }}
    />
  );
  return (
    <section className="flex flex-col gap-2">
      <h3 className="m-0 text-13 font-medium">
        {t(isCoin ? 'ops.prices.trial' : 'ops.prices.trialPayments', { days: priceTrialDays })}
      </h3>
      <DescriptionList
        framed
        facts={[
          {
            term: t(isCoin ? 'ops.prices.transfers' : 'ops.prices.payments'),
            value: t('ops.prices.transfersOf', { count: trial.transfers, companies: trial.companies }),
          },
          { term: t('ops.prices.earned'), value: money(trial.earned, usd?.earned) },
          { term: t('ops.prices.wouldEarn'), value: money(trial.wouldEarn, usd?.wouldEarn) },
          { term: t('ops.prices.difference'), value: money(trial.difference, usd?.difference, true) },
          ...(trial.refused === 0
            ? []
            : [{ term: t('ops.prices.refused'), value: t('ops.prices.refusedCount', { count: trial.refused }) }]),
          companies,
        ]}
      />
    </section>
  );
}
