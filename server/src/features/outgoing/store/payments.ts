import type { LifeType } from '@causeway/contract/transactions-rules.ts';
import { sql } from 'kysely';
import type { CompaniesTx, Tx } from '../../../platform/database/database.ts';

/** What a payment has beside its transaction: its attachments, and the authorisation that the signer verifies. */
export interface PaymentParts {
  companyId: string;
  id: string;
  attachmentIds: readonly string[];
  authorisation: string;
}

export async function insertPaymentParts(tx: CompaniesTx, payments: readonly PaymentParts[]): Promise<void> {
  const attachments = payments.flatMap(({ companyId, id, attachmentIds }) =>
    attachmentIds.map((fileId, position) => ({ companyId, id, fileId, position })),
  );
  const attached = sql`attachments as (
      insert into outgoing_attachment (company_id, transaction_id, file_id, position)
      select * from unnest(${attachments.map(({ companyId }) => companyId)}::uuid[], ${attachments.map(({ id }) => id)}::uuid[],
        ${attachments.map(({ fileId }) => fileId)}::uuid[], ${attachments.map(({ position }) => position)}::integer[])
    )`;
  await sql`
    ${attachments.length > 0 ? sql`with ${attached}` : sql``}
    insert into outgoing_authorisation (company_id, transaction_id, jws)
    select * from unnest(${payments.map(({ companyId }) => companyId)}::uuid[], ${payments.map(({ id }) => id)}::uuid[],
      ${payments.map(({ authorisation }) => authorisation)}::text[])`.execute(tx);
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
  type: LifeType;
}

/** Payments of these types that no rail has begun to send. */
export async function findUnsent(tx: Tx, types: readonly LifeType[]): Promise<UnsentPayment[]> {
  const { rows } = await sql<UnsentPayment>`
    select id, type from transaction
    where company_id = company_id() and type = any (${[...types]}::text[]) and status = 'pending'
      and stage in ('waiting_approval', 'approved')
    order by id`.execute(tx);
  return rows;
}
