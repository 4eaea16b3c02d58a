import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { platformOwnersSql } from '../../chains/index.ts';

/** Payments on a chain that no `chain_send` names. Amounts in minor units, the network fee in those of the chain's own coin. */

export interface UnexplainedPayment {
  companyId: string;
  id: string;
  chainId: string;
  hash: string;
  fromAddress: string;
  output: string;
  nonce: number | null;
  toAddress: string | null;
  coin: string | null;
  amountMinor: bigint;
  networkFeeMinor: bigint;
  succeeded: boolean;
  raw: string | null;
  /** Gas in units, fees in wei per gas; null on a chain that has none. */
  gasLimit: bigint | null;
  maxFeePerGas: bigint | null;
  maxPriorityFeePerGas: bigint | null;
  blockNumber: number;
  blockHash: string;
  state: 'open' | 'matched' | 'booked';
  decision: 'match' | 'book' | null;
  transferId: string | null;
  reason: string | null;
  decidedBy: string | null;
}

const columns = sql`
  u.company_id as "companyId", u.id, u.chain_id as "chainId", u.hash, u.from_address as "fromAddress", u.output, u.nonce,
  u.to_address as "toAddress", u.coin, u.amount as "amountMinor", u.network_fee as "networkFeeMinor", u.succeeded, u.raw,
  u.gas_limit as "gasLimit", u.max_fee_per_gas as "maxFeePerGas",
  u.max_priority_fee_per_gas as "maxPriorityFeePerGas", u.block_number as "blockNumber", u.block_hash as "blockHash",
  u.state, u.decision, u.transfer_id as "transferId", u.reason, u.decided_by as "decidedBy"`;

export interface ChainPlace {
  height: number;
  hash: string;
}

/** What a transaction moved out of an address; without nonce, bytes and gas where its chain has none. */
export type UnexplainedMovement = Omit<
  UnexplainedPayment,
  'companyId' | 'id' | 'state' | 'decision' | 'transferId' | 'reason' | 'decidedBy'
>;

/** Writes one movement of an unknown transaction of the current company's address; one that is known is left as it is. */
export async function insertUnexplained(tx: Tx, moved: UnexplainedMovement): Promise<void> {
  await sql`
    insert into unexplained_payment (company_id, id, chain_id, hash, from_address, output, nonce, to_address, coin, amount,
      network_fee, succeeded, raw, gas_limit, max_fee_per_gas, max_priority_fee_per_gas, block_number, block_hash)
    values (company_id(), ${newId()}, ${moved.chainId}, ${moved.hash}, ${moved.fromAddress}, ${moved.output},
      ${moved.nonce}, ${moved.toAddress}, ${moved.coin}, ${moved.amountMinor.toString()},
      ${moved.networkFeeMinor.toString()}, ${moved.succeeded}, ${moved.raw}, ${moved.gasLimit?.toString() ?? null},
      ${moved.maxFeePerGas?.toString() ?? null}, ${moved.maxPriorityFeePerGas?.toString() ?? null},
      ${moved.blockNumber}, ${moved.blockHash})
    on conflict (chain_id, hash, from_address, output) do nothing`.execute(tx);
}

/** The rows of these transactions, whatever became of them. */
export async function unexplainedByHash(
  tx: PlatformTx,
  chainId: string,
  hashes: readonly string[],
): Promise<UnexplainedPayment[]> {
  const { rows } = await sql<UnexplainedPayment>`
    select ${columns} from unexplained_payment u
    where u.chain_id = ${chainId} and u.hash = any (${[...hashes]}::text[])
    order by u.hash, u.from_address, u.output`.execute(tx);
  return rows;
}

/** Rows above the fork whose block is none of these. */
export async function unexplainedElsewhere(
  tx: PlatformTx,
  chainId: string,
  aboveHeight: number,
  blockHashes: readonly string[],
): Promise<UnexplainedPayment[]> {
  const { rows } = await sql<UnexplainedPayment>`
    select ${columns} from unexplained_payment u
    where u.chain_id = ${chainId} and u.block_number > ${aboveHeight}
      and not (u.block_hash = any (${[...blockHashes]}::text[]))`.execute(tx);
  return rows;
}

export async function lockUnexplained(tx: Tx, id: string): Promise<UnexplainedPayment | null> {
  const { rows } = await sql<UnexplainedPayment>`
    select ${columns} from unexplained_payment u where u.company_id = company_id() and u.id = ${id} for update`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** Open rows on a chain: those with a decision to carry out, and the platform's own, which need none. */
export async function explainable(tx: PlatformTx, chainId: string): Promise<UnexplainedPayment[]> {
  const { rows } = await sql<UnexplainedPayment>`
    select ${columns} from unexplained_payment u
    where u.chain_id = ${chainId} and u.state = 'open' and (u.decision is not null or u.company_id in (${platformOwnersSql}))
    order by u.block_number, u.nonce, u.id limit 500`.execute(tx);
  return rows;
}

/** Of one address: how many rows are open, and the nonces of those that are explained, from one nonce on. */
export async function explanationsOf(
  tx: PlatformTx,
  chainId: string,
  address: string,
  fromNonce: number,
): Promise<{ open: number; nonces: number[] }> {
  const { rows } = await sql<{ open: number; nonces: (string | number)[] | null }>`
    select count(*) filter (where state = 'open') as open,
      array_agg(distinct nonce::text) filter (where state <> 'open' and nonce >= ${fromNonce}) as nonces
    from unexplained_payment where chain_id = ${chainId} and from_address = ${address}`.execute(tx);
  const row = rows[0];
  return { open: row?.open ?? 0, nonces: (row?.nonces ?? []).map(Number) };
}

export async function countUnexplained(tx: PlatformTx, chainId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from unexplained_payment where chain_id = ${chainId} and state = 'open'`.execute(tx);
  return rows[0]?.count ?? 0;
}

export async function markExplained(
  tx: Tx,
  id: string,
  state: 'matched' | 'booked',
  transferId: string | null,
): Promise<void> {
  await sql`
    update unexplained_payment set state = ${state}, transfer_id = ${transferId}, obstacle = null, explained_at = now()
    where company_id = company_id() and id = ${id}`.execute(tx);
}

/** Why a decision cannot be carried out yet, as the id of a sentence. */
export async function setObstacle(tx: Tx, id: string, obstacle: string): Promise<void> {
  await sql`
    update unexplained_payment set obstacle = ${obstacle}
    where company_id = company_id() and id = ${id} and obstacle is distinct from ${obstacle}`.execute(tx);
}

export async function moveUnexplained(tx: Tx, id: string, block: ChainPlace): Promise<void> {
  await sql`
    update unexplained_payment set block_number = ${block.height}, block_hash = ${block.hash}
    where company_id = company_id() and id = ${id}`.execute(tx);
}

export async function deleteUnexplained(tx: Tx, id: string): Promise<void> {
  await sql`delete from unexplained_payment where company_id = company_id() and id = ${id}`.execute(tx);
}
