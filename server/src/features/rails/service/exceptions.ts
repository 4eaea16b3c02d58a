import type { Tx } from '../../../platform/database/database.ts';
import { announce } from '../../../platform/database/outbox.ts';
import { findRestoreMode } from '../../../platform/database/restore-mode.ts';
import {
  attemptsOf,
  latestSends,
  lockSend,
  type Send,
  setEmptyWanted,
  setHastened,
  signedFor,
} from '../../chains/index.ts';
import { kindOf, outgoingEvents, refuse } from '../../outgoing/index.ts';
import { lockTransaction } from '../../transactions/index.ts';
import { accelerationType } from '../bitcoin/acceleration.ts';
import type { Proof, SendingDependencies, SpentBy } from '../family.ts';
import { isSettlementType } from '../settlement/domain.ts';
import { sweepType } from '../sweeps/domain.ts';
import { paymentOf } from './payment.ts';

/**
 * What operators decide of payments that do not move. Nothing here makes a second payment: bytes that were signed are offered again, a
 * replacement spends what the first attempt would have spent, and a hold is given back only where nothing can be mined.
 */

/** The newest attempt of a payment; null before its first. */
export function newestAttempt(
  { database }: Pick<SendingDependencies, 'database'>,
  companyId: string,
  transferId: string,
): Promise<Send | null> {
  return database.withCompany(companyId, async (tx) => (await latestSends(tx, transferId, 'transfer'))[0] ?? null);
}

/**
 * Has a payment taken up again: what is signed is offered to the nodes, the same bytes; what is not is prepared or signed.
 * @returns false when it has ended, is in a block, or can no longer be mined
 */
export async function sendAgain(tx: Tx, transferId: string): Promise<boolean> {
  const transfer = await lockTransaction(tx, transferId);
  const [send] = await latestSends(tx, transferId, 'transfer');
  if (transfer?.status !== 'pending' || (send && (send.minedBlock !== null || send.finalAt !== null))) return false;
  await announce(tx, [{ name: outgoingEvents.resumed, payload: { transactionId: transferId } }]);
  return true;
}

/**
 * Has the newest attempt replaced at the next round of tending, as if it had waited long enough: the same nonce or inputs, a higher fee,
 * within the signer's own bound.
 * @returns false when this attempt is not the newest any more, a block has the payment, or it is an acceleration, whose fee its member raises
 */
export async function hasten(tx: Tx, transferId: string, attempt: number): Promise<boolean> {
  const transfer = await lockTransaction(tx, transferId);
  const [newest] = await latestSends(tx, transferId, 'transfer');
  if (transfer?.status !== 'pending' || newest?.attempt !== attempt) return false;
  if (transfer.type === accelerationType) return false;
  const send = await lockSend(tx, newest.paymentId, attempt);
  // One that every node refuses, for its fee, never had a first broadcast.
  if (!send || send.hash === null || send.minedBlock !== null || send.finalAt !== null) return false;
  await setHastened(tx, send, true);
  return true;
}

/**
 * Has an empty transaction made in a payment's place at the next rounds of tending: it spends what the payment was to spend, and the chain takes
 * one of the two (docs/adr/0078); where the payment's transaction makes others too, in the place of all of them. Until it is final, nothing is given back.
 * @returns false when nothing of the payment was signed, it is in a block or has ended, it is being replaced already, or is a settlement, an acceleration or a sweep
 */
export async function wantEmpty(
  tx: Tx,
  { familyOf }: Pick<SendingDependencies, 'familyOf'>,
  transferId: string,
): Promise<boolean> {
  const transfer = await lockTransaction(tx, transferId);
  const [newest] = await latestSends(tx, transferId, 'transfer');
  if (transfer?.status !== 'pending' || !newest || newest.emptyWantedAt !== null) return false;
  // An acceleration pays nothing already, and a sweep pays no one.
  if (isSettlementType(transfer.type) || transfer.type === accelerationType || transfer.type === sweepType)
    return false;
  const attempts = await attemptsOf(tx, newest.paymentId);
  const isOver = attempts.some(
    ({ minedBlock, finalAt, isEmpty }) => minedBlock !== null || finalAt !== null || isEmpty,
  );
  if (isOver || attempts.every(({ hash }) => hash === null)) return false;
  const shared = (await familyOf(newest.chainId).sharedWith?.(tx, newest)) ?? [];
  for (const { paymentId } of [newest, ...shared]) await setEmptyWanted(tx, paymentId);
  return true;
}

/** Why a payment of which nothing was signed is not given back. */
export type NotReleased = 'ended' | 'notApproved' | 'resting' | 'begun' | 'restoring' | 'settlement';

/**
 * Ends an approved payment of which nothing was signed, and gives its hold back. A worker that has begun it holds the same lock, and then
 * this does nothing.
 * @returns why not, or null
 */
export async function releaseUnsent(
  tx: Tx,
  { kinds, familyOf }: Pick<SendingDependencies, 'kinds' | 'familyOf'>,
  transferId: string,
): Promise<NotReleased | null> {
  const transfer = await lockTransaction(tx, transferId);
  if (transfer?.status !== 'pending' || transfer.chainId === null) return 'ended';
  // Nothing is held for it, and its legs would be settled by nothing else.
  if (isSettlementType(transfer.type)) return 'settlement';
  if (transfer.stage === 'submitted' || transfer.stage === 'waiting_approval') return 'notApproved';
  if (transfer.stage === 'waiting_rate') return 'resting';
  if (transfer.stage !== 'approved' && transfer.stage !== 'signing') return 'begun';
  if (await findRestoreMode(tx)) return 'restoring';
  if ((await latestSends(tx, transferId, 'transfer')).length > 0) return 'begun';
  const { signed, onOtherFamily } = await signedFor(tx, familyOf(transfer.chainId).adoption.journal, transferId);
  if (onOtherFamily || signed.some(({ paymentId }) => paymentId === transferId)) return 'begun';
  const end = { stage: 'failed', reason: 'stage.reason.released' } as const;
  await refuse(tx, kindOf(kinds, transfer.type), transfer, ['approved', 'signing'], end);
  return null;
}

/** Asks the chain what became of what an attempt was to spend. @throws NoAgreement */
export function resolveAttempt(deps: SendingDependencies, send: Send): Promise<SpentBy> {
  return deps.familyOf(send.chainId).resolve(deps, send);
}

/**
 * Looks at the transaction that is said to prove what became of a payment. Null where its chain's family knows no such proof.
 * @throws NoAgreement
 */
export async function proveOutcome(deps: SendingDependencies, send: Send, hash: string): Promise<Proof | null> {
  const { prove } = deps.familyOf(send.chainId);
  if (!prove) return null;
  const payment = await deps.database.withCompany(send.companyId, async (tx) => {
    const transfer = await lockTransaction(tx, send.transferId);
    return transfer && paymentOf(tx, transfer);
  });
  return payment && prove(deps, send, payment, hash);
}
