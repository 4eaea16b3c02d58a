import { invariant } from '../../../platform/domain-error.ts';
import type { JobDefinition } from '../../../platform/jobs/jobs.ts';
import { rechargeEvents } from '../../wallets/index.ts';
import { lookAgain } from './store.ts';

/** An announced payment may tell whose a money in suspense is; the intake's next round settles it. */
export function bankRailJobs(): JobDefinition[] {
  return [
    {
      name: 'rails.lookAgain',
      on: [rechargeEvents.announced],
      run: ({ companyId, database }, { noticeId }) => {
        invariant(typeof noticeId === 'string', 'the event names the notice');
        return database.withCompany(companyId, (tx) => lookAgain(tx, noticeId));
      },
    },
  ];
}
