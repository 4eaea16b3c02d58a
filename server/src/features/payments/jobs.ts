import { announce, live } from '../../platform/database/outbox.ts';
import type { JobDefinition } from '../../platform/jobs/jobs.ts';
import { withdrawTask } from '../approvals/index.ts';
import { kindOf, type OutgoingKinds, outgoingEvents, refuse } from '../outgoing/index.ts';
import {
  findBankPayeeVersion,
  type PayeeVerification,
  payeeEvents,
  renewVerification,
  verifyPayee,
} from '../payees/index.ts';
import { lockTransaction } from '../transactions/index.ts';
import { findPaidVersion, setPayoutVerification } from './store/payout.ts';
import { waitingWithOther } from './store/reviewing.ts';

const reason = 'stage.reason.payeeAccountChanged';

/**
 * Asks the payee's bank for the name again when a payee is paid; ends payments that wait for approval when the account of their payee is
 * changed, since they can no longer be approved.
 */
export function payoutJobs(kinds: OutgoingKinds, banks: readonly PayeeVerification[]): JobDefinition[] {
  return [
    verifyingJob(banks),
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
            if (payment)
              await refuse(tx, kindOf(kinds, payment.type), payment, ['waiting_approval'], {
                stage: 'refused',
                reason,
              });
          });
        }
      },
    },
  ];
}

/** Holds nothing up: until the bank answers, the payment has what it said before. */
function verifyingJob(banks: readonly PayeeVerification[]): JobDefinition {
  return {
    name: 'payments.verifyPayee',
    on: [outgoingEvents.toBank],
    async run({ companyId, database }, payload) {
      const id = String(payload['transactionId']);
      const version = await database.withCompany(
        companyId,
        async (tx) => {
          const versionId = await findPaidVersion(tx, id);
          return versionId === null ? null : findBankPayeeVersion(tx, versionId);
        },
        { readOnly: true },
      );
      if (!version) return;
      const said = await verifyPayee(banks, version);
      await database.withCompany(companyId, async (tx) => {
        await setPayoutVerification(tx, id, said);
        const payeeId = await renewVerification(tx, version.id, said);
        await announce(tx, [live('transaction', id), ...(payeeId === null ? [] : [live('payee', payeeId)])]);
      });
    },
  };
}
