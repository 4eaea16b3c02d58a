import type { FileEdits } from '@causeway/contract/batch-run-rows.ts';
import type { RunFinding } from '@causeway/contract/batch-runs-rules.ts';
import type { ChargeBearer } from '@causeway/contract/payments-rules.ts';
import type { LifeType, Stage, TransactionStatus } from '@causeway/contract/transactions-rules.ts';
import type { FeeLevel } from '@causeway/contract/transfers-rules.ts';
import { sql } from 'kysely';
import type { CompaniesTx, Tx } from '../../../platform/database/database.ts';
import { refuseQueued } from '../../../platform/database/queued.ts';
import { slices } from '../../../platform/turns.ts';
import type { PaymentContent } from '../../outgoing/index.ts';

/** Runs of batches: rows of the batch that can be submitted, what was submitted, and where it is. */

export interface BatchHead {
  id: string;
  name: string;
  version: number;
  /** SHA-256 of its file, hex; null: its rows were typed. */
  fileHash: string | null;
  isDiscarded: boolean;
  /** How often it was submitted. */
  runs: number;
}

const headColumns = sql`b.id, b.name, b.version, encode(b.file_hash, 'hex') as "fileHash", b.discarded_at is not null as "isDiscarded",
  (select count(*)::integer from payout_batch_run r where r.company_id = b.company_id and r.batch_id = b.id) as runs`;

export async function findHead(tx: Tx, id: string): Promise<BatchHead | null> {
  const { rows } = await sql<BatchHead>`
    select ${headColumns} from payout_batch b where b.company_id = company_id() and b.id = ${id} and not b.is_template`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** Locks a batch until the transaction's end, and reads it behind the lock: of two submissions the second sees the first's run. */
export async function lockHead(tx: Tx, id: string): Promise<BatchHead | null> {
  await sql`select from payout_batch where company_id = company_id() and id = ${id} for update`.execute(tx);
  await refuseQueued(tx);
  return findHead(tx, id);
}

/** What a row says beside amount, wallet and payee; those that were given. */
export interface RowTerms {
  notes?: string;
  invoiceNumber?: string;
  category?: string;
  feeLevel?: FeeLevel;
  charges?: ChargeBearer;
  purpose?: string;
  remittance?: string;
}

/** A row of a batch none of whose transactions is under way or was carried out. Amount in minor units. */
export interface OpenRow {
  id: string;
  number: number;
  walletId: string | null;
  payeeId: string | null;
  versionId: string | null;
  amountMinor: bigint | null;
  terms: RowTerms;
  /** Problems of reading that refuse it. */
  isWrong: boolean;
  /** Its wallet is at a bank. */
  isAtBank: boolean | null;
  asset: string | null;
  decimals: number | null;
  /** Its transactions so far, which all came to nothing. */
  earlier: string[];
}

/** The rows of a batch that a run would submit, in their order. */
export async function readOpenRows(tx: Tx, batchId: string): Promise<OpenRow[]> {
  await refuseQueued(tx);
  const { rows } = await sql<OpenRow>`
    select r.id, r.number, r.wallet_id as "walletId", r.payee_id as "payeeId", r.version_id as "versionId", r.amount as "amountMinor", r.terms,
      jsonb_path_exists(r.problems, '$[*] ? (@.severity == "error")') as "isWrong", w.bank_id is not null as "isAtBank",
      w.asset_id as asset, a.decimals, coalesce(sent.ids, '{}') as earlier
    from payout_batch_row r
    left join wallet w on w.company_id = r.company_id and w.id = r.wallet_id
    left join asset a on a.id = w.asset_id
    left join lateral (
      select array_agg(e.transaction_id::text) as ids, bool_and(t.status = 'failed') as "isOver"
      from payout_batch_entry e join transaction t on t.company_id = e.company_id and t.id = e.transaction_id
      where e.company_id = r.company_id and e.row_id = r.id
    ) sent on true
    where r.company_id = company_id() and r.batch_id = ${batchId} and coalesce(sent."isOver", true)
    order by r.number`.execute(tx);
  return rows;
}

/** All transactions of a batch's rows. */
export async function readSentIds(tx: Tx, batchId: string): Promise<string[]> {
  await refuseQueued(tx);
  const { rows } = await sql<{ id: string }>`
    select e.transaction_id as id from payout_batch_run r
    join payout_batch_entry e on e.company_id = r.company_id and e.run_id = r.id
    where r.company_id = company_id() and r.batch_id = ${batchId}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** What was found of a row when it was submitted. */
export interface Finding {
  kind: RunFinding;
  blanks: Record<string, string>;
}

export interface NewRun {
  id: string;
  batchId: string;
  number: number;
  digest: string;
  initiatorId: string;
  valueUsdCents: bigint;
  rows: number;
}

/** A row of a run, and what pays it. */
export interface NewEntry {
  rowId: string;
  transactionId: string;
  findings: readonly Finding[];
  rank: number;
}

export async function insertRun(tx: Tx, run: NewRun): Promise<void> {
  await sql`
    insert into payout_batch_run (company_id, id, batch_id, number, digest, initiator_id, row_count, value_usd_cents)
    values (company_id(), ${run.id}, ${run.batchId}, ${run.number}, decode(${run.digest}, 'hex'), ${run.initiatorId},
      ${run.rows}, ${run.valueUsdCents.toString()}::numeric)`.execute(tx);
}

/** Issues the statements that write the rows of a run, in their order, as they are asked for. */
export function* insertEntries(
  tx: CompaniesTx,
  { companyId, runId }: { companyId: string; runId: string },
  given: readonly NewEntry[],
): Generator<Promise<unknown>> {
  const entries = given.map((entry, place) => ({ ...entry, position: place + 1 }));
  for (const some of slices(entries)) {
    const column = <T>(of: (entry: (typeof entries)[number]) => T) => some.map(of);
    yield sql`
      insert into payout_batch_entry (company_id, run_id, position, row_id, transaction_id, findings, rank)
      select ${companyId}::uuid, ${runId}::uuid, position, row_id, transaction_id, findings, rank
      from rows from (
        unnest(${column(({ position }) => position)}::integer[], ${column(({ rowId }) => rowId)}::uuid[],
          ${column(({ transactionId }) => transactionId)}::uuid[], ${column(({ rank }) => rank)}::smallint[]),
        jsonb_array_elements(${JSON.stringify(column(({ findings }) => findings))}::jsonb))
        as entry (position, row_id, transaction_id, rank, findings)`.execute(tx);
  }
}

export async function isRunTaken(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from payout_batch_run where company_id = company_id() and id = ${id}`.execute(tx);
  return rows.length > 0;
}

/** A run as its digest was computed: with the contents of its transactions as they are stored now. */
export interface StoredRun {
  id: string;
  batchId: string;
  fileHash: string | null;
  initiatorId: string;
  entries: { rowId: string; type: LifeType; content: PaymentContent }[];
}

export async function readStoredRun(tx: Tx, id: string): Promise<StoredRun | null> {
  await refuseQueued(tx);
  const { rows } = await sql<Omit<StoredRun, 'entries'>>`
    select r.id, r.batch_id as "batchId", encode(b.file_hash, 'hex') as "fileHash", r.initiator_id as "initiatorId"
    from payout_batch_run r join payout_batch b on b.company_id = r.company_id and b.id = r.batch_id
    where r.company_id = company_id() and r.id = ${id}`.execute(tx);
  const [run] = rows;
  if (!run) return null;
  const { rows: entries } = await sql<PaymentContent & { rowId: string; type: LifeType }>`
    select e.row_id as "rowId", t.type, t.company_id as "companyId", t.id, t.wallet_id as "walletId", t.payee_id as "payeeId",
      t.payee_account as "payeeAccount", t.chain_id as "chainId", t.coin, t.quantity as "amountMinor", t.notes, o.terms,
      array(select f.file_id::text from outgoing_attachment f
        where f.company_id = t.company_id and f.transaction_id = t.id order by f.position) as "attachmentIds"
    from payout_batch_entry e
    join transaction t on t.company_id = e.company_id and t.id = e.transaction_id
    left join payout o on o.company_id = t.company_id and o.transaction_id = t.id
    where e.company_id = company_id() and e.run_id = ${id} order by e.position`.execute(tx);
  return { ...run, entries: entries.map(({ rowId, type, ...content }) => ({ rowId, type, content })) };
}

/** The transactions of a run at one of these stages. */
export async function readRunIds(tx: Tx, runId: string, stages: readonly Stage[]): Promise<string[]> {
  await refuseQueued(tx);
  const { rows } = await sql<{ id: string }>`
    select t.id from payout_batch_entry e join transaction t on t.company_id = e.company_id and t.id = e.transaction_id
    where e.company_id = company_id() and e.run_id = ${runId} and t.stage = any (${[...stages]}::text[])`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Of a run's waiting transactions, those whose payee cannot be paid any more, or has another account by now. */
export async function readUnpayable(tx: Tx, runId: string): Promise<{ id: string; isChanged: boolean }[]> {
  await refuseQueued(tx);
  const { rows } = await sql<{ id: string; isChanged: boolean }>`
    select t.id, coalesce(b.version_id <> o.version_id, false) as "isChanged"
    from payout_batch_entry e
    join transaction t on t.company_id = e.company_id and t.id = e.transaction_id
    left join payout o on o.company_id = t.company_id and o.transaction_id = t.id
    left join crypto_payee c on c.company_id = t.company_id and c.id = t.payee_id
    left join bank_payee b on b.company_id = t.company_id and b.id = t.payee_id
    where e.company_id = company_id() and e.run_id = ${runId} and t.stage = 'waiting_approval'
      and (coalesce(c.status, b.status, 'deleted') <> 'usable' or b.version_id <> o.version_id)`.execute(tx);
  return rows;
}

/** A run as pages show it. */
export interface RunRow {
  id: string;
  batchId: string;
  batchName: string;
  number: number;
  rows: number;
  initiatorId: string;
  initiatorName: string;
  createdAt: Date;
  valueUsdCents: bigint;
  digest: string;
  fileHash: string | null;
  edits: FileEdits | null;
  waiting: number;
  underWay: number;
  completed: number;
  failed: number;
  paidTwice: number;
  open: number;
}

const isUnsent = sql`t.stage in ('submitted', 'waiting_approval', 'approved')`;

/** That another transaction of an entry's row was, or is being, carried out beside its own. */
const twice = sql`t.status <> 'failed' and not ${isUnsent} and exists (
  select from payout_batch_entry other join transaction o on o.company_id = other.company_id and o.id = other.transaction_id
  where other.company_id = e.company_id and other.row_id = e.row_id and other.transaction_id <> e.transaction_id
    and o.status <> 'failed' and o.stage not in ('submitted', 'waiting_approval', 'approved'))`;

/** How the rows of a batch differ from its file; null where it has none. */
const edits = sql`case when b.file_hash is not null then jsonb_build_object('added', b.rows_added, 'removed', b.rows_removed, 'mended', (
  select count(*) from payout_batch_row w where w.company_id = b.company_id and w.batch_id = b.id and w.is_mended)) end`;

const nameOfInitiator = sql`(select m.first_name || ' ' || m.last_name from member m where m.company_id = r.company_id and m.id = r.initiator_id)`;

/** By a run's id, or all of a batch, the newest first. */
export async function readRuns(tx: Tx, of: { runId: string } | { batchId: string }): Promise<RunRow[]> {
  await refuseQueued(tx);
  const which = 'runId' in of ? sql`r.id = ${of.runId}` : sql`r.batch_id = ${of.batchId}`;
  const { rows } = await sql<RunRow>`
    select r.id, r.batch_id as "batchId", b.name as "batchName", r.number, r.row_count as rows, r.initiator_id as "initiatorId",
      coalesce((select t.initiator_name from payout_batch_entry e join transaction t on t.company_id = e.company_id and t.id = e.transaction_id
        where e.company_id = r.company_id and e.run_id = r.id and e.position = 1), ${nameOfInitiator}) as "initiatorName", r.created_at as "createdAt", r.value_usd_cents as "valueUsdCents",
      encode(r.digest, 'hex') as digest, encode(b.file_hash, 'hex') as "fileHash", ${edits} as edits, counted.*,
      (select count(*)::integer from payout_batch_row w where w.company_id = r.company_id and w.batch_id = r.batch_id and coalesce((
        select bool_and(t.status = 'failed') from payout_batch_entry e
        join transaction t on t.company_id = e.company_id and t.id = e.transaction_id
        where e.company_id = w.company_id and e.row_id = w.id), true)) as open
    from payout_batch_run r
    join payout_batch b on b.company_id = r.company_id and b.id = r.batch_id
    cross join lateral (
      select count(*) filter (where t.status = 'pending' and ${isUnsent})::integer as waiting,
        count(*) filter (where t.status = 'pending' and not ${isUnsent})::integer as "underWay",
        count(*) filter (where t.status = 'completed')::integer as completed,
        -- One whose rows could not be entered has none, and all of them came to nothing.
        case when count(*) = 0 then r.row_count else count(*) filter (where t.status = 'failed') end::integer as failed,
        count(*) filter (where ${twice})::integer as "paidTwice"
      from payout_batch_entry e join transaction t on t.company_id = e.company_id and t.id = e.transaction_id
      where e.company_id = r.company_id and e.run_id = r.id
    ) counted
    where r.company_id = company_id() and ${which} order by r.number desc`.execute(tx);
  return rows;
}

/** Sums of a run's rows by asset, in minor units. */
export async function readRunTotals(
  tx: Tx,
  runId: string,
): Promise<{ asset: string; decimals: number; rows: number; amountMinor: bigint; feeMinor: bigint }[]> {
  const { rows } = await sql<{ asset: string; decimals: number; rows: number; amountMinor: bigint; feeMinor: bigint }>`
    select t.coin as asset, a.decimals, count(*)::integer as rows, sum(t.quantity) as "amountMinor", sum(t.fee) as "feeMinor"
    from payout_batch_entry e
    join transaction t on t.company_id = e.company_id and t.id = e.transaction_id
    join asset a on a.id = t.coin
    where e.company_id = company_id() and e.run_id = ${runId} group by t.coin, a.decimals order by t.coin`.execute(tx);
  return rows;
}

/** A row of a run with its transaction, as pages show it; amounts in minor units. */
export interface EntryRow {
  id: string;
  number: number;
  position: number;
  rank: number;
  transactionId: string;
  payee: string;
  account: string;
  asset: string;
  decimals: number;
  amountMinor: bigint;
  feeMinor: bigint;
  status: TransactionStatus;
  stage: Stage;
  /** The id of a sentence. */
  reason: string | null;
  paidTwice: boolean;
  findings: Finding[];
}

/** The list's columns and joins (`run-list.ts`). */
export const entryColumns = sql<EntryRow>`e.row_id as id, w.number, e.position, e.rank, e.transaction_id as "transactionId",
  coalesce(t.payee_name, '') as payee, coalesce(t.payee_account, '') as account, t.coin as asset, a.decimals, t.quantity as "amountMinor",
  t.fee as "feeMinor", t.status, t.stage, t.failure_reason as reason, ${twice} as "paidTwice", e.findings`;
export const entryJoins = sql`join transaction t on t.company_id = e.company_id and t.id = e.transaction_id
  join asset a on a.id = t.coin
  join payout_batch_row w on w.company_id = e.company_id and w.id = e.row_id`;
export const isUnsentEntry = isUnsent;

/** How payees were paid before, in an asset: by it an amount is remarkable, or repeats one of lately. Minor units. */
export interface PaidBefore {
  payeeId: string;
  asset: string;
  /** Completed payments, and the median of their amounts. */
  count: number;
  medianMinor: bigint | null;
}

export async function readPaidBefore(tx: Tx, payeeIds: readonly string[]): Promise<PaidBefore[]> {
  const { rows } = await sql<PaidBefore>`
    select payee_id as "payeeId", coin as asset, count(*)::integer as count,
      percentile_disc(0.5) within group (order by quantity) as "medianMinor"
    from transaction
    where company_id = company_id() and payee_id = any (${[...new Set(payeeIds)]}::uuid[])
      and type in ('chain_withdraw', 'fiat_payout') and status = 'completed'
    group by payee_id, coin`.execute(tx);
  return rows;
}

/** Payments to these payees within so many days that have not come to nothing: by payee, asset and amount. */
export async function readPaidLately(
  tx: Tx,
  payeeIds: readonly string[],
  days: number,
): Promise<{ payeeId: string; asset: string; amountMinor: bigint; lastAt: Date }[]> {
  const { rows } = await sql<{ payeeId: string; asset: string; amountMinor: bigint; lastAt: Date }>`
    select payee_id as "payeeId", coin as asset, quantity as "amountMinor", max(created_at) as "lastAt"
    from transaction
    where company_id = company_id() and payee_id = any (${[...new Set(payeeIds)]}::uuid[])
      and type in ('chain_withdraw', 'fiat_payout') and status <> 'failed' and created_at > now() - make_interval(days => ${days})
    group by payee_id, coin, quantity`.execute(tx);
  return rows;
}

/** The run and row of a transaction; null: it is of no batch. */
export interface EntryOf {
  transactionId: string;
  runId: string;
  batchId: string;
  batchName: string;
  runNumber: number;
  rowId: string;
  rowNumber: number;
}

export async function findEntryOf(tx: Tx, transactionId: string): Promise<EntryOf | null> {
  const [entry] = await findEntriesOf(tx, [transactionId]);
  return entry ?? null;
}

/** Of those transactions that are of a batch. */
export async function findEntriesOf(tx: Tx, transactionIds: readonly string[]): Promise<EntryOf[]> {
  const { rows } = await sql<EntryOf>`
    select e.transaction_id as "transactionId", e.run_id as "runId", r.batch_id as "batchId", b.name as "batchName", r.number as "runNumber", e.row_id as "rowId",
      w.number as "rowNumber"
    from payout_batch_entry e
    join payout_batch_run r on r.company_id = e.company_id and r.id = e.run_id
    join payout_batch b on b.company_id = r.company_id and b.id = r.batch_id
    join payout_batch_row w on w.company_id = e.company_id and w.id = e.row_id
    where e.company_id = company_id() and e.transaction_id = any (${[...transactionIds]}::uuid[])`.execute(tx);
  return rows;
}
