import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** How many earlier rejections an approver is shown. */
const most = 3;

/** Rejections by approvers of other entries of the same address, deleted ones included; the latest first. */
export async function findRejections(
  tx: Tx,
  { payeeId, chainId, address, likeness }: { payeeId: string; chainId: string; address: string; likeness: string },
): Promise<{ reason: string }[]> {
  const { rows } = await sql<{ reason: string }>`
    select t.reason from crypto_payee p
    join approval_task t on t.company_id = p.company_id and t.kind = 'payee' and t.subject_id = p.id
    where p.company_id = company_id() and p.likeness = ${likeness} and p.chain_id = ${chainId} and p.address = ${address}
      and p.id <> ${payeeId} and t.ended_as = 'rejected'
    order by t.finished_at desc limit ${most}`.execute(tx);
  return rows;
}

/** Completed payments to an address on a chain, through any entry of it: how many, and when the last was submitted. */
export async function countPaid(
  tx: Tx,
  { chainId, address, likeness }: { chainId: string; address: string; likeness: string },
): Promise<{ count: number; lastAt: Date | null }> {
  const { rows } = await sql<{ count: number; lastAt: Date | null }>`
    select count(*), max(t.created_at) as "lastAt"
    from crypto_payee p
    join transaction t on t.company_id = p.company_id and t.payee_id = p.id and t.direction = 'out' and t.status = 'completed'
    where p.company_id = company_id() and p.likeness = ${likeness} and p.chain_id = ${chainId} and p.address = ${address}`.execute(
    tx,
  );
  return rows[0] ?? { count: 0, lastAt: null };
}

/** Rejections by approvers of other entries of the same bank account, deleted ones and earlier accounts included; the latest first. */
export async function findAccountRejections(
  tx: Tx,
  { versionId, country, account }: { versionId: string; country: string; account: string },
): Promise<{ reason: string }[]> {
  const { rows } = await sql<{ reason: string }>`
    select t.reason from bank_payee_version v
    join approval_task t on t.company_id = v.company_id and t.kind = 'bank_payee' and t.subject_id = v.id
    where v.company_id = company_id() and v.account = ${account} and v.country = ${country} and v.id <> ${versionId}
      and t.ended_as = 'rejected'
    order by t.finished_at desc limit ${most}`.execute(tx);
  return rows;
}
