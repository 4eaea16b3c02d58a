import type { Funding } from '@causeway/contract/recharges.ts';
import { inFours } from '@causeway/contract/recharges-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Copied } from '../../../ui/copied.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Banner } from '../../../ui/states.tsx';
import { isZero } from '../amounts.ts';
import { useBankDays } from '../days.ts';

/** The second step: what to mind when paying, and when the money is expected. */
export function Paying({ funding }: { funding: Funding }) {
  const t = useText();
  const { day, zone } = useBankDays();
  const { account, asset, expected, cutOff, timeZone, today, reference } = funding;
  const isToday = expected.counted === today;
  const by = { time: cutOff, zone: zone(timeZone), day: day(expected.counted) };
  const isOneDay = expected.earliest === expected.latest;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col gap-1 rounded-10 border border-line bg-sunken px-4 py-3">
        <span className="text-13 text-muted">{t(isToday ? 'recharge.fiat.payToday' : 'recharge.fiat.payOn', by)}</span>
        <strong className="text-16 font-semibold" data-expected={expected.latest}>
          {isOneDay
            ? t('recharge.fiat.expectedOn', { day: day(expected.latest) })
            : t('recharge.fiat.expectedBy', { day: day(expected.latest) })}
        </strong>
        {!isOneDay && (
          <span className="text-13 text-muted">{t('recharge.fiat.earliest', { day: day(expected.earliest) })}</span>
        )}
      </div>
      {!expected.certain && <Banner kind="notice">{t('recharge.fiat.uncertain')}</Banner>}
      <ol className="m-0 flex list-decimal flex-col gap-2 pl-5 text-14">
        <li>{t('recharge.fiat.doPay', { currency: asset, holder: account.holder })}</li>
        <li>
          {t('recharge.fiat.doReference')}{' '}
          <Copied text={reference} shown={inFours(reference)} what={t('recharge.fiat.reference')} />
        </li>
        <li>{t('recharge.fiat.doFrom')}</li>
        <li>{t('recharge.fiat.doKeep')}</li>
      </ol>
      <DescriptionList
        facts={[
          { term: t('recharge.fiat.minimum'), value: amountLine(funding.minimum, asset) },
          {
            term: t('recharge.fiat.fee'),
            value: isZero(funding.fee) ? t('recharge.fiat.noFee') : amountLine(funding.fee, asset),
          },
          {
            term: t('recharge.fiat.cutOff'),
            value: t('recharge.fiat.cutOffValue', { time: cutOff, zone: zone(timeZone) }),
          },
        ]}
      />
    </div>
  );
}
