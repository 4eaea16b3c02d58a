import { transactionLives } from '@causeway/contract/transactions-lives.ts';
import type { LifeType } from '@causeway/contract/transactions-rules.ts';
import { Counter } from 'prom-client';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { registry } from '../../../platform/process/metrics.ts';
import { latestSends, type Refusal, type Send } from '../../chains/index.ts';
import { kindOf, refuse } from '../../outgoing/index.ts';
import { changeStage, findType, type LifecycleRow, lockTransaction } from '../../transactions/index.ts';
import type { SendingDependencies } from '../family.ts';
import { isSettlementType } from '../settlement/domain.ts';
import { noteCapped } from '../settlement/treasury-store.ts';

const refusedTotal = new Counter({
  name: 'causeway_signer_refusals_total',
  help: 'Payments that the signer refused, by reason',
  labelNames: ['kind', 'refusal'],
  registers: [registry],
});

/** These end a transfer: its record is not what was authorised. A settlement goes on, since nothing else settles its legs. */
const final: ReadonlySet<Refusal> = new Set(['unknown', 'forged', 'ended', 'foreign-address']);

/** The signer signs nothing at all just now: nothing of this payment is changed, and it is asked again later. */
const everything: ReadonlySet<Refusal> = new Set(['restoring', 'journal-unwritable']);

/**
 * What a refusal means. Only when the signer's journal holds nothing of the payment is what it was to spend given back. A record that is not what was authorised ends the transfer, unless it is a settlement;
 * a frozen wallet pauses it; everything else is tried again later and is the operator's to look at.
 */
export async function takeRefusal(
  deps: SendingDependencies,
  send: Send,
  refusal: Refusal,
  journaled: boolean,
): Promise<void> {
  refusedTotal.inc({ kind: send.kind, refusal });
  const { kind, companyId, transferId, paymentId } = send;
  deps.log.error({ kind, companyId, transferId, paymentId, refusal, journaled }, 'the signer refuses a payment');
  if (everything.has(refusal)) throw new Error(`the signer signs nothing at present (${refusal}); trying again later`);
  if (journaled) {
    const { takeBackLater } = deps.familyOf(send.chainId);
    await deps.database.withCompany(companyId, async (tx) => takeBackLater?.(tx, send));
    throw new Error(`the signer refuses (${refusal}) a payment that it may have signed before`);
  }
  const { free, isShared } = await deps.database.withCompany(companyId, async (tx) => {
    const family = deps.familyOf(send.chainId);
    const shared = (await family.sharedWith?.(tx, send)) ?? [];
    return { free: await family.takeBack(tx, send), isShared: shared.length > 0 };
  });
  if (!free) return;
  // Which of them it is that the signer refuses shows once each is made alone.
  if (isShared) throw new Error(`the signer refuses (${refusal}) to make several payments together; making each alone`);
  if (refusal === 'treasury-cap') {
    // The settlement waits until some of a day's payments are older, or the signer's configuration allows more: tending asks again.
    await deps.database.withCompany(companyId, (tx) => noteCapped(tx, transferId));
  } else if (kind === 'transfer' && refusal === 'frozen') {
    await deps.database.withCompany(companyId, (tx) => pause(tx, transferId));
  } else if (final.has(refusal) && send.attempt === 1 && !(await isSettlement(deps, send))) {
    // Of the transfer itself nothing was given a nonce, be it the advance for it or the transfer that is refused.
    await failTransfer(deps, companyId, transferId, 'refused', 'stage.reason.signerRefused');
  } else {
    throw new Error(`the signer refuses (${refusal}) to pay; trying again later`);
  }
}

async function isSettlement({ database }: SendingDependencies, { companyId, transferId }: Send): Promise<boolean> {
  const type = await database.withCompany(companyId, (tx) => findType(tx, transferId));
  return type !== null && isSettlementType(type);
}

async function pause(tx: Tx, transferId: string): Promise<void> {
  if (!(await lockUnsent(tx, transferId))) return;
  await changeStage(tx, transferId, ['signing'], { stage: 'approved', reason: 'stage.reason.frozen' });
  await announce(tx, [live('transaction', transferId)]);
}

/**
 * Locks a transfer that is being signed and has no attempt. Two workers may be at one transfer: what one of them finds out
 * about a payment that was not begun says nothing once the other has begun it.
 * @returns null when it is no longer so
 */
export async function lockUnsent(tx: Tx, transferId: string): Promise<LifecycleRow | null> {
  const transfer = await lockTransaction(tx, transferId);
  if (transfer?.status !== 'pending' || transfer.stage !== 'signing') return null;
  return (await latestSends(tx, transferId, 'transfer')).length === 0 ? transfer : null;
}

/** Ends a transfer of which nothing was sent, and gives its hold back. */
export async function failTransfer(
  { database, kinds }: Pick<SendingDependencies, 'database' | 'kinds'>,
  companyId: string,
  transferId: string,
  stage: 'failed' | 'refused',
  reason: string,
): Promise<void> {
  await database.withCompany(companyId, async (tx) => {
    const transfer = await lockUnsent(tx, transferId);
    if (!transfer) return;
    await refuse(tx, kindOf(kinds, transfer.type), transfer, ['signing'], {
      stage: endOf(transfer.type, stage),
      reason,
    });
  });
}

/** What no one approves is not refused, but fails. */
export function endOf(type: LifeType, stage: 'failed' | 'refused'): 'failed' | 'refused' {
  return transactionLives[type].endsEarly.includes(stage) ? stage : 'failed';
}
