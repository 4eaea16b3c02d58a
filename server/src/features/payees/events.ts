import type { OutboxEvent } from '../../platform/database/outbox.ts';
import type { SignedInContext } from '../../platform/session.ts';

/** What is announced of payees. */
export const payeeEvents = {
  /** `PayeeAdded`. */
  added: 'payees.added',
  /** `{ versionId }`: an account to ask its bank about. */
  accountSaved: 'payees.accountSaved',
} as const;

/** A payee as it was when it was added: it can be deleted before the event is dealt with. */
export interface PayeeAdded {
  id: string;
  label: string;
  /** Absent: an address on a chain. */
  kind?: 'bank';
  /** What the chain is called; of a bank account: its bank, or its country. */
  chain: string;
  /** Or the currency. */
  coin: string;
  /** Or the account. */
  address: string;
  addedBy: string;
}

export function payeeAdded({ session }: SignedInContext, payee: Omit<PayeeAdded, 'addedBy'>): OutboxEvent {
  const payload: PayeeAdded = { ...payee, addedBy: session.userName };
  return { name: payeeEvents.added, payload: { ...payload } };
}

export function accountSaved(versionId: string): OutboxEvent {
  return { name: payeeEvents.accountSaved, payload: { versionId } };
}
