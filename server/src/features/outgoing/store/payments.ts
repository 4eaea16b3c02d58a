import type { TransactionType } from '@causeway/contract/transactions-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** Writes what a payment has beside its transaction: its attachments, and the authorisation that the signer verifies. */
export async function insertPaymentParts(
  tx: Tx,
  payment: { id: string; attachmentIds: readonly string[]; authorisation: string },
): Promise<void> {
  await sql`
    with attachments as (
      insert into outgoing_attachment (company_id, transaction_id, file_id, position)
      select company_id(), ${payment.id}, f.id, f.position - 1
      from unnest(${[...payment.attachmentIds]}::uuid[]) with ordinality as f (id, position)
    )
    insert into outgoing_authorisation (company_id, transaction_id, jws)
    values (company_id(), ${payment.id}, ${payment.authorisation})`.execute(tx);
}

/** The ids of a payment's attachments in the order in which they were given. */
export async function readAttachmentIds(tx: Tx, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select file_id as id from outgoing_attachment
    where company_id = company_id() and transaction_id = ${id} order by position`.execute(tx);
  return rows.map((row) => row.id);
}

export interface UnsentPayment {
  id: string;
  type: TransactionType;
}

/** Payments of these types that no rail has begun to send. */
export async function findUnsent(tx: Tx, types: readonly TransactionType[]): Promise<UnsentPayment[]> {
  const { rows } = await sql<UnsentPayment>`
    select id, type from transaction
    where company_id = company_id() and type = any (${[...types]}::text[]) and status = 'pending'
      and stage in ('waiting_approval', 'approved')
    order by id`.execute(tx);
  return rows;
}
