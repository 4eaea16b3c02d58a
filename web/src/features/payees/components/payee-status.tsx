import type { CryptoPayee, PayeeStatus } from '@causeway/contract/payees.ts';
import { useText } from '../../../lib/locale.tsx';
import { StatusDot, type Tone } from '../../../ui/status-dot.tsx';

const words: Record<PayeeStatus, { text: string; tone: Tone }> = {
  usable: { text: 'payees.status.usable', tone: 'positive' },
  unusable: { text: 'payees.status.unusable', tone: 'negative' },
  waiting: { text: 'payees.status.waiting', tone: 'pending' },
  rejected: { text: 'payees.status.rejected', tone: 'negative' },
  deleted: { text: 'payees.status.deleted', tone: 'neutral' },
  unknown: { text: 'payees.status.unknown', tone: 'neutral' },
};

/** In the list: with whom it waits for, or why it was not approved. */
export function PayeeStatusCell({ payee: { status, approval } }: { payee: Pick<CryptoPayee, 'status' | 'approval'> }) {
  const t = useText();
  const more = approval?.waitingFor
    ? t('payees.approval.waiting', { names: approval.waitingFor })
    : approval?.reason && t('payees.approval.reason', { reason: approval.reason });
  return (
    <span className="inline-flex max-w-60 flex-col">
      <PayeeStatusWord status={status} />
      {more && <span className="line-clamp-2 text-12 text-faint break-words">{more}</span>}
    </span>
  );
}

export function PayeeStatusWord({ status }: { status: PayeeStatus }) {
  const t = useText();
  return <StatusDot tone={words[status].tone}>{t(words[status].text)}</StatusDot>;
}
