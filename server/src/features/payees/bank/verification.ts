import type { VerificationAnswer } from '@causeway/contract/bank-payees-rules.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import type { JobDefinition } from '../../../platform/jobs/jobs.ts';
import { payeeEvents } from '../events.ts';
import type { BankAccount } from './account.ts';
import { findVersion, setVerification } from './store.ts';

/**
 * Verification of payee: whether the name that a company wrote is that of the account, as the payee's bank says. The port that a bank
 * implements which offers it.
 */
export interface PayeeVerification {
  /** Whether it can ask about accounts like this one: of its country, in its currency, by its way. */
  covers(account: BankAccount): boolean;
  /**
   * Asks the payee's bank; rejects when it could not be reached, and is asked again later. `bankName`: the name that the bank has, of a
   * close match alone, since banks do not give it away otherwise.
   */
  verify(account: BankAccount): Promise<{ answer: VerificationAnswer; bankName: string | null }>;
}

/** What the payee's bank says now; where no bank offers it, that is the answer. Rejects as `PayeeVerification.verify` does. */
export async function verifyPayee(
  banks: readonly PayeeVerification[],
  account: BankAccount,
): Promise<{ answer: VerificationAnswer; bankName: string | null }> {
  const bank = banks.find((each) => each.covers(account));
  if (!bank) return { answer: 'impossible', bankName: null };
  const { answer, bankName } = await bank.verify(account);
  return { answer, bankName: answer === 'close' ? bankName : null };
}

/** Asks about each account that was saved, with no transaction open; where no bank offers it, that is the answer. */
export function payeeVerificationJob(banks: readonly PayeeVerification[]): JobDefinition {
  return {
    name: 'payees.verify',
    on: [payeeEvents.accountSaved],
    async run({ companyId, database }, payload) {
      const id = String(payload['versionId']);
      const version = await database.withCompany(companyId, (tx) => findVersion(tx, id), { readOnly: true });
      if (!version || version.verification !== null) return;
      const said = await verifyPayee(banks, version);
      await database.withCompany(companyId, async (tx) => {
        const payeeId = await setVerification(tx, id, said);
        if (payeeId !== null) await announce(tx, [live('payee', payeeId)]);
      });
    },
  };
}
