import { paymentsToResend, type ResentPayment } from '../../chains/index.ts';
import type { SendingDependencies } from '../family.ts';
import { gatewayOf } from './gateway.ts';

/**
 * Offers bytes to the nodes again that were signed before a restore, never reached a block, and belong to no transfer that the
 * database still has. What they spend can serve nothing else. Once mined they are unexplained payments, which are booked.
 * @param isSpent whether the chain has used what a payment spends, where the family can tell before it is offered
 */
export async function resendLost(
  deps: SendingDependencies,
  chainId: string,
  isSpent: (payment: ResentPayment) => Promise<boolean> = async () => false,
): Promise<void> {
  const payments = await deps.database.withoutCompany((tx) => paymentsToResend(tx, chainId));
  for (const payment of payments) if (!(await isSpent(payment))) await resend(deps, chainId, payment);
}

async function resend(deps: SendingDependencies, chainId: string, payment: ResentPayment): Promise<void> {
  const { companyId, transferId, paymentId, nonce } = payment;
  const answer = await deps.signer.sign({ kind: 'again', companyId, transferId, paymentId });
  if (!answer.signed) throw new Error(`the signer refuses (${answer.refusal}) to sign ${paymentId} again`);
  const { outcome } = await gatewayOf(deps, chainId).broadcast(answer.raw);
  deps.log.warn({ transferId, hash: answer.hash, nonce, outcome }, 'a payment of a lost transfer was offered again');
}
