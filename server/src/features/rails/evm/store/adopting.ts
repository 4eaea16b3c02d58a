import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../../platform/database/database.ts';
import type { EvmSend } from '../../../chains/index.ts';

/** What was written under a nonce that the signer's journal names. */

/** Takes back the nonce of every other payment, of any company, that has this one and was never signed. */
export async function clearNonce(
  tx: Tx,
  { chainId, fromAddress, nonce, paymentId }: Pick<EvmSend, 'chainId' | 'fromAddress' | 'nonce' | 'paymentId'>,
): Promise<void> {
  await sql`
    delete from chain_send where chain_id = ${chainId} and from_address = ${fromAddress} and nonce = ${nonce}
      and payment_id <> ${paymentId} and hash is null`.execute(tx);
}

/** What became of the transaction that the chain has under a nonce and that no payment of ours explained. */
export async function explanationAt(
  tx: PlatformTx,
  { chainId, fromAddress, nonce }: Pick<EvmSend, 'chainId' | 'fromAddress' | 'nonce'>,
): Promise<'open' | 'matched' | 'booked' | null> {
  const { rows } = await sql<{ state: 'open' | 'matched' | 'booked' }>`
    select state from unexplained_payment
    where chain_id = ${chainId} and from_address = ${fromAddress} and nonce = ${nonce}
    order by state = 'booked' desc limit 1`.execute(tx);
  return rows[0]?.state ?? null;
}
