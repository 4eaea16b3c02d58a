import type { Language } from '@causeway/contract/locale.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

export interface ReceiptMail {
  token: string;
  email: string;
  name: string;
  language: Language;
}

/** Where the receipt of a settled request is to be mailed; null: to no one, or it was mailed. */
export async function findReceiptMail(tx: Tx, requestId: string): Promise<ReceiptMail | null> {
  const { rows } = await sql<ReceiptMail>`
    select token, payer_email as email, coalesce(payer_name, '') as name, payer_language as language from payment_request
    where company_id = company_id() and id = ${requestId} and state = 'settled' and payer_email is not null and payer_language is not null
      and receipt_mailed_at is null`.execute(tx);
  return rows[0] ?? null;
}

export async function markReceiptMailed(tx: Tx, requestId: string, at: Date): Promise<void> {
  await sql`update payment_request set receipt_mailed_at = ${at} where company_id = company_id() and id = ${requestId}`.execute(
    tx,
  );
}
