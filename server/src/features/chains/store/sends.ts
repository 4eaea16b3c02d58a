import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';

/** One attempt of one payment on a chain, of whatever family. Amount in minor units. */
export interface Send {
  companyId: string;
  paymentId: string;
  attempt: number;
  kind: 'transfer' | 'gas';
  transferId: string;
  chainId: string;
  fromAddress: string;
  amountMinor: bigint;
  /** What the chain's family plans to spend and pay, in its own form; null where it has columns of its own. */
  plan: unknown;
  hash: string | null;
  raw: string | null;
  firstBroadcastAt: Date | null;
  minedBlock: number | null;
  minedHash: string | null;
  finalAt: Date | null;
  finals: number;
  /** When another transaction had used what it was to spend, finally: none of its attempts can be mined any more. */
  supersededAt: Date | null;
  /** When operators wanted it replaced by a dearer one before its time. */
  hastenedAt: Date | null;
  /** Pays nothing: an empty transaction in the place of the payment, whose amount is 0 (docs/adr/0078). */
  isEmpty: boolean;
  /** When operators wanted an empty transaction in the place of the payment. */
  emptyWantedAt: Date | null;
}

export const sendColumns = sql`
  s.company_id as "companyId", s.payment_id as "paymentId", s.attempt, s.kind, s.transfer_id as "transferId",
  s.chain_id as "chainId", s.from_address as "fromAddress", s.nonce, s.amount as "amountMinor",
  s.gas_limit as "gasLimit", s.max_fee_per_gas as "maxFeePerGas",
  s.max_priority_fee_per_gas as "maxPriorityFeePerGas", s.plan, s.hash, s.raw, s.first_broadcast_at as "firstBroadcastAt",
  s.mined_block as "minedBlock", s.mined_hash as "minedHash", s.final_at as "finalAt", s.finals,
  s.superseded_at as "supersededAt", s.hastened_at as "hastenedAt",
  s.is_empty as "isEmpty", s.empty_wanted_at as "emptyWantedAt"`;

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

/** What an attempt of an EVM payment has in columns of its own; gas in units, fees in wei per gas. */
export interface EvmPlan {
  nonce: number;
  gasLimit: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

export type NewSend = Pick<
  Send,
  'paymentId' | 'attempt' | 'kind' | 'transferId' | 'chainId' | 'fromAddress' | 'amountMinor'
> & { isEmpty?: boolean } & (EvmPlan | { plan: object });

export async function insertSend(tx: Tx, send: NewSend): Promise<Send> {
  // A row that is attempted again has every column, as null where its family has none.
  const evm = 'nonce' in send && typeof send.nonce === 'number' ? send : null;
  const plan = 'plan' in send ? send.plan : null;
  invariant(evm !== null || plan !== null, 'an attempt has a nonce or a plan');
  const { rows } = await sql<Send>`
    insert into chain_send as s (company_id, payment_id, attempt, kind, transfer_id, chain_id, from_address, amount, nonce,
      gas_limit, max_fee_per_gas, max_priority_fee_per_gas, plan, is_empty, finals)
    values (company_id(), ${send.paymentId}, ${send.attempt}, ${send.kind}, ${send.transferId}, ${send.chainId},
      ${send.fromAddress}, ${send.amountMinor.toString()}, ${evm?.nonce ?? null}::bigint,
      ${evm?.gasLimit.toString() ?? null}::numeric, ${evm?.maxFeePerGas.toString() ?? null}::numeric,
      ${evm?.maxPriorityFeePerGas.toString() ?? null}::numeric, ${evm ? null : JSON.stringify(plan)}::jsonb, ${send.isEmpty ?? false},
      (select coalesce(max(o.finals), 0) from chain_send o
        where o.company_id = company_id() and o.payment_id = ${send.paymentId}))
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

/** Remembers that the bytes were offered to the nodes; `taken` when one has them. */
export async function markBroadcast(tx: Tx, send: Send, taken: boolean): Promise<void> {
  await sql`
    update chain_send set last_broadcast_at = now(),
      first_broadcast_at = case when ${taken} then coalesce(first_broadcast_at, now()) else first_broadcast_at end
    where company_id = company_id() and payment_id = ${send.paymentId} and attempt = ${send.attempt}`.execute(tx);
}

/** Remembers that the transaction of several payments was offered to the nodes, of each of them, which are locked in their order. */
export async function markOffered(tx: Tx, send: Pick<Send, 'chainId' | 'hash'>): Promise<void> {
  await sql`
    with offered as (
      select company_id, payment_id, attempt from chain_send
      where company_id = company_id() and chain_id = ${send.chainId} and hash = ${send.hash} order by payment_id for update)
    update chain_send s set last_broadcast_at = now() from offered o
    where s.company_id = o.company_id and s.payment_id = o.payment_id and s.attempt = o.attempt`.execute(tx);
}

export async function markMined(tx: Tx, send: Send, block: { height: number; hash: string } | null): Promise<void> {
  // What has left its block is offered to the nodes again at once.
  await sql`
    update chain_send set mined_block = ${block?.height ?? null}, mined_hash = ${block?.hash ?? null},
      last_broadcast_at = case when ${block === null} then null else last_broadcast_at end
    where company_id = company_id() and payment_id = ${send.paymentId} and attempt = ${send.attempt}`.execute(tx);
}

/**
 * Closes all attempts of a payment, since what they were to spend is spent for good; only the mined one has a cost. `finals`
 * counts for the payment: another of its attempts may be the one that is final after a deep reorganisation.
 */
export async function markFinal(tx: Tx, send: Send, gasCostWei: bigint): Promise<void> {
  await sql`
    update chain_send set final_at = now(),
      gas_cost = case when attempt = ${send.attempt} then ${gasCostWei.toString()}::numeric end,
      finals = finals + 1
    where company_id = company_id() and payment_id = ${send.paymentId}`.execute(tx);
}

/**
 * Closes all attempts of a payment when another transaction has spent what it was to spend: nothing of it can be mined.
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

/** Writes down whose decision it was to give back a superseded transfer. */
export async function markReleaseDecided(
  tx: Tx,
  transferId: string,
  { reason, by }: { reason: string; by: string },
): Promise<void> {
  await sql`
    update chain_send set release_reason = ${reason}, release_by = ${by}
    where company_id = company_id() and transfer_id = ${transferId} and kind = 'transfer'`.execute(tx);
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

/** The payments among these transaction hashes. */
export async function sendsByHash(tx: PlatformTx, chainId: string, hashes: readonly string[]): Promise<Send[]> {
  const { rows } = await sql<Send>`
    select ${sendColumns} from chain_send s
    where s.chain_id = ${chainId} and s.hash = any (${[...hashes]}::text[])`.execute(tx);
  return rows;
}

/** Attempts that a block above the fork had, final or not, and that none of these blocks has. */
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
    order by s.mined_block, s.kind, s.nonce, s.created_at`.execute(tx);
  return rows;
}

/**
 * In no block: not signed, or not offered to the nodes since `before`; in the order in which their sender makes them. Of a payment that an
 * empty transaction is to replace, this alone.
 */
export async function waitingSends(tx: PlatformTx, chainId: string, before: Date): Promise<Send[]> {
  const { rows } = await sql<Send>`
    select ${sendColumns} from chain_send s
    where s.chain_id = ${chainId} and s.final_at is null and s.mined_block is null and s.created_at < ${before}
      and (s.last_broadcast_at is null or s.last_broadcast_at < ${before})
      and not exists (select from chain_send o where o.company_id = s.company_id and o.payment_id = s.payment_id
        and (o.mined_block is not null or o.is_empty and not s.is_empty))
    order by s.from_address, s.nonce, s.created_at, s.attempt limit 500`.execute(tx);
  return rows;
}

/**
 * The newest attempts of the payments that have waited for a block since before an instant. Of payments that wait for one
 * another (the same sender's, by nonce) it is the first. One that operators want hastened waits no longer; one in whose place they want an
 * empty transaction gets that instead.
 */
export async function stuckSends(tx: PlatformTx, chainId: string, before: Date): Promise<Send[]> {
  const { rows } = await sql<Send>`
    select distinct on (s.from_address, queue) ${sendColumns}, case when s.nonce is null then s.payment_id end as queue
    from chain_send s
    where s.chain_id = ${chainId} and s.final_at is null
      and not exists (select from chain_send o where o.company_id = s.company_id and o.payment_id = s.payment_id
        and o.mined_block is not null)
    order by s.from_address, queue, s.nonce, s.attempt desc`.execute(tx);
  return rows.filter(
    ({ firstBroadcastAt, hastenedAt, isEmpty, emptyWantedAt }) =>
      (isEmpty || emptyWantedAt === null) &&
      (hastenedAt !== null || (firstBroadcastAt !== null && firstBroadcastAt < before)),
  );
}

/** The newest attempts of payments in whose place operators want an empty transaction, and that have none. */
export async function sendsToEmpty(tx: PlatformTx, chainId: string): Promise<Send[]> {
  const { rows } = await sql<Send>`
    select distinct on (s.payment_id) ${sendColumns} from chain_send s
    where s.chain_id = ${chainId} and s.final_at is null and s.payment_id in (
        select w.payment_id from chain_send w
        where w.chain_id = ${chainId} and w.empty_wanted_at is not null and w.final_at is null)
      and not exists (select from chain_send o where o.company_id = s.company_id and o.payment_id = s.payment_id
        and (o.mined_block is not null or o.is_empty))
    order by s.payment_id, s.attempt desc`.execute(tx);
  return rows;
}

/** Has an empty transaction made in a payment's place, in the next round. */
export async function setEmptyWanted(tx: Tx, paymentId: string): Promise<void> {
  await sql`
    update chain_send set empty_wanted_at = now()
    where company_id = company_id() and payment_id = ${paymentId} and empty_wanted_at is null`.execute(tx);
}

/** Has an attempt replaced in the next round, or (`false`) notes that it was. */
export async function setHastened(
  tx: Tx,
  { paymentId, attempt }: Pick<Send, 'paymentId' | 'attempt'>,
  isWanted: boolean,
): Promise<void> {
  await sql`
    update chain_send set hastened_at = case when ${isWanted} then now() end
    where company_id = company_id() and payment_id = ${paymentId} and attempt = ${attempt}`.execute(tx);
}

/** A payment that no attempt was made of; `stageAt` is the database's own, to the microsecond. */
export interface UnsentPayment {
  companyId: string;
  id: string;
  stageAt: string;
}

/** Payments that have been before or in signing since before an instant, oldest first: a page of 200 of them. */
export async function unsentPayments(
  tx: PlatformTx,
  chainId: string,
  before: Date,
  after: UnsentPayment | null,
): Promise<UnsentPayment[]> {
  const { rows } = await sql<UnsentPayment>`
    select company_id as "companyId", id, stage_at::text as "stageAt"
    from payments_unsent(${chainId}, ${before}, ${after?.stageAt ?? null}, ${after?.id ?? null}, 200)`.execute(tx);
  return rows;
}

async function countUnsent(tx: PlatformTx, chainId: string, before: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from payments_unsent(${chainId}, ${before}, null, null, 100000)`.execute(tx);
  return rows[0]?.count ?? 0;
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
  const unsent = await countUnsent(tx, chainId, before);
  return new Map([...rows.map(({ reason, count }) => [reason, count] as const), ['unsent', unsent]]);
}

export const stuckReasons = ['block', 'nodes', 'signer', 'held', 'superseded', 'unsent'] as const;
export type StuckReason = (typeof stuckReasons)[number];
