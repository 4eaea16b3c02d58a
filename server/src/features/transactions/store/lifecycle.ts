import { statusAt, transactionLives } from '@causeway/contract/transactions-lives.ts';
import type { LifeType, Stage, TransactionStatus } from '@causeway/contract/transactions-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { assertStageOf, insertTransactions, type NewTransaction } from './insert.ts';

/** A transaction as its life needs it; amounts in minor units. */
export interface LifecycleRow {
  id: string;
  companyId: string;
  type: LifeType;
  status: TransactionStatus;
  stage: Stage;
  walletId: string;
  chainId: string | null;
  coin: string;
  quantityMinor: bigint;
  feeMinor: bigint;
  /** What of it was taken out of escrow, and goes back there if it comes to nothing. */
  fromEscrowMinor: bigint;
  payeeId: string | null;
  payeeName: string | null;
  payeeAccount: string | null;
  payerName: string | null;
  payerAccount: string | null;
  initiatorId: string | null;
  initiatorName: string | null;
  digest: Buffer | null;
  createdAt: Date;
}

const lifecycleColumns = sql`id, company_id as "companyId", type, status, stage, wallet_id as "walletId", chain_id as "chainId", coin,
  quantity as "quantityMinor", fee as "feeMinor", coalesce(from_escrow, 0) as "fromEscrowMinor", payee_id as "payeeId", payee_name as "payeeName", payee_account as "payeeAccount",
  payer_name as "payerName", payer_account as "payerAccount", initiator_id as "initiatorId", initiator_name as "initiatorName", digest,
  created_at as "createdAt"`;

/** Reads one transaction and locks it until the transaction's end; null when the company has none of this id. */
export function lockTransaction(tx: Tx, id: string): Promise<LifecycleRow | null> {
  return findRow(tx, id, sql`for update`);
}

/** The same for several, in the order of their ids; those that the company has. */
export async function lockTransactions(tx: Tx, ids: readonly string[]): Promise<LifecycleRow[]> {
  const { rows } = await sql<LifecycleRow>`
    select ${lifecycleColumns} from transaction
    where company_id = company_id() and id = any (${[...ids]}::uuid[]) order by id for update`.execute(tx);
  return rows;
}

/** Whether the company has a transaction of one of these ids. */
export async function areTaken(tx: Tx, ids: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from transaction where company_id = company_id() and id = any (${[...ids]}::uuid[]) limit 1`.execute(tx);
  return rows.length > 0;
}

/** The same as it is at the moment. */
export function readLifecycle(tx: Tx, id: string): Promise<LifecycleRow | null> {
  return findRow(tx, id, sql``);
}

async function findRow(tx: Tx, id: string, locking: RawBuilder<unknown>): Promise<LifecycleRow | null> {
  const { rows } = await sql<LifecycleRow>`
    select ${lifecycleColumns} from transaction where company_id = company_id() and id = ${id} ${locking}`.execute(tx);
  return rows[0] ?? null;
}

/** The type of one of the company's transactions, which never changes; null when the company has none of this id. */
export async function findType(tx: Tx, id: string): Promise<LifeType | null> {
  const { rows } = await sql<{ type: LifeType }>`
    select type from transaction where company_id = company_id() and id = ${id}`.execute(tx);
  return rows[0]?.type ?? null;
}

export interface StageChange {
  stage: Stage;
  actor?: { id: string; name: string };
  hash?: string;
  /** The id of a sentence, `stage.reason.*`; of an end without success it is what people read as its reason. */
  reason?: string;
  confirmations?: number;
}

/**
 * Moves a transaction to a stage, with the status that belongs to it, and writes it into the timeline, if it is at one of
 * `from`.
 * @returns whether it moved; of two that race, exactly one does
 */
export async function changeStage(tx: Tx, id: string, from: readonly Stage[], change: StageChange): Promise<boolean> {
  const status = statusAt(change.stage);
  const { hash } = change;
  const { rows } = await sql<{ type: LifeType }>`
    with moved as (
      update transaction set stage = ${change.stage}, stage_at = now(), updated_at = now(), status = ${status},
        completed_at = case when ${status} <> 'pending' then now() end,
        failure_reason = case when ${status} = 'completed' then null else coalesce(${status === 'failed' ? (change.reason ?? null) : null}, failure_reason) end
      where company_id = company_id() and id = ${id} and stage = any (${[...from]}::text[])
      returning company_id, id, type, chain_id
    )${hash === undefined ? sql`` : withHash(hash)}, noted as (
      insert into transaction_stage (company_id, transaction_id, id, stage, actor_id, actor_name, hash, reason, confirmations)
      select company_id, id, ${newId()}, ${change.stage}, ${change.actor?.id ?? null}::uuid, ${change.actor?.name ?? null},
        ${hash ?? null}, ${change.reason ?? null}, ${change.confirmations ?? null}::integer
      from moved
    )
    select type from moved`.execute(tx);
  const [moved] = rows;
  if (moved) assertStageOf(moved.type, change.stage);
  return moved !== undefined;
}

/** As `changeStage`, of several at once. @returns the ids of those that moved */
export async function changeStages(
  tx: Tx,
  ids: readonly string[],
  from: readonly Stage[],
  change: Pick<StageChange, 'stage' | 'actor' | 'reason'>,
): Promise<string[]> {
  const status = statusAt(change.stage);
  const { rows } = await sql<{ id: string; type: LifeType }>`
    with moved as (
      update transaction set stage = ${change.stage}, stage_at = now(), updated_at = now(), status = ${status},
        completed_at = case when ${status} <> 'pending' then now() end,
        failure_reason = coalesce(${status === 'failed' ? (change.reason ?? null) : null}, failure_reason)
      where company_id = company_id() and id = any (${[...ids]}::uuid[]) and stage = any (${[...from]}::text[])
      returning company_id, id, type
    ), noted as (
      insert into transaction_stage (company_id, transaction_id, id, stage, actor_id, actor_name, reason)
      select moved.company_id, moved.id, line.id, ${change.stage}, ${change.actor?.id ?? null}::uuid, ${change.actor?.name ?? null},
        ${change.reason ?? null}
      from moved join unnest(${[...ids]}::uuid[], ${ids.map(() => newId())}::uuid[]) as line (transaction_id, id)
        on line.transaction_id = moved.id
    )
    select id, type from moved`.execute(tx);
  for (const { type } of rows) assertStageOf(type, change.stage);
  return rows.map(({ id }) => id);
}

/** Keeps the hash of a transaction that moved, wherever on its chain it is. */
function withHash(hash: string) {
  return sql`, placed as (
      insert into transaction_chain (company_id, transaction_id, chain_id, hash)
      select company_id, id, chain_id, ${hash} from moved where chain_id is not null
      on conflict (company_id, transaction_id) do update set hash = excluded.hash
    )`;
}

/** Says of a payment that was just written what of it was taken out of escrow, in minor units. */
export async function setFromEscrow(tx: Tx, id: string, fromEscrowMinor: bigint): Promise<void> {
  await sql`
    update transaction set from_escrow = ${fromEscrowMinor.toString()}::numeric
    where company_id = company_id() and id = ${id}`.execute(tx);
}

/** Points a transaction to one that belongs to it, unless it points to one already. */
export async function relate(tx: Tx, id: string, relatedId: string): Promise<void> {
  await sql`
    update transaction set related_id = ${relatedId}, updated_at = now()
    where company_id = company_id() and id = ${id} and related_id is null`.execute(tx);
}

/**
 * Writes the refund of a failed or cancelled transaction; the two rows point to each other. `backMinor`: what comes back, where that is
 * not all that was held for it; `from`: who sent it back, where the money had left.
 */
export async function insertRefund(
  tx: Tx,
  failed: LifecycleRow,
  refundId: string,
  backMinor: bigint = failed.quantityMinor + failed.feeMinor,
  from: { name: string | null; account: string | null } = { name: failed.payerName, account: failed.payerAccount },
): Promise<void> {
  await writeRefunds(tx, [{ failed, refundId, backMinor, from }]);
}

/** The same of several, of each what was held for it. */
export async function insertRefunds(
  tx: Tx,
  refunds: readonly { failed: LifecycleRow; refundId: string }[],
): Promise<void> {
  await writeRefunds(
    tx,
    refunds.map(({ failed, refundId }) => ({
      failed,
      refundId,
      backMinor: failed.quantityMinor + failed.feeMinor,
      from: { name: failed.payerName, account: failed.payerAccount },
    })),
  );
}

async function writeRefunds(
  tx: Tx,
  refunds: readonly {
    failed: LifecycleRow;
    refundId: string;
    backMinor: bigint;
    from: { name: string | null; account: string | null };
  }[],
): Promise<void> {
  await insertTransactions(
    tx,
    refunds.map(({ failed, refundId, backMinor, from }): NewTransaction => {
      const type = transactionLives[failed.type].refund;
      invariant(type !== null, `a ${failed.type} has a refund`);
      const { id, walletId, coin, payerName, payerAccount } = failed;
      return {
        id: refundId,
        type,
        walletId,
        coin,
        quantityMinor: backMinor,
        payeeName: payerName,
        payeeAccount: payerAccount,
        payerName: from.name,
        payerAccount: from.account,
        initiator: initiatorOf(failed),
        relatedId: id,
        ...(failed.chainId === null ? {} : { chain: { chainId: failed.chainId } }),
        timeline: [{ stage: 'refunded' }],
      };
    }),
  );
  await sql`
    update transaction t set related_id = refund.id, updated_at = now()
    from unnest(${refunds.map(({ failed }) => failed.id)}::uuid[], ${refunds.map(({ refundId }) => refundId)}::uuid[])
      as refund (transaction_id, id)
    where t.company_id = company_id() and t.id = refund.transaction_id`.execute(tx);
}

function initiatorOf({ initiatorId, initiatorName }: LifecycleRow): { id: string; name: string } | null {
  return initiatorId === null || initiatorName === null ? null : { id: initiatorId, name: initiatorName };
}

/** What a bank says of a transaction, null where it does not: its own name of it, that of who ordered it, its UETR, the day from which it counts. */
export interface BankFacts {
  reference: string | null;
  endToEndId: string | null;
  uetr: string | null;
  valueOn: string | null;
}

/** Writes what a bank said; what was known before and is not said again is kept. */
export async function setBankFacts(
  tx: Tx,
  id: string,
  { reference, endToEndId, uetr, valueOn }: BankFacts,
): Promise<void> {
  await sql`
    update transaction set bank_reference = coalesce(${reference}, bank_reference), end_to_end = coalesce(${endToEndId}, end_to_end),
      uetr = coalesce(${uetr}, uetr), value_date = coalesce(${valueOn}::date, value_date)
    where company_id = company_id() and id = ${id}`.execute(tx);
}

/** Writes the code and the words by which a bank refused a payment or sent it back. */
export async function setBankReason(
  tx: Tx,
  id: string,
  { code, words }: { code: string | null; words: string | null },
): Promise<void> {
  await sql`
    update transaction set bank_reason = ${code || null}, bank_words = ${words || null}
    where company_id = company_id() and id = ${id}`.execute(tx);
}

/** Writes another amount of a card payment, whose amount follows what is held and cleared of it; its values follow in proportion. Minor units. */
export async function resizeCardPayment(tx: Tx, id: string, quantityMinor: bigint): Promise<void> {
  await sql`select resize_card_payment(${id}, ${quantityMinor.toString()}::numeric)`.execute(tx);
}

/** Adds a line to the timeline of a transaction that stays at its stage, such as a replacement's hash. */
export async function noteStage(tx: Tx, id: string, note: { stage: Stage; hash?: string; reason?: string }) {
  await sql`
    insert into transaction_stage (company_id, transaction_id, id, stage, hash, reason)
    values (company_id(), ${id}, ${newId()}, ${note.stage}, ${note.hash ?? null}, ${note.reason ?? null})`.execute(tx);
}

/** Writes where on the chain a transaction is; null when it is in no block. */
export async function placeTransaction(
  tx: Tx,
  id: string,
  hash: string,
  block: { height: number; hash: string } | null,
): Promise<void> {
  await sql`
    insert into transaction_chain (company_id, transaction_id, chain_id, hash, block_number, block_hash, confirmations)
    select company_id, id, chain_id, ${hash}, ${block?.height ?? null}::bigint, ${block?.hash ?? null}, ${block ? 0 : null}::integer
    from transaction where company_id = company_id() and id = ${id}
    on conflict (company_id, transaction_id) do update set hash = excluded.hash, block_number = excluded.block_number,
      block_hash = excluded.block_hash, confirmations = excluded.confirmations`.execute(tx);
}

/** Writes how deep a transaction lies; returns whether that is news. */
export async function setConfirmations(tx: Tx, id: string, confirmations: number): Promise<boolean> {
  const { rows } = await sql`
    update transaction_chain set confirmations = ${confirmations}
    where company_id = company_id() and transaction_id = ${id} and confirmations is distinct from ${confirmations}
    returning 1`.execute(tx);
  return rows.length === 1;
}
