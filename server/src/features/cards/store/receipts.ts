import type { CardReceiptState } from '@causeway/contract/cards-rules.ts';
import { fileTypes } from '@causeway/contract/files.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** Receipts of purchases. */

/** A receipt that is not removed, with whose card it is of and who added it. */
export interface ReceiptRow {
  id: string;
  fileId: string;
  purchaseId: string | null;
  cardId: string | null;
  addedBy: string;
  holderId: string | null;
}

export async function findReceipt(tx: Tx, id: string): Promise<ReceiptRow | null> {
  const { rows } = await sql<ReceiptRow>`
    select f.id, f.file_id as "fileId", f.purchase_id as "purchaseId", c.id as "cardId", f.added_by as "addedBy", c.holder_id as "holderId"
    from card_receipt f
    left join card_purchase p on p.company_id = f.company_id and p.id = f.purchase_id
    left join card c on c.company_id = p.company_id and c.id = p.card_id
    where f.company_id = company_id() and f.id = ${id} and f.removed_at is null`.execute(tx);
  return rows[0] ?? null;
}

export async function insertReceipt(
  tx: Tx,
  receipt: {
    id: string;
    fileId: string;
    purchaseId: string;
    amount: string | null;
    date: string | null;
    merchant: string;
    addedBy: string;
  },
): Promise<void> {
  await sql`
    insert into card_receipt (company_id, id, file_id, purchase_id, amount, dated_on, merchant, added_by)
    values (company_id(), ${receipt.id}, ${receipt.fileId}, ${receipt.purchaseId}, ${receipt.amount}::numeric, ${receipt.date}::date,
      ${receipt.merchant}, ${receipt.addedBy})`.execute(tx);
}

/** @returns false where another request has removed it */
export async function removeReceiptRow(tx: Tx, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update card_receipt set removed_at = clock_timestamp() where company_id = company_id() and id = ${id} and removed_at is null`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

/** Holds back other changes of a purchase's receipt until the transaction's end. */
export async function lockPurchase(tx: Tx, id: string): Promise<void> {
  await sql`select 1 from card_purchase where company_id = company_id() and id = ${id} for no key update`.execute(tx);
}

export async function setReceiptState(
  tx: Tx,
  purchaseId: string,
  state: Exclude<CardReceiptState, 'none' | 'missing'>,
  note = '',
): Promise<void> {
  await sql`
    update card_purchase set receipt_state = ${state}, receipt_note = ${note} where company_id = company_id() and id = ${purchaseId}`.execute(
    tx,
  );
}

/** As it is without a receipt: what was not cleared yet needs none. */
export async function setWithoutReceipt(tx: Tx, purchaseId: string): Promise<void> {
  await sql`
    update card_purchase set receipt_state = case when cleared > 0 then 'missing' else 'none' end, receipt_note = ''
    where company_id = company_id() and id = ${purchaseId}`.execute(tx);
}

/** Whether a file is the company's, of a type that receipts have, and was stored by this member. */
export async function isOwnFile(tx: Tx, fileId: string, memberId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from file where company_id = company_id() and id = ${fileId} and uploaded_by = ${memberId} and type = any (${[...fileTypes]})`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Purchases that lack a receipt: of cards that this member holds, and of all. */
export async function countMissing(tx: Tx, memberId: string): Promise<{ mine: number; company: number }> {
  const { rows } = await sql<{ mine: number; company: number }>`
    select count(*) filter (where c.holder_id = ${memberId})::integer as mine, count(*)::integer as company
    from card_purchase p join card c on c.company_id = p.company_id and c.id = p.card_id
    where p.company_id = company_id() and p.receipt_state = 'missing'`.execute(tx);
  return rows[0] ?? { mine: 0, company: 0 };
}
