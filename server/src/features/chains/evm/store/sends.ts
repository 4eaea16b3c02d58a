import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../../platform/database/database.ts';
import { invariant } from '../../../../platform/domain-error.ts';
import { treasuryOwner } from '../../store/addresses.ts';
import { type EvmPlan, insertSend, type Send, sendColumns } from '../../store/sends.ts';
import type { Fees } from '../gateway.ts';

/** What only EVM payments have: a nonce, gas, and fees. */

/** One attempt of one EVM payment. */
export type EvmSend = Send & EvmPlan;

/** The same attempt with its nonce and fees, which every attempt on an EVM chain has (migration 0085). */
export function asEvm(send: Send): EvmSend {
  const { nonce } = send as Partial<EvmSend>;
  invariant(typeof nonce === 'number', `payment ${send.paymentId} has a nonce`);
  return send as EvmSend;
}

/**
 * The payment of this address that has its nonce and was never signed; the next nonce waits for it. One whose hash is known
 * was signed, even where its bytes were lost with a restored database.
 */
export async function unsignedSend(tx: Tx, chainId: string, address: string): Promise<EvmSend | null> {
  const { rows } = await sql<EvmSend>`
    select ${sendColumns} from chain_send s where s.chain_id = ${chainId} and s.from_address = ${address} and s.hash is null
      and s.attempt = 1 and s.final_at is null limit 1`.execute(tx);
  return rows[0] ?? null;
}

/** The newest attempts of the payments that have a nonce of an address, of whichever companies. */
export async function sendsAt(tx: PlatformTx, chainId: string, address: string, nonce: number): Promise<EvmSend[]> {
  const { rows } = await sql<EvmSend>`
    select distinct on (s.payment_id) ${sendColumns} from chain_send s
    where s.chain_id = ${chainId} and s.from_address = ${address} and s.nonce = ${nonce}
    order by s.payment_id, s.attempt desc`.execute(tx);
  return rows;
}

/** What a payment of the current company is to pay, as its record says it. */
export interface Plan {
  payee: string | null;
  coin: string;
  /** In minor units, whatever an empty transaction in its place pays. */
  amountMinor: bigint;
}

export async function planOf(tx: Tx, send: Send): Promise<Plan | null> {
  const { rows } = await sql<Plan>`
    select case when ${send.kind} = 'gas' then c.native_coin else t.coin end as coin,
      case when ${send.kind} <> 'gas' then t.payee_account when t.type = 'chain_sweep' then t.payer_account else o.address end as payee,
      case when ${send.kind} = 'gas' then ${send.amountMinor.toString()}::numeric else t.quantity end as "amountMinor"
    from transaction t
    join chain c on c.id = t.chain_id
    left join chain_address o on o.chain_id = t.chain_id
      and o.company_id = case when t.type = 'fx_settlement_in' then ${treasuryOwner}::uuid else t.company_id end
    where t.company_id = company_id() and t.id = ${send.transferId}`.execute(tx);
  return rows[0] ?? null;
}

/** Bytes that a payment of ours turns out to have on the chain, beside those that were kept, and what they pay. */
export interface FoundBytes extends Fees {
  isEmpty: boolean;
  amountMinor: bigint;
  nonce: number;
  hash: string;
  raw: string;
  gasLimit: bigint;
}

/**
 * Keeps signed bytes that the chain has and we have not: as the attempt that has none yet and pays the same, else as one more.
 * `known` is the newest attempt of the payment under this nonce.
 */
export async function keepFound(tx: Tx, known: EvmSend, found: FoundBytes): Promise<EvmSend> {
  if (known.raw !== null || known.isEmpty !== found.isEmpty) {
    const next = { ...known, ...found, attempt: known.attempt + 1 };
    await insertSend(tx, next);
    return keepBytes(tx, next, found);
  }
  return keepBytes(tx, known, found);
}

async function keepBytes(
  tx: Tx,
  { paymentId, attempt }: Pick<Send, 'paymentId' | 'attempt'>,
  found: FoundBytes,
): Promise<EvmSend> {
  const { rows } = await sql<EvmSend>`
    update chain_send s set hash = ${found.hash}, raw = ${found.raw}, gas_limit = ${found.gasLimit.toString()},
      max_fee_per_gas = ${found.maxFeePerGas.toString()},
      max_priority_fee_per_gas = ${found.maxPriorityFeePerGas.toString()}, first_broadcast_at = now(),
      last_broadcast_at = now()
    where s.company_id = company_id() and s.payment_id = ${paymentId} and s.attempt = ${attempt} and s.raw is null
    returning ${sendColumns}`.execute(tx);
  const kept = rows[0];
  invariant(kept, `attempt ${attempt} of ${paymentId} had no bytes`);
  return kept;
}

/** The highest number of an attempt of this payment, or of any payment with this nonce. */
export async function highestAttempt(
  tx: Tx,
  chainId: string,
  address: string,
  nonce: number,
  paymentId: string,
): Promise<number> {
  const { rows } = await sql<{ highest: number | null }>`
    select max(attempt) as highest from chain_send
    where (chain_id = ${chainId} and from_address = ${address} and nonce = ${nonce})
      or (company_id = company_id() and payment_id = ${paymentId})`.execute(tx);
  return rows[0]?.highest ?? 0;
}

/** What an address of the company may still spend on network fees, in wei, beside its ledger's gas account. */
export async function gasCommitments(
  tx: Tx,
  chainId: string,
  address: string,
): Promise<{ arrivingWei: bigint; reservedWei: bigint }> {
  const { rows } = await sql<{ arrivingWei: bigint; reservedWei: bigint }>`
    select
      -- What is advanced to the treasury for a settlement is not the company's, and what is advanced for a sweep arrives where that is from.
      (select coalesce(sum(s.amount), 0) from chain_send s join transaction t on t.company_id = s.company_id and t.id = s.transfer_id
        join chain_address a on a.company_id = s.company_id and a.chain_id = s.chain_id
        where s.company_id = company_id() and s.chain_id = ${chainId} and s.kind = 'gas' and s.mined_block is not null
        and s.final_at is null and t.type <> 'fx_settlement_in'
        and case t.type when 'chain_sweep' then t.payer_account else a.address end = ${address}) as "arrivingWei",
      (select coalesce(sum(cost), 0) from (
        select max(gas_limit * max_fee_per_gas) as cost from chain_send
        where company_id = company_id() and chain_id = ${chainId} and from_address = ${address} and kind = 'transfer'
          and final_at is null
        group by payment_id) as payments) as "reservedWei"`.execute(tx);
  return rows[0] ?? { arrivingWei: 0n, reservedWei: 0n };
}

/** What lies at further addresses of the company's account `gas` of a chain, in wei: at all of them, and at this one. */
export async function gasApart(
  tx: Tx,
  chainId: string,
  address: string,
): Promise<{ allWei: bigint; ownWei: bigint | null }> {
  const { rows } = await sql<{ allWei: bigint; ownWei: bigint | null }>`
    select coalesce((select sum(greatest(f.gas, 0)) from chain_further_address f
        where f.company_id = company_id() and f.chain_id = ${chainId} and f.gas <> 0), 0) as "allWei",
      (select f.gas from chain_further_address f
        where f.company_id = company_id() and f.chain_id = ${chainId} and f.address = ${address}) as "ownWei"`.execute(
    tx,
  );
  return rows[0] ?? { allWei: 0n, ownWei: null };
}

/** The gas tank's address on a chain; null before the worker has opened it. */
export async function gasTankAddress(tx: PlatformTx, chainId: string, owner: string): Promise<string | null> {
  const { rows } = await sql<{ address: string }>`
    select address from chain_address where chain_id = ${chainId} and company_id = ${owner}::uuid`.execute(tx);
  return rows[0]?.address ?? null;
}
