import type { CodeScenario } from '@causeway/contract/identity.ts';
import { codeLifetimeMs } from '@causeway/contract/identity.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { codeGuardWindowMs, codeTries, nilCompany } from '../domain.ts';

/** Whom a code proves, and for what. `beforeCompany`: the subject is an address that may belong to no member. */
export interface CodeHolder {
  beforeCompany: boolean;
  /** Wrong tries count for one request of a code alone. */
  ofRequest: boolean;
  /** A member's id, or what identifies a request. */
  subject: string;
  scenario: CodeScenario | 'otp_auth' | 'recovery';
}

export interface Guard {
  /** Wrong tries in the running window; 0 when it is over. */
  wrongTries: number;
  /** Until the running window ends, in milliseconds. */
  endsInMs: number;
}

function companyOf(holder: CodeHolder) {
  return holder.beforeCompany ? sql`${nilCompany}::uuid` : sql`company_id()`;
}

function lockingGuard(holder: CodeHolder) {
  return sql<Guard>`
    insert into code_guard as g (company_id, subject, scenario)
    values (${companyOf(holder)}, ${holder.subject}, ${holder.scenario})
    on conflict (company_id, subject, scenario) do update set
      wrong_tries = case when g.window_ends_at > now() then g.wrong_tries else 0 end
    returning wrong_tries as "wrongTries",
      greatest(0, extract(epoch from window_ends_at - now()) * 1000)::float8 as "endsInMs"`;
}

/** Locks the holder's guard until the transaction's end: concurrent guesses wait here. */
export async function lockGuard(tx: Tx, holder: CodeHolder): Promise<Guard> {
  const { rows } = await lockingGuard(holder).execute(tx);
  return rows[0] ?? { wrongTries: 0, endsInMs: 0 };
}

/** Counts one wrong try; the window begins with the first. */
export async function countWrongTry(tx: Tx, holder: CodeHolder): Promise<void> {
  await sql`
    update code_guard set wrong_tries = wrong_tries + 1,
      window_ends_at = case when wrong_tries = 0
        then now() + make_interval(secs => ${codeGuardWindowMs / 1000}) else window_ends_at end
    where company_id = ${companyOf(holder)} and subject = ${holder.subject} and scenario = ${holder.scenario}`.execute(
    tx,
  );
}

export async function forgetWrongTries(tx: Tx, holder: CodeHolder): Promise<void> {
  await sql`
    update code_guard set wrong_tries = 0
    where company_id = ${companyOf(holder)} and subject = ${holder.subject} and scenario = ${holder.scenario}`.execute(
    tx,
  );
}

export interface LiveCode {
  id: string;
  mac: Buffer;
  digest: string;
  ageMs: number;
}

/** The holder's codes that were neither used nor replaced and have not expired, the newest first. */
export async function findLiveCodes(tx: Tx, holder: CodeHolder): Promise<LiveCode[]> {
  const { rows } = await sql<LiveCode>`
    select id, code_mac as mac, digest, (extract(epoch from now() - issued_at) * 1000)::float8 as "ageMs"
    from verification_code
    where company_id = ${companyOf(holder)} and subject = ${holder.subject} and scenario = ${holder.scenario}
      and used_at is null and replaced_at is null and expires_at > now() and code_mac is not null
    order by issued_at desc`.execute(tx);
  return rows;
}

/** Writes a code and ends the ones before it with the same digest. */
export async function insertCode(
  tx: Tx,
  holder: CodeHolder,
  code: { id: string; mac: Buffer; digest: string },
): Promise<void> {
  await sql`
    update verification_code set replaced_at = now()
    where company_id = ${companyOf(holder)} and subject = ${holder.subject} and scenario = ${holder.scenario}
      and digest = ${code.digest} and used_at is null and replaced_at is null`.execute(tx);
  await sql`
    insert into verification_code (company_id, id, subject, scenario, method, code_mac, digest, expires_at)
    values (${companyOf(holder)}, ${code.id}, ${holder.subject}, ${holder.scenario}, 'email', ${code.mac}, ${code.digest},
      now() + make_interval(secs => ${codeLifetimeMs / 1000}))`.execute(tx);
}

/**
 * The usual case in one round trip: locks the guard, and if it is not burnt, uses up the live code with this MAC. That
 * the code was live is checked again on the row itself, which a concurrent try may have changed.
 * @returns the code's id, null when there is none; and the guard as it was found.
 */
export async function useMatchingCode(
  tx: Tx,
  holder: CodeHolder,
  mac: Buffer,
): Promise<{ id: string | null; guard: Guard }> {
  const { rows } = await sql<Guard & { id: string | null }>`
    with guard as (
      ${lockingGuard(holder)}
    ), used as (
      update verification_code c set used_at = now() from guard
      where guard."wrongTries" < ${codeTries} and c.company_id = ${companyOf(holder)} and c.subject = ${holder.subject}
        and c.scenario = ${holder.scenario} and c.code_mac = ${mac} and c.used_at is null and c.replaced_at is null
        and c.expires_at > now()
      returning c.id
    )
    select guard.*, (select id from used) as id from guard`.execute(tx);
  const { id = null, ...guard } = rows[0] ?? { wrongTries: 0, endsInMs: 0 };
  return { id, guard };
}
