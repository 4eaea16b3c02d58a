import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { Power } from '../authority.ts';

/** A change of what a member can do, with what it was before. */
export interface AuthorityChangeRow {
  memberId: string;
  at: Date;
  byId: string;
  byName: string;
  before: Power | null;
  gained: boolean;
}

/** Tasks wait for sixty days at most, so what is older says nothing of a task that is pending. */
const lookBackDays = 61;

/** The changes that can matter to a pending task, of all members or of these, the oldest first. */
export async function findAuthorityChanges(tx: Tx, ids: readonly string[] | null): Promise<AuthorityChangeRow[]> {
  const { rows } = await sql<AuthorityChangeRow & { id: string }>`
    ${authorityChanges(sql`(${ids === null} or member_id = any (${[...(ids ?? [])]}::uuid[]))`)} order by at, id`.execute(
    tx,
  );
  return rows.map(({ id: _id, ...change }) => change);
}

/** The company of a transaction of one company. */
export const ownCompany = sql`company_id()`;

export function authorityChanges(
  condition: RawBuilder<unknown>,
  company: RawBuilder<unknown> = ownCompany,
): RawBuilder<unknown> {
  return sql`
    select id, member_id as "memberId", at, by_id as "byId", by_name as "byName", before, gained from authority_change
    where company_id = ${company} and at > now() - make_interval(days => ${lookBackDays}) and ${condition}`;
}

export async function insertAuthorityChanges(
  tx: Tx,
  changes: readonly Pick<AuthorityChangeRow, 'memberId' | 'before' | 'gained'>[],
  by: { id: string; name: string },
): Promise<void> {
  if (changes.length === 0) return;
  await sql`
    insert into authority_change (company_id, id, member_id, by_id, by_name, before, gained)
    select company_id(), c.id, c.member_id, ${by.id}, ${by.name}, c.before, c.gained
    from unnest(${changes.map(() => newId())}::uuid[], ${changes.map(({ memberId }) => memberId)}::uuid[],
      ${changes.map(({ before }) => (before === null ? null : JSON.stringify(before)))}::jsonb[],
      ${changes.map(({ gained }) => gained)}::boolean[]) as c (id, member_id, before, gained)`.execute(tx);
}
