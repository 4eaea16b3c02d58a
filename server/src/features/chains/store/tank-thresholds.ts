import { gasTankDefaults } from '@causeway/contract/operator-treasury-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';

/** When the gas tank of a chain is low, and when it stops. */
export interface TankThreshold {
  /** Low: it lasts fewer days at the present rate. */
  warnDays: number;
  /** Low: it can advance fewer payments at the present fee. */
  warnPayments: number;
  /** Below so many payments it advances nothing for a payment that has not begun; 0: it never stops. */
  stopPayments: number;
}

/** By chain; the defaults where operators have changed nothing. */
export async function findTankThresholds(tx: PlatformTx): Promise<ReadonlyMap<string, TankThreshold>> {
  const { rows } = await sql<TankThreshold & { chainId: string }>`
    select c.id as "chainId", coalesce(t.warn_days, ${gasTankDefaults.warnDays}) as "warnDays",
      coalesce(t.warn_payments, ${gasTankDefaults.warnPayments}) as "warnPayments",
      coalesce(t.stop_payments, ${gasTankDefaults.stopPayments}) as "stopPayments"
    from chain c left join operator_tank_threshold t on t.chain_id = c.id`.execute(tx);
  return new Map(rows.map(({ chainId, ...threshold }) => [chainId, threshold]));
}

export async function tankThresholdOf(tx: PlatformTx, chainId: string): Promise<TankThreshold> {
  return (await findTankThresholds(tx)).get(chainId) ?? gasTankDefaults;
}

/** Whether the tank, as it was last reported, has less than it keeps for payments that have begun. */
export async function isTankStopped(tx: PlatformTx, chainId: string): Promise<boolean> {
  const { rows } = await sql`
    select from gas_tank_state s join operator_tank_threshold t on t.chain_id = s.chain_id
    where s.chain_id = ${chainId} and s.payments < t.stop_payments`.execute(tx);
  return rows.length > 0;
}
