import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../../platform/database/database.ts';
import { type Outpoint, treasuryOwner } from '../../../chains/index.ts';

/** The outputs that pay addresses of ours (`bitcoin_output`), as the chain and the mempools have them. Amounts in satoshis. */

/** An output that a payment may spend. */
export interface SpendableOutput extends Outpoint {
  address: string;
  /** Place of the address among its company's; null of the treasury's. */
  ordinal: number | null;
  amountMinor: bigint;
  /** Whether a block has it at the chain's depth; otherwise it is change of a payment of the company's own. */
  isFinal: boolean;
}

/** What a transaction brings to an address of ours. */
export interface NewOutput extends Outpoint {
  companyId: string;
  address: string;
  amountMinor: bigint;
  isChange: boolean;
  /** Blocks after which the network lets it be spent; null: at the chain's depth. */
  leastDepth: number | null;
  /** What the transaction spends, `outpointKey`, as far as it is named; null where that is not known. */
  needs: readonly string[] | null;
}

/** What a transaction spends of ours. */
export interface Spending extends Outpoint {
  companyId: string;
  spentBy: string;
}

export interface OutputsOfBlock {
  block: { height: number; hash: string };
  created: readonly NewOutput[];
  spent: readonly Spending[];
}

/** What blocks above a height had is in none, until the present blocks are written. */
export async function leaveBlocks(tx: PlatformTx, chainId: string, above: number): Promise<void> {
  await sql`
    update bitcoin_output set block_number = null, block_hash = null
    where chain_id = ${chainId} and block_number > ${above}`.execute(tx);
  await sql`
    update bitcoin_output set spent_block = null where chain_id = ${chainId} and spent_block > ${above}`.execute(tx);
}

/** Writes what blocks brought and spent, in their order: one block may spend what another brought. */
export async function writeBlocks(tx: PlatformTx, chainId: string, blocks: readonly OutputsOfBlock[]): Promise<void> {
  const created = blocks.flatMap(({ block, created: outputs }) => outputs.map((output) => ({ ...output, block })));
  if (created.length > 0) await insertOutputs(tx, chainId, created);
  const spent = blocks.flatMap(({ block, spent: spendings }) =>
    spendings.map((spending) => ({ ...spending, height: block.height })),
  );
  if (spent.length > 0) await markSpent(tx, chainId, spent);
}

/** Writes what waiting transactions bring and spend; a block that has them already says more. */
export async function writeWaiting(
  tx: PlatformTx,
  chainId: string,
  created: readonly NewOutput[],
  spent: readonly Spending[],
): Promise<void> {
  const waiting = created.map((output) => ({ ...output, block: null }));
  if (waiting.length > 0) await insertOutputs(tx, chainId, waiting);
  const spendings = spent.map((spending) => ({ ...spending, height: null }));
  if (spendings.length > 0) await markSpent(tx, chainId, spendings);
}

async function insertOutputs(
  tx: PlatformTx,
  chainId: string,
  outputs: readonly (NewOutput & { block: { height: number; hash: string } | null })[],
): Promise<void> {
  const column = <T>(of: (output: (typeof outputs)[number]) => T) => outputs.map(of);
  await sql`
    insert into bitcoin_output as o (company_id, chain_id, hash, index, address, amount, is_change, least_depth, block_number, block_hash, needs)
    select f.company_id, ${chainId}, f.hash, f.index, f.address, f.amount, f.is_change, f.least_depth, f.height, f.block_hash,
      string_to_array(f.needs, ' ')
    from unnest(${column(({ companyId }) => companyId)}::uuid[], ${column(({ hash }) => hash)}::text[],
      ${column(({ index }) => index)}::integer[], ${column(({ address }) => address)}::text[],
      ${column(({ amountMinor }) => amountMinor.toString())}::bigint[], ${column(({ isChange }) => isChange)}::boolean[],
      ${column(({ leastDepth }) => leastDepth)}::integer[],
      ${column(({ block }) => block?.height ?? null)}::bigint[], ${column(({ block }) => block?.hash ?? null)}::text[],
      ${column(({ needs }) => needs?.join(' ') ?? null)}::text[])
      as f (company_id, hash, index, address, amount, is_change, least_depth, height, block_hash, needs)
    on conflict (company_id, chain_id, hash, index) do update
      set block_number = excluded.block_number, block_hash = excluded.block_hash
      where excluded.block_number is not null and o.block_hash is distinct from excluded.block_hash`.execute(tx);
}

async function markSpent(
  tx: PlatformTx,
  chainId: string,
  spent: readonly (Spending & { height: number | null })[],
): Promise<void> {
  const column = <T>(of: (spending: (typeof spent)[number]) => T) => spent.map(of);
  await sql`
    update bitcoin_output o set spent_by = f.spent_by, spent_block = f.height
    from unnest(${column(({ companyId }) => companyId)}::uuid[], ${column(({ hash }) => hash)}::text[],
      ${column(({ index }) => index)}::integer[], ${column(({ spentBy }) => spentBy)}::text[],
      ${column(({ height }) => height)}::bigint[]) as f (company_id, hash, index, spent_by, height)
    where o.company_id = f.company_id and o.chain_id = ${chainId} and o.hash = f.hash and o.index = f.index
      and (f.height is not null or o.spent_block is null)
      and (o.spent_by, o.spent_block) is distinct from (f.spent_by, f.height)`.execute(tx);
}

/** An output, or a spending, that no block has: the mempools decide whether it stays. */
export interface UnsettledOutput extends Outpoint {
  companyId: string;
  /** No block has the output itself. */
  isWaiting: boolean;
  /** Spends it, in no block. */
  spentBy: string | null;
}

export async function unsettledOutputs(tx: PlatformTx, chainId: string): Promise<UnsettledOutput[]> {
  const { rows } = await sql<UnsettledOutput>`
    select company_id as "companyId", hash, index, block_number is null as "isWaiting",
      case when spent_block is null then spent_by end as "spentBy"
    from bitcoin_output
    where chain_id = ${chainId} and (block_number is null or (spent_by is not null and spent_block is null))`.execute(
    tx,
  );
  return rows;
}

/** Forgets outputs of transactions that no node has any more, and spendings by such transactions, unless a block has them by now. */
export async function forgetGone(tx: PlatformTx, chainId: string, gone: readonly string[]): Promise<void> {
  // What a payment was to spend is kept with what it came from, which says whether it can come back.
  await sql`
    with gone as (
      delete from bitcoin_output where chain_id = ${chainId} and block_number is null and hash = any (${[...gone]}::text[])
      returning company_id, payment_id, chain_id, hash, index, needs)
    insert into bitcoin_lost_coin (company_id, payment_id, chain_id, hash, index, needs, lost_block)
    select gone.company_id, gone.payment_id, gone.chain_id, gone.hash, gone.index, gone.needs, k.height
    from gone join chain_cursor k on k.chain_id = gone.chain_id where gone.payment_id is not null
    on conflict do nothing`.execute(tx);
  await sql`
    update bitcoin_output set spent_by = null
    where chain_id = ${chainId} and spent_block is null and spent_by = any (${[...gone]}::text[])`.execute(tx);
}

/** So many of the greatest coins are looked at, more than one transaction can spend; and so many of the smallest, to be joined while fees are low. */
const [greatest, smallest] = [2000, 100];

/**
 * What an owner can spend on a chain, the greatest first: final outputs, and change of its own payments; nothing that a payment
 * has been given.
 */
export async function spendableOutputs(tx: PlatformTx, ownerId: string, chainId: string): Promise<SpendableOutput[]> {
  const spendable = sql`
    select o.hash, o.index, o.address, o.amount, coalesce(o.block_number <= tip.final, false) as is_final
    from bitcoin_output o
    cross join (select k.height, k.height - c.confirmations as final from chain_cursor k join chain c on c.id = k.chain_id
      where k.chain_id = ${chainId}) tip
    where o.company_id = ${ownerId}::uuid and o.chain_id = ${chainId} and o.spent_by is null and o.payment_id is null
      -- What comes back from the acceleration of a deposit is worth nothing without the deposit until it is final.
      and (o.least_depth is null or o.block_number <= tip.height - o.least_depth)
      and (o.block_number <= tip.final or (o.is_change and not exists (select from bitcoin_acceleration x
        join bitcoin_output d on d.company_id = x.company_id and d.chain_id = x.chain_id and d.hash = x.hash and d.index = x.index
        where x.company_id = o.company_id and x.chain_id = o.chain_id and d.spent_by = o.hash)))`;
  const { rows } = await sql<Omit<SpendableOutput, 'amountMinor'> & { amountMinor: string }>`
    select hash, index, coin.address, own.ordinal::integer as ordinal, amount::text as "amountMinor", is_final as "isFinal" from (
      (${spendable} order by o.amount desc, o.hash, o.index limit ${greatest})
      union (${spendable} order by o.amount, o.hash, o.index limit ${smallest})) as coin
    left join chain_own_address own on own.company_id = ${ownerId}::uuid and own.chain_id = ${chainId} and own.address = coin.address
    order by amount desc, hash, index`.execute(tx);
  const isPlatform = ownerId === treasuryOwner;
  return rows.map((row) => ({
    ...row,
    ordinal: isPlatform ? null : row.ordinal,
    amountMinor: BigInt(row.amountMinor),
  }));
}

/** Gives outputs to a payment. @returns false, having changed nothing, unless each was there to be spent */
export async function reserveOutputs(
  tx: PlatformTx,
  { ownerId, chainId, paymentId }: { ownerId: string; chainId: string; paymentId: string },
  outpoints: readonly Outpoint[],
): Promise<boolean> {
  const { rows } = await sql`
    select from bitcoin_output o
    where company_id = ${ownerId}::uuid and chain_id = ${chainId} and ${isOneOf(outpoints)}
      and spent_by is null and (payment_id is null or payment_id = ${paymentId}) for update`.execute(tx);
  if (rows.length !== outpoints.length) return false;
  await giveOutputs(tx, { ownerId, chainId, paymentId }, outpoints);
  return true;
}

/** Writes which payment spends outputs, whatever was written before: the signer's journal says so. */
export async function giveOutputs(
  tx: PlatformTx,
  { ownerId, chainId, paymentId }: { ownerId: string; chainId: string; paymentId: string },
  outpoints: readonly Outpoint[],
): Promise<void> {
  await sql`
    update bitcoin_output o set payment_id = ${paymentId}
    where company_id = ${ownerId}::uuid and chain_id = ${chainId} and ${isOneOf(outpoints)}`.execute(tx);
}

/** Gives back what a payment was to spend: these outputs, or all. */
export async function releaseOutputs(
  tx: PlatformTx,
  paymentId: string,
  outpoints?: readonly Outpoint[],
): Promise<void> {
  await sql`
    update bitcoin_output o set payment_id = null where payment_id = ${paymentId} and spent_by is null
      and ${outpoints === undefined ? sql`true` : isOneOf(outpoints)}`.execute(tx);
}

function isOneOf(outpoints: readonly Outpoint[]) {
  return sql`(o.hash, o.index) in (select * from unnest(${outpoints.map(({ hash }) => hash)}::text[],
    ${outpoints.map(({ index }) => index)}::integer[]))`;
}

/**
 * Operators gave back what the signer's entry pays, all of it where that is several payments, and nothing of it could be mined (docs/adr/0093): the
 * signer lets another use what it was to spend.
 */
const isGivenUp = sql`not exists (
  select from (select j.payment_id as id union all
    select (x ->> 'transferId')::uuid from jsonb_array_elements(j.plan -> 'joined') x) made
  where not exists (select from chain_send g where g.company_id = j.company_id and g.payment_id = made.id
    and g.released_at is not null and not g.plan ? 'parent'))`;

/**
 * The payments for which the signer has signed with one of these outputs, of which nothing is final, and which operators have not given up: what
 * the others leave is free.
 */
export async function findJournaledUse(
  tx: PlatformTx,
  chainId: string,
  outpoints: readonly Outpoint[],
): Promise<{ outpoint: Outpoint; paymentId: string }[]> {
  const { rows } = await sql<Outpoint & { paymentId: string }>`
    select q.hash, q.index, j.payment_id as "paymentId"
    from unnest(${outpoints.map(({ hash }) => hash)}::text[], ${outpoints.map(({ index }) => index)}::integer[])
      as q (hash, index)
    cross join lateral (
      select payment_id from signer_journal j
      where j.chain_id = ${chainId} and j.plan is not null
        and not exists (select from chain_send f
          where f.company_id = j.company_id and f.final_at is not null and f.superseded_at is null
            and (f.payment_id = j.payment_id or f.payment_id in (
              select (x ->> 'transferId')::uuid from jsonb_array_elements(j.plan -> 'joined') x)))
        and not ${isGivenUp}
        and j.plan -> 'inputs' @> jsonb_build_array(jsonb_build_object('hash', q.hash, 'index', q.index)) limit 1) j`.execute(
    tx,
  );
  return rows.map(({ hash, index, paymentId }) => ({ outpoint: { hash, index }, paymentId }));
}

/** Whether another payment is to spend what this transaction pays back to the company. */
export async function isChangeUsed(tx: PlatformTx, ownerId: string, chainId: string, hash: string): Promise<boolean> {
  const { rows } = await sql`
    select from bitcoin_output
    where company_id = ${ownerId}::uuid and chain_id = ${chainId} and hash = ${hash}
      and (payment_id is not null or spent_by is not null) limit 1`.execute(tx);
  return rows.length > 0;
}

/**
 * The company's address for the change of its next payment: its first that nothing has reached, and that no open payment returns to; the newest
 * where each is taken. Null until some are open.
 */
export async function findChangeAddress(tx: Tx, chainId: string): Promise<{ address: string; ordinal: number } | null> {
  const { rows } = await sql<{ address: string; ordinal: number }>`
    select o.address, o.ordinal::integer as ordinal from chain_own_address o
    where o.company_id = company_id() and o.chain_id = ${chainId} and o.is_change
    order by o.first_used_at is not null or exists (select from chain_send s
        where s.company_id = o.company_id and s.chain_id = o.chain_id and s.final_at is null
          and s.plan -> 'outputs' @> jsonb_build_array(jsonb_build_object('address', o.address))),
      case when o.first_used_at is null then o.ordinal else -o.ordinal end limit 1`.execute(tx);
  return rows[0] ?? null;
}

/** What the signer's journal says was used is spendable by no other payment, though its own is lost (docs/adr/0054). */
export async function giveJournaled(tx: PlatformTx, chainId: string): Promise<void> {
  await sql`
    update bitcoin_output o set payment_id = j.payment_id
    from signer_journal j cross join lateral jsonb_to_recordset(j.plan -> 'inputs') as i (hash text, index integer)
    where j.chain_id = ${chainId} and j.plan is not null and o.chain_id = j.chain_id and o.hash = i.hash and o.index = i.index
      and o.payment_id is null and not ${isGivenUp}`.execute(tx);
}
