import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import type { TankThreshold } from '../../chains/index.ts';

/** Who changed the thresholds of gas tanks, and the change itself. */

export interface ThresholdChange {
  chainId: string;
  at: Date;
  /** Who proposed it, and who confirmed it. */
  by: string;
  confirmedBy: string;
}

/** The last change of each chain whose thresholds were changed. */
export async function findThresholdChanges(tx: PlatformTx): Promise<ThresholdChange[]> {
  const { rows } = await sql<ThresholdChange>`
    select t.chain_id as "chainId", t.set_at as at, one.name as by, two.name as "confirmedBy"
    from operator_tank_threshold t join operator_proposal p on p.id = t.proposal_id
    join operator_account one on one.id = p.proposed_by
    join operator_account two on two.id = p.decided_by`.execute(tx);
  return rows;
}

/** Open proposals, by chain. */
export async function findThresholdProposals(tx: PlatformTx): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; chainId: string }>`
    select id, subject_id as "chainId" from operator_proposal
    where kind = 'tank.threshold' and state = 'open' and expires_at > now()`.execute(tx);
  return new Map(rows.map(({ id, chainId }) => [chainId, id]));
}

export async function setThreshold(
  tx: Tx,
  chainId: string,
  { warnDays, warnPayments, stopPayments }: TankThreshold,
  proposalId: string,
): Promise<void> {
  await sql`
    insert into operator_tank_threshold (chain_id, warn_days, warn_payments, stop_payments, proposal_id)
    values (${chainId}, ${warnDays}, ${warnPayments}, ${stopPayments}, ${proposalId})
    on conflict (chain_id) do update set warn_days = excluded.warn_days, warn_payments = excluded.warn_payments,
      stop_payments = excluded.stop_payments, proposal_id = excluded.proposal_id`.execute(tx);
}
