import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Card } from '../../../ui/card.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { useWaiting } from '../recharge-api.ts';
import { NoticeStatus } from './notice-status.tsx';

/** The announced recharges that wait for the bank, or those of them that are late; nothing where there are none. */
export function WaitingRecharges({ only }: { only?: 'late' }) {
  const t = useText();
  const all = useWaiting().data?.items ?? [];
  const shown = only === 'late' ? all.filter(({ late }) => late) : all;
  if (shown.length === 0) return null;
  return (
    <Card title={t(only === 'late' ? 'recharge.fiat.lateOnes' : 'recharge.fiat.waitingOnes')}>
      <ul className="m-0 flex list-none flex-col gap-3 p-0">
        {shown.map((notice) => (
          <li key={notice.id} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
            <PlainLink href={`/app/wallet/recharge/notice/${notice.id}`} className="text-accent">
              {`${amountLine(notice.amount, notice.asset)} · ${notice.bankName}`}
            </PlainLink>
            <NoticeStatus notice={notice} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
