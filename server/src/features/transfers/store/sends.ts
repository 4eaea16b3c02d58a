import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { Fees } from '../../chains/index.ts';

/** One attempt of one payment on the chain. Amount in minor units; gas in units, fees in wei. */
export interface Send {
  companyId: string;
  paymentId: string;
  attempt: number;
  kind: 'transfer' | 'gas';
  transferId: string;
  chainId: string;
  fromAddress: string;
  nonce: number;
  amountMinor: bigint;
  gasLimit: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  hash: string | null;
  raw: string | null;
  firstBroadcastAt: Date | null;
  minedBlock: number | null;
  minedHash: string | null;
  finalAt: Date | null;
  finals: number;
  /** When another transaction had used its nonce, finally: none of its attempts can be mined any more. */
  supersededAt: Date | null;
}

export const sendColumns = sql`
  s.company_id as "companyId", s.payment_id as "paymentId", s.attempt, s.kind, s.transfer_id as "transferId",
  s.chain_id as "chainId", s.from_address as "fromAddress", s.nonce, s.amount as "amountMinor",
  s.gas_limit as "gasLimit", s.max_fee_per_gas as "maxFeePerGas",
  s.max_priority_fee_per_gas as "maxPriorityFeePerGas", s.hash, s.raw, s.first_broadcast_at as "firstBroadcastAt",
  s.mined_block as "minedBlock", s.mined_hash as "minedHash", s.final_at as "finalAt", s.finals,
  s.superseded_at as "supersededAt"`;

/** What is asked of the signer next for this transfer: the newest attempt of each of its payments, the newest first. */
export async function latestSends(tx: Tx, transferId: string, kind: Send['kind']): Promise<Send[]> {
  const { rows } = await sql<Send>`
    select distinct on (s.payment_id) ${sendColumns} from chain_send s
    where s.company_id = company_id() and s.transfer_id = ${transferId} and s.kind = ${kind}
    order by s.payment_id desc, s.attempt desc`.execute(tx);
  return rows;
}

/** Reads one attempt and locks it until the transaction's end. */
export async function lockSend(tx: Tx, paymentId: string, attempt: number): Promise<Send | null> {
  const { rows } = await sql<Send>`
    select ${sendColumns} from chain_send s
    where s.company_id = company_id() and s.payment_id = ${paymentId} and s.attempt = ${attempt} for update`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/**
 * The payment of this address that has its nonce and was never signed; the next nonce waits for it. One whose hash is known
 * was signed, even where its bytes were lost with a restored database.
 */
export async function unsignedSend(tx: Tx, chainId: string, address: string): Promise<Send | null> {
  const { rows } = await sql<Send>`
    select ${sendColumns} from chain_send s where s.chain_id = ${chainId} and s.from_address = ${address} and s.hash is null
      and s.attempt = 1 and s.final_at is null limit 1`.execute(tx);
  return rows[0] ?? null;
}

export type NewSend = Pick<
  Send,
  'paymentId' | 'attempt' | 'kind' | 'transferId' | 'chainId' | 'fromAddress' | 'nonce' | 'amountMinor' | 'gasLimit'
> &
  Fees;

export async function insertSend(tx: Tx, send: NewSend): Promise<Send> {
  const { rows } = await sql<Send>`
    insert into chain_send as s (company_id, payment_id, attempt, kind, transfer_id, chain_id, from_address, nonce, amount,
      gas_limit, max_fee_per_gas, max_priority_fee_per_gas)
    values (company_id(), ${send.paymentId}, ${send.attempt}, ${send.kind}, ${send.transferId}, ${send.chainId},
      ${send.fromAddress}, ${send.nonce}, ${send.amountMinor.toString()}, ${send.gasLimit.toString()},
      ${send.maxFeePerGas.toString()}, ${send.maxPriorityFeePerGas.toString()})
    returning ${sendColumns}`.execute(tx);
  const made = rows[0];
  invariant(made, 'an insert answers its row');
  return made;
}

/** Takes an attempt back that the signer has refused, before anything of it existed. */
export async function deleteUnsigned(tx: Tx, paymentId: string, attempt: number): Promise<boolean> {
  const { rows } = await sql`
    delete from chain_send where company_id = company_id() and payment_id = ${paymentId} and attempt = ${attempt}
      and hash is null returning 1`.execute(tx);
  return rows.length === 1;
}

/** Keeps the signed bytes, the first ones for ever; answers the row as it is now. */
export async function keepSigned(tx: Tx, send: Send, signed: { hash: string; raw: string }): Promise<Send | null> {
  await sql`
    update chain_send set hash = ${signed.hash}, raw = ${signed.raw}
    where company_id = company_id() and payment_id = ${send.paymentId} and attempt = ${send.attempt}
      and raw is null`.execute(tx);
  return lockSend(tx, send.paymentId, send.attempt);
}

/** The newest attempts of the payments that have a nonce of an address, of whichever companies. */
export async function sendsAt(tx: PlatformTx, chainId: string, address: string, nonce: number): Promise<Send[]> {
  const { rows } = await sql<Send>`
    select distinct on (s.payment_id) ${sendColumns} from chain_send s
    where s.chain_id = ${chainId} and s.from_address = ${address} and s.nonce = ${nonce}
    order by s.payment_id, s.attempt desc`.execute(tx);
  return rows;
}

/** What a payment of the current company is to pay, as its record says it. */
export interface Plan {
  payee: string | null;
  coin: string;
}

export async function planOf(tx: Tx, send: Send): Promise<Plan | null> {
  const { rows } = await sql<Plan>`
    select case when ${send.kind} = 'gas' then c.native_coin else t.coin end as coin,
      case when ${send.kind} = 'gas' then o.address else t.payee_account end as payee
    from transaction t
    join chain c on c.id = t.chain_id
    left join chain_address o on o.company_id = t.company_id and o.chain_id = t.chain_id
    where t.company_id = company_id() and t.id = ${send.transferId}`.execute(tx);
  return rows[0] ?? null;
}

/** Bytes that a payment of ours turns out to have on the chain, beside those that were kept. */
export interface FoundBytes extends Fees {
  nonce: number;
  hash: string;
  raw: string;
  gasLimit: bigint;
}

/**
 * Keeps signed bytes that the chain has and we have not: as the attempt that has none yet, else as one more.
 * `known` is the newest attempt of the payment under this nonce.
 */
export async function keepFound(tx: Tx, known: Send, found: FoundBytes): Promise<Send> {
  if (known.raw !== null) {
    const next = { ...known, ...found, attempt: known.attempt + 1 };
    await insertSend(tx, next);
    return keepBytes(tx, next, found);
  }
  return keepBytes(tx, known, found);
}

async function keepBytes(tx: Tx, { paymentId, attempt }: NewSend, found: FoundBytes): Promise<Send> {
  const { rows } = await sql<Send>`
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

/** Remembers that the bytes were offered to the nodes; `taken` when one has them. */
export async function markBroadcast(tx: Tx, send: Send, taken: boolean): Promise<void> {
  await sql`
    update chain_send set last_broadcast_at = now(),
      first_broadcast_at = case when ${taken} then coalesce(first_broadcast_at, now()) else first_broadcast_at end
    where company_id = company_id() and payment_id = ${send.paymentId} and attempt = ${send.attempt}`.execute(tx);
}

export async function markMined(tx: Tx, send: Send, block: { height: number; hash: string } | null): Promise<void> {
  // What has left its block is offered to the nodes again at once.
  await sql`
    update chain_send set mined_block = ${block?.height ?? null}, mined_hash = ${block?.hash ?? null},
      last_broadcast_at = case when ${block === null} then null else last_broadcast_at end
    where company_id = company_id() and payment_id = ${send.paymentId} and attempt = ${send.attempt}`.execute(tx);
}

/** Closes all attempts of a payment, since their nonce is used for good; only the mined one has a cost. */
export async function markFinal(tx: Tx, send: Send, gasCostWei: bigint): Promise<void> {
  await sql`
    update chain_send set final_at = now(),
      gas_cost = case when attempt = ${send.attempt} then ${gasCostWei.toString()}::numeric end,
      finals = finals + case when attempt = ${send.attempt} then 1 else 0 end
    where company_id = company_id() and payment_id = ${send.paymentId}`.execute(tx);
}

/**
 * Closes all attempts of a payment whose nonce another transaction used: nothing of it can be mined.
 * @returns false when it was closed already, or an attempt is in a block
 */
export async function markSuperseded(tx: Tx, paymentId: string): Promise<boolean> {
  const { rows } = await sql`
    update chain_send s set final_at = now(), superseded_at = now()
    where s.company_id = company_id() and s.payment_id = ${paymentId} and s.final_at is null
      and not exists (select from chain_send o where o.company_id = s.company_id and o.payment_id = s.payment_id
        and o.mined_block is not null)
    returning 1`.execute(tx);
  return rows.length > 0;
}

/** Every attempt of a payment, the newest first. */
export async function attemptsOf(tx: Tx, paymentId: string): Promise<Send[]> {
  const { rows } = await sql<Send>`
    select ${sendColumns} from chain_send s where s.company_id = company_id() and s.payment_id = ${paymentId}
    order by s.attempt desc`.execute(tx);
  return rows;
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

/** Whether the watcher has read this block, or a chain so far above it that it has forgotten which. */
export async function isReadBlock(
  tx: PlatformTx,
  chainId: string,
  block: { height: number; hash: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from chain_cursor c where c.chain_id = ${chainId} and c.height >= ${block.height}
      and (exists (select from chain_block b
          where b.chain_id = c.chain_id and b.height = ${block.height} and b.hash = ${block.hash})
        or ${block.height} < (select min(height) from chain_block where chain_id = ${chainId}))`.execute(tx);
  return rows.length > 0;
}

/** Superseded transfers whose hold the operator has decided to give back. */
export async function releasable(
  tx: PlatformTx,
  chainId: string,
): Promise<{ companyId: string; transferId: string }[]> {
  const { rows } = await sql<{ companyId: string; transferId: string }>`
    select distinct company_id as "companyId", transfer_id as "transferId" from chain_send
    where chain_id = ${chainId} and kind = 'transfer' and superseded_at is not null
      and release_reason is not null and released_at is null`.execute(tx);
  return rows;
}

export async function markReleaseDone(tx: Tx, transferId: string): Promise<void> {
  await sql`
    update chain_send set released_at = now()
    where company_id = company_id() and transfer_id = ${transferId} and kind = 'transfer'
      and release_reason is not null`.execute(tx);
}

/** Open payments of held addresses, which are neither signed nor offered to the nodes meanwhile. */
export async function heldSends(tx: PlatformTx, chainId: string): Promise<Send[]> {
  const { rows } = await sql<Send>`
    select distinct on (s.payment_id) ${sendColumns} from chain_send s
    join sender_hold h on h.chain_id = s.chain_id and h.address = s.from_address
    where s.chain_id = ${chainId} and s.final_at is null and s.mined_block is null
    order by s.payment_id, s.attempt desc`.execute(tx);
  return rows;
}

/** Opens a payment again whose block a reorganisation deeper than the chain's depth has taken away. */
export async function reopenPayment(tx: Tx, paymentId: string): Promise<void> {
  await sql`
    update chain_send set final_at = null, gas_cost = null, last_broadcast_at = null, superseded_at = null,
      release_reason = null, release_by = null, released_at = null
    where company_id = company_id() and payment_id = ${paymentId}`.execute(tx);
}

/** What an address of the company may still spend on network fees, in wei, beside its ledger's gas account. */
export async function gasCommitments(
  tx: Tx,
  chainId: string,
  address: string,
): Promise<{ arrivingWei: bigint; reservedWei: bigint }> {
  const { rows } = await sql<{ arrivingWei: bigint; reservedWei: bigint }>`
    select
      (select coalesce(sum(amount), 0) from chain_send where company_id = company_id() and chain_id = ${chainId}
        and kind = 'gas' and mined_block is not null and final_at is null) as "arrivingWei",
      (select coalesce(sum(cost), 0) from (
        select max(gas_limit * max_fee_per_gas) as cost from chain_send
        where company_id = company_id() and chain_id = ${chainId} and from_address = ${address} and kind = 'transfer'
          and final_at is null
        group by payment_id) as payments) as "reservedWei"`.execute(tx);
  return rows[0] ?? { arrivingWei: 0n, reservedWei: 0n };
}

/** The payments among these transaction hashes. */
export async function sendsByHash(tx: PlatformTx, chainId: string, hashes: readonly string[]): Promise<Send[]> {
  const { rows } = await sql<Send>`
    select ${sendColumns} from chain_send s
    where s.chain_id = ${chainId} and s.hash = any (${[...hashes]}::text[])`.execute(tx);
  return rows;
}

/** What stood in a block above the fork, final or not, and stands in none of these. */
export async function sendsElsewhere(
  tx: PlatformTx,
  chainId: string,
  aboveHeight: number,
  blockHashes: readonly string[],
): Promise<Send[]> {
  const { rows } = await sql<Send>`
    select ${sendColumns} from chain_send s
    where s.chain_id = ${chainId} and s.mined_block > ${aboveHeight}
      and not (s.mined_hash = any (${[...blockHashes]}::text[]))`.execute(tx);
  return rows;
}

/**
 * In a block of the chain and not yet final, in the order in which they must be posted: advances before what they paid. A
 * block below all that the watcher remembers counts too: its payments are judged by their receipts.
 */
export async function minedSends(tx: PlatformTx, chainId: string): Promise<Send[]> {
  const { rows } = await sql<Send>`
    select ${sendColumns} from chain_send s
    left join chain_block b on b.chain_id = s.chain_id and b.height = s.mined_block and b.hash = s.mined_hash
    where s.chain_id = ${chainId} and s.final_at is null and s.mined_block is not null
      and (b.hash is not null or s.mined_block < (select min(height) from chain_block where chain_id = ${chainId}))
    order by s.mined_block, s.kind, s.nonce`.execute(tx);
  return rows;
}

/** In no block: not signed, or not offered to the nodes since `before`; in the order of their nonces. */
export async function waitingSends(tx: PlatformTx, chainId: string, before: Date): Promise<Send[]> {
  const { rows } = await sql<Send>`
    select ${sendColumns} from chain_send s
    where s.chain_id = ${chainId} and s.final_at is null and s.mined_block is null and s.created_at < ${before}
      and (s.last_broadcast_at is null or s.last_broadcast_at < ${before})
      and not exists (select from chain_send o where o.company_id = s.company_id and o.payment_id = s.payment_id
        and o.mined_block is not null)
    order by s.from_address, s.nonce, s.attempt limit 500`.execute(tx);
  return rows;
}

/** The newest attempts of the payments that hold up their senders' queues since before an instant. */
export async function stuckSends(tx: PlatformTx, chainId: string, before: Date): Promise<Send[]> {
  const { rows } = await sql<Send>`
    select distinct on (s.from_address) ${sendColumns} from chain_send s
    where s.chain_id = ${chainId} and s.final_at is null
      and not exists (select from chain_send o where o.company_id = s.company_id and o.payment_id = s.payment_id
        and o.mined_block is not null)
    order by s.from_address, s.nonce, s.attempt desc`.execute(tx);
  return rows.filter((send) => send.firstBroadcastAt !== null && send.firstBroadcastAt < before);
}

/** Transfers that stand before or in signing since before an instant. */
export async function unsentTransfers(
  tx: PlatformTx,
  chainId: string,
  before: Date,
): Promise<{ companyId: string; id: string }[]> {
  const { rows } = await sql<{ companyId: string; id: string }>`
    select company_id as "companyId", id from transfers_unsent(${chainId}, ${before})`.execute(tx);
  return rows;
}

/** The gas tank's address on a chain; null before the worker has opened it. */
export async function gasTankAddress(tx: PlatformTx, chainId: string, owner: string): Promise<string | null> {
  const { rows } = await sql<{ address: string }>`
    select address from chain_address where chain_id = ${chainId} and company_id = ${owner}::uuid`.execute(tx);
  return rows[0]?.address ?? null;
}

/** How many payments have waited since before an instant, by what they wait for. */
export async function countStuck(tx: PlatformTx, chainId: string, before: Date): Promise<Map<StuckReason, number>> {
  const { rows } = await sql<{ reason: StuckReason; count: number }>`
    select case when s.superseded_at is not null then 'superseded'
        when h.address is not null then 'held'
        when s.raw is null then 'signer'
        when s.first_broadcast_at is null then 'nodes'
        else 'block' end as reason,
      count(distinct s.payment_id) as count
    from chain_send s
    left join sender_hold h on h.chain_id = s.chain_id and h.address = s.from_address
    where s.chain_id = ${chainId} and s.mined_block is null and s.created_at < ${before}
      and (s.final_at is null or (s.superseded_at is not null and s.kind = 'transfer' and s.released_at is null))
      and not exists (select from chain_send o where o.company_id = s.company_id and o.payment_id = s.payment_id
        and o.mined_block is not null)
    group by 1`.execute(tx);
  const unsent = await unsentTransfers(tx, chainId, before);
  return new Map([...rows.map(({ reason, count }) => [reason, count] as const), ['unsent', unsent.length]]);
}

export const stuckReasons = ['block', 'nodes', 'signer', 'held', 'superseded', 'unsent'] as const;
export type StuckReason = (typeof stuckReasons)[number];
