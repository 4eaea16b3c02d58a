import type { Address } from 'viem';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { asEvm, type EvmSend, findFinalHeight, markSuperseded, type Send } from '../../chains/index.ts';
import { outgoingEvents } from '../../outgoing/index.ts';
import { lockTransaction } from '../../transactions/index.ts';
import type { SendingDependencies, SpentBy } from '../family.ts';
import { findMined } from '../service/mined.ts';
import { evmGatewayOf } from './gateway.ts';

/**
 * Payments whose nonce the chain has used. Either one of their own attempts is in a block that was read before its row
 * was there, or another transaction took the nonce: then, once that is final, nothing of the payment can be mined.
 */

/** Asks the chain for every attempt of a payment by its hash, and for its nonce. @throws NoAgreement */
export async function resolveNonce(deps: SendingDependencies, attempt: Send): Promise<SpentBy> {
  const send = asEvm(attempt);
  const gateway = evmGatewayOf(deps, send.chainId);
  if (await findMined(deps, gateway, send)) return 'ours';
  if ((await gateway.minedNonce(send.fromAddress as Address, await gateway.head())) <= send.nonce) return 'free';
  const finalHeight = await deps.database.withoutCompany((tx) => findFinalHeight(tx, send.chainId));
  if (finalHeight === null) return 'other';
  if ((await gateway.minedNonce(send.fromAddress as Address, finalHeight)) <= send.nonce) return 'other';
  // Counted after the receipts were asked for: a block between the two could have been ours.
  if (await findMined(deps, gateway, send)) return 'ours';
  const isClosed = await deps.database.withCompany(send.companyId, (tx) => supersede(tx, send));
  const { kind, transferId, chainId, nonce } = send;
  if (isClosed)
    deps.log.error({ kind, transferId, chain: chainId, nonce }, 'another transaction used a payment’s nonce');
  return 'superseded';
}

/** An advance never happened, and its transfer asks for another; a transfer waits for the operator. */
async function supersede(tx: Tx, send: EvmSend): Promise<boolean> {
  const transfer = await lockTransaction(tx, send.transferId);
  if (!transfer || !(await markSuperseded(tx, send.paymentId))) return false;
  await audit(tx, {
    actor: { kind: 'system', id: 'transfers' },
    action: 'transfers.supersede',
    subjectKind: 'transaction',
    subjectId: send.transferId,
    detail: { kind: send.kind, nonce: send.nonce, address: send.fromAddress },
  });
  await announce(tx, [
    live('transaction', send.transferId),
    ...(send.kind === 'gas' ? [{ name: outgoingEvents.resumed, payload: { transactionId: send.transferId } }] : []),
  ]);
  return true;
}
