import type { Address } from 'viem';
import { paymentsToResend, type ResentPayment } from '../store/journal.ts';
import { gatewayOf, type SendingDependencies } from './surroundings.ts';

/**
 * Offers bytes to the nodes again that were signed before a restore, never reached a block, and belong to no transfer that the
 * database still has. Their nonce can serve nothing else, so all that follows waits for them. Once mined they are unexplained
 * payments, which are booked.
 */
export async function resendLost(deps: SendingDependencies, chainId: string): Promise<void> {
  const payments = await deps.database.withoutCompany((tx) => paymentsToResend(tx, chainId));
  for (const payment of payments) await resend(deps, chainId, payment);
}

async function resend(deps: SendingDependencies, chainId: string, payment: ResentPayment): Promise<void> {
  const gateway = gatewayOf(deps, chainId);
  const { companyId, transferId, paymentId, fromAddress, nonce } = payment;
  if ((await gateway.minedNonce(fromAddress as Address, await gateway.head())) > nonce) return;
  const answer = await deps.signer.sign({ kind: 'again', companyId, transferId, paymentId });
  if (!answer.signed) throw new Error(`the signer refuses (${answer.refusal}) to sign ${paymentId} again`);
  const { outcome } = await gateway.broadcast(answer.raw);
  deps.log.warn({ transferId, hash: answer.hash, nonce, outcome }, 'a payment of a lost transfer was offered again');
}
