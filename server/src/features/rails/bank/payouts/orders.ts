import { minorUnitsOf } from '@causeway/contract/iso-4217.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { Database, PlatformTx } from '../../../../platform/database/database.ts';
import { invariant } from '../../../../platform/domain-error.ts';
import { newId } from '../../../../platform/ids.ts';
import {
  controlSumOf,
  expectedArrival,
  type PaymentInstruction,
  transferText,
  writePain001,
} from '../../../banks/index.ts';
import { insertOrder, lockReady, type OrderLine, type Payer, readPayer, waitingGroups } from './store.ts';
import { isTransfer } from './transfer-instruction.ts';

/** So many payments are in one order at most. */
const paymentsInOrder = 5000;
/** So many orders over an API are made together. */
const ordersAtOnce = 200;

/**
 * Makes orders of the payments that wait for a bank: one message for each currency and service level. Its bytes are stored with the ids of
 * its payments before anything is sent. One that cannot be made holds up no other. @returns how many payments were ordered
 */
export async function makeOrders(database: Database, bank: string, now: Date): Promise<number> {
  const groups = await database.withoutCompany((tx) => waitingGroups(tx, bank));
  let ordered = 0;
  const failures: unknown[] = [];
  for (const group of groups) {
    try {
      ordered += await database.withoutCompany((tx) => makeOrder(tx, { bank, ...group }, now));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return ordered;
}

/** Makes an order of each payment that waits for a bank with an API: the request that is sent, under an id that follows from the payment. */
export async function makeTransfers(database: Database, bank: string): Promise<number> {
  const groups = await database.withoutCompany((tx) => waitingGroups(tx, bank));
  let ordered = 0;
  for (const group of groups) {
    for (let made = ordersAtOnce; made === ordersAtOnce; ordered += made) {
      made = await database.withoutCompany((tx) => makeTransfersOf(tx, { bank, ...group }));
    }
  }
  return ordered;
}

async function makeTransfersOf(
  tx: PlatformTx,
  group: { bank: string; asset: string; serviceLevel: string },
): Promise<number> {
  const lines = await lockReady(tx, group, ordersAtOnce);
  const { bank, asset } = group;
  const decimals = minorUnitsOf(asset);
  invariant(decimals !== null, `${asset} is a currency`);
  for (const { transactionId, endToEnd, amountMinor, instruction } of lines) {
    invariant(isTransfer(instruction), `${endToEnd} is written for an API`);
    const order = { requestId: endToEnd, currency: asset, amount: formatAmount(amountMinor, decimals), instruction };
    await insertOrder(tx, {
      id: newId(),
      bank,
      asset,
      messageId: endToEnd,
      fileName: null,
      content: Buffer.from(transferText(order), 'utf8'),
      totalMinor: amountMinor,
      transactionIds: [transactionId],
    });
  }
  return lines.length;
}

async function makeOrder(
  tx: PlatformTx,
  group: { bank: string; asset: string; serviceLevel: string },
  now: Date,
): Promise<number> {
  const lines = await lockReady(tx, group, paymentsInOrder);
  if (lines.length === 0) return 0;
  const { bank, asset } = group;
  const payer = await readPayer(tx, bank, asset);
  invariant(payer, `the installation has an account of ${asset} at ${bank}`);
  const id = newId();
  const messageId = id.replaceAll('-', '').toUpperCase();
  const content = await written(lines, payer, { messageId, ...group }, now);
  await insertOrder(tx, {
    id,
    bank,
    asset,
    messageId,
    fileName: `pain.001_${messageId}.xml`,
    content,
    totalMinor: lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    transactionIds: lines.map(({ transactionId }) => transactionId),
  });
  return lines.length;
}

async function written(
  lines: readonly OrderLine[],
  payer: Payer,
  { messageId, asset, serviceLevel }: { messageId: string; asset: string; serviceLevel: string },
  now: Date,
): Promise<Buffer> {
  const { holder, account, bic, timeZone, calendars, cutOff } = payer;
  const party = { name: holder, address: null };
  const isIban = /^[A-Z]{2}\d{2}/.test(account);
  // The next working day of the bank once its cut-off time has passed.
  const { counted } = expectedArrival(now, { timeZone, calendars }, { asset, cutOff, daysLeast: 0, daysMost: 0 });
  const amounts = lines.map(({ amountMinor }) => ({ currency: asset, minor: amountMinor }));
  const head = {
    messageId,
    createdAt: now,
    batchId: messageId,
    executionDate: counted,
    initiator: holder,
    payer: party,
    account: { ...(isIban ? { iban: account } : { number: account }), currency: asset },
    bank: { bic },
    serviceLevel,
    count: lines.length,
    controlSum: controlSumOf(amounts),
  };
  const pieces: string[] = [];
  for await (const piece of writePain001(head, lines.map(instructionOf))) pieces.push(piece);
  return Buffer.from(pieces.join(''), 'utf8');
}

/** A payment as it is written into an order. */
export function instructionOf({
  endToEnd,
  uetr,
  asset,
  amountMinor,
  instruction,
}: Omit<
  OrderLine,
  'orderId' | 'state' | 'transactionId' | 'companyId' | 'walletId' | 'bank' | 'serviceLevel'
>): PaymentInstruction {
  invariant(!isTransfer(instruction), `${endToEnd} is written for a file`);
  const amount = { currency: asset, minor: amountMinor };
  return { ...instruction, instructionId: endToEnd, endToEndId: endToEnd, uetr, amount };
}
