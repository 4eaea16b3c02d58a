import type { ArrivingDeposit } from '@causeway/contract/recharges.ts';
import type { ArrivingStatus } from '@causeway/contract/recharges-rules.ts';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { StatusDot, type Tone } from '../../../ui/status-dot.tsx';
import { type BankDays, useBankDays } from '../days.ts';

const tones: Record<ArrivingStatus, Tone> = {
  pending: 'progress',
  settled: 'progress',
  credited: 'positive',
  rejected: 'negative',
  reversed: 'negative',
};

/** Where a deposit is that a bank has reported, and while it is on its way when it is expected. */
export function ArrivingStatusWord({ deposit }: { deposit: ArrivingDeposit }) {
  const t = useText();
  const days = useBankDays();
  const { status, late } = deposit;
  if (status !== 'pending') return <StatusDot tone={tones[status]}>{t(`recharge.fiat.arriving.${status}`)}</StatusDot>;
  return (
    <StatusDot tone={late ? 'pending' : tones.pending} detail={expectedOf(deposit, t, days)}>
      {t(late ? 'recharge.fiat.status.late' : 'recharge.fiat.arriving.pending')}
    </StatusDot>
  );
}

/** "Expected by Wed, Nov 25". */
export function expectedOf({ expected }: Pick<ArrivingDeposit, 'expected'>, t: Translate, { day }: BankDays): string {
  return t('recharge.fiat.expectedBy', { day: day(expected.latest) });
}
