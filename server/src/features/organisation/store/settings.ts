import { type CodeRecipient, defaultTimeZone } from '@causeway/contract/organisation-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database.ts';

export interface CompanySettings {
  /** IANA name: days and weeks of the company begin by it. */
  timeZone: string;
  codeRecipient: CodeRecipient;
}

const defaults: CompanySettings = { timeZone: defaultTimeZone, codeRecipient: 'initiator' };

/** The settings of this transaction's company. */
export async function findCompanySettings(tx: Tx): Promise<CompanySettings> {
  const { rows } = await sql<CompanySettings>`
    select time_zone as "timeZone", code_recipient as "codeRecipient" from company_setting
    where company_id = company_id()`.execute(tx);
  return rows[0] ?? defaults;
}

export async function saveCompanySettings(tx: Tx, { timeZone, codeRecipient }: CompanySettings): Promise<void> {
  await sql`
    insert into company_setting (company_id, time_zone, code_recipient)
    values (company_id(), ${timeZone}, ${codeRecipient})
    on conflict (company_id) do update set time_zone = excluded.time_zone, code_recipient = excluded.code_recipient,
      updated_at = now()`.execute(tx);
}

/** Whether the database, which will count days by it, knows a time zone under exactly this name. */
export async function isKnownTimeZone(tx: Tx, timeZone: string): Promise<boolean> {
  const { rows } = await sql`select from pg_timezone_names where name = ${timeZone}`.execute(tx);
  return rows.length > 0;
}
