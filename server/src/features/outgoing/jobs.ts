import { invariant } from '../../platform/domain-error.ts';
import type { JobDefinition } from '../../platform/jobs/jobs.ts';
import { riskEvents } from '../risk/index.ts';
import { outgoingEvents } from './events.ts';
import { kindsByType, type SubmittedKind } from './kind.ts';
import { type OutgoingDependencies, sendPayment } from './service/hand-over.ts';
import { stopForbidden } from './service/stop.ts';

/**
 * Sends approved payments, takes them up again when what they waited for has arrived, and stops what risk forbids by now, with what waits for
 * approval and no rail carries (`others`).
 */
export function createOutgoingJobs(deps: OutgoingDependencies, others: readonly SubmittedKind[] = []): JobDefinition[] {
  const stoppable = kindsByType<SubmittedKind>([...deps.kinds.values(), ...others]);
  return [
    {
      name: 'outgoing.stopForbidden',
      on: [riskEvents.listChanged],
      queue: (companyId) => `outgoing.stopForbidden/${companyId}`,
      run: ({ companyId, database }) => stopForbidden(database, stoppable, companyId),
    },
    {
      name: 'outgoing.send',
      on: [outgoingEvents.approved, outgoingEvents.resumed],
      // A company's payments leave one after another, since they share their wallets' resources.
      queue: (companyId) => `outgoing.send/${companyId}`,
      async run({ companyId }, { transactionId }) {
        invariant(typeof transactionId === 'string', 'the event names its transaction');
        await sendPayment(deps, companyId, transactionId);
      },
    },
  ];
}
