import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { Status } from '../messages/model.ts';

/** What a bank said of an order of ours, or of a payment in it. */
export interface SaidStatus {
  level: 'message' | 'payment';
  originalMessage: string;
  instruction: string | null;
  endToEnd: string | null;
  uetr: string | null;
  state: string | null;
  status: string | null;
  /** The first reason's code, and all of the bank's words. */
  reason: string | null;
  words: string | null;
  reference: string | null;
}

export function saidOf({ state, status, reasons }: Status): Pick<SaidStatus, 'state' | 'status' | 'reason' | 'words'> {
  const words = reasons.flatMap(({ texts }) => texts).join(' ');
  const reason = reasons.map((each) => each.reason?.code).find((code) => code !== undefined) ?? null;
  return { state, status, reason, words: words === '' ? null : words.slice(0, 1000) };
}

/** Writes statuses of one message of the bank's, numbered from `from` on. */
export async function insertStatuses(
  tx: PlatformTx,
  sourceId: string,
  from: number,
  statuses: readonly SaidStatus[],
): Promise<void> {
  if (statuses.length === 0) return;
  const rows = statuses.map((said, index) => ({
    id: newId(),
    number: from + index,
    level: said.level,
    original_message: said.originalMessage,
    instruction: said.instruction,
    end_to_end: said.endToEnd,
    uetr: uuid.test(said.uetr ?? '') ? said.uetr : null,
    state: said.state,
    status: said.status,
    reason: said.reason,
    words: said.words,
    reference: said.reference,
  }));
  await sql`
    insert into bank_status (id, source_id, number, level, original_message, instruction, end_to_end, uetr, state, status, reason, words, reference)
    select id, ${sourceId}, number, level, original_message, instruction, end_to_end, uetr, state, status, reason, words, reference
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, number integer, level text, original_message text, instruction text,
      end_to_end text, uetr uuid, state text, status text, reason text, words text, reference text)`.execute(tx);
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
