import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';

export type DepositState = 'inbound' | 'credited' | 'orphaned' | 'reversed';

/** A deposit, known by chain, transaction hash and output; the amount in minor units. */
export interface Deposit {
  chainId: string;
  hash: string;
  output: string;
  transactionId: string;
  state: DepositState;
  incarnation: number;
  /** Null while it waits for a block. */
  blockNumber: number | null;
  blockHash: string | null;
  walletId: string;
  coin: string;
  quantityMinor: bigint;
}

/** What its payer may still do to a deposit that waits for a block, and what the miner gets for it. */
export interface DepositTerms {
  /** The payer has kept the right to replace it (BIP 125). */
  replaceable: boolean;
  /** Thousandths of a satoshi per virtual byte, with what it needs before; null where the nodes do not know. */
  feeRate: number | null;
  /** What the miner gets for it, in satoshis, and for how many virtual bytes, both with what it needs before; null where the nodes do not know. */
  ancestors: { feeMinor: bigint; vsize: number } | null;
}

/** The ledger accounts through which a deposit goes, by id; and what the wallet is short of, which is not positive. */
export interface DepositAccounts {
  chainId: string;
  inboundId: string;
  availableId: string;
  deficitMinor: bigint;
}

/** A wallet that deposits go to. */
export interface DepositWallet {
  walletId: string;
  coin: string;
  accounts: DepositAccounts;
}

/** The company's wallets on a chain. */
export async function depositWallets(tx: Tx, chainId: string): Promise<DepositWallet[]> {
  const { rows } = await sql<Omit<DepositWallet, 'accounts'> & DepositAccounts>`
    select w.id as "walletId", w.asset_id as coin,
      (array_agg(a.id) filter (where a.kind = 'chain'))[1] as "chainId",
      (array_agg(a.id) filter (where a.kind = 'inbound'))[1] as "inboundId",
      (array_agg(a.id) filter (where a.kind = 'available'))[1] as "availableId",
      sum(a.balance) filter (where a.kind = 'deficit') as "deficitMinor"
    from wallet w join ledger_account a on a.company_id = w.company_id and a.owner_id = w.id
    where w.company_id = company_id() and w.chain_id = ${chainId} group by w.id, w.asset_id`.execute(tx);
  return rows.map(({ walletId, coin, ...accounts }) => ({ walletId, coin, accounts }));
}

/** An output of a transaction; unique on its chain. */
export interface OutputKey {
  hash: string;
  output: string;
}

const columns = sql`d.chain_id as "chainId", d.hash, d.output, d.transaction_id as "transactionId", d.state, d.incarnation,
  d.block_number as "blockNumber", d.block_hash as "blockHash", t.wallet_id as "walletId", t.coin,
  t.quantity as "quantityMinor"`;

/** Reads outputs and locks them until the transaction's end; those that are not known are left out. */
export async function lockDeposits(tx: Tx, chainId: string, keys: readonly OutputKey[]): Promise<Deposit[]> {
  const { rows } = await sql<Deposit>`
    select ${columns}
    from unnest(${keys.map(({ hash }) => hash)}::text[], ${keys.map(({ output }) => output)}::text[]) as k (hash, output)
    join deposit d on d.company_id = company_id() and d.chain_id = ${chainId} and d.hash = k.hash and d.output = k.output
    join transaction t on t.company_id = d.company_id and t.id = d.transaction_id
    order by d.hash, d.output for update of d`.execute(tx);
  return rows;
}

/** Reads one output and locks it until the transaction's end. */
export async function lockDeposit(tx: Tx, chainId: string, hash: string, output: string): Promise<Deposit | null> {
  return (await lockDeposits(tx, chainId, [{ hash, output }]))[0] ?? null;
}

/** The company's standing deposits above a height whose block is none of these. */
export async function depositsElsewhere(
  tx: Tx,
  chainId: string,
  aboveHeight: number,
  blockHashes: readonly string[],
): Promise<{ hash: string; output: string }[]> {
  const { rows } = await sql<{ hash: string; output: string }>`
    select hash, output from deposit
    where company_id = company_id() and chain_id = ${chainId} and block_number > ${aboveHeight}
      and state in ('inbound', 'credited') and not (block_hash = any (${[...blockHashes]}::text[]))
    order by block_number desc, hash, output`.execute(tx);
  return rows;
}

/** The companies that have standing deposits above a height. */
export async function companiesWithDepositsAbove(tx: PlatformTx, chainId: string, height: number): Promise<string[]> {
  const { rows } = await sql<{ companyId: string }>`
    select distinct company_id as "companyId" from deposit
    where chain_id = ${chainId} and block_number > ${height} and state in ('inbound', 'credited')`.execute(tx);
  return rows.map((row) => row.companyId);
}

/** A deposit on its way to being final. */
export interface InboundDeposit {
  companyId: string;
  hash: string;
  output: string;
  transactionId: string;
  blockNumber: number;
  blockHash: string;
  /**
   * Where its block is. known: among those that the watcher remembers. forgotten: below all of them, so the nodes have to be
   * asked. gone: another block is remembered at its height.
   */
  place: 'known' | 'forgotten' | 'gone';
  /** As they were last written. */
  confirmations: number;
  /** It counts as deep enough only then; null: at the chain's depth. */
  leastDepth: number | null;
}

export async function inboundDeposits(tx: PlatformTx, chainId: string): Promise<InboundDeposit[]> {
  const { rows } = await sql<InboundDeposit>`
    select d.company_id as "companyId", d.hash, d.output, d.transaction_id as "transactionId",
      d.block_number as "blockNumber", d.block_hash as "blockHash", d.confirmations, d.least_depth as "leastDepth",
      case when b.hash = d.block_hash then 'known' when b.hash is null then 'forgotten' else 'gone' end as place
    from deposit d
    left join chain_block b on b.chain_id = d.chain_id and b.height = d.block_number
    where d.chain_id = ${chainId} and d.state = 'inbound'
      and (b.hash is not null or d.block_number < (select min(height) from chain_block where chain_id = ${chainId}))
    order by d.company_id, d.block_number`.execute(tx);
  return rows;
}

export interface NewDeposit extends OutputKey {
  transactionId: string;
  /** Null while it waits for a block; its terms are known only then. */
  blockNumber: number | null;
  blockHash: string | null;
  terms: DepositTerms | null;
  leastDepth?: number | null;
}

/**
 * Writes deposits, which may be there again after they were taken away; their transactions are written before. Of two that write the same
 * standing deposit the second fails, since it has no transaction to give it: a block's watcher and the mempool's may see it at once.
 */
export async function insertDeposits(tx: Tx, chainId: string, deposits: readonly NewDeposit[]): Promise<void> {
  const column = <T>(of: (deposit: NewDeposit) => T) => deposits.map(of);
  await sql`
    insert into deposit as d (company_id, chain_id, hash, output, transaction_id, block_number, block_hash, replaceable, fee_rate,
      ancestor_fee, ancestor_vsize, least_depth, state)
    select company_id(), ${chainId}, f.*, 'inbound' from unnest(${column(({ hash }) => hash)}::text[],
      ${column(({ output }) => output)}::text[], ${column(({ transactionId }) => transactionId)}::uuid[],
      ${column(({ blockNumber }) => blockNumber)}::bigint[], ${column(({ blockHash }) => blockHash)}::text[],
      ${column(({ terms }) => terms?.replaceable ?? null)}::boolean[], ${column(({ terms }) => terms?.feeRate ?? null)}::integer[],
      ${column(({ terms }) => terms?.ancestors?.feeMinor.toString() ?? null)}::bigint[],
      ${column(({ terms }) => terms?.ancestors?.vsize ?? null)}::integer[],
      ${column(({ leastDepth = null }) => leastDepth)}::integer[]) as f
    on conflict (company_id, chain_id, hash, output) do update
      set transaction_id = case when d.state in ('orphaned', 'reversed') then excluded.transaction_id end,
      block_number = excluded.block_number, block_hash = excluded.block_hash, replaceable = excluded.replaceable,
      fee_rate = excluded.fee_rate, ancestor_fee = excluded.ancestor_fee, ancestor_vsize = excluded.ancestor_vsize, least_depth = excluded.least_depth, state = 'inbound', confirmations = 0, incarnation = d.incarnation + 1`.execute(
    tx,
  );
}

/** A deposit that waits for a block. */
export interface WaitingDeposit extends OutputKey {
  companyId: string;
  replaceable: boolean | null;
  feeRate: number | null;
  ancestorVsize: number | null;
}

export async function waitingDeposits(tx: PlatformTx, chainId: string): Promise<WaitingDeposit[]> {
  const { rows } = await sql<WaitingDeposit>`
    select company_id as "companyId", hash, output, replaceable, fee_rate as "feeRate", ancestor_vsize as "ancestorVsize" from deposit
    where chain_id = ${chainId} and state = 'inbound' and block_number is null order by company_id, hash, output`.execute(
    tx,
  );
  return rows;
}

/** Writes the terms of deposits that wait for a block; one that a block has by now keeps those that it had. */
export async function writeTerms(
  tx: Tx,
  chainId: string,
  deposits: readonly (OutputKey & { terms: DepositTerms })[],
): Promise<void> {
  const column = <T>(of: (deposit: (typeof deposits)[number]) => T) => deposits.map(of);
  await sql`
    update deposit d set replaceable = f.replaceable, fee_rate = f.fee_rate, ancestor_fee = f.ancestor_fee,
      ancestor_vsize = f.ancestor_vsize
    from unnest(${column(({ hash }) => hash)}::text[], ${column(({ output }) => output)}::text[],
      ${column(({ terms }) => terms.replaceable)}::boolean[], ${column(({ terms }) => terms.feeRate)}::integer[],
      ${column(({ terms }) => terms.ancestors?.feeMinor.toString() ?? null)}::bigint[],
      ${column(({ terms }) => terms.ancestors?.vsize ?? null)}::integer[])
      as f (hash, output, replaceable, fee_rate, ancestor_fee, ancestor_vsize)
    where d.company_id = company_id() and d.chain_id = ${chainId} and d.hash = f.hash and d.output = f.output
      and d.block_number is null`.execute(tx);
}

/** The same output in another block, after a reorganisation, or in the first; `null`: it waits for one again. */
export async function moveDeposit(
  tx: Tx,
  deposit: Deposit,
  block: { height: number; hash: string } | null,
): Promise<void> {
  const [height, hash] = [block?.height ?? null, block?.hash ?? null];
  await sql`
    with moved as (
      update deposit set block_number = ${height}::bigint, block_hash = ${hash}::text, confirmations = 0
      where company_id = company_id() and chain_id = ${deposit.chainId} and hash = ${deposit.hash}
        and output = ${deposit.output}
      returning company_id, transaction_id
    )
    update transaction_chain x set block_number = ${height}::bigint, block_hash = ${hash}::text,
      confirmations = case when t.status = 'pending' then 0 else x.confirmations end
    from moved join transaction t on t.company_id = moved.company_id and t.id = moved.transaction_id
    where x.company_id = company_id() and x.transaction_id = moved.transaction_id`.execute(tx);
}

export async function setDepositState(tx: Tx, deposit: Deposit, state: DepositState): Promise<void> {
  await sql`
    update deposit set state = ${state} where company_id = company_id() and chain_id = ${deposit.chainId}
      and hash = ${deposit.hash} and output = ${deposit.output}`.execute(tx);
}

/** Deposits that are deep enough, in one statement: the deposit, its transaction and the timeline. */
export async function markCredited(
  tx: Tx,
  chainId: string,
  deposits: readonly (OutputKey & { confirmations: number })[],
): Promise<void> {
  await sql`
    with deep as materialized (
      select * from unnest(${deposits.map(({ hash }) => hash)}::text[], ${deposits.map(({ output }) => output)}::text[],
        ${deposits.map(({ confirmations }) => confirmations)}::integer[], ${deposits.map(() => newId())}::uuid[])
        as k (hash, output, confirmations, stage_id)
    ), credited as (
      update deposit d set state = 'credited', confirmations = deep.confirmations from deep
      where d.company_id = company_id() and d.chain_id = ${chainId} and d.hash = deep.hash and d.output = deep.output
        and d.state = 'inbound'
      returning d.company_id, d.transaction_id, d.hash, deep.confirmations, deep.stage_id
    ), moved as (
      update transaction t set stage = 'credited', status = 'completed', stage_at = now(), updated_at = now(),
        completed_at = now()
      from credited where t.company_id = company_id() and t.id = credited.transaction_id
        and t.stage in ('seen', 'confirming')
      returning t.id
    ), counted as (
      update transaction_chain x set confirmations = credited.confirmations
      from credited where x.company_id = company_id() and x.transaction_id = credited.transaction_id
    )
    insert into transaction_stage (company_id, transaction_id, id, stage, hash, confirmations)
    select company_id, transaction_id, stage_id, 'credited', hash, confirmations from credited
    where transaction_id in (select id from moved)`.execute(tx);
}

/** Writes how deep deposits lie by now; one that had no confirmation yet moves to its next stage. */
export async function writeConfirmations(
  tx: Tx,
  chainId: string,
  deposits: readonly (OutputKey & { confirmations: number })[],
): Promise<void> {
  await sql`
    with deeper as materialized (
      select * from unnest(${deposits.map(({ hash }) => hash)}::text[], ${deposits.map(({ output }) => output)}::text[],
        ${deposits.map(({ confirmations }) => confirmations)}::integer[], ${deposits.map(() => newId())}::uuid[])
        as k (hash, output, confirmations, stage_id)
    ), risen as (
      update deposit d set confirmations = deeper.confirmations from deeper
      where d.company_id = company_id() and d.chain_id = ${chainId} and d.hash = deeper.hash and d.output = deeper.output
        and d.state = 'inbound'
      returning d.company_id, d.transaction_id, deeper.confirmations, deeper.stage_id
    ), counted as (
      update transaction_chain x set confirmations = risen.confirmations
      from risen where x.company_id = company_id() and x.transaction_id = risen.transaction_id
    ), moved as (
      update transaction t set updated_at = now(), stage = 'confirming', stage_at = now()
      from risen where t.company_id = company_id() and t.id = risen.transaction_id and t.stage = 'seen'
        and risen.confirmations > 0
      returning t.company_id, t.id, risen.stage_id
    )
    insert into transaction_stage (company_id, transaction_id, id, stage)
    select company_id, id, stage_id, 'confirming' from moved`.execute(tx);
}
