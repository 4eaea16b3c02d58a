import { dateAt } from './calendar.ts';
import { BankRefusal, collectingAccount, minorOf } from './catalogue.ts';
import { addFile, nextOf, settingsOf, type Turn } from './ledger.ts';
import type { FileContent, Payment, TransactionStatus } from './model.ts';
import { ORDER_NAME, type OrderFile, type OrderLine, OrderRefusal, readOrders } from './pain-orders.ts';
import { acceptPayment, reasonOf } from './payments.ts';

/** A file of payments as the bank takes it: read, refused whole or taken line by line, and reported on (pain.002). */

const REFUSED = 'refused';

/** Takes one file of the customer's; `id` names this very delivery, so that it is taken once whatever happens between. */
export function takeFile(turn: Turn, id: string, name: string, content: Buffer): void {
  if (turn.get('received', id) !== undefined) return;
  const fallback = name.replace(/\.xml$/i, '').slice(0, 35) || 'UNKNOWN';
  const { messageId, outcome } = take(turn, content, fallback);
  turn.put('received', id, { id, name, at: turn.now, bytes: content.length, messageId, outcome });
}

function take(turn: Turn, content: Buffer, fallback: string): { messageId: string; outcome: string } {
  let orders: OrderFile;
  try {
    orders = readOrders(decoded(content));
  } catch (error) {
    if (!(error instanceof BankRefusal)) throw error;
    const messageId = error instanceof OrderRefusal ? error.messageId : fallback;
    refuse(turn, { messageId, name: ORDER_NAME }, error);
    return { messageId, outcome: `${REFUSED}: ${error.code}` };
  }
  const original = { messageId: orders.messageId, name: ORDER_NAME, createdAt: orders.createdAt };
  const isKnown = turn
    .all('received')
    .some((file) => file.messageId === orders.messageId && !file.outcome.startsWith(REFUSED));
  if (isKnown) {
    refuse(turn, original, new BankRefusal('DUPL', `The message ${orders.messageId} was received before`));
    return { messageId: orders.messageId, outcome: `${REFUSED}: DUPL` };
  }
  const transactions = orders.lines.map((line) => takeLine(turn, orders.messageId, line));
  const refused = transactions.filter(({ status }) => status === 'RJCT').length;
  const status = refused === 0 ? 'ACTC' : refused === transactions.length ? 'RJCT' : 'PART';
  addStatus(turn, { kind: 'status', original, group: { status }, transactions });
  return {
    messageId: orders.messageId,
    outcome: `${transactions.length - refused} of ${transactions.length} payments accepted`,
  };
}

function decoded(content: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new BankRefusal('FF01', 'The file is not UTF-8');
  }
}

function refuse(
  turn: Turn,
  original: { messageId: string; name: string; createdAt?: string },
  error: BankRefusal,
): void {
  addStatus(turn, {
    kind: 'status',
    original,
    group: { status: 'RJCT', reason: reasonOf(error.code, error.message) },
    transactions: [],
  });
}

function takeLine(turn: Turn, messageId: string, line: OrderLine): TransactionStatus {
  const ids = {
    instructionId: line.instructionId,
    endToEndId: line.endToEndId,
    uetr: line.uetr,
    paymentInformationId: line.paymentInformationId,
  };
  const named = { ...given(ids), endToEndId: line.endToEndId, paymentInformationId: line.paymentInformationId };
  try {
    if (line.debtorAccount !== collectingAccount('harbour', line.currency)) {
      const isKnown = turn.get('accounts', line.debtorAccount)?.kind === 'customer';
      throw new BankRefusal(isKnown ? 'AM03' : 'AC02', 'The account to be debited does not fit');
    }
    const amount = minorOf(line.amount.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''), line.currency);
    const { payee, reference, text, chargeBearer, requestedDate } = line;
    const payment = acceptPayment(turn, {
      bank: 'harbour',
      currency: line.currency,
      amount,
      payee,
      reference,
      text,
      chargeBearer,
      requestedDate,
      messageId,
      ...ids,
    });
    return statusOf(turn, payment);
  } catch (error) {
    if (!(error instanceof BankRefusal)) throw error;
    return { ...named, status: 'RJCT', reason: reasonOf(error.code) };
  }
}

/** The state of a payment in the words of pain.002. */
export function statusOf(turn: Turn, payment: Payment): TransactionStatus {
  const { id, instructionId, endToEndId, uetr, paymentInformationId = 'NOTPROVIDED', reason } = payment;
  return {
    payment: id,
    ...given({ instructionId, uetr, reason }),
    endToEndId,
    paymentInformationId,
    status: codeOf(turn, payment),
  };
}

function codeOf(turn: Turn, payment: Payment): string {
  switch (payment.state) {
    case 'accepted':
      if (settingsOf(turn).payouts.mode === 'accept') return 'ACTC';
      return payment.executionDate <= dateAt(turn.now) ? 'ACSP' : 'ACCP';
    case 'pending':
      return 'PDNG';
    case 'rejected':
      return 'RJCT';
    case 'cancelled':
      return 'CANC';
    // What comes back later is an entry of the account, never another status.
    case 'settled':
    case 'returned':
      return 'ACSC';
  }
}

/** Makes a status report due: `pain.002_<message id>.xml`, the later ones of a message with a number. */
export function addStatus(turn: Turn, content: Extract<FileContent, { kind: 'status' }>): void {
  const base = `pain.002_${content.original.messageId.replaceAll(/[^\w.-]/g, '-')}`;
  const number = nextOf(turn, `status-${base}`);
  addFile(turn, number === 1 ? `${base}.xml` : `${base}_${number}.xml`, content);
}

/** Without what is undefined: records are JSON. */
function given<Value extends object>(value: Value): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [Key in keyof Value]: Exclude<Value[Key], undefined>;
  };
}
