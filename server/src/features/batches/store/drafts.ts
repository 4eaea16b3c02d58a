import { listBatches } from '@causeway/contract/batches.ts';
import type {
  BatchEncoding,
  BatchProblem,
  BatchSource,
  BatchState,
  Written,
} from '@causeway/contract/batches-rules.ts';
import { maxBatchRows } from '@causeway/contract/batches-rules.ts';
import { sql } from 'kysely';
import { planEachTime } from '../../../platform/database/connection.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { contains, defineList } from '../../../platform/database/list.ts';
import type { Mapping } from '../reading/headers.ts';

/** How a file begins, and in which encodings it can be read. */
export interface Header {
  columns: { name: string; samples: string[] }[];
  encodings: BatchEncoding[];
  sure: boolean;
}

export interface BatchRecord {
  id: string;
  name: string;
  source: BatchSource;
  fileId: string | null;
  fileName: string | null;
  fileHash: Buffer | null;
  mapping: Mapping;
  /** False: a person has not said yet what each column of its file is. */
  isMatched: boolean;
  encoding: BatchEncoding | null;
  delimiter: string | null;
  header: Header | null;
  /** The first and the last day on which its file asks for payment. */
  asked: { from: string; to: string } | null;
  version: number;
  readTo: number;
  createdAt: Date;
  createdBy: string;
  createdByName: string;
  /** Of its rows. */
  rows: number;
  lastNumber: number;
  isSubmitted: boolean;
  isTemplate: boolean;
}

const isSubmitted = sql`exists (select from payout_batch_run r where r.company_id = b.company_id and r.batch_id = b.id)`;
const lastNumber = sql`coalesce((select max(r.number) from payout_batch_row r where r.company_id = b.company_id and r.batch_id = b.id), 0)`;
const state = sql<BatchState>`case when ${isSubmitted} then 'submitted'
  when b.source = 'csv' and (not b.is_matched or not jsonb_exists(b.mapping, 'amount') or not jsonb_exists_any(b.mapping, array['payee', 'account'])) then 'mapping'
  when b.read_to < ${lastNumber} then 'reading' else 'draft' end`;
const columns = sql<BatchRecord>`b.id, b.name, b.source, b.file_id as "fileId", b.file_name as "fileName", b.file_hash as "fileHash", b.mapping,
  b.is_matched as "isMatched",  b.encoding, b.delimiter, b.header,
  case when b.asked_from is not null then jsonb_build_object('from', b.asked_from, 'to', b.asked_to) end as asked, b.version, b.read_to as "readTo", b.created_at as "createdAt", b.created_by as "createdBy",
  coalesce(nullif(trim(m.first_name || ' ' || m.last_name), ''), m.email, '') as "createdByName",
  (select count(*) from payout_batch_row r where r.company_id = b.company_id and r.batch_id = b.id) as rows,
  ${lastNumber} as "lastNumber", ${isSubmitted} as "isSubmitted", b.is_template as "isTemplate"`;
const maker = sql`join member m on m.company_id = b.company_id and m.id = b.created_by`;

/** Batches that were not discarded, newest first; templates have a list of their own. */
export const batchList = defineList(listBatches, {
  from: () => sql`payout_batch b`,
  where: () => sql`b.company_id = company_id() and b.discarded_at is null and not b.is_template`,
  filters: {
    state: (wanted) => sql`${state} = ${wanted}`,
    keyword: (keyword) => contains(sql`b.name || chr(10) || coalesce(b.file_name, '')`, keyword),
  },
  columns: () => columns,
  page: { alias: 'b', joins: maker },
  orders: { time: { by: sql`b.created_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`b.id`,
});

export async function findBatch(tx: Tx, id: string): Promise<BatchRecord | null> {
  const { rows } = await sql<BatchRecord>`select ${columns} from payout_batch b ${maker}
    where b.company_id = company_id() and b.id = ${id} and b.discarded_at is null`.execute(tx);
  return rows[0] ?? null;
}

/** The same under its lock: edits and submissions follow one another. */
export async function lockBatch(tx: Tx, id: string): Promise<BatchRecord | null> {
  await sql`select from payout_batch where company_id = company_id() and id = ${id} for update`.execute(tx);
  return findBatch(tx, id);
}

export async function insertBatch(
  tx: Tx,
  batch: Pick<
    BatchRecord,
    | 'id'
    | 'name'
    | 'source'
    | 'fileId'
    | 'fileName'
    | 'fileHash'
    | 'mapping'
    | 'isMatched'
    | 'encoding'
    | 'delimiter'
    | 'header'
    | 'asked'
    | 'createdBy'
  >,
): Promise<void> {
  const { id, name, source, fileId, fileName, fileHash, mapping, isMatched, encoding, delimiter, header, asked } =
    batch;
  await sql`
    insert into payout_batch (company_id, id, name, source, file_id, file_name, file_hash, mapping, is_matched, encoding, delimiter, header, asked_from, asked_to, created_by)
    values (company_id(), ${id}, ${name}, ${source}, ${fileId}, ${fileName}, ${fileHash}, ${JSON.stringify(mapping)}::jsonb, ${isMatched},
      ${encoding}, ${delimiter}, ${header === null ? null : JSON.stringify(header)}::jsonb, ${asked?.from ?? null}::date,
      ${asked?.to ?? null}::date, ${batch.createdBy})`.execute(tx);
}

/** Writes how its file was read; its rows are those of the file again. */
export async function setReading(
  tx: Tx,
  {
    id,
    mapping,
    isMatched,
    encoding,
    delimiter,
    header,
  }: Pick<BatchRecord, 'id' | 'mapping' | 'isMatched' | 'encoding' | 'delimiter' | 'header'>,
): Promise<void> {
  await sql`
    update payout_batch set mapping = ${JSON.stringify(mapping)}::jsonb, is_matched = ${isMatched}, encoding = ${encoding}, delimiter = ${delimiter},
      header = ${JSON.stringify(header)}::jsonb, rows_added = 0, rows_removed = 0
    where company_id = company_id() and id = ${id}`.execute(tx);
}

/** @returns the version that the change makes. `readTo`: how far its rows have a meaning now; absent: as before */
export async function raiseVersion(tx: Tx, id: string, readTo: number | null = null): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    update payout_batch set version = version + 1, read_to = coalesce(${readTo}::integer, read_to)
    where company_id = company_id() and id = ${id} returning version`.execute(tx);
  return rows[0]?.version ?? 0;
}

export async function setName(tx: Tx, id: string, name: string): Promise<void> {
  await sql`update payout_batch set name = ${name} where company_id = company_id() and id = ${id}`.execute(tx);
}

export async function markDiscarded(tx: Tx, id: string): Promise<void> {
  await sql`update payout_batch set discarded_at = now() where company_id = company_id() and id = ${id}`.execute(tx);
}

export interface NewRow {
  id: string;
  written: Written;
}

/** Appends rows, numbered from `after` + 1. */
export async function insertRows(tx: Tx, batchId: string, after: number, rows: readonly NewRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into payout_batch_row (company_id, batch_id, id, number, written)
    select company_id(), ${batchId}, (r.value ->> 'id')::uuid, ${after}::integer + r.place, r.value -> 'written'
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as r (value, place)`.execute(tx);
}

export async function deleteRows(tx: Tx, batchId: string, ids: readonly string[] | 'all' | 'wrong'): Promise<number> {
  const which = ids === 'all' ? sql`true` : ids === 'wrong' ? isWrong : sql`r.id = any (${[...ids]}::uuid[])`;
  const { rows } = await sql`
    delete from payout_batch_row r where r.company_id = company_id() and r.batch_id = ${batchId} and ${which} returning r.id`.execute(
    tx,
  );
  return rows.length;
}

/** Closes the gaps of rows that were taken out, where there would be no number for those that come. */
export async function renumber(tx: Tx, batchId: string): Promise<void> {
  await sql`
    update payout_batch_row r set number = n.number
    from (select id, row_number() over (order by number) as number from payout_batch_row
      where company_id = company_id() and batch_id = ${batchId}) n
    where r.company_id = company_id() and r.batch_id = ${batchId} and r.id = n.id and r.number <> n.number`.execute(tx);
}

/** Keeps what was changed of the rows since its file was read. `mended`: a row's id; numbers are added to those before. */
export async function noteEdits(
  tx: Tx,
  batchId: string,
  { mended, added = 0, removed = 0 }: { mended?: string; added?: number; removed?: number },
): Promise<void> {
  if (mended !== undefined) {
    await sql`update payout_batch_row set is_mended = true
      where company_id = company_id() and batch_id = ${batchId} and id = ${mended}`.execute(tx);
  }
  if (added + removed === 0) return;
  await sql`update payout_batch set rows_added = rows_added + ${added}::integer, rows_removed = rows_removed + ${removed}::integer
    where company_id = company_id() and id = ${batchId}`.execute(tx);
}

export const isWrong = sql`jsonb_path_exists(r.problems, '$[*] ? (@.severity == "error")')`;
/** Has a warning that no one has let pass. */
export const isWarned = sql`exists (select from jsonb_array_elements(r.problems) p
  where p ->> 'severity' = 'warning' and not (p ->> 'key') = any (r.accepted))`;
export const isNewPayee = sql`jsonb_path_exists(r.problems, '$[*] ? (@.key == "payeeNotSaved")')`;

/** Rows that were written, in their order, behind a number. */
export async function findWritten(
  tx: Tx,
  batchId: string,
  after: number,
  most = maxBatchRows,
): Promise<(NewRow & { number: number })[]> {
  const { rows } = await sql<NewRow & { number: number }>`
    select id, number, written from payout_batch_row
    where company_id = company_id() and batch_id = ${batchId} and number > ${after} order by number limit ${most}`.execute(
    tx,
  );
  return rows;
}

export async function findWrittenOf(
  tx: Tx,
  batchId: string,
  ids: readonly string[],
): Promise<(NewRow & { number: number })[]> {
  const { rows } = await sql<NewRow & { number: number }>`
    select id, number, written from payout_batch_row
    where company_id = company_id() and batch_id = ${batchId} and id = any (${[...ids]}::uuid[]) order by number`.execute(
    tx,
  );
  return rows;
}

/** Amounts of a batch that are more than digits and one point, as they are written. */
export async function findSeparated(tx: Tx, batchId: string): Promise<{ id: string; amount: string }[]> {
  const { rows } = await sql<{ id: string; amount: string }>`
    select id, written ->> 'amount' as amount from payout_batch_row
    where company_id = company_id() and batch_id = ${batchId} and written ->> 'amount' !~ '^[0-9]+([.][0-9]+)?$'`.execute(
    tx,
  );
  return rows;
}

/** Rows whose amount was read and has a point, and no comma. */
export async function findPointed(tx: Tx, batchId: string): Promise<NewRow[]> {
  const { rows } = await sql<NewRow>`
    select id, written from payout_batch_row
    where company_id = company_id() and batch_id = ${batchId} and amount is not null
      and written ->> 'amount' ~ '[.．]' and written ->> 'amount' !~ '[,，]'`.execute(tx);
  return rows;
}

/** What rows mean, as it is kept: amounts in minor units as text. */
export interface KeptMeaning {
  id: string;
  written: Written;
  wallet: string | null;
  payee: string | null;
  account: string | null;
  amount: string | null;
  terms: object;
  problems: BatchProblem[];
}

/** One statement for all of them. What was let pass before has to be looked at again. */
export async function writeMeanings(tx: Tx, batchId: string, meanings: readonly KeptMeaning[]): Promise<void> {
  if (meanings.length === 0) return;
  await sql`${planEachTime}
    update payout_batch_row r set written = m.written, wallet_id = m.wallet, payee_id = m.payee, version_id = m.account, amount = m.amount,
      terms = m.terms, problems = m.problems, accepted = '{}'
    from jsonb_to_recordset(${JSON.stringify(meanings)}::jsonb)
      as m (id uuid, written jsonb, wallet uuid, payee uuid, account uuid, amount numeric, terms jsonb, problems jsonb)
    where r.company_id = company_id() and r.batch_id = ${batchId} and r.id = m.id`.execute(tx);
}

/** What makes rows alike, and the numbers that their mark names now. */
export interface Likeness {
  id: string;
  number: number;
  /** Null: it means nothing yet. */
  same: string | null;
  marked: string | null;
}

/** Rows are alike that pay the same payee the same amount out of the same wallet, with the same reference, invoice and notes. */
export async function findLikeness(tx: Tx, batchId: string): Promise<Likeness[]> {
  const { rows } = await sql<Likeness>`
    select id, number,
      case when payee_id is not null and amount is not null then concat_ws(' ', payee_id, wallet_id, amount,
        jsonb_build_array(terms -> 'remittance', terms -> 'invoiceNumber', terms -> 'notes')) end as same,
      jsonb_path_query_first(problems, '$[*] ? (@.key == "duplicate").blanks.rows') #>> '{}' as marked
    from payout_batch_row where company_id = company_id() and batch_id = ${batchId} order by number`.execute(tx);
  return rows;
}

/** Gives rows a mark, or takes it off where `mark` is null. */
export async function writeMarks(
  tx: Tx,
  batchId: string,
  marks: readonly { id: string; mark: BatchProblem | null }[],
): Promise<void> {
  if (marks.length === 0) return;
  await sql`${planEachTime}
    update payout_batch_row r set problems = coalesce(
      (select jsonb_agg(p) from jsonb_array_elements(r.problems) p where p ->> 'key' <> 'duplicate'), '[]') || case when m.mark is null or m.mark = 'null' then '[]' else jsonb_build_array(m.mark) end
    from jsonb_to_recordset(${JSON.stringify(marks)}::jsonb) as m (id uuid, mark jsonb)
    where r.company_id = company_id() and r.batch_id = ${batchId} and r.id = m.id`.execute(tx);
}

/** Lets warnings pass. @returns of how many rows */
export async function acceptWarnings(tx: Tx, batchId: string, ids: readonly string[] | 'all'): Promise<number> {
  const which = ids === 'all' ? sql`true` : sql`r.id = any (${[...ids]}::uuid[])`;
  const { rows } = await sql`
    update payout_batch_row r set accepted = array(
      select distinct p ->> 'key' from jsonb_array_elements(r.problems) p where p ->> 'severity' = 'warning' order by 1)
    where r.company_id = company_id() and r.batch_id = ${batchId} and ${which} and ${isWarned} returning r.id`.execute(
    tx,
  );
  return rows.length;
}

/** How a company matched the columns of a file. */
export interface KnownMapping {
  mapping: Mapping;
  /** Places of the columns that had values when they were matched; null: it was not kept. */
  filled: number[] | null;
}

/** The mapping that the company last used for files with these columns; null: none. */
export async function findMapping(tx: Tx, headerHash: Buffer): Promise<KnownMapping | null> {
  const { rows } = await sql<KnownMapping>`
    select mapping, filled from payout_batch_mapping where company_id = company_id() and header_hash = ${headerHash}`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** Columns that had values in a file before stay known. */
export async function rememberMapping(
  tx: Tx,
  headerHash: Buffer,
  { mapping, filled }: { mapping: Mapping; filled: readonly number[] },
): Promise<void> {
  await sql`
    insert into payout_batch_mapping as m (company_id, header_hash, mapping, filled)
    values (company_id(), ${headerHash}, ${JSON.stringify(mapping)}::jsonb, ${[...filled]}::integer[])
    on conflict (company_id, header_hash) do update set mapping = excluded.mapping, used_at = now(),
      filled = case when m.filled is not null then array(select distinct unnest(m.filled || excluded.filled) order by 1) end`.execute(
    tx,
  );
}
