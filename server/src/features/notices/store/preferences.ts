import type { NoticeGroup } from '@causeway/contract/notices-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** What this person chose, by group; a group that is missing was never touched. */
export async function findPreferences(tx: Tx, userId: string): Promise<Map<string, boolean>> {
  const { rows } = await sql<{ group: string; mail: boolean }>`
    select notice_group as "group", mail from notice_preference
    where company_id = company_id() and user_id = ${userId}`.execute(tx);
  return new Map(rows.map(({ group, mail }) => [group, mail]));
}

export async function savePreferences(
  tx: Tx,
  userId: string,
  chosen: readonly { group: NoticeGroup; mail: boolean }[],
): Promise<void> {
  await sql`
    insert into notice_preference as p (company_id, user_id, notice_group, mail)
    select company_id(), ${userId}, c.notice_group, c.mail
    from unnest(${chosen.map(({ group }) => group)}::text[], ${chosen.map(({ mail }) => mail)}::boolean[])
      as c (notice_group, mail)
    on conflict (company_id, user_id, notice_group) do update set mail = excluded.mail`.execute(tx);
}
