import { followPayment } from './api-transfers.ts';
import { BANK_IDS } from './catalogue.ts';
import type { Turn } from './ledger.ts';
import type { Payment } from './model.ts';
import { addStatus, statusOf } from './orders.ts';
import { ORDER_NAME } from './pain-orders.ts';
import { duePayments, settlePayment } from './payments.ts';

/** Tells the customer what became of payments: a status report for each message, or the transfer's state and its event. */
export function announce(turn: Turn, payments: readonly Payment[]): void {
  const byMessage = Map.groupBy(
    payments.filter(({ bank, state }) => bank === 'harbour' && state !== 'returned'),
    ({ messageId }) => messageId,
  );
  for (const [messageId, list] of byMessage) {
    addStatus(turn, {
      kind: 'status',
      original: { messageId, name: ORDER_NAME },
      transactions: list.map((payment) => statusOf(turn, payment)),
    });
  }
  for (const payment of payments) if (payment.bank === 'meridian') followPayment(turn, payment);
}

/** Books the payments whose day has come. @returns how many */
export function settleDue(turn: Turn): number {
  const due = BANK_IDS.flatMap((bank) => duePayments(turn, bank));
  announce(
    turn,
    due.map(({ id }) => settlePayment(turn, id)),
  );
  return due.length;
}
