import type { Frozen } from '@causeway/contract/freeze.ts';
import type { FreezeKind, FreezeReason } from '@causeway/contract/freeze-rules.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/database.ts';
import { translate } from '../../platform/text/texts.ts';

/** What the operator has frozen, as the company reads it. */

/** A freeze that has not ended, as a column reads it. */
export interface FreezeRow {
  id: string;
  reason: FreezeReason;
  texts: Record<Locale, string> | null;
  /** As JSON has it. */
  at: string;
}

/** The freeze of a subject of the transaction's company; null when it is not frozen by the operator. */
export function freezeColumn(kind: FreezeKind, subjectId: RawBuilder<unknown>): RawBuilder<FreezeRow | null> {
  return sql`(select jsonb_build_object('id', f.id, 'reason', f.reason, 'texts', f.texts, 'at', f.at) from frozen_subject f
    where f.company_id = company_id() and f.subject_kind = ${kind} and f.subject_id = ${subjectId} and f.ended_at is null)`;
}

/** Since when and why, in the reader's language. */
export function sayFreeze(row: FreezeRow | null, locale: Locale): Frozen | null {
  if (row === null) return null;
  return {
    since: new Date(row.at).toISOString(),
    reason: freezeText(row, locale),
    reference: freezeReference(row.id),
  };
}

/** Why, as the company reads it. */
export function freezeText({ reason, texts }: Pick<FreezeRow, 'reason' | 'texts'>, locale: Locale): string {
  return texts?.[locale] ?? translate(locale, `freeze.reason.${reason}`);
}

/** What the company quotes when it asks about a freeze. */
export function freezeReference(id: string): string {
  return `FZ-${id.slice(-8, -4)}-${id.slice(-4)}`.toUpperCase();
}

/** The freeze of the transaction's company itself. */
export async function findOwnFreeze(tx: Tx): Promise<FreezeRow | null> {
  const { rows } = await sql<{ freeze: FreezeRow | null }>`
    select ${freezeColumn('company', sql`company_id()`)} as freeze`.execute(tx);
  return rows[0]?.freeze ?? null;
}
