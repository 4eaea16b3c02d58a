import { audit } from '../../../../platform/audit/record.ts';
import type { Database, PlatformTx, Tx } from '../../../../platform/database/database.ts';
import { announce, live } from '../../../../platform/database/outbox.ts';
import { invariant } from '../../../../platform/domain-error.ts';
import { newId } from '../../../../platform/ids.ts';
import { nilCompany } from '../../../identity/index.ts';
import { accountsByKind, move, post } from '../../../ledger/index.ts';
import { leavingOf, settle } from '../../../outgoing/index.ts';
import { forget } from '../../../risk/index.ts';
import {
  changeStage,
  insertRefund,
  lockTransaction,
  reached,
  setBankFacts,
  setBankReason,
} from '../../../transactions/index.ts';
import { repayDeficit } from '../../../wallets/index.ts';
import { holdMoneys } from '../holding.ts';
import { lockUnsettled, ownersOfNumbers, release, type UnsettledMoney } from '../store.ts';
import { returnReason } from './reasons.ts';
import {
  insertAnswer,
  insertPayoutMoney,
  linesNamed,
  lockLine,
  lookAgain,
  type OrderLine,
  setLineState,
} from './store.ts';
import { isTransfer } from './transfer-instruction.ts';

/**
 * Finds the payments of ours that moneys of one currency at one bank name, by the UETR or our own reference. A payee knows that reference too:
 * what is paid to the account of another company than the payment's is that company's, whatever it names.
 */
export async function payoutsOf(
  tx: PlatformTx,
  moneys: readonly UnsettledMoney[],
): Promise<ReadonlyMap<string, OrderLine>> {
  const [first] = moneys;
  if (!first) return new Map();
  const uetrs = moneys.flatMap(({ uetr }) => (uetr !== null && uuid.test(uetr) ? [uetr] : []));
  const endToEnds = moneys.map(({ endToEnd }) => endToEnd).filter((name) => name !== null);
  const lines = await linesNamed(tx, first.bank, { uetrs, endToEnds });
  const byUetr = new Map(lines.map((line) => [line.uetr, line]));
  const byEndToEnd = new Map(lines.map((line) => [line.endToEnd, line]));
  const named = moneys.flatMap((money) => {
    const line = byUetr.get(money.uetr ?? '') ?? byEndToEnd.get(money.endToEnd ?? '');
    return line ? [{ money, line }] : [];
  });
  const accounts = named.map(({ money }) => money.creditorAccount).filter((account) => account !== null);
  const owners = await ownersOfNumbers(tx, first, [...new Set(accounts)]);
  return new Map(
    named.flatMap(({ money, line }) => {
      const owner = money.amountMinor > 0n ? owners.get(money.creditorAccount ?? '') : undefined;
      return owner === undefined || owner === line.companyId ? [[money.id, line]] : [];
    }),
  );
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** The bank has booked nothing of it yet; or it refused it, and made it after all. */
const unbooked: ReadonlySet<OrderLine['state']> = new Set(['ordered', 'accepted', 'refused']);

/**
 * A debit of its amount is the payment made; a credit of no more than its amount that the bank calls a return, after it was booked, is what came
 * back of it. Our own reference alone makes no return: the payee knows it, and could pay a unit under it.
 */
function fits({ amountMinor, asset, uetr, isReturn }: UnsettledMoney, line: OrderLine): boolean {
  if (asset !== line.asset) return false;
  if (amountMinor < 0n) return -amountMinor === line.amountMinor && unbooked.has(line.state);
  return amountMinor <= line.amountMinor && line.state === 'settled' && (isReturn || uetr === line.uetr);
}

/** Posts what the bank did with a payment, under its lock. @returns false where it does not fit, or is settled by now */
export async function bookPayout(database: Database, moneyId: string, line: OrderLine): Promise<boolean> {
  return database.withCompany(line.companyId, async (tx) => {
    const payment = await lockTransaction(tx, line.transactionId);
    const now = await lockLine(tx, line.transactionId);
    const [money] = await lockUnsettled(tx, [moneyId]);
    invariant(payment && now, `payment ${line.transactionId} has its line`);
    if (!money || !fits(money, now)) return false;
    const work = { payment, line: now, money };
    await (money.amountMinor < 0n ? bookPaid(tx, work) : bookReturned(tx, work));
    await announce(tx, [live('transaction', payment.id), live('balance', line.walletId)]);
    return true;
  });
}

/**
 * Holds what names a payment and does not fit it, until an operator has looked. Another worker may have booked the payment since it was
 * read: under its lock it is looked at again. @returns false where it fits by now
 */
export async function holdStrange(database: Database, { id, asset, collectionId }: UnsettledMoney, line: OrderLine) {
  return database.withCompany(nilCompany, async (tx) => {
    const now = await lockLine(tx, line.transactionId);
    const [money] = await lockUnsettled(tx, [id]);
    if (money && now && fits(money, now)) return false;
    await holdMoneys(tx, { collectionId, asset }, new Map([[id, { unmatched: 'payout' as const, suggestions: [] }]]));
    return true;
  });
}

interface Work {
  payment: NonNullable<Awaited<ReturnType<typeof lockTransaction>>>;
  line: OrderLine;
  money: UnsettledMoney;
}

/** The bank has paid: what was held goes to the bank's side of the books, the fee to the fee account. */
async function bookPaid(tx: Tx, { payment, line, money }: Work): Promise<void> {
  await setLineState(tx, line.transactionId, 'settled');
  await settle(tx, payment, { contra: 'bank', finals: 0, hash: null });
  await insertPayoutMoney(tx, { transactionId: payment.id, kind: 'paid', moneyId: money.id });
  const reference = money.reference ?? money.transactionReference;
  await setBankFacts(tx, payment.id, {
    reference,
    endToEndId: line.endToEnd,
    uetr: isTransfer(line.instruction) ? null : line.uetr,
    valueOn: money.valueOn,
  });
  await lookAgain(tx, line);
}

/** What came back is the company's again: a transaction of its own, and the payment says why. The fee is not given back: the bank did its work. */
async function bookReturned(tx: Tx, { payment, line, money }: Work): Promise<void> {
  const reason = returnReason(money.returnReason);
  await setLineState(tx, line.transactionId, 'returned');
  const isReturned = await changeStage(tx, payment.id, ['completed'], { stage: 'returned', reason });
  invariant(isReturned, `payment ${payment.id} had been made`);
  await setBankReason(tx, payment.id, { code: money.returnReason, words: money.returnWords });
  // A bank with an API says so of the transfer itself.
  if (!isTransfer(line.instruction)) {
    await insertAnswer(tx, payment.id, { status: 'RETURNED', reason: money.returnReason, words: money.returnWords });
  }
  const refundId = newId();
  const { payeeName: name, payeeAccount: account } = payment;
  const left = await leavingOf(tx, payment);
  await insertRefund(tx, left, refundId, money.amountMinor, { name, account });
  await setBankFacts(tx, refundId, {
    reference: money.reference ?? money.transactionReference,
    endToEndId: line.endToEnd,
    uetr: isTransfer(line.instruction) ? null : line.uetr,
    valueOn: money.valueOn,
  });
  // Before the ledger: locks are taken in one order.
  await forget(tx, payment.id);
  const { bank, available } = await accountsByKind(tx, left.walletId, ['bank', 'available']);
  await post(tx, {
    id: newId(),
    kind: 'payout.returned',
    sourceId: payment.id,
    description: 'payment sent back by the payee’s bank',
    legs: move(bank.id, available.id, money.amountMinor),
  });
  await insertPayoutMoney(tx, { transactionId: payment.id, kind: 'returned', moneyId: money.id });
  if (money.state === 'suspense') await release(tx, money.id, newId());
  await audit(tx, {
    actor: { kind: 'system', id: 'transfers' },
    action: 'payments.returned',
    subjectKind: 'transaction',
    subjectId: payment.id,
    detail: { reason },
  });
  await announce(tx, [reached(payment.id, 'returned')]);
  await repayDeficit(tx, left.walletId, refundId);
}
