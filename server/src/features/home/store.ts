import type { FirstStep } from '@causeway/contract/home-rules.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/database.ts';
import { invariant } from '../../platform/domain-error.ts';

/** Which of the first steps are done, and what of them is under way. */
export interface Beginnings extends Record<FirstStep, boolean> {
  /** A second administrator has been invited and has not signed in yet. */
  isAdministratorInvited: boolean;
  /** Money is on its way in. */
  isRechargeSeen: boolean;
  isDismissed: boolean;
}

export async function findBeginnings(tx: Tx, userId: string): Promise<Beginnings> {
  const { rows } = await sql<Beginnings>`
    with administrator as (
      select m.id, m.activated_at is not null as active from member m
      where m.company_id = company_id() and m.role_id = ${systemRoleIds.administrator} and m.deleted_at is null
        and m.disabled_at is null
    ), arriving as not materialized (
      select t.stage from transaction t
      where t.company_id = company_id() and t.type in ('chain_deposit', 'fiat_deposit')
        and t.stage in ('seen', 'confirming', 'credited')
    )
    select
      exists (select from member m where m.company_id = company_id() and m.id = ${userId}
        and m.first_name <> '') as name,
      exists (select from credential c where c.company_id = company_id() and c.user_id = ${userId}
          and c.totp_bound_at is not null)
        or exists (select from passkey p where p.company_id = company_id() and p.user_id = ${userId}
          and p.suspected_at is null) as "secondFactor",
      (select count(*) from administrator where active) > 1 as administrator,
      (select count(*) from administrator) > 1 as "isAdministratorInvited",
      exists (select from approval_rule r
        join approval_rule_version v on v.company_id = r.company_id and v.rule_id = r.id and v.version = r.version
        where r.company_id = company_id() and r.deleted_at is null and v.active) as rule,
      exists (select from approval_setting s where s.company_id = company_id() and s.enabled) as review,
      exists (select from crypto_payee y where y.company_id = company_id() and y.status <> 'deleted')
        or exists (select from bank_payee b where b.company_id = company_id() and b.status <> 'deleted') as payee,
      exists (select from arriving where stage = 'credited') as recharge,
      exists (select from arriving) as "isRechargeSeen",
      exists (select from home_dismissal d where d.company_id = company_id() and d.user_id = ${userId}) as "isDismissed"`.execute(
    tx,
  );
  const [found] = rows;
  invariant(found, 'a statement without a table has one row');
  return found;
}

export async function saveDismissal(tx: Tx, userId: string, isDismissed: boolean): Promise<void> {
  await (isDismissed
    ? sql`insert into home_dismissal (company_id, user_id) values (company_id(), ${userId}) on conflict do nothing`
    : sql`delete from home_dismissal where company_id = company_id() and user_id = ${userId}`
  ).execute(tx);
}
