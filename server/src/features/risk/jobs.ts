import { invariant } from '../../platform/domain-error.ts';
import type { JobDefinition } from '../../platform/jobs/jobs.ts';
import { riskEvents } from './events.ts';
import { alertStopped } from './service/alert.ts';

/** Notices of what was stopped: beside the submission, which is refused and must not wait for them. */
export function riskJobs(): JobDefinition[] {
  return [
    {
      name: 'risk.alert',
      on: [riskEvents.stopped],
      // One after another in a company, so that the second of two tries finds the first.
      queue: (companyId) => `risk.alert/${companyId}`,
      run: ({ companyId, database }, { assessmentId }) => {
        invariant(typeof assessmentId === 'string', 'the event names the judgement');
        return database.withCompany(companyId, (tx) => alertStopped(tx, assessmentId));
      },
    },
  ];
}
