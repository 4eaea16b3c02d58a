import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../../platform/database/database.ts';
import { invariant } from '../../../../platform/domain-error.ts';
import { type Outpoint, type Send, sendColumns, treasuryOwner } from '../../../chains/index.ts';
import type { Depth, Loss } from '../coin-loss.ts';

/** Coins that signed payments spend and that no node has (`bitcoin_lost_coin`). */

export async function findDepth(tx: PlatformTx, chainId: string): Promise<Depth> {
  const { rows } = await sql<Depth>`
    select coalesce(k.height, 0) as height, c.confirmations from chain c left join chain_cursor k on k.chain_id = c.id
    where c.id = ${chainId}`.execute(tx);
  const [depth] = rows;
  invariant(depth, `chain ${chainId} is registered`);
  return depth;
}

/** Those that the watchers of blocks and mempools know neither as a company's nor as the treasury's. */
export async function findMissing(
  tx: PlatformTx,
  chainId: string,
  companyId: string,
  outpoints: readonly Outpoint[],
): Promise<Outpoint[]> {
  const { rows } = await sql<Outpoint>`
    select distinct q.hash, q.index
    from unnest(${outpoints.map(({ hash }) => hash)}::text[], ${outpoints.map(({ index }) => index)}::integer[]) as q (hash, index)
    where not exists (select from bitcoin_output o where o.company_id in (${companyId}::uuid, ${treasuryOwner}::uuid)
      and o.chain_id = ${chainId} and o.hash = q.hash and o.index = q.index)`.execute(tx);
  return rows;
}

export interface LostCoin {
  needs: readonly string[] | null;
  lostBlock: number;
}

/** What is known of a coin, whichever payments it is lost to. */
export async function findLostCoins(
  tx: PlatformTx,
  chainId: string,
  { hash, index }: Outpoint,
): Promise<LostCoin | null> {
  const { rows } = await sql<LostCoin>`
    select needs, lost_block as "lostBlock" from bitcoin_lost_coin
    where chain_id = ${chainId} and hash = ${hash} and index = ${index} order by needs is null, lost_block limit 1`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** The attempts that were signed and of which no block has one; what accelerates a deposit is followed with it. */
const isOpen = sql`s.hash is not null and not s.plan ? 'parent' and s.kind = 'transfer'
  and not exists (select from chain_send m where m.company_id = s.company_id and m.payment_id = s.payment_id and m.mined_block is not null)`;
const inputs = sql`jsonb_to_recordset(s.plan -> 'inputs') as i (hash text, index integer)`;
const isThere = sql`o.company_id in (s.company_id, ${treasuryOwner}::uuid) and o.chain_id = s.chain_id
  and o.hash = i.hash and o.index = i.index`;

/**
 * Writes which coins of open payments are missing, and forgets those that are back.
 * @returns the newest attempts of the payments at which the nodes were not asked since the watcher's last block
 */
export async function noteMissing(tx: PlatformTx, chainId: string): Promise<{ send: Send; height: number }[]> {
  await sql`
    delete from bitcoin_lost_coin s using bitcoin_output o
    where s.chain_id = ${chainId} and o.company_id in (s.company_id, ${treasuryOwner}::uuid) and o.chain_id = s.chain_id
      and o.hash = s.hash and o.index = s.index`.execute(tx);
  await sql`
    insert into bitcoin_lost_coin (company_id, payment_id, chain_id, hash, index, needs, lost_block)
    select distinct s.company_id, s.payment_id, s.chain_id, i.hash, i.index,
      (select l.needs from bitcoin_lost_coin l where l.chain_id = s.chain_id and l.hash = i.hash and l.index = i.index
        order by l.needs is null limit 1), k.height
    from chain_send s join chain_cursor k on k.chain_id = s.chain_id cross join lateral ${inputs}
    where s.chain_id = ${chainId} and s.final_at is null and ${isOpen} and not exists (select from bitcoin_output o where ${isThere})
    on conflict do nothing`.execute(tx);
  const { rows } = await sql<Send & { height: number }>`
    select distinct on (s.payment_id) ${sendColumns}, k.height
    from bitcoin_lost_coin l
    join chain_cursor k on k.chain_id = l.chain_id
    join chain_send s on s.company_id = l.company_id and s.payment_id = l.payment_id
    where l.chain_id = ${chainId} and l.judged_block is distinct from k.height and s.final_at is null and ${isOpen}
    order by s.payment_id, s.attempt desc`.execute(tx);
  return rows.map(({ height, ...send }) => ({ send, height }));
}

export async function markJudged(tx: Tx, paymentId: string, height: number): Promise<void> {
  await sql`
    update bitcoin_lost_coin set judged_block = ${height} where company_id = company_id() and payment_id = ${paymentId}`.execute(
    tx,
  );
}

/** Writes which coins of a payment are gone for good or missing, and what took their place, where that is known. */
export async function markLost(
  tx: Tx,
  { paymentId, chainId }: Pick<Send, 'paymentId' | 'chainId'>,
  coins: readonly (Outpoint & { loss: Loss | null })[],
): Promise<void> {
  for (const { hash, index, loss } of coins) {
    await sql`
      insert into bitcoin_lost_coin (company_id, payment_id, chain_id, hash, index, lost_block, replaced_by)
      select company_id(), ${paymentId}, ${chainId}, ${hash}, ${index}, k.height, ${loss?.replacedBy ?? null}::text
      from chain_cursor k where k.chain_id = ${chainId}
      on conflict (company_id, payment_id, hash, index) do update set replaced_by = excluded.replaced_by`.execute(tx);
  }
}

export async function hasLost(tx: Tx, paymentId: string): Promise<boolean> {
  const { rows } = await sql`
    select from bitcoin_lost_coin where company_id = company_id() and payment_id = ${paymentId} limit 1`.execute(tx);
  return rows.length > 0;
}

/** A signed attempt has all of its coins again, unspent or spent by an attempt of the payment. */
const isWhole = sql`not exists (select from ${inputs} where not exists (select from bitcoin_output o where ${isThere}
  and (o.spent_by is null or exists (select from chain_send own where own.company_id = s.company_id
    and own.payment_id = s.payment_id and own.hash = o.spent_by))))`;

/**
 * Payments that were closed and whose coins the watchers have again. Not one that an operator has given up, or that is made by one transaction with
 * such a one: its bytes would pay that as well.
 */
export async function revivedSends(tx: PlatformTx, chainId: string): Promise<Send[]> {
  const { rows } = await sql<Send>`
    select distinct on (s.payment_id) ${sendColumns} from chain_send s
    where s.chain_id = ${chainId} and s.superseded_at is not null and s.released_at is null and ${isOpen} and ${isWhole}
      and not exists (select from jsonb_array_elements(s.plan -> 'joined') x join chain_send g on g.company_id = s.company_id
        and g.payment_id = (x ->> 'paymentId')::uuid and g.released_at is not null)
    order by s.payment_id, s.attempt desc`.execute(tx);
  return rows;
}

/** Whether a signed attempt of a payment has all of its coins, by what the watchers have read. */
export async function isPossible(tx: Tx, paymentId: string): Promise<boolean> {
  const { rows } = await sql`
    select from chain_send s
    where s.company_id = company_id() and s.payment_id = ${paymentId} and ${isOpen} and ${isWhole} limit 1`.execute(tx);
  return rows.length > 0;
}

/** Payments of one transaction are given up one after another. */
export async function lockGivingUp(tx: Tx, leadId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`rails.givingUp ${leadId}`}, 0))`.execute(tx);
}

/** Whether operators have given up all of these payments; true of none. */
export async function areGivenUp(tx: Tx, paymentIds: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from unnest(${[...paymentIds]}::uuid[]) as p (id)
    where not exists (select from chain_send g where g.company_id = company_id() and g.payment_id = p.id and g.released_at is not null)
    limit 1`.execute(tx);
  return rows.length === 0;
}
