import { changedPayeeDaysDefault } from '@causeway/contract/bank-payees-rules.ts';
import { waitingHoursDefault } from '@causeway/contract/control-rules.ts';
import { type BaseCurrency, type CodeRecipient, defaultTimeZone } from '@causeway/contract/organisation-rules.ts';
import { sql } from 'kysely';
import type { CompaniesTx, Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';

export interface CompanySettings {
  /** IANA name: days and weeks of the company begin by it. */
  timeZone: string;
  codeRecipient: CodeRecipient;
  /** How long a change that widens a control waits where there is no second person. */
  waitingHours: number;
  /** Forbids decisions by an approver to whom the task's initiator gave the right within 30 days before. */
  forbidOwnApprovers: boolean;
  /** A second person approves each payee that is added before anything can be sent to it. */
  approveNewPayees: boolean;
  /** For so many days the changed bank account of a payee is marked wherever it is paid. */
  changedPayeeDays: number;
  /** In which the value of each new transaction is kept, beside US dollars. */
  baseCurrency: BaseCurrency;
}

const defaults: CompanySettings = {
  timeZone: defaultTimeZone,
  codeRecipient: 'initiator',
  waitingHours: waitingHoursDefault,
  forbidOwnApprovers: false,
  approveNewPayees: false,
  changedPayeeDays: changedPayeeDaysDefault,
  baseCurrency: 'USD',
};

/** The settings of this transaction's company. */
export async function findCompanySettings(tx: Tx): Promise<CompanySettings> {
  const settings = (await findSettingsOf(tx, [tx.companyId])).get(tx.companyId);
  invariant(settings, 'every company has settings');
  return settings;
}

/** The time zone of this transaction's company, for a statement that says or counts by it. */
export const timeZoneColumn = sql<string>`coalesce(
  (select s.time_zone from company_setting s where s.company_id = company_id()), ${defaultTimeZone})`;

/** The time zone (IANA) of this transaction's company. */
export async function findTimeZone(tx: Tx): Promise<string> {
  return (await findCompanySettings(tx)).timeZone;
}

/** The settings of several companies; a company without a row has the defaults. */
export async function findSettingsOf(
  tx: CompaniesTx,
  companyIds: readonly string[],
): Promise<ReadonlyMap<string, CompanySettings>> {
  const { rows } = await sql<CompanySettings & { companyId: string }>`
    select company_id as "companyId", time_zone as "timeZone", code_recipient as "codeRecipient",
      waiting_hours as "waitingHours", forbid_own_approvers as "forbidOwnApprovers",
      approve_new_payees as "approveNewPayees", changed_payee_days as "changedPayeeDays", base_currency as "baseCurrency"
    from company_setting where company_id = any (${[...new Set(companyIds)]}::uuid[])`.execute(tx);
  const settings = new Map(companyIds.map((companyId) => [companyId, defaults]));
  for (const { companyId, ...own } of rows) settings.set(companyId, own);
  return settings;
}

export async function saveCompanySettings(tx: Tx, settings: CompanySettings): Promise<void> {
  const {
    timeZone,
    codeRecipient,
    waitingHours,
    forbidOwnApprovers,
    approveNewPayees,
    changedPayeeDays,
    baseCurrency,
  } = settings;
  await sql`
    insert into company_setting (company_id, time_zone, code_recipient, waiting_hours, forbid_own_approvers, approve_new_payees,
      changed_payee_days, base_currency)
    values (company_id(), ${timeZone}, ${codeRecipient}, ${waitingHours}, ${forbidOwnApprovers}, ${approveNewPayees},
      ${changedPayeeDays}, ${baseCurrency})
    on conflict (company_id) do update set time_zone = excluded.time_zone, code_recipient = excluded.code_recipient,
      waiting_hours = excluded.waiting_hours, forbid_own_approvers = excluded.forbid_own_approvers,
      approve_new_payees = excluded.approve_new_payees,
      changed_payee_days = excluded.changed_payee_days, base_currency = excluded.base_currency,
      updated_at = now()`.execute(tx);
}

/** Whether the database, which will count days by it, knows a time zone under exactly this name. */
export async function isKnownTimeZone(tx: Tx, timeZone: string): Promise<boolean> {
  const { rows } = await sql`select from pg_timezone_names where name = ${timeZone}`.execute(tx);
  return rows.length > 0;
}
