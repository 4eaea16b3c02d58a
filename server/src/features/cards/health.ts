import { type HealthCheck, HealthProblem } from '../../platform/process/health.ts';
import type { CardIssuer } from './issuer.ts';

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
