import type { Database, Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { findRestoreMode } from '../../../platform/database/restore-mode.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { isSwitchedOff } from '../../chains/index.ts';
import { changeStage, type LifecycleRow, lockTransaction } from '../../transactions/index.ts';
import { holdFreezes, isWalletFrozen } from '../../wallets/index.ts';
import { handedStage, stagesUnderWay } from '../domain.ts';
import { kindOf, type OutgoingKind, type OutgoingKinds } from '../kind.ts';
import type { PreparedPayment, Rail } from '../rail.ts';
import { holdSwitches, isBankClosed } from '../store/payments.ts';
import { judgeAgain } from './judge.ts';
import { leavingOf } from './leaving.ts';
import { stopLocked } from './stop.ts';

export interface OutgoingDependencies {
  database: Database;
  kinds: OutgoingKinds;
  rails: readonly Rail[];
}

/**
 * Hands an approved payment to its rail, and does whatever its sending still lacks. Every step is recorded before the next
 * begins and does nothing when it has been done, so the whole can be run again after a crash at any point.
 */
export async function sendPayment(deps: OutgoingDependencies, companyId: string, id: string): Promise<void> {
  const prepared = await handOverPayment(deps, companyId, id);
  await prepared?.submit();
}

/** Hands an approved payment to its rail, with every check, and does nothing of its sending: its own job or another payment's goes on. */
export function handOverPayment(
  deps: OutgoingDependencies,
  companyId: string,
  id: string,
): Promise<PreparedPayment | null> {
  return deps.database.withCompany(companyId, (tx) => handOver(tx, deps, id));
}

/**
 * Takes a payment over for sending: from here on it cannot be cancelled; of a cancel and this, one succeeds. Null when there is
 * nothing to send, while the wallet or the company is frozen or its chain or coin is switched off, or in restore mode.
 */
async function handOver(tx: Tx, { kinds, rails }: OutgoingDependencies, id: string): Promise<PreparedPayment | null> {
  if (await findRestoreMode(tx)) return null;
  await holdFreezes(tx);
  const transaction = await lockTransaction(tx, id);
  if (transaction?.status !== 'pending') return null;
  const { type, stage } = transaction;
  if (stage !== 'approved' && !stagesUnderWay(type).includes(stage)) return null;
  // Throws for a kind that this process does not know, so that the job is tried again by one that does.
  const kind = kindOf(kinds, type);
  const prepared = await railOf(rails, transaction).prepare(tx, transaction);
  if (prepared === null) return null;
  if (!prepared.isBegun && (await mayNotLeave(tx, await leavingOf(tx, transaction)))) return null;
  if (stage === 'approved') {
    // What was signed before the database was restored may be on its way, whatever risk says of it now.
    if (!prepared.isBegun && (await isForbidden(tx, kind, transaction))) return null;
    await changeStage(tx, id, ['approved'], { stage: handedStage(type) });
    await announce(tx, [live('transaction', id)]);
  }
  return prepared;
}

/** Its wallet is frozen, or the operator has switched off its chain or coin, or its bank or currency: the payment waits, and is tried again as long as it does. */
async function mayNotLeave(tx: Tx, { walletId, chainId, coin }: LifecycleRow): Promise<boolean> {
  if (await isWalletFrozen(tx, walletId)) return true;
  await holdSwitches(tx, chainId);
  return chainId === null ? isBankClosed(tx, walletId) : isSwitchedOff(tx, chainId, coin);
}

function railOf(rails: readonly Rail[], transaction: LifecycleRow): Rail {
  const rail = rails.find((one) => one.carries(transaction));
  invariant(rail, `a rail carries transaction ${transaction.id}`);
  return rail;
}

/** The last check before money moves: a payment that risk forbids by now is refused, and its hold given back. */
async function isForbidden(tx: Tx, kind: OutgoingKind, transaction: LifecycleRow): Promise<boolean> {
  const verdict = await judgeAgain(tx, kind, transaction.id, 'handover');
  if (verdict === null || verdict.allowed) return false;
  await stopLocked(tx, kind, transaction);
  return true;
}
