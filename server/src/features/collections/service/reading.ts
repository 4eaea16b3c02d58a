import type { Tx } from '../../../platform/database/database.ts';
import { type Judgement, judge, type Standing } from '../domain.ts';
import { type PaymentRow, readPayments } from '../store/payments.ts';
import {
  lockRequest,
  methodOf,
  type OptionRow,
  type RateRow,
  type RequestRow,
  readOptions,
  readPeriods,
  readRates,
  readRequest,
  standingOf,
} from '../store/requests.ts';

/** A request with all that it follows from, and where it is now. */
export interface Known {
  row: RequestRow;
  standing: Standing;
  payments: PaymentRow[];
  options: OptionRow[];
  /** The latest period's first. */
  rates: RateRow[];
  judgement: Judgement;
}

/** By the clock of now: `row.state` may be a minute behind where a period has just ended. Null: the company has no such request. */
export async function know(tx: Tx, id: string, now: Date): Promise<Known | null> {
  return knownOf(tx, await readRequest(tx, id), now);
}

/** The same, locked until the transaction's end. */
export async function lockKnown(tx: Tx, id: string, now: Date): Promise<Known | null> {
  return knownOf(tx, await lockRequest(tx, id), now);
}

async function knownOf(tx: Tx, row: RequestRow | null, now: Date): Promise<Known | null> {
  if (row === null) return null;
  const options = await readOptions(tx, row.id);
  const rates = await readRates(tx, row.id);
  const methods = options.map((option) => methodOf(option, rates));
  const standing = standingOf(row, await readPeriods(tx, row.id), methods);
  const payments = await readPayments(tx, row.id);
  return { row, standing, payments, options, rates, judgement: judge(standing, payments, now) };
}
