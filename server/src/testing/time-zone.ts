import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';

/** Gives a company a time zone (IANA) without a change of its settings by a member. */
export async function keepTimeZone(database: Database, companyId: string, timeZone: string): Promise<void> {
  await database.withCompany(companyId, (tx) =>
    sql`insert into company_setting (company_id, time_zone, code_recipient) values (company_id(), ${timeZone}, 'initiator')
      on conflict (company_id) do update set time_zone = excluded.time_zone`.execute(tx),
  );
}
