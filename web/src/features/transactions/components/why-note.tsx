import type { BankReason, TransactionDetail } from '@causeway/contract/transactions.ts';
import { useText } from '../../../lib/locale.tsx';
import { Banner } from '../../../ui/states.tsx';

/** Why a payment failed or came back, and on its refund why there is one: in our words, and by the bank's code and in its words. */
export function WhyNote({ detail }: { detail: Pick<TransactionDetail, 'type' | 'failureReason' | 'bankReason'> }) {
  const t = useText();
  const { type, failureReason, bankReason } = detail;
  if (failureReason !== null) {
    return (
      <Banner kind="negative">
        {t('transactions.panel.failure', { reason: failureReason })}
        <BankWords reason={bankReason} />
      </Banner>
    );
  }
  if (type !== 'failed_refund' || bankReason === null) return null;
  return (
    <Banner kind="notice">
      {t('transactions.panel.refundReason', { reason: bankReason.sentence ?? t('transactions.panel.bankSaid') })}
      <BankWords reason={bankReason} />
    </Banner>
  );
}

function BankWords({ reason }: { reason: BankReason | null }) {
  const t = useText();
  const said = [reason?.code, reason?.words].filter(Boolean).join(' · ');
  if (said === '') return null;
  return <span className="mt-1 block text-13 break-words">{t('transactions.panel.bankWords', { said })}</span>;
}
