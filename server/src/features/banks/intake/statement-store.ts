import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';

/** Statements, their balances and entries as they were read. Amounts in minor units, with a sign. */

/**
 * The account at a bank that a statement is about, made when the first one arrives: the installation's collecting account, as the registry
 * of banks names it, or the account of a company. Null where it is neither: what a bank says of another account is not ours.
 */
export async function openCollection(
  tx: PlatformTx,
  bank: string,
  asset: string,
  number: string,
): Promise<string | null> {
  await sql`
    insert into bank_collection (id, bank_id, asset_id, number)
    select ${newId()}, a.bank_id, a.asset_id, ${number} from bank_asset a
    where a.bank_id = ${bank} and a.asset_id = ${asset}
      and (a.collecting_account = ${number} or exists (select from bank_owners(${bank}, ${asset}, array[${number}])))
    on conflict (bank_id, asset_id, number) do nothing`.execute(tx);
  const { rows } = await sql<{ id: string }>`
    select id from bank_collection where bank_id = ${bank} and asset_id = ${asset} and number = ${number}`.execute(tx);
  return rows[0]?.id ?? null;
}

export interface NewStatement {
  id: string;
  messageId: string;
  collectionId: string;
  kind: 'statement' | 'notification';
  reference: string;
  page: string;
  sequence: string | null;
}

export interface StatementFigures {
  openingMinor: bigint | null;
  openedOn: string | null;
  closingMinor: bigint | null;
  closedOn: string | null;
  totalMinor: bigint;
  entries: number;
}

/** Whether the installation holds the currency at the bank. */
export async function holdsCurrency(tx: PlatformTx, bank: string, asset: string): Promise<boolean> {
  const { rows } = await sql`select from bank_asset where bank_id = ${bank} and asset_id = ${asset}`.execute(tx);
  return rows.length > 0;
}

/** Writes a statement; null when it is new, or the figures of the one that was read before under its id. */
export async function beginStatement(tx: PlatformTx, statement: NewStatement): Promise<StatementFigures | null> {
  const { id, messageId, collectionId, kind, reference, page, sequence } = statement;
  const { rows } = await sql`
    insert into bank_statement (id, message_id, collection_id, kind, reference, page, sequence, total, entries)
    values (${id}, ${messageId}, ${collectionId}, ${kind}, ${reference}, ${page}, ${sequence}, 0, 0)
    on conflict (collection_id, kind, reference, page) do nothing returning 1`.execute(tx);
  if (rows.length === 1) return null;
  const known = await sql<StatementFigures>`
    select opening as "openingMinor", opened_on::text as "openedOn", closing as "closingMinor", closed_on::text as "closedOn",
      total as "totalMinor", entries
    from bank_statement where collection_id = ${collectionId} and kind = ${kind} and reference = ${reference} and page = ${page}`.execute(
    tx,
  );
  return known.rows[0] ?? null;
}

/**
 * Writes the figures of a statement at its end. Where every money of it was another statement's already and the figures are the same, the
 * bank sent that one again under another id.
 */
export async function endStatement(
  tx: PlatformTx,
  { id, figures, isRepeat }: { id: string; figures: StatementFigures; isRepeat: boolean },
): Promise<void> {
  const { openingMinor, openedOn, closingMinor, closedOn, totalMinor, entries } = figures;
  await sql`
    update bank_statement s set opening = ${text(openingMinor)}::numeric, opened_on = ${openedOn}::date, closing = ${text(closingMinor)}::numeric,
      closed_on = ${closedOn}::date, total = ${text(totalMinor)}::numeric, entries = ${entries},
      copy_of = (
        select o.id from bank_statement o
        where ${isRepeat} and o.collection_id = s.collection_id and o.kind = s.kind and o.id <> s.id and o.copy_of is null
          and o.opening is not distinct from ${text(openingMinor)}::numeric and o.closing is not distinct from ${text(closingMinor)}::numeric
          and o.closed_on is not distinct from ${closedOn}::date and o.total = ${text(totalMinor)}::numeric and o.entries = ${entries}
        order by o.id limit 1)
    where s.id = ${id}`.execute(tx);
}

function text(minor: bigint | null): string | null {
  return minor === null ? null : minor.toString();
}

export async function insertBalances(
  tx: PlatformTx,
  statementId: string,
  balances: readonly { type: string; amountMinor: bigint; day: string }[],
): Promise<void> {
  if (balances.length === 0) return;
  await sql`
    insert into bank_balance (statement_id, number, type, amount, day)
    select ${statementId}, b.number, b.type, b.amount, b.day
    from unnest(${balances.map((_, index) => index + 1)}::integer[], ${balances.map(({ type }) => type)}::text[],
      ${balances.map(({ amountMinor }) => amountMinor.toString())}::numeric[], ${balances.map(({ day }) => day)}::date[])
      as b (number, type, amount, day)`.execute(tx);
}

export interface EntryRow {
  id: string;
  number: number;
  amountMinor: bigint;
  bookedOn: string | null;
  valueOn: string | null;
  reference: string | null;
  isReversal: boolean;
  code: string | null;
  details: number;
  isRepeat: boolean;
  unexplainedMinor: bigint;
}

export async function insertEntries(tx: PlatformTx, statementId: string, entries: readonly EntryRow[]): Promise<void> {
  const rows = entries.map((entry) => ({
    id: entry.id,
    number: entry.number,
    amount: entry.amountMinor.toString(),
    booked_on: entry.bookedOn,
    value_on: entry.valueOn,
    reference: entry.reference,
    is_reversal: entry.isReversal,
    code: entry.code,
    details: entry.details,
    is_repeat: entry.isRepeat,
    unexplained: entry.unexplainedMinor === 0n ? null : entry.unexplainedMinor.toString(),
  }));
  await sql`
    insert into bank_entry (id, statement_id, number, amount, booked_on, value_on, reference, is_reversal, code, details, is_repeat, unexplained)
    select e.id, ${statementId}, e.number, e.amount, e.booked_on, e.value_on, e.reference, e.is_reversal, e.code, e.details, e.is_repeat, e.unexplained
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e (id uuid, number integer, amount numeric, booked_on date, value_on date,
      reference text, is_reversal boolean, code text, details integer, is_repeat boolean, unexplained numeric)`.execute(
    tx,
  );
}
