import { sayAmount } from '@causeway/contract/money.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { nilCompany } from '../../identity/index.ts';
import { accountsByKind, findPosting } from '../../ledger/index.ts';
import { changeStage, lockTransaction, reached } from '../../transactions/index.ts';
import { takeFromWallet } from '../../wallets/index.ts';
import {
  companyCredited,
  depositOf,
  type ExplainedAs,
  lockReversal,
  markReversed,
  release,
  returnExplained,
  reversible,
  settlementPlace,
  type UnsettledMoney,
} from './store.ts';

/**
 * Takes back what the bank took back: of a company's deposit as of one that a reorganisation took, with its fee; of money in suspense by
 * giving it free; of fees collected, or of a settlement with the issuer of cards, by owing it again. Only where exactly one money of the amount has a name of it; otherwise false,
 * and an operator has to look.
 */
export async function takeBackReversed(database: Database, taken: UnsettledMoney): Promise<boolean> {
  const [original, another] = await database.withoutCompany((tx) => reversible(tx, taken));
  if (!original || another) return false;
  const { id: explainedId, state } = original;
  if (state === 'fees' || state === 'cards') return takeBackExplained(database, taken, explainedId, state);
  if (state === 'suspense') {
    await database.withoutCompany(async (tx) => {
      if (!(await lockReversal(tx, taken.id, original.id))) return;
      await release(tx, original.id, newId());
      await markReversed(tx, taken.id, original.id);
    });
    return true;
  }
  const companyId = await database.withoutCompany((tx) => companyCredited(tx, original.id));
  invariant(companyId, `money ${original.id} was credited`);
  await database.withCompany(companyId, (tx) => reverseCredit(tx, taken.id, original.id));
  return true;
}

/** Fees are the companies' again, or what cards owed is owed again; the log of the installation has it, as no operator decided it. */
async function takeBackExplained(
  database: Database,
  { id: returnedId }: UnsettledMoney,
  explainedId: string,
  about: ExplainedAs,
): Promise<boolean> {
  return database.withCompany(nilCompany, async (tx) => {
    if (!(await returnExplained(tx, { returnedId, explainedId, about, by: null }))) return false;
    const { bank, asset, decimals, sizeMinor } = await settlementPlace(tx, explainedId);
    await audit(tx, {
      actor: { kind: 'system', id: 'banks' },
      action: about === 'fees' ? 'operator.takeBackFees' : 'operator.takeBackCards',
      subjectKind: 'installation',
      subjectId: 'installation',
      detail: { amount: `${sayAmount(sizeMinor, decimals)} ${asset}`, bank },
    });
    return true;
  });
}

async function reverseCredit(tx: Tx, takenId: string, originalId: string): Promise<void> {
  if (!(await lockReversal(tx, takenId, originalId))) return;
  const transactionId = await depositOf(tx, originalId);
  const deposit = transactionId === null ? null : await lockTransaction(tx, transactionId);
  invariant(deposit, `money ${originalId} has a deposit`);
  const creditedId = await findPosting(tx, deposit.id, 'deposit.credited');
  invariant(creditedId, `deposit ${deposit.id} was credited`);
  const { bank, fee } = await accountsByKind(tx, deposit.walletId, ['bank', 'fee']);
  // The fee goes back with it, as far as the operator has not collected it.
  const feeMinor = fee.balanceMinor < deposit.feeMinor ? fee.balanceMinor : deposit.feeMinor;
  await takeFromWallet(
    tx,
    deposit.walletId,
    deposit.quantityMinor - feeMinor,
    {
      kind: 'deposit.reversed',
      sourceId: deposit.id,
      description: 'credited deposit taken back by the bank',
      correctsId: creditedId,
    },
    [
      { accountId: bank.id, amountMinor: deposit.quantityMinor },
      { accountId: fee.id, amountMinor: -feeMinor },
    ],
    'deposit taken back by the bank',
  );
  await changeStage(tx, deposit.id, ['credited'], { stage: 'reversed', reason: 'stage.reason.takenBackByBank' });
  await markReversed(tx, takenId, originalId);
  await announce(tx, [
    reached(deposit.id, 'reversed'),
    live('transaction', deposit.id),
    live('balance', deposit.walletId),
  ]);
}
