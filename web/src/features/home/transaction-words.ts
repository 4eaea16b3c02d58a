import type { Transaction, TransactionStatus } from '@causeway/contract/transfers.ts';
import type { Translate } from '../../lib/locale.tsx';
import type { Tone } from '../../ui/status-dot.tsx';

const tones: Record<TransactionStatus, Tone> = { completed: 'positive', pending: 'pending', failed: 'negative' };

export function toneOf(status: TransactionStatus): Tone {
  return tones[status];
}

/** What a pending transaction waits for; null when it is finished. */
export function waitingFor(transaction: Transaction, t: Translate): string | null {
  if (transaction.status !== 'pending') return null;
  const { stage, confirmations, confirmationsNeeded } = transaction;
  const counted = stage === 'confirming' || stage === 'seen' || stage === 'broadcast';
  if (counted && confirmations !== null && confirmationsNeeded !== null) {
    return t('home.waiting.confirmations', { done: confirmations, needed: confirmationsNeeded });
  }
  switch (stage) {
    case 'waiting_approval':
      return t('home.waiting.approval');
    case 'submitted':
    case 'approved':
    case 'signing':
      return t('home.waiting.signing');
    default:
      return t('home.waiting.chain');
  }
}

/** Who stands on the other side: the name of the payee or payer, else the account, shortened in the middle. */
export function counterparty(transaction: Transaction): string | null {
  const { name, account } = transaction.direction === 'out' ? transaction.payee : transaction.payer;
  if (name !== null && name !== '') return name;
  if (account === null || account === '') return null;
  return account.length > 18 ? `${account.slice(0, 8)}…${account.slice(-6)}` : account;
}
