import type { OpenSeal } from '../../../../platform/crypto/seal.ts';
import type { Database, Tx } from '../../../../platform/database/database.ts';
import { findRestoreMode } from '../../../../platform/database/restore-mode.ts';
import { invariant } from '../../../../platform/domain-error.ts';
import type { Log } from '../../../../platform/process/log.ts';
import { assertWritable } from '../../../banks/index.ts';
import {
  isAuthorised,
  kindOf,
  type OutgoingKinds,
  type Rail,
  readTerms,
  refuse,
  stagesUnderWay,
} from '../../../outgoing/index.ts';
import { lockTransaction } from '../../../transactions/index.ts';
import { instructionOf, serviceLevelOf } from './instruction.ts';
import { instructionOf as writtenLine } from './orders.ts';
import { findLine, insertLine, type PayoutRecord, readPayout } from './store.ts';
import { transferInstructionOf } from './transfer-instruction.ts';

export interface BankRailDependencies {
  database: Database;
  kinds: OutgoingKinds;
  openSeal: OpenSeal;
  log: Log;
}

/**
 * The rail of banks: a payment joins those that wait for the next order to its bank (`orders.ts`), with the ids by which bank and payee
 * know it. The order is made of what its authorisation is bound to, verified here before anything is written down for the bank.
 */
export function createBankRail(deps: BankRailDependencies): Rail {
  return {
    carries: ({ type }) => stagesUnderWay(type).includes('instructed'),
    async prepare(tx, { id, companyId }) {
      const line = await findLine(tx, id);
      return {
        isBegun: line !== null && line.orderId !== null,
        async submit() {
          if (line === null) await deps.database.withCompany(companyId, (inner) => instruct(inner, deps, id));
        },
      };
    },
  };
}

async function instruct(tx: Tx, { openSeal, kinds, log }: BankRailDependencies, id: string): Promise<void> {
  if (await findRestoreMode(tx)) return;
  const payment = await lockTransaction(tx, id);
  if (payment?.stage !== 'instructed' || (await findLine(tx, id)) !== null) return;
  const payout = await readPayout(tx, id);
  if (!payout || !(await isGenuine(tx, { openSeal, kinds }, payout))) {
    log.error({ companyId: payment.companyId, transactionId: id }, 'a payment is not what was authorised');
    await refuse(tx, kindOf(kinds, payment.type), payment, ['instructed'], {
      stage: 'refused',
      reason: 'stage.reason.signerRefused',
    });
    return;
  }
  invariant(payout.terms !== null, `payment ${id} has terms`);
  const terms = readTerms(payout.terms);
  const line = {
    transactionId: id,
    companyId: payment.companyId,
    walletId: payout.walletId,
    bank: payout.bank,
    asset: payout.coin,
    amountMinor: payout.amountMinor,
    uetr: payout.uetr,
    endToEnd: id.replaceAll('-', '').toUpperCase(),
    serviceLevel: serviceLevelOf(terms),
  };
  const company = { name: payout.companyName };
  if (payout.isByApi) {
    await insertLine(tx, { ...line, instruction: transferInstructionOf(terms, company) });
    return;
  }
  const instruction = instructionOf(terms, company);
  // Alone it fails by itself; in an order it would fail with the payments of others.
  assertWritable(writtenLine({ ...line, instruction }));
  await insertLine(tx, { ...line, instruction });
}

/** The stored payment is the authorised one, in the currency of its terms, and what it needs was bought within what was authorised. */
async function isGenuine(
  tx: Tx,
  deps: Pick<BankRailDependencies, 'openSeal' | 'kinds'>,
  payout: PayoutRecord,
): Promise<boolean> {
  if (payout.terms === null || readTerms(payout.terms).currency !== payout.coin || !payout.isBought) return false;
  return isAuthorised(tx, deps, payout);
}
