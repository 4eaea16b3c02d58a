import { sql } from 'kysely';
import type { Database, PlatformTx } from '../../../platform/database/database.ts';

/** Transfers of a bank with an HTTP API as they were last stored. */

/** What an adapter remembers of them between its visits; each is a transaction of its own. */
export interface TransferMemory {
  /** When the newest known one began. */
  newest(): Promise<Date | null>;
  /** The states in which these were stored, by id; empty: none of it is stored yet. */
  states(ids: readonly string[]): Promise<Map<string, string>>;
  /** Those that are not at their end and were asked about least recently. */
  open(most: number): Promise<string[]>;
  /** Notes the state in which one was stored, or was found again. */
  remember(transfer: RememberedTransfer): Promise<void>;
  /** Has the bank asked about one that it has taken. */
  expect(transfer: Omit<RememberedTransfer, 'status'>): Promise<void>;
}

export interface RememberedTransfer {
  id: string;
  requestId: string;
  status: string;
  begunAt: Date;
}

export function createTransferMemory(database: Database, bank: string): TransferMemory {
  const run = <T>(work: (tx: PlatformTx) => Promise<T>) => database.withoutCompany(work);
  return {
    newest: () => run((tx) => findNewest(tx, bank)),
    states: (ids) => run((tx) => findStates(tx, bank, ids)),
    open: (most) => run((tx) => findOpen(tx, bank, most)),
    remember: (transfer) => run((tx) => writeTransfer(tx, bank, transfer)),
    expect: (transfer) => run((tx) => insertTransfer(tx, bank, transfer)),
  };
}

async function findNewest(tx: PlatformTx, bank: string): Promise<Date | null> {
  const { rows } = await sql<{ newest: Date | null }>`
    select max(begun_at) as newest from bank_transfer where bank_id = ${bank}`.execute(tx);
  return rows[0]?.newest ?? null;
}

async function findStates(tx: PlatformTx, bank: string, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; status: string }>`
    select id, status from bank_transfer where bank_id = ${bank} and id = any (${[...ids]}::text[])`.execute(tx);
  return new Map(rows.map(({ id, status }) => [id, status]));
}

async function findOpen(tx: PlatformTx, bank: string, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from bank_transfer where bank_id = ${bank} and status not in ('PAID', 'FAILED', 'CANCELLED')
    order by asked_at, id limit ${most}`.execute(tx);
  return rows.map(({ id }) => id);
}

async function writeTransfer(tx: PlatformTx, bank: string, transfer: RememberedTransfer): Promise<void> {
  const { id, requestId, status, begunAt } = transfer;
  await sql`
    insert into bank_transfer (bank_id, id, request_id, status, begun_at)
    values (${bank}, ${id}, ${requestId}, ${status}, ${begunAt})
    on conflict (bank_id, id) do update set status = excluded.status, asked_at = now()`.execute(tx);
}

async function insertTransfer(
  tx: PlatformTx,
  bank: string,
  { id, requestId, begunAt }: Omit<RememberedTransfer, 'status'>,
): Promise<void> {
  await sql`
    insert into bank_transfer (bank_id, id, request_id, status, begun_at)
    values (${bank}, ${id}, ${requestId}, '', ${begunAt}) on conflict (bank_id, id) do nothing`.execute(tx);
}
