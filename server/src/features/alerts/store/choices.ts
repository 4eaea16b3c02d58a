import type { Alert } from '@causeway/contract/alerts-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** What one member chose. */
export interface Choice {
  lowBalance: boolean;
  largeIncoming: boolean;
  /** US cents. */
  largeIncomingFromCents: bigint;
  newPayee: boolean;
  dailyDigest: boolean;
  /** Of the company's time zone, 0 to 23. */
  digestHour: number;
  digestAlways: boolean;
}

const columns = {
  lowBalance: sql`low_balance`,
  largeIncoming: sql`large_incoming`,
  newPayee: sql`new_payee`,
  dailyDigest: sql`daily_digest`,
} as const satisfies Record<Alert, unknown>;

/** Null where nothing was ever chosen. */
export async function findChoice(tx: Tx, userId: string): Promise<Choice | null> {
  const { rows } = await sql<Choice>`
    select low_balance as "lowBalance", large_incoming as "largeIncoming", large_incoming_from as "largeIncomingFromCents",
      new_payee as "newPayee", daily_digest as "dailyDigest", digest_hour as "digestHour", digest_always as "digestAlways"
    from alert_choice where company_id = company_id() and user_id = ${userId}`.execute(tx);
  return rows[0] ?? null;
}

/** Keeps a choice. A digest that is switched on begins now; an hour that is chosen strikes from now on. */
export async function saveChoice(tx: Tx, userId: string, choice: Choice, now: Date): Promise<void> {
  await sql`
    insert into alert_choice as c (company_id, user_id, low_balance, large_incoming, large_incoming_from, new_payee,
      daily_digest, digest_hour, digest_always, digest_through, digest_settled)
    values (company_id(), ${userId}, ${choice.lowBalance}, ${choice.largeIncoming}, ${choice.largeIncomingFromCents},
      ${choice.newPayee}, ${choice.dailyDigest}, ${choice.digestHour}, ${choice.digestAlways}, ${now}, ${now})
    on conflict (company_id, user_id) do update set low_balance = excluded.low_balance,
      large_incoming = excluded.large_incoming, large_incoming_from = excluded.large_incoming_from,
      new_payee = excluded.new_payee, daily_digest = excluded.daily_digest, digest_hour = excluded.digest_hour,
      digest_always = excluded.digest_always,
      digest_through = case when excluded.daily_digest and not c.daily_digest then excluded.digest_through
        else c.digest_through end,
      digest_settled = case when excluded.digest_hour <> c.digest_hour or excluded.daily_digest and not c.daily_digest
        then excluded.digest_settled else c.digest_settled end`.execute(tx);
}

/** Who chose an alert; for large deposits, from which value on, in US cents. */
export async function findChoosers(
  tx: Tx,
  alert: Alert,
): Promise<{ userId: string; largeIncomingFromCents: bigint }[]> {
  const { rows } = await sql<{ userId: string; largeIncomingFromCents: bigint }>`
    select user_id as "userId", large_incoming_from as "largeIncomingFromCents" from alert_choice
    where company_id = company_id() and ${columns[alert]} order by user_id`.execute(tx);
  return rows;
}
