import type { ApprovalContent, ApprovalTaskDetail } from '@causeway/contract/approvals.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { rateText } from '../../../ui/rate-text.ts';
import { PanelSection } from '../../../ui/side-panel.tsx';
import { Banner } from '../../../ui/states.tsx';

type Bought = NonNullable<Extract<ApprovalContent, { shape: 'payment' }>['bought']>;

interface Props {
  bought: Bought;
  /** Of the exchange, in the coin. */
  fee: string | null;
  task: Pick<ApprovalTaskDetail, 'coin' | 'amount'>;
}

/** What a payment out of coins was quoted at, what it would cost now, and the most that the approval is tied to. */
export function TaskBought({ bought, fee, task }: Props) {
  const t = useText();
  const { now } = bought;
  return (
    <PanelSection title={t('approvals.bought.title')}>
      {now !== null && (
        <Banner kind={now.withinBound ? 'notice' : 'negative'}>
          {t(now.withinBound ? 'approvals.exchange.within' : 'approvals.exchange.outside', {
            amount: amountLine(now.sold, task.coin ?? ''),
          })}
        </Banner>
      )}
      <DescriptionList facts={useFacts({ bought, fee, task })} />
      <p className="m-0 mt-2 text-13 text-faint">{t('approvals.bought.rule')}</p>
    </PanelSection>
  );
}

function useFacts({ bought, fee, task }: Props): Fact[] {
  const t = useText();
  const formats = useFormats();
  const { asset, amount, bound, rate, sources, ratedAt, now } = bought;
  const coin = task.coin ?? '';
  const money = (figure: string, of: string) => <Money amount={figure} coin={of} align="right" />;
  const rateLine = (figure: string) => (
    <span className="figures">{t('approvals.exchange.rateOf', { from: coin, rate: rateText(figure), to: asset })}</span>
  );
  return [
    { term: t('approvals.bought.credited'), value: money(amount, asset) },
    { term: t('approvals.bought.sold'), value: money(task.amount ?? '0', coin) },
    ...(fee === null ? [] : [{ term: t('approvals.exchange.fee'), value: money(fee, coin) }]),
    { term: t('approvals.exchange.most'), value: money(bound, coin) },
    { term: t('approvals.exchange.rate'), value: rateLine(rate) },
    ...(now === null ? [] : [{ term: t('approvals.exchange.rateNow'), value: rateLine(now.rate) }]),
    {
      term: t('approvals.exchange.ratedAt'),
      value: (
        <span className="flex flex-col items-end">
          <time dateTime={ratedAt}>{formats.dateTime(ratedAt)}</time>
          <span className="text-12 text-faint">{sources.join(', ')}</span>
        </span>
      ),
    },
  ];
}
