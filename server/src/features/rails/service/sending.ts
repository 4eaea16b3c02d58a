import { Counter } from 'prom-client';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { findRestoreMode } from '../../../platform/database/restore-mode.ts';
import { registry } from '../../../platform/process/metrics.ts';
import {
  keepAnswers,
  keepSigned,
  latestSends,
  markBroadcast,
  markOffered,
  type NodeAnswer,
  type Send,
} from '../../chains/index.ts';
import { type PreparedPayment, type Rail, stagesUnderWay } from '../../outgoing/index.ts';
import { changeStage, type LifecycleRow, noteStage, placeTransaction } from '../../transactions/index.ts';
import type { SendingDependencies } from '../family.ts';
import { waitForCoins } from '../settlement/waiting.ts';
import { isHeld } from '../store/holds.ts';
import { adoptSigned } from './adopting.ts';
import { gatewayOf } from './gateway.ts';
import { paymentOf } from './payment.ts';
import { takeRefusal } from './refusing.ts';
import { lockWithTransaction } from './settling.ts';

/**
 * From approved to broadcast. Every step is recorded before the next begins and does nothing when it has been done, so
 * that the whole may be run again from the start after a crash at any point. No transaction is open while a node or the
 * signer is asked.
 */

/** Where the chain may have something of a payment that only the signer's journal knows. */
const adoptable: readonly string[] = ['approved', 'signing'];

const rejectedBroadcasts = new Counter({
  name: 'causeway_broadcasts_rejected_total',
  help: 'Signed transactions that every node refused',
  labelNames: ['chain'],
  registers: [registry],
});

/** The rail of every chain: payments are signed by the signer and broadcast by the chain's nodes (docs/adr/0053). */
export function createChainRail(deps: SendingDependencies): Rail {
  return {
    carries: ({ chainId, type }) => chainId !== null && stagesUnderWay(type).includes('signing'),
    prepare: (tx, transaction) => prepareSending(tx, deps, transaction),
  };
}

async function prepareSending(
  tx: Tx,
  deps: SendingDependencies,
  transfer: LifecycleRow,
): Promise<PreparedPayment | null> {
  const payment = await paymentOf(tx, transfer);
  const family = deps.familyOf(payment.chainId);
  const adopt = () => adoptSigned(tx, family.adoption, deps.kinds, transfer);
  if (adoptable.includes(transfer.stage) && (await adopt()) === 'foreign') return null;
  const [send] = await latestSends(tx, transfer.id, 'transfer');
  if (send === undefined && (await waitForCoins(tx, transfer))) return null;
  return {
    isBegun: send !== undefined,
    async submit() {
      const ready = send ?? (await family.prepare(deps, payment));
      if (ready) await dispatch(deps, ready);
    },
  };
}

/** Signs what is not signed, and offers it to the nodes: the same bytes however often this runs. Not from a held address. */
export async function dispatch(deps: SendingDependencies, send: Send): Promise<void> {
  if (send.minedBlock !== null || send.finalAt !== null) return;
  if (await deps.database.withoutCompany((tx) => isHeld(tx, send.chainId, send.fromAddress))) return;
  const signed = send.raw === null ? await sign(deps, send) : send;
  if (!signed || signed.raw === null || signed.minedBlock !== null || signed.finalAt !== null) return;
  if (await deps.database.withoutCompany(findRestoreMode)) return;
  const result = await gatewayOf(deps, send.chainId).broadcast(signed.raw);
  const taken = result.outcome === 'accepted' || result.outcome === 'known';
  if (result.outcome === 'rejected') {
    rejectedBroadcasts.inc({ chain: send.chainId });
    const { kind, transferId, hash } = signed;
    deps.log.error({ kind, transferId, hash, reason: result.reason }, 'every node refuses a signed transaction');
  }
  const { answers = [] } = result;
  await deps.database.withCompany(send.companyId, (tx) => recordBroadcasts(tx, deps, signed, { taken, answers }));
  if (result.outcome === 'spent') await deps.familyOf(send.chainId).resolve(deps, signed);
}

async function sign(deps: SendingDependencies, send: Send): Promise<Send | null> {
  const answer = await deps.signer.sign(deps.familyOf(send.chainId).signRequest(send));
  if (answer.signed) return deps.database.withCompany(send.companyId, (tx) => keepEach(tx, deps, send, answer));
  await takeRefusal(deps, send, answer.refusal, answer.journaled);
  return null;
}

/** Keeps the bytes of every payment that they make, in the order of the payments. @returns the attempt that was signed */
async function keepEach(
  tx: Tx,
  deps: SendingDependencies,
  send: Send,
  signed: { hash: string; raw: string },
): Promise<Send | null> {
  let own: Send | null = null;
  for (const one of await withShared(tx, deps, send)) {
    const kept = await keepSigned(tx, one, signed);
    if (one.paymentId === send.paymentId) own = kept;
  }
  return own;
}

/** An attempt with those that are the same transaction, in the order of their payments: everything that locks several does so in this order. */
async function withShared(tx: Tx, { familyOf }: Pick<SendingDependencies, 'familyOf'>, send: Send): Promise<Send[]> {
  const shared = (await familyOf(send.chainId).sharedWith?.(tx, send)) ?? [];
  return [send, ...shared].sort((a, b) => (a.paymentId < b.paymentId ? -1 : 1));
}

/** What the nodes said of a transaction: of each payment that it makes, the first time and where none takes it; else of the one for which it was offered. */
async function recordBroadcasts(
  tx: Tx,
  deps: SendingDependencies,
  send: Send,
  { taken, answers }: { taken: boolean; answers: readonly NodeAnswer[] },
): Promise<void> {
  const all = await withShared(tx, deps, send);
  for (const one of all) {
    const isOwn = one.paymentId === send.paymentId;
    if (isOwn || one.firstBroadcastAt === null || !taken) await recordBroadcast(tx, one, taken, answers);
  }
  if (all.length > 1) await markOffered(tx, send);
}

async function recordBroadcast(tx: Tx, send: Send, taken: boolean, answers: readonly NodeAnswer[]): Promise<void> {
  const { send: known } = await lockWithTransaction(tx, send);
  if (!known) return;
  await markBroadcast(tx, send, taken);
  await keepAnswers(tx, send, answers);
  if (!taken || known.firstBroadcastAt !== null || send.kind !== 'transfer' || send.hash === null) return;
  // What pays nothing is not the payment: its stage stays.
  const isFirstTaken =
    !send.isEmpty && (await changeStage(tx, send.transferId, ['signing'], { stage: 'broadcast', hash: send.hash }));
  if (!isFirstTaken && send.attempt > 1 && known.minedBlock === null) {
    const [stage, reason] = send.isEmpty
      ? (['emptied', 'stage.reason.emptyOffered'] as const)
      : (['replaced', 'stage.reason.feeBumped'] as const);
    await noteStage(tx, send.transferId, { stage, hash: send.hash, reason });
    if (!send.isEmpty) await placeTransaction(tx, send.transferId, send.hash, null);
  }
  await announce(tx, [live('transaction', send.transferId)]);
}
