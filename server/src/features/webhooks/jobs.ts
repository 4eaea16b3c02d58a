import type { JobContext, JobDefinition } from '../../platform/jobs/jobs.ts';
import type { Sweep } from '../../platform/jobs/sweeping.ts';
import { sweepBatch } from '../../platform/jobs/sweeping.ts';
import { outgoingEvents } from '../outgoing/index.ts';
import { transactionEvents } from '../transactions/index.ts';
import { noteTransaction } from './service/noting.ts';
import { findCompaniesListening } from './store/endpoints.ts';
import { deleteExpired } from './store/events.ts';

/** Follows transactions; a company without an endpoint that is on has no such job. */
export function webhookJobs(): JobDefinition[] {
  return [
    {
      name: 'webhooks.note',
      on: [transactionEvents.reached, transactionEvents.submitted, outgoingEvents.approved],
      concerns: findCompaniesListening,
      run: ({ companyId, database }: JobContext, { transactionId }) =>
        database.withCompany(companyId, (tx) => noteTransaction(tx, String(transactionId))),
    },
  ];
}

/** Events that the log no longer reaches back to. */
export const webhooksSweep: Sweep = {
  name: 'webhooks.event',
  run: (database) => database.withoutCompany((tx) => deleteExpired(tx, sweepBatch)),
};
