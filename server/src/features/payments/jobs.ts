import type { JobDefinition } from '../../platform/jobs/jobs.ts';
import { withdrawTask } from '../approvals/index.ts';
import { type OutgoingKind, refuse } from '../outgoing/index.ts';
import { findBankPayeeVersion, payeeEvents } from '../payees/index.ts';
import { lockTransaction } from '../transactions/index.ts';
import { waitingWithOther } from './store/reviewing.ts';

const reason = 'stage.reason.payeeAccountChanged';

/** Ends payments that wait for approval when the account of their payee is changed: they can no longer be approved. */
export function payoutJobs(kind: OutgoingKind): JobDefinition[] {
  return [
    {
      name: 'payments.voidChanged',
      on: [payeeEvents.accountSaved],
      async run({ companyId, database }, payload) {
        const versionId = String(payload['versionId']);
        const waiting = await database.withCompany(companyId, async (tx) => {
          const version = await findBankPayeeVersion(tx, versionId);
          return version ? waitingWithOther(tx, version.payeeId, versionId) : [];
        });
        for (const id of waiting) {
          await database.withCompany(companyId, async (tx) => {
            // The task before the transaction, everywhere.
            await withdrawTask(tx, 'payment', id, { end: 'voided', reason });
            const payment = await lockTransaction(tx, id);
            if (payment) await refuse(tx, kind, payment, ['waiting_approval'], { stage: 'refused', reason });
          });
        }
      },
    },
  ];
}
