import type { Database } from '../../../../platform/database/database.ts';
import { announce, live } from '../../../../platform/database/outbox.ts';
import { BankConnectionError, type TransferDesk } from '../../../banks/index.ts';
import { kindOf, type OutgoingKinds, refuse } from '../../../outgoing/index.ts';
import { lockTransaction, setBankReason } from '../../../transactions/index.ts';
import { tellCompanies } from './delivering.ts';
import { refusalReason } from './reasons.ts';
import { advanceOrder, insertAnswer, lockLine, setLineState } from './store.ts';
import {
  nameTransfer,
  noteTry,
  type OpenTransfer,
  openTransfers,
  refuseTransfer,
  takeTryBack,
} from './transfer-store.ts';

/**
 * After a try whose answer did not come, the bank is only asked for this long: the request may still be on its way. Then it is sent again,
 * the same bytes under the same id.
 */
export const quietMs = 2 * 60_000;

export interface Transferring {
  bank: string;
  desk: TransferDesk;
  now?: () => Date;
}

/**
 * Sends every open order of a bank with an API, each exactly once. A try is noted before it is made. Where its answer did not come, or the
 * process died, the bank is asked by the request id, which follows from the payment: the bank decides one id once. A payment whose order the
 * bank refuses ends here; one that it took goes on as the bank reports its transfer. One that fails holds up no other.
 */
export async function sendTransfers(database: Database, kinds: OutgoingKinds, given: Transferring): Promise<void> {
  const orders = await database.withoutCompany((tx) => openTransfers(tx, given.bank));
  const failures: unknown[] = [];
  for (const order of orders) {
    try {
      await send(database, kinds, order, given);
    } catch (error) {
      failures.push(error);
      if (error instanceof BankConnectionError && error.problem !== 'answerUnusable') break;
    }
  }
  if (failures.length > 0) throw failures[0];
}

async function send(
  database: Database,
  kinds: OutgoingKinds,
  order: OpenTransfer,
  { desk, now = () => new Date() }: Transferring,
): Promise<void> {
  const { id, messageId: requestId, content, tries, triedAt } = order;
  await tellCompanies(database, { id, messageId: requestId, fileName: null });
  if (order.state === 'uploading') {
    const known = await desk.find(requestId);
    if (known) return taken(database, order, known.id);
    if (triedAt && now().getTime() - triedAt.getTime() < quietMs) return;
  }
  const isOurs = await database.withoutCompany((tx) => noteTry(tx, { id, tries, at: now() }));
  if (!isOurs) return;
  const outcome = await desk.order(requestId, content);
  if (outcome.outcome === 'taken') return taken(database, order, outcome.id);
  if (outcome.outcome === 'notSent') {
    await database.withoutCompany((tx) => takeTryBack(tx, { id, tries: tries + 1 }));
    throw outcome.error;
  }
  // It may have been carried out before, by a try whose answer did not come or before a restore.
  const known = await desk.find(requestId);
  if (known) return taken(database, order, known.id);
  await refused(database, kinds, order, outcome);
}

/** The bank has it: from now on it is asked what becomes of it. */
async function taken(database: Database, order: OpenTransfer, transferId: string): Promise<void> {
  await database.withCompany(order.companyId, async (tx) => {
    await nameTransfer(tx, order.transactionId, transferId);
    await announce(tx, [live('transaction', order.transactionId)]);
  });
  await database.withoutCompany((tx) => advanceOrder(tx, order.id, 'uploading', 'delivered'));
}

/** The bank has none of it. Of two workers the one that tried last decides. */
async function refused(
  database: Database,
  kinds: OutgoingKinds,
  { id, companyId, transactionId, tries }: OpenTransfer,
  { reason, words }: { reason: string | null; words: string },
): Promise<void> {
  await database.withCompany(companyId, async (tx) => {
    const payment = await lockTransaction(tx, transactionId);
    const line = await lockLine(tx, transactionId);
    if (!payment || line?.state !== 'ordered' || !(await refuseTransfer(tx, { id, tries: tries + 1 }))) return;
    await insertAnswer(tx, transactionId, { status: 'REFUSED', reason, words });
    await setLineState(tx, transactionId, 'refused');
    await setBankReason(tx, transactionId, { code: reason, words });
    await refuse(tx, kindOf(kinds, payment.type), payment, ['instructed', 'accepted'], {
      stage: 'failed',
      reason: refusalReason(reason),
    });
    await announce(tx, [live('transaction', transactionId)]);
  });
}
