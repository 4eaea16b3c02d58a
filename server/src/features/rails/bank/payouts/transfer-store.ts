import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../../platform/database/database.ts';

/** Orders over a bank's API: one payment each. */

/** An order that the bank does not have for certain. */
export interface OpenTransfer {
  id: string;
  /** The request id. */
  messageId: string;
  content: Buffer;
  state: 'made' | 'uploading';
  /** How often it was sent, and when last. */
  tries: number;
  triedAt: Date | null;
  companyId: string;
  transactionId: string;
}

export async function openTransfers(tx: PlatformTx, bank: string): Promise<OpenTransfer[]> {
  const { rows } = await sql<OpenTransfer>`
    select o.id, o.message_id as "messageId", o.content, o.state, o.tries, o.tried_at as "triedAt", l.company_id as "companyId",
      l.transaction_id as "transactionId"
    from bank_order o join bank_order_line l on l.order_id = o.id
    where o.bank_id = ${bank} and o.state in ('made', 'uploading') and o.file_name is null order by o.made_at, o.id`.execute(
    tx,
  );
  return rows;
}

export interface Try {
  id: string;
  tries: number;
}

/** Notes that an order is sent once more. @returns false where another worker has sent it since, or it is further on */
export async function noteTry(tx: PlatformTx, { id, tries, at }: Try & { at: Date }): Promise<boolean> {
  const { rows } = await sql`
    update bank_order set state = 'uploading', tries = tries + 1, tried_at = ${at}
    where id = ${id} and state in ('made', 'uploading') and tries = ${tries} returning id`.execute(tx);
  return rows.length === 1;
}

/** Nothing has arrived at the bank. */
export async function takeTryBack(tx: PlatformTx, { id, tries }: Try): Promise<void> {
  await sql`update bank_order set state = 'made' where id = ${id} and state = 'uploading' and tries = ${tries}`.execute(
    tx,
  );
}

/** @returns false where another worker has sent it since, or it is further on */
export async function refuseTransfer(tx: PlatformTx, { id, tries }: Try): Promise<boolean> {
  const { rows } = await sql`
    update bank_order set state = 'refused', delivered_at = now()
    where id = ${id} and state = 'uploading' and tries = ${tries} returning id`.execute(tx);
  return rows.length === 1;
}

/** Says on a payment of the current company which transfer of the bank's it is. */
export async function nameTransfer(tx: Tx, id: string, transferId: string): Promise<void> {
  await sql`
    update payout set transfer_id = ${transferId}
    where company_id = company_id() and transaction_id = ${id} and transfer_id is null`.execute(tx);
}
