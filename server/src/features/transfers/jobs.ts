import { invariant } from '../../platform/domain-error.ts';
import type { JobDefinition } from '../../platform/jobs.ts';
import { riskEvents } from '../risk/index.ts';
import { transferEvents } from './events.ts';
import { sendTransfer } from './service/sending.ts';
import { stopForbidden } from './service/stopping.ts';
import type { SendingDependencies } from './service/surroundings.ts';

/** Sends approved transfers, and takes them up again when their network fee has arrived. */
export function createTransferJobs(deps: SendingDependencies): JobDefinition[] {
  return [
    {
      name: 'transfers.stopForbidden',
      on: [riskEvents.listChanged],
      queue: (companyId) => `transfers.stopForbidden/${companyId}`,
      run: ({ companyId, database }) => stopForbidden(database, companyId),
    },
    {
      name: 'transfers.send',
      on: [transferEvents.approved, transferEvents.gasArrived],
      // A company's payments leave one after another, since they share their address's nonces.
      queue: (companyId) => `transfers.send/${companyId}`,
      async run({ companyId, log }, { transactionId }) {
        invariant(typeof transactionId === 'string', 'the event names its transaction');
        await sendTransfer({ ...deps, log }, companyId, transactionId);
      },
    },
  ];
}
