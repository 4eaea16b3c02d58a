import type { ApprovalContent } from '@causeway/contract/approvals.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { rateText } from '../../../ui/rate-text.ts';
import { PanelSection } from '../../../ui/side-panel.tsx';
import { Banner } from '../../../ui/states.tsx';

type Exchange = Extract<ApprovalContent, { shape: 'exchange' }>;

/** What an exchange was estimated to come to, what it would come to now, and the bound that the approval is tied to. */
export function TaskExchange({ content }: { content: Exchange }) {
  const t = useText();
  const { now, fixed } = content;
  return (
    <PanelSection title={t('approvals.exchange.title')}>
      {now !== null && (now.withinBound || content.limit === null) && (
        <Banner kind={now.withinBound ? 'notice' : 'negative'}>
          {t(now.withinBound ? 'approvals.exchange.within' : 'approvals.exchange.outside', {
            amount:
              fixed === 'sell' ? amountLine(now.bought, content.buy.asset) : amountLine(now.sold, content.sell.asset),
          })}
        </Banner>
      )}
      <DescriptionList facts={useFacts(content)} />
      <p className="m-0 mt-2 text-13 text-faint">
        {t(content.limit === null ? 'approvals.exchange.rule' : 'approvals.exchange.limitRule')}
      </p>
    </PanelSection>
  );
}

function useFacts({ sell, buy, fixed, bound, limit, rate, sources, ratedAt, now }: Exchange): Fact[] {
  const t = useText();
  const formats = useFormats();
  const money = (amount: string, asset: string) => <Money amount={amount} coin={asset} align="right" />;
  const rateLine = (figure: string) => (
    <span className="figures">
      {t('approvals.exchange.rateOf', { from: sell.asset, rate: rateText(figure), to: buy.asset })}
    </span>
  );
  return [
    { term: t('approvals.exchange.from'), value: `${sell.asset} · ${sell.placeName}` },
    { term: t('approvals.exchange.to'), value: `${buy.asset} · ${buy.placeName}` },
    { term: t('approvals.exchange.total'), value: money(sell.total, sell.asset) },
    { term: t('approvals.exchange.fee'), value: money(sell.fee, sell.asset) },
    { term: t('approvals.exchange.bought'), value: money(buy.quantity, buy.asset) },
    {
      term: t(fixed === 'sell' ? 'approvals.exchange.least' : 'approvals.exchange.most'),
      value: money(bound, fixed === 'sell' ? buy.asset : sell.asset),
    },
    ...(limit === null
      ? []
      : [
          { term: t('approvals.exchange.limitRate'), value: rateLine(limit.rate) },
          {
            term: t('approvals.exchange.limitUntil'),
            value: <time dateTime={limit.until}>{formats.dateTime(limit.until)}</time>,
          },
        ]),
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
