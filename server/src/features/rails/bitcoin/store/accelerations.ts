import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../../platform/database/database.ts';
import type { Outpoint } from '../../../chains/index.ts';
import type { AccelerationClaims } from '../acceleration.ts';
import type { SpendableOutput } from './outputs.ts';

/** Accelerations of deposits that wait for a block. Amounts in satoshis. */

/** A deposit that waits for a block, with what decides what its acceleration costs. */
export interface AccelerableDeposit {
  depositId: string;
  walletId: string;
  chainId: string;
  output: Outpoint & { address: string; ordinal: number; amountMinor: bigint };
  /** With all that it needs before. */
  parent: { feeMinor: bigint; vsize: number };
}

/** One acceleration at a time is submitted for an output; held until the transaction's end. */
export async function lockAccelerating(tx: Tx, depositId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`acceleration/${depositId}`}, 0))`.execute(tx);
}

const isAccelerated = sql`exists (select from bitcoin_acceleration x
  join transaction c on c.company_id = x.company_id and c.id = x.transaction_id
  where x.company_id = o.company_id and x.chain_id = o.chain_id and x.hash = o.hash and x.index = o.index
    and (c.status = 'pending' or exists (select from chain_send s
      where s.company_id = x.company_id and s.payment_id = x.transaction_id and s.hash is not null)))`;

/** Null unless it waits for a block, is known to the nodes with its fee, and nothing spends it or is meant to. */
export async function findAccelerable(tx: Tx, depositId: string): Promise<AccelerableDeposit | null> {
  const { rows } = await sql<{
    walletId: string;
    chainId: string;
    hash: string;
    index: number;
    address: string;
    ordinal: number;
    amount: string;
    feeMinor: string;
    vsize: number;
  }>`
    select t.wallet_id as "walletId", o.chain_id as "chainId", o.hash, o.index, o.address, own.ordinal::integer as ordinal,
      o.amount::text as amount, d.ancestor_fee::text as "feeMinor", d.ancestor_vsize as vsize
    from deposit d
    join transaction t on t.company_id = d.company_id and t.id = d.transaction_id
    join bitcoin_output o on o.company_id = d.company_id and o.chain_id = d.chain_id and o.hash = d.hash and d.output = 'vout:' || o.index
    join chain_own_address own on own.company_id = o.company_id and own.chain_id = o.chain_id and own.address = o.address
    where d.company_id = company_id() and d.transaction_id = ${depositId} and d.state = 'inbound' and d.block_number is null
      and d.ancestor_vsize is not null and o.block_number is null and o.spent_by is null and o.payment_id is null
      and not ${isAccelerated}`.execute(tx);
  const [row] = rows;
  if (!row) return null;
  const { walletId, chainId, hash, index, address, ordinal, amount, feeMinor, vsize } = row;
  return {
    depositId,
    walletId,
    chainId,
    output: { hash, index, address, ordinal, amountMinor: BigInt(amount) },
    parent: { feeMinor: BigInt(feeMinor), vsize },
  };
}

export async function insertAcceleration(
  tx: Tx,
  transactionId: string,
  { depositId, chainId, output: { hash, index }, parent: { feeMinor, vsize } }: AccelerableDeposit,
): Promise<void> {
  await sql`
    insert into bitcoin_acceleration (company_id, transaction_id, deposit_id, chain_id, hash, index, parent_fee, parent_vsize)
    values (company_id(), ${transactionId}, ${depositId}, ${chainId}, ${hash}, ${index}, ${feeMinor.toString()}, ${vsize})`.execute(
    tx,
  );
}

export async function insertAccelerationSeal(
  tx: Tx,
  { transferId, feeMinor }: Pick<AccelerationClaims, 'transferId' | 'feeMinor'>,
  jws: string,
): Promise<void> {
  await sql`
    insert into bitcoin_acceleration_seal (company_id, transaction_id, fee, jws)
    values (company_id(), ${transferId}, ${feeMinor}::bigint, ${jws}) on conflict do nothing`.execute(tx);
}

/** What an acceleration pays for, as it was submitted; null for what is none. */
export async function findAccelerated(
  tx: Tx,
  transactionId: string,
): Promise<(Outpoint & { feeMinor: bigint; vsize: number }) | null> {
  const { rows } = await sql<Outpoint & { fee: string; vsize: number }>`
    select hash, index, parent_fee::text as fee, parent_vsize as vsize from bitcoin_acceleration
    where company_id = company_id() and transaction_id = ${transactionId}`.execute(tx);
  const [row] = rows;
  return row ? { hash: row.hash, index: row.index, vsize: row.vsize, feeMinor: BigInt(row.fee) } : null;
}

/** The output that an acceleration is to spend; null once no node and no block has it. */
export async function findAcceleration(
  tx: Tx,
  transactionId: string,
): Promise<(SpendableOutput & { isInBlock: boolean }) | null> {
  const { rows } = await sql<Omit<SpendableOutput, 'amountMinor'> & { amount: string; isInBlock: boolean }>`
    select o.hash, o.index, o.address, own.ordinal::integer as ordinal, o.amount::text as amount, false as "isFinal",
      o.block_number is not null as "isInBlock"
    from bitcoin_acceleration x
    join bitcoin_output o on o.company_id = x.company_id and o.chain_id = x.chain_id and o.hash = x.hash and o.index = x.index
    join chain_own_address own on own.company_id = o.company_id and own.chain_id = o.chain_id and own.address = o.address
    where x.company_id = company_id() and x.transaction_id = ${transactionId}`.execute(tx);
  const [row] = rows;
  if (!row) return null;
  const { amount, ...output } = row;
  return { ...output, amountMinor: BigInt(amount) };
}

interface FollowedAcceleration extends Outpoint {
  companyId: string;
  paymentId: string;
}

/** Those that were begun, and that no block has. */
export async function openAccelerations(tx: PlatformTx, chainId: string): Promise<FollowedAcceleration[]> {
  const { rows } = await sql<FollowedAcceleration>`
    select distinct x.company_id as "companyId", x.transaction_id as "paymentId", x.hash, x.index
    from bitcoin_acceleration x
    join chain_send s on s.company_id = x.company_id and s.payment_id = x.transaction_id
    where x.chain_id = ${chainId} and s.final_at is null and s.plan ? 'parent' and not exists (
      select from chain_send m where m.company_id = s.company_id and m.payment_id = s.payment_id and m.mined_block is not null)`.execute(
    tx,
  );
  return rows;
}

/** Those that were ended with their deposit, whose output is there again and unspent. */
export async function revivedAccelerations(tx: PlatformTx, chainId: string): Promise<FollowedAcceleration[]> {
  const { rows } = await sql<FollowedAcceleration>`
    select distinct x.company_id as "companyId", x.transaction_id as "paymentId", x.hash, x.index
    from bitcoin_acceleration x
    join chain_send s on s.company_id = x.company_id and s.payment_id = x.transaction_id
    join bitcoin_output o on o.company_id = x.company_id and o.chain_id = x.chain_id and o.hash = x.hash and o.index = x.index
    where x.chain_id = ${chainId} and s.superseded_at is not null and s.hash is not null and o.spent_by is null`.execute(
    tx,
  );
  return rows;
}

/** The newest acceleration of a deposit that was not given up; null while there is none. */
export async function accelerationOf(tx: Tx, depositId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select x.transaction_id as id from bitcoin_acceleration x
    join transaction c on c.company_id = x.company_id and c.id = x.transaction_id
    where x.company_id = company_id() and x.deposit_id = ${depositId} and c.status <> 'failed'
    order by x.created_at desc limit 1`.execute(tx);
  return rows[0]?.id ?? null;
}
