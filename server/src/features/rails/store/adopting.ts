import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { type Send, sendColumns } from '../../chains/index.ts';

/** What is written when payments of the signer's journal are taken over into `chain_send`. */

/** Every attempt of a payment, in their order, locked until the transaction's end. */
export async function lockAttempts(tx: Tx, paymentId: string): Promise<Send[]> {
  const { rows } = await sql<Send>`
    select ${sendColumns} from chain_send s
    where s.company_id = company_id() and s.payment_id = ${paymentId} order by s.attempt for update`.execute(tx);
  return rows;
}

/** Notes under which hash an attempt was signed whose bytes are not at hand; the signer gives the same ones again. */
export async function setHash(tx: Tx, send: Pick<Send, 'paymentId' | 'attempt'>, hash: string): Promise<void> {
  await sql`
    update chain_send set hash = ${hash}
    where company_id = company_id() and payment_id = ${send.paymentId} and attempt = ${send.attempt}
      and hash is null`.execute(tx);
}

/**
 * Closes the unexplained payments of these transactions as payments of a transfer; of transactions that make several payments those of its own output.
 * @returns the blocks that they are in
 */
export async function explainAs(
  tx: Tx,
  chainId: string,
  hashes: readonly string[],
  { transferId, output }: { transferId: string; output: string | null },
): Promise<{ hash: string; block: { height: number; hash: string } }[]> {
  const { rows } = await sql<{ hash: string; height: number; blockHash: string }>`
    update unexplained_payment set state = 'matched', transfer_id = ${transferId}, obstacle = null, explained_at = now()
    where chain_id = ${chainId} and hash = any (${[...hashes]}::text[]) and state = 'open'
      and (${output}::text is null or output = ${output})
    returning hash, block_number as height, block_hash as "blockHash"`.execute(tx);
  return rows.map(({ hash, height, blockHash }) => ({ hash, block: { height, hash: blockHash } }));
}
