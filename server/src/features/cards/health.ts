import { sql } from 'kysely';
import type { PlatformTx } from '../../platform/database/database.ts';
import { type HealthCheck, HealthProblem } from '../../platform/process/health.ts';
import type { CardIssuer } from './issuer.ts';

/** Whether workers have checked an issuer lately, which they do where one is connected: what a process knows that asks none. */
export async function isCardIssuerChecked(tx: PlatformTx): Promise<boolean> {
  const { rows } = await sql<{ isChecked: boolean }>`select card_issuer_checked() as "isChecked"`.execute(tx);
  return rows[0]?.isChecked === true;
}

/** Whether the issuer answers our key. Purchases are decided without asking it; cards are not made, frozen there or closed while it does not. */
export function cardIssuerCheck(issuer: CardIssuer): HealthCheck {
  return {
    name: 'card-issuer',
    need: 'degraded',
    async check() {
      await issuer.check(AbortSignal.timeout(5000)).catch(() => {
        throw new HealthProblem('cardIssuer');
      });
    },
  };
}
