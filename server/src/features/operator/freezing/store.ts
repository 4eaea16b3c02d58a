import type { FreezeKind, FreezeReason } from '@causeway/contract/freeze-rules.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { type OperatorRole, operatorPermissionsOf, operatorRoles } from '@causeway/contract/operator-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import { databaseError, type PlatformTx, type Tx } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';

/** What is frozen, read and written across companies. */

export interface NewFreeze {
  id: string;
  companyId: string;
  kind: FreezeKind;
  subjectId: string;
  reason: FreezeReason;
  texts: Record<Locale, string> | null;
  note: string;
  by: { id: string; name: string };
}

/**
 * Freezes it, ends a member's access, and writes it to the company's audit log and outbox: all with the rights of the owner's function.
 * @returns false when the operator had frozen it already @throws DomainError notFound
 */
export async function freezeSubject(tx: PlatformTx, freeze: NewFreeze): Promise<boolean> {
  const { id, companyId, kind, subjectId, reason, texts, note, by } = freeze;
  const outbox = [newId(), newId(), newId()];
  try {
    const { rows } = await sql<{ changed: boolean }>`
      select freeze_subject(${id}, ${companyId}, ${kind}, ${subjectId}, ${reason}, ${texts && JSON.stringify(texts)}::jsonb, ${note},
        ${by.id}, ${by.name}, ${newId()}, ${outbox}::uuid[]) as changed`.execute(tx);
    return rows[0]?.changed ?? false;
  } catch (error) {
    if (databaseError(error)?.state === 'P0002') throw new DomainError('notFound');
    throw error;
  }
}

/** What can be frozen, as it is now. */
export interface Subject {
  companyId: string;
  company: string;
  /** What the subject is called. */
  names: Record<Locale, string>;
  frozenAt: Date | null;
  /** The operator's freeze; null where the program froze it, or nothing is frozen. */
  freezeId: string | null;
  reason: FreezeReason | null;
  texts: Record<Locale, string> | null;
}

/** What people call a wallet `w`, its coin and its chain or bank, in each language. */
const walletNames = sql`(select jsonb_build_object(
    'en-us', w.asset_id || ' · ' || coalesce(h.name, k.name),
    'zh-hk', w.asset_id || ' · ' || coalesce(h.name, k.name_zh_hk, k.name),
    'zh-cn', w.asset_id || ' · ' || coalesce(h.name, k.name_zh_cn, k.name))
  from (select w.chain_id, w.bank_id) place left join chain h on h.id = place.chain_id left join bank k on k.id = place.bank_id)`;

/** The same name in each language. */
const oneName = (name: RawBuilder<unknown>) =>
  sql`jsonb_build_object('en-us', ${name}, 'zh-hk', ${name}, 'zh-cn', ${name})`;

const memberName = sql`coalesce(nullif(trim(m.first_name || ' ' || m.last_name), ''), m.email)`;

const subjectRows: Record<FreezeKind, RawBuilder<unknown>> = {
  company: sql`select company_id, company_id as id, ${oneName(sql`c.name`)} as names, frozen_at from company c`,
  wallet: sql`select company_id, id, ${walletNames} as names, frozen_at from wallet w`,
  member: sql`select company_id, id, ${oneName(memberName)} as names, frozen_at from member m where deleted_at is null`,
};

/** Of the company named, or of any where none is. */
export async function findSubject(
  tx: PlatformTx,
  kind: FreezeKind,
  id: string,
  companyId: string | null,
): Promise<Subject | null> {
  const { rows } = await sql<Subject>`
    select s.company_id as "companyId", c.name as company, s.names, s.frozen_at as "frozenAt", f.id as "freezeId", f.reason, f.texts
    from (${subjectRows[kind]}) s
    join company c on c.company_id = s.company_id
    left join frozen_subject f on f.company_id = s.company_id and f.subject_kind = ${kind} and f.subject_id = s.id and f.ended_at is null
    where s.id = ${id}::uuid and (${companyId}::uuid is null or s.company_id = ${companyId}::uuid)`.execute(tx);
  return rows[0] ?? null;
}

/** Why a wallet `w` is frozen, as operators read it: their own note, or what the program has written. */
export const frozenReason: RawBuilder<string | null> = sql`coalesce((select n.note from frozen_subject f
  join operator_freeze n on n.freeze_id = f.id where f.company_id = w.company_id and f.subject_kind = 'wallet'
    and f.subject_id = w.id and f.ended_at is null), w.frozen_reason)`;

/** Waits for freezes and hand-overs of the company under way, and holds back others: alone, or with those who only read. */
export async function lockFreezes(tx: PlatformTx, companyId: string, { alone }: { alone: boolean }): Promise<void> {
  const lock = alone ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`;
  await sql`select ${lock}(freeze_lock(${companyId}::uuid))`.execute(tx);
}

/** Frees it and ends the operator's freeze of it; a member whom the company had disabled before stays disabled. */
export async function endFreeze(tx: Tx, kind: FreezeKind, id: string): Promise<void> {
  if (kind === 'company') await sql`update company set frozen_at = null where company_id = company_id()`.execute(tx);
  if (kind === 'wallet') {
    await sql`update wallet set frozen_at = null, frozen_reason = null where company_id = company_id() and id = ${id}`.execute(
      tx,
    );
  }
  if (kind === 'member') {
    await sql`
      update member m set frozen_at = null, disabled_at = case when f.was_disabled then m.disabled_at end
      from frozen_subject f where m.company_id = company_id() and m.id = ${id} and f.company_id = m.company_id
        and f.subject_kind = 'member' and f.subject_id = m.id and f.ended_at is null`.execute(tx);
  }
  await sql`
    update frozen_subject set ended_at = now()
    where company_id = company_id() and subject_kind = ${kind} and subject_id = ${id} and ended_at is null`.execute(tx);
}

export interface FreezeRow {
  id: string;
  kind: FreezeKind;
  subjectId: string;
  names: Record<Locale, string> | null;
  reason: FreezeReason;
  texts: Record<Locale, string> | null;
  note: string;
  by: string;
  at: Date;
  endedAt: Date | null;
}

/** Freezes of a company, the newest 100, newest first. */
export async function findFreezes(tx: PlatformTx, companyId: string): Promise<FreezeRow[]> {
  const { rows } = await sql<FreezeRow>`
    select f.id, f.subject_kind as kind, f.subject_id as "subjectId", f.reason, f.texts, n.note, n.by_name as by, f.at, f.ended_at as "endedAt",
      case f.subject_kind when 'company' then (select ${oneName(sql`c.name`)} from company c where c.company_id = f.company_id)
        when 'wallet' then (select ${walletNames} from wallet w where w.company_id = f.company_id and w.id = f.subject_id)
        else (select ${oneName(memberName)} from member m where m.company_id = f.company_id and m.id = f.subject_id) end as names
    from frozen_subject f join operator_freeze n on n.freeze_id = f.id
    where f.company_id = ${companyId}::uuid order by f.at desc, f.id desc limit 100`.execute(tx);
  return rows;
}

export interface AnnouncedFreeze extends Pick<FreezeRow, 'kind' | 'subjectId' | 'reason'> {
  names: Record<Locale, string>;
  /** Of a member who could act until then; false of all else. */
  tookRights: boolean;
}

/** The freeze whose people are to be informed; null when they were. */
export async function takeAnnouncement(tx: Tx, id: string): Promise<AnnouncedFreeze | null> {
  const { rows } = await sql<Omit<AnnouncedFreeze, 'names'>>`
    update frozen_subject set announced_at = now() where company_id = company_id() and id = ${id} and announced_at is null
    returning subject_kind as kind, subject_id as "subjectId", reason, subject_kind = 'member' and not was_disabled and exists (
      select from member m where m.company_id = company_id() and m.id = subject_id and m.activated_at is not null) as "tookRights"`.execute(
    tx,
  );
  const [row] = rows;
  if (!row) return null;
  const subject = await findSubject(tx, row.kind, row.subjectId, tx.companyId);
  invariant(subject, 'what is frozen is there');
  return { ...row, names: subject.names };
}

/** Active operators who could propose or confirm an unfreezing. */
export async function countWhoUnfreeze(tx: PlatformTx): Promise<number> {
  const roles = operatorRoles.filter((role: OperatorRole) => operatorPermissionsOf[role].includes('operator.freeze'));
  const { rows } = await sql<{ count: number }>`
    select count(*) from operator_account where state = 'active' and role = any (${roles}::text[])`.execute(tx);
  return rows[0]?.count ?? 0;
}
