import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database.ts';
import { type Send, sendColumns } from './sends.ts';

/** What is written when payments of the signer's journal are taken over into `chain_send`. */

/** Every attempt of a payment, in their order, locked until the transaction's end. */
export async function lockAttempts(tx: Tx, paymentId: string): Promise<Send[]> {
  const { rows } = await sql<Send>`
    select ${sendColumns} from chain_send s
    where s.company_id = company_id() and s.payment_id = ${paymentId} order by s.attempt for update`.execute(tx);
  return rows;
}

/** Takes back the nonce of every other payment, of any company, that has this one and was never signed. */
export async function clearNonce(
  tx: Tx,
  { chainId, fromAddress, nonce, paymentId }: Pick<Send, 'chainId' | 'fromAddress' | 'nonce' | 'paymentId'>,
): Promise<void> {
  await sql`
    delete from chain_send where chain_id = ${chainId} and from_address = ${fromAddress} and nonce = ${nonce}
      and payment_id <> ${paymentId} and hash is null`.execute(tx);
}

/** Notes under which hash an attempt was signed whose bytes are not at hand; the signer gives the same ones again. */
export async function setHash(tx: Tx, send: Pick<Send, 'paymentId' | 'attempt'>, hash: string): Promise<void> {
  await sql`
    update chain_send set hash = ${hash}
    where company_id = company_id() and payment_id = ${send.paymentId} and attempt = ${send.attempt}
      and hash is null`.execute(tx);
}

/** What became of the transaction that the chain has under a nonce and that no payment of ours explained. */
export async function explanationAt(
  tx: PlatformTx,
  { chainId, fromAddress, nonce }: Pick<Send, 'chainId' | 'fromAddress' | 'nonce'>,
): Promise<'open' | 'matched' | 'booked' | null> {
  const { rows } = await sql<{ state: 'open' | 'matched' | 'booked' }>`
    select state from unexplained_payment
    where chain_id = ${chainId} and from_address = ${fromAddress} and nonce = ${nonce}
    order by state = 'booked' desc limit 1`.execute(tx);
  return rows[0]?.state ?? null;
}

/** Closes the unexplained payments of these transactions as payments of a transfer. @returns the blocks that they are in */
export async function explainAs(
  tx: Tx,
  chainId: string,
  hashes: readonly string[],
  transferId: string,
): Promise<{ hash: string; block: { height: number; hash: string } }[]> {
  const { rows } = await sql<{ hash: string; height: number; blockHash: string }>`
    update unexplained_payment set state = 'matched', transfer_id = ${transferId}, obstacle = null, explained_at = now()
    where chain_id = ${chainId} and hash = any (${[...hashes]}::text[]) and state = 'open'
    returning hash, block_number as height, block_hash as "blockHash"`.execute(tx);
  return rows.map(({ hash, height, blockHash }) => ({ hash, block: { height, hash: blockHash } }));
}
