import { Counter } from 'prom-client';
import { audit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import { registry } from '../../../platform/metrics.ts';
import { announce, live } from '../../../platform/outbox.ts';
import type { Refusal } from '../../chains/index.ts';
import { lockSender, setNextNonce } from '../store/holds.ts';
import { changeStage, lockTransaction } from '../store/lifecycle.ts';
import { deleteUnsigned, type Send } from '../store/sends.ts';
import { release } from './release.ts';
import { repayDeficit } from './shortfall.ts';
import type { SendingDependencies } from './surroundings.ts';

const refusedTotal = new Counter({
  name: 'causeway_signer_refusals_total',
  help: 'Payments that the signer refused, by reason',
  labelNames: ['kind', 'refusal'],
  registers: [registry],
});

/** These end a transfer: its record is not what was authorised. */
const final: ReadonlySet<Refusal> = new Set(['unknown', 'forged', 'ended', 'foreign-address']);

/** The signer signs nothing at all just now: nothing of this payment is changed, and it is asked again later. */
const everything: ReadonlySet<Refusal> = new Set(['restoring', 'journal-unwritable']);

/**
 * What a refusal means. Only when the signer's journal holds nothing of the payment is its nonce taken back: it is the
 * last one given out, since the next waits for a signature. A record that is not what was authorised ends the transfer;
 * a frozen wallet pauses it; everything else is tried again later and is the operator's to look at.
 */
export async function takeRefusal(
  deps: SendingDependencies,
  send: Send,
  refusal: Refusal,
  journaled: boolean,
): Promise<void> {
  refusedTotal.inc({ kind: send.kind, refusal });
  const { kind, companyId, transferId, nonce } = send;
  deps.log.error({ kind, companyId, transferId, nonce, refusal, journaled }, 'the signer refuses a payment');
  if (everything.has(refusal)) throw new Error(`the signer signs nothing at present (${refusal}); trying again later`);
  if (journaled) throw new Error(`the signer refuses (${refusal}) a payment that it may have signed before`);
  const free = await deps.database.withCompany(companyId, (tx) => takeBackNonce(tx, send));
  if (!free) return;
  if (kind === 'transfer' && refusal === 'frozen') {
    await deps.database.withCompany(companyId, (tx) => pause(tx, transferId));
  } else if (final.has(refusal) && send.attempt === 1) {
    // Of the transfer itself nothing was given a nonce, be it the advance for it or the transfer that is refused.
    await failTransfer(deps, companyId, transferId, 'refused', 'stage.reason.signerRefused');
  } else {
    throw new Error(`the signer refuses (${refusal}) to pay; trying again later`);
  }
}

async function takeBackNonce(tx: Tx, send: Send): Promise<boolean> {
  const { nextNonce } = await lockSender(tx, send.chainId, send.fromAddress);
  const taken = await deleteUnsigned(tx, send.paymentId, send.attempt);
  if (taken && send.attempt === 1 && nextNonce === send.nonce + 1) {
    await setNextNonce(tx, send.chainId, send.fromAddress, send.nonce);
  }
  return taken;
}

async function pause(tx: Tx, transferId: string): Promise<void> {
  await changeStage(tx, transferId, ['signing'], { stage: 'approved', reason: 'stage.reason.frozen' });
  await announce(tx, [live('transaction', transferId)]);
}

/** Ends a transfer of which nothing was sent, and gives its hold back. */
export async function failTransfer(
  deps: Pick<SendingDependencies, 'database'>,
  companyId: string,
  transferId: string,
  stage: 'failed' | 'refused',
  reason: string,
): Promise<void> {
  await deps.database.withCompany(companyId, async (tx) => {
    const transfer = await lockTransaction(tx, transferId);
    if (transfer?.status !== 'pending') return;
    const refundId = await release(tx, transfer, ['signing'], { stage, reason });
    if (refundId === null) return;
    await repayDeficit(tx, transfer.walletId, refundId);
    await audit(tx, {
      actor: { kind: 'system', id: 'transfers' },
      action: 'transfers.fail',
      subjectKind: 'transaction',
      subjectId: transferId,
      detail: { stage, reason },
    });
  });
}
