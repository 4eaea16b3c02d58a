import type { CodeMethod } from '@causeway/contract/identity.ts';
import { sql } from 'kysely';
import type { CompaniesTx } from '../../../platform/database/database.ts';
import { uuids } from '../../../platform/database/sets.ts';
import { codeGuardWindowMs } from '../domain.ts';
import type { Guard } from './codes.ts';

/**
 * What proves transactions, for several members at once. Every statement names the company of each row; `offset 0` keeps each row a
 * look-up of its own, whatever the statistics say.
 */

export interface GuardKey {
  companyId: string;
  subject: string;
  scenario: 'transaction' | 'otp_auth';
}

export interface MailedCode {
  id: string;
  mac: Buffer;
  digest: string;
}

/** A guard with the live mailed codes that it guards. */
export interface GuardedCodes extends Guard {
  codes: MailedCode[];
}

/** Locks these guards, no two the same, in one order, until the transaction's end; makes those that are missing. */
export async function lockGuards(tx: CompaniesTx, keys: readonly GuardKey[]): Promise<void> {
  await sql`
    insert into code_guard as g (company_id, subject, scenario)
    select r.company_id, r.subject, r.scenario from ${unnested(keys)} order by r.company_id, r.subject, r.scenario
    on conflict (company_id, subject, scenario) do update set wrong_tries = 0
      where g.wrong_tries > 0 and g.window_ends_at <= now()`.execute(tx);
}

/** Reads guards and codes, in the order of the keys. Issued after `lockGuards`, so that it sees what the lock waited for. */
export async function findGuardedCodes(tx: CompaniesTx, keys: readonly GuardKey[]): Promise<GuardedCodes[]> {
  const { rows } = await guardedCodes(keys).execute(tx);
  const found = keys.map((): GuardedCodes => ({ wrongTries: 0, endsInMs: 0, codes: [] }));
  for (const { place, wrongTries, endsInMs, ...code } of rows) {
    const guard = found[place - 1];
    if (!guard) continue;
    Object.assign(guard, { wrongTries, endsInMs });
    if (code.id !== null) guard.codes.push(code);
  }
  return found;
}

export function guardedCodes(keys: readonly GuardKey[]) {
  return sql<Guard & { place: number } & (MailedCode | { id: null })>`
    select r.place, g.wrong_tries as "wrongTries",
      greatest(0, extract(epoch from g.window_ends_at - now()) * 1000)::float8 as "endsInMs", c.id, c.code_mac as mac, c.digest
    from ${unnested(keys)}
    cross join lateral (
      select * from code_guard g
      where g.company_id = r.company_id and g.subject = r.subject and g.scenario = r.scenario
      offset 0
    ) g
    left join lateral (
      select c.id, c.code_mac, c.digest, c.expires_at from verification_code c
      where c.company_id = r.company_id and c.subject = r.subject and c.scenario = r.scenario
        and c.used_at is null and c.replaced_at is null
      offset 0
    ) c on c.expires_at > now() and c.code_mac is not null`;
}

function unnested(keys: readonly GuardKey[]) {
  return sql`unnest(${uuids(keys.map(({ companyId }) => companyId))}, ${keys.map(({ subject }) => subject)}::text[],
      ${keys.map(({ scenario }) => scenario)}::text[]) with ordinality as r (company_id, subject, scenario, place)`;
}

/** Writes the counts of these locked guards; `began`: a window began in this transaction. */
export async function updateGuards(
  tx: CompaniesTx,
  guards: readonly (GuardKey & { wrongTries: number; began: boolean })[],
): Promise<void> {
  await sql`
    update code_guard g set wrong_tries = r.wrong_tries,
      window_ends_at = case when r.began
        then now() + make_interval(secs => ${codeGuardWindowMs / 1000}) else g.window_ends_at end
    from unnest(${uuids(guards.map(({ companyId }) => companyId))}, ${guards.map(({ subject }) => subject)}::text[],
      ${guards.map(({ scenario }) => scenario)}::text[], ${guards.map(({ wrongTries }) => wrongTries)}::integer[],
      ${guards.map(({ began }) => began)}::boolean[]) as r (company_id, subject, scenario, wrong_tries, began)
    where g.company_id = r.company_id and g.subject = r.subject and g.scenario = r.scenario`.execute(tx);
}

/** Uses mailed codes up; fails the transaction if one was no longer live. */
export async function useCodes(tx: CompaniesTx, codes: readonly { companyId: string; id: string }[]): Promise<void> {
  await sql`
    with used as (
      update verification_code c set used_at = now()
      from unnest(${uuids(codes.map(({ companyId }) => companyId))}, ${codes.map(({ id }) => id)}::uuid[]) as r (company_id, id)
      where c.company_id = r.company_id and c.id = r.id
      returning old.used_at is null and old.replaced_at is null as live
    )
    select identity_require_live(count(*) filter (where live), ${codes.length}) from used`.execute(tx);
}

export interface UsedCode {
  companyId: string;
  id: string;
  userId: string;
  method: CodeMethod;
  digest: string;
}

/** Records proofs by authenticator, so that what they confirmed can be shown like a mailed code's. */
export async function insertUsedCodes(tx: CompaniesTx, proofs: readonly UsedCode[]): Promise<void> {
  await sql`
    insert into verification_code (company_id, id, subject, scenario, method, digest, expires_at, used_at)
    select r.company_id, r.id, r.subject, 'transaction', r.method, r.digest, now(), now()
    from unnest(${uuids(proofs.map(({ companyId }) => companyId))}, ${proofs.map(({ id }) => id)}::uuid[],
      ${proofs.map(({ userId }) => userId)}::text[], ${proofs.map(({ method }) => method)}::text[],
      ${proofs.map(({ digest }) => digest)}::text[]) as r (company_id, id, subject, method, digest)`.execute(tx);
}
