import type { PaymentRequestCause, PaymentRequestStep } from '@causeway/contract/payment-requests-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';

/** The timeline of a request. */

export interface NewLine {
  id?: string;
  step: PaymentRequestStep;
  /** A member's name; absent: the payer, the chain, or the program. */
  by?: string;
  /** In minor units of its asset. */
  amount?: { minor: bigint; asset: string };
  causes?: readonly PaymentRequestCause[];
  transactionId?: string;
  note?: string;
}

/** @returns the line's id, which is also that of its event */
export async function addLine(tx: Tx, requestId: string, line: NewLine): Promise<string> {
  const { id = newId(), step, by, amount, causes = [], transactionId, note = '' } = line;
  await sql`
    insert into payment_request_line (company_id, id, request_id, step, by_name, amount, asset_id, causes, transaction_id, note)
    values (company_id(), ${id}, ${requestId}, ${step}, ${by ?? null}, ${amount?.minor.toString() ?? null}::numeric, ${amount?.asset ?? null},
      ${[...causes]}::text[], ${transactionId ?? null}, ${note})`.execute(tx);
  return id;
}

export interface LineRow {
  step: PaymentRequestStep;
  at: Date;
  by: string | null;
  amountMinor: bigint | null;
  asset: string | null;
  decimals: number | null;
  causes: PaymentRequestCause[];
  transactionId: string | null;
  note: string;
}

export async function readLines(tx: Tx, requestId: string): Promise<LineRow[]> {
  const { rows } = await sql<LineRow>`
    select l.step, l.at, l.by_name as by, l.amount as "amountMinor", l.asset_id as asset, a.decimals, l.causes,
      l.transaction_id as "transactionId", l.note
    from payment_request_line l left join asset a on a.id = l.asset_id
    where l.company_id = company_id() and l.request_id = ${requestId} order by l.at, l.id`.execute(tx);
  return rows;
}

/** The payments that the timeline has named. */
export async function saidIn(tx: Tx, requestId: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select distinct transaction_id as id from payment_request_line
    where company_id = company_id() and request_id = ${requestId} and step = 'seen'`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}
