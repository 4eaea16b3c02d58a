import { formatAmount } from '@causeway/contract/money.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
import { announce } from '../../../platform/database/outbox.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { JobDefinition } from '../../../platform/jobs/jobs.ts';
import { findAccountAddress, findChains } from '../../chains/index.ts';
import { outgoingEvents } from '../../outgoing/index.ts';
import { insertTransactions } from '../../transactions/index.ts';
import { feeDigest } from '../../transfers/index.ts';
import type { ActHandler, ActHandlers } from '../acts/jobs.ts';
import { findAct } from '../acts/store.ts';
import { freeMinor } from './domain.ts';
import {
  findDuePayments,
  findFeePayment,
  isAddressGone,
  isDone,
  lockFreeFees,
  type NewFeePayment,
  refuseFeePayment,
} from './fees-store.ts';

/**
 * The worker's side of a collection of fees. The act announces its payments; each becomes a transaction of its company, under the payment's
 * own id and so once, and travels like every outgoing payment from there.
 */

const feesDue = 'operator.feesDue';

const collect: ActHandler = {
  async perform(tx, { proposalId }) {
    const due = await findDuePayments(tx, proposalId);
    await announce(
      tx,
      due.map(({ id }) => ({ name: feesDue, payload: { paymentId: id } })),
    );
    return { payments: due.length };
  },
};

export const treasuryActs: ActHandlers = { 'fees.withdraw': collect };

export function treasuryJobs(): JobDefinition[] {
  return [
    {
      name: 'operator.collectFees',
      on: [feesDue],
      async run({ database }, { paymentId }) {
        invariant(typeof paymentId === 'string', 'the event names its payment');
        await collectOne(database, paymentId);
      },
    },
  ];
}

async function collectOne(database: Database, paymentId: string): Promise<void> {
  const payment = await database.withoutCompany((tx) => findFeePayment(tx, paymentId));
  invariant(payment, 'an event names a payment');
  await database.withCompany(payment.companyId, (tx) => makeTransaction(tx, payment));
}

async function makeTransaction(tx: Tx, payment: Omit<NewFeePayment, 'jws'>): Promise<void> {
  const { id, walletId, chainId, coin, amountMinor, addressId, address } = payment;
  const free = freeMinor(await lockFreeFees(tx, walletId));
  // This job may have run before, whatever the fees are by now: what was made stays made, what was refused stays refused.
  if (await isDone(tx, id)) return;
  // One operator removes an address at once: what has not begun is not sent there.
  if (await isAddressGone(tx, addressId)) return refuseFeePayment(tx, id, 'treasuryAddressGone');
  // Another collection was quicker, or a reorganisation took the fee back.
  if (free < amountMinor) return refuseFeePayment(tx, id, 'feesChanged');
  const digest = feeDigest({
    ...payment,
    payeeId: addressId,
    payeeAccount: address,
    notes: '',
    attachmentIds: [],
    terms: null,
  });
  await insertTransactions(tx, [
    {
      id,
      type: 'fee_withdraw',
      walletId,
      coin,
      quantityMinor: amountMinor,
      payeeId: addressId,
      payeeAccount: address,
      payerAccount: await findAccountAddress(tx, chainId),
      digest,
      chain: { chainId },
      timeline: [{ stage: 'submitted' }, { stage: 'approved' }],
    },
  ]);
  const act = await findAct(tx, payment.proposalId);
  const decimals = (await findChains(tx)).flatMap(({ coins }) => coins).find((known) => known.coin === coin)?.decimals;
  invariant(act && decimals !== undefined, 'a payment belongs to an act, and its coin is known');
  await audit(tx, {
    actor: { kind: 'operator', id: act.confirmedBy },
    action: 'fees.collect',
    subjectKind: 'wallet',
    subjectId: walletId,
    detail: { chain: chainId, amount: formatAmount(amountMinor, decimals), coin, address, reason: act.reason },
  });
  await announce(tx, [{ name: outgoingEvents.approved, payload: { transactionId: id } }]);
}
