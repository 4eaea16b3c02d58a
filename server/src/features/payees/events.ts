import type { OutboxEvent } from '../../platform/database/outbox.ts';
import type { SignedInContext } from '../../platform/session.ts';

/** What is announced of payees. */
export const payeeEvents = {
  /** `PayeeAdded`. */
  added: 'payees.added',
} as const;

/** A payee as it was when it was added: it can be deleted before the event is dealt with. */
export interface PayeeAdded {
  id: string;
  label: string;
  /** What the chain is called. */
  chain: string;
  coin: string;
  address: string;
  addedBy: string;
}

export function payeeAdded({ session }: SignedInContext, payee: Omit<PayeeAdded, 'addedBy'>): OutboxEvent {
  const payload: PayeeAdded = { ...payee, addedBy: session.userName };
  return { name: payeeEvents.added, payload: { ...payload } };
}
