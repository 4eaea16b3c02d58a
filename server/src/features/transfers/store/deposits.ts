import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database.ts';
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
  blockNumber: number;
  blockHash: string;
  walletId: string;
  coin: string;
  quantityMinor: bigint;
}

/** Reads one output and locks it until the transaction's end. */
export async function lockDeposit(tx: Tx, chainId: string, hash: string, output: string): Promise<Deposit | null> {
  const { rows } = await sql<Deposit>`
    select d.chain_id as "chainId", d.hash, d.output, d.transaction_id as "transactionId", d.state, d.incarnation,
      d.block_number as "blockNumber", d.block_hash as "blockHash", t.wallet_id as "walletId", t.coin,
      t.quantity as "quantityMinor"
    from deposit d join transaction t on t.company_id = d.company_id and t.id = d.transaction_id
    where d.company_id = company_id() and d.chain_id = ${chainId} and d.hash = ${hash} and d.output = ${output}
    for update of d`.execute(tx);
  return rows[0] ?? null;
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

/** A deposit on its way to being final, in a block of the chain as the watcher knows it. */
export interface InboundDeposit {
  companyId: string;
  hash: string;
  output: string;
  transactionId: string;
  blockNumber: number;
  blockHash: string;
  /** The watcher still remembers this block; one that it has forgotten, below all that it remembers, has to be asked for. */
  isRemembered: boolean;
}

export async function inboundDeposits(tx: PlatformTx, chainId: string): Promise<InboundDeposit[]> {
  const { rows } = await sql<InboundDeposit>`
    select d.company_id as "companyId", d.hash, d.output, d.transaction_id as "transactionId",
      d.block_number as "blockNumber", d.block_hash as "blockHash", b.hash is not null as "isRemembered"
    from deposit d
    left join chain_block b on b.chain_id = d.chain_id and b.height = d.block_number and b.hash = d.block_hash
    where d.chain_id = ${chainId} and d.state = 'inbound'
      and (b.hash is not null or d.block_number < (select min(height) from chain_block where chain_id = ${chainId}))
    order by d.company_id, d.block_number`.execute(tx);
  return rows;
}

export interface NewDeposit {
  id: string;
  chainId: string;
  hash: string;
  output: string;
  walletId: string;
  coin: string;
  amountMinor: bigint;
  from: string | null;
  to: string;
  blockNumber: number;
  blockHash: string;
  /** The row that an earlier incarnation of the same output had. */
  relatedId: string | null;
}

/** Writes the transaction, its first stage and the deposit, which may stand anew after it was taken away. */
export async function insertDeposit(tx: Tx, deposit: NewDeposit): Promise<void> {
  await sql`
    with made as (
      insert into transaction (company_id, id, type, status, stage, direction, wallet_id, chain_id, coin, quantity,
        payer_account, payee_account, hash, block_number, block_hash, confirmations, related_id)
      values (company_id(), ${deposit.id}, 'chain_deposit', 'pending', 'seen', 'in', ${deposit.walletId},
        ${deposit.chainId}, ${deposit.coin}, ${deposit.amountMinor.toString()}, ${deposit.from},
        ${deposit.to}, ${deposit.hash}, ${deposit.blockNumber}, ${deposit.blockHash}, 0, ${deposit.relatedId})
      returning company_id, id
    ), staged as (
      insert into transaction_stage (company_id, transaction_id, id, stage, hash)
      select company_id, id, ${newId()}, 'seen', ${deposit.hash} from made
    )
    insert into deposit as d (company_id, chain_id, hash, output, transaction_id, block_number, block_hash, state)
    select company_id, ${deposit.chainId}, ${deposit.hash}, ${deposit.output}, id, ${deposit.blockNumber},
      ${deposit.blockHash}, 'inbound' from made
    on conflict (company_id, chain_id, hash, output) do update set transaction_id = excluded.transaction_id,
      block_number = excluded.block_number, block_hash = excluded.block_hash, state = 'inbound',
      incarnation = d.incarnation + 1`.execute(tx);
}

/** The same output in another block, after a reorganisation. */
export async function moveDeposit(tx: Tx, deposit: Deposit, block: { height: number; hash: string }): Promise<void> {
  await sql`
    with moved as (
      update deposit set block_number = ${block.height}, block_hash = ${block.hash}
      where company_id = company_id() and chain_id = ${deposit.chainId} and hash = ${deposit.hash}
        and output = ${deposit.output}
      returning company_id, transaction_id
    )
    update transaction t set block_number = ${block.height}, block_hash = ${block.hash},
      confirmations = case when status = 'pending' then 0 else confirmations end, updated_at = now()
    from moved where t.company_id = company_id() and t.id = moved.transaction_id`.execute(tx);
}

export async function setDepositState(tx: Tx, deposit: Deposit, state: DepositState): Promise<void> {
  await sql`
    update deposit set state = ${state} where company_id = company_id() and chain_id = ${deposit.chainId}
      and hash = ${deposit.hash} and output = ${deposit.output}`.execute(tx);
}

/** Writes how deep a transaction lies; answers whether that is news. */
export async function setConfirmations(tx: Tx, transactionId: string, confirmations: number): Promise<boolean> {
  const { rows } = await sql`
    update transaction set confirmations = ${confirmations}, updated_at = now()
    where company_id = company_id() and id = ${transactionId} and confirmations is distinct from ${confirmations}
    returning 1`.execute(tx);
  return rows.length === 1;
}
