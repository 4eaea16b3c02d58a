import type { RechargeNotice } from '@causeway/contract/recharges.ts';
import { useText } from '../../../lib/locale.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { useBankDays } from '../days.ts';

/** What has become of an announced payment. */
export function NoticeStatus({ notice }: { notice: RechargeNotice }) {
  const t = useText();
  const { day } = useBankDays();
  if (notice.status === 'matched') return <StatusDot tone="positive">{t('recharge.fiat.status.matched')}</StatusDot>;
  if (notice.status === 'withdrawn') return <StatusDot tone="neutral">{t('recharge.fiat.status.withdrawn')}</StatusDot>;
  const expected = t('recharge.fiat.expectedBy', { day: day(notice.expected.latest) });
  return notice.late ? (
    <StatusDot tone="pending" detail={expected}>
      {t('recharge.fiat.status.late')}
    </StatusDot>
  ) : (
    <StatusDot tone="progress" detail={expected}>
      {t('recharge.fiat.status.waiting')}
    </StatusDot>
  );
}
