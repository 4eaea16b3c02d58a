import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { Effect } from '@causeway/contract/effect.ts';
import { type Locale, locales } from '@causeway/contract/locale.ts';
import { addListEntry, type importNamelist } from '@causeway/contract/risk-lists.ts';
import { type ListAccountType, type ListKind, listAccountTypes, maxImportRows } from '@causeway/contract/risk-rules.ts';
import { parse } from 'csv-parse/sync';
import * as z from 'zod/mini';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { fieldMessages, type Upload } from '../../../platform/http/call-input.ts';
import { newId } from '../../../platform/ids.ts';
import { translate } from '../../../platform/text/texts.ts';
import type { ChainFamilies } from '../../chains/index.ts';
import { appliedNow, type ControlContext, makeOrPropose } from '../../organisation/index.ts';
import { readListAccount } from '../accounts.ts';
import { lockCompany } from '../store/judging.ts';
import { findListed, type NewEntry } from '../store/lists.ts';
import { limitCents, shownLimits } from './figures.ts';
import { asImported, importingEntries } from './list-controls.ts';

/** The columns of a list as CSV, in the order in which an export writes them. */
export const csvColumns = ['payeeType', 'account', 'remark', 'single', 'daily', 'cumulative'] as const;
type Column = (typeof csvColumns)[number];

type Result = OutputInput<typeof importNamelist>;

/** One row of the file; `entry` when it could go on the list, else `problem`, in the reader's language. */
interface Row {
  line: number;
  cells: Record<Column, string>;
  entry: NewEntry | null;
  problem: string | null;
}

/**
 * Puts the rows of a CSV file on a list, all or none. A dry run makes the same checks and writes nothing.
 * @throws DomainError listImportUnreadable, listImportTooLong; listImportRefused when rows are refused in earnest
 */
export async function importEntries(
  tx: Tx,
  context: ControlContext & { upload: Upload; families: ChainFamilies },
  query: Query<typeof importNamelist>,
): Promise<Result> {
  const { families, locale, upload } = context;
  const rows = readRows(families, upload.content, query.kind, locale);
  // Not while the file is read: payments wait for this lock.
  await lockCompany(tx);
  await refuseListed(tx, rows, query.kind, locale);
  const refused = rows.filter(({ problem }) => problem !== null);
  const inEarnest = query.dryRun === 'false';
  let effect: Effect = { ...appliedNow, applied: false };
  if (inEarnest) {
    const [first] = refused;
    if (first) throw new DomainError('listImportRefused', { count: refused.length, line: first.line });
    const entries = rows.flatMap(({ entry }) => entry ?? []);
    const { applied, taskId, effectiveAt } = await makeOrPropose(
      tx,
      context,
      importingEntries(families, asImported(query.kind, entries)),
    );
    effect = { applied, taskId, effectiveAt };
  }
  return {
    imported: effect.applied,
    ...effect,
    accepted: rows.length - refused.length,
    refused: refused.length,
    rows: rows.map(({ line, cells, entry, problem }) => ({
      line,
      payeeType: cells.payeeType,
      account: entry?.account ?? cells.account,
      remark: cells.remark,
      limits: entry?.limits ? shownLimits(entry.limits) : null,
      problem,
    })),
  };
}

function readRows(families: ChainFamilies, content: Buffer, kind: ListKind, locale: Locale): Row[] {
  const needed = csvColumns.filter((column) => kind === 'white' || !['single', 'daily', 'cumulative'].includes(column));
  const columns = needed.map((column) => translate(locale, `risk.column.${column}`)).join(', ');
  const unreadable = new DomainError('listImportUnreadable', { columns });
  const [head, ...records] = readRecords(content, unreadable);
  if (!head) throw unreadable;
  const places = new Map(head.cells.map((cell, i) => [columnOf(cell), i]));
  if (needed.some((column) => column !== 'remark' && !places.has(column))) throw unreadable;
  if (records.length > maxImportRows) throw new DomainError('listImportTooLong', { most: maxImportRows });

  const lineByAccount = new Map<string, number>();
  return records.map(({ line, cells: texts }) => {
    const cells = Object.fromEntries(
      csvColumns.map((column) => [column, needed.includes(column) ? plain(texts[places.get(column) ?? -1] ?? '') : '']),
    ) as Record<Column, string>;
    const read = readEntry(families, cells, kind, locale);
    if (typeof read === 'string') return { line, cells, entry: null, problem: read };
    const account = `${read.payeeType} ${read.key}`;
    const earlier = lineByAccount.get(account);
    if (earlier !== undefined) {
      return { line, cells, entry: null, problem: translate(locale, 'risk.import.twice', { line: earlier }) };
    }
    lineByAccount.set(account, line);
    return { line, cells, entry: read, problem: null };
  });
}

function readRecords(content: Buffer, unreadable: DomainError): { line: number; cells: string[] }[] {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
    const firstLine = /^[^\r\n]*/.exec(text)?.[0] ?? '';
    const records = parse(text, {
      delimiter: firstLine.split(';').length > firstLine.split(',').length ? ';' : ',',
      record_delimiter: ['\r\n', '\n', '\r'],
      info: true,
      relax_column_count: true,
      skip_records_with_empty_values: true,
      trim: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return records.map(({ record, info }) => ({ line: info.lines, cells: record }));
  } catch {
    throw unreadable;
  }
}

/** What an export put before a cell that a spreadsheet would take for a formula is taken off again. */
function plain(cell: string): string {
  return cell.replace(/^'(?=[=+\-@\t\r＝＋－＠])/, '');
}

/** The row as an entry, or what is wrong with it: the rules are those of a single entry. */
function readEntry(
  families: ChainFamilies,
  cells: Record<Column, string>,
  kind: ListKind,
  locale: Locale,
): NewEntry | string {
  const payeeType = typeOf(cells.payeeType);
  if (payeeType === null) {
    return translate(locale, 'risk.import.payeeType', {
      bank: translate(locale, 'risk.payeeType.bank_no'),
      address: translate(locale, 'risk.payeeType.crypto_address'),
    });
  }
  const { account, remark } = cells;
  const limits = {
    single: ungrouped(cells.single),
    daily: ungrouped(cells.daily),
    cumulative: ungrouped(cells.cumulative),
  };
  const body = { kind, payeeType, account, remark, ...(kind === 'white' ? { limits } : {}) };
  const parsed = z.safeParse(addListEntry.body, body);
  if (!parsed.success) {
    const [problem = 'field.invalid'] = Object.values(fieldMessages(parsed.error, body));
    return translate(locale, problem);
  }
  try {
    const read = readListAccount(families, payeeType, parsed.data.account);
    const cents = parsed.data.limits === undefined ? null : limitCents(parsed.data.limits);
    return { id: newId(), payeeType, ...read, remark, limits: cents };
  } catch (error) {
    if (error instanceof DomainError) return translate(locale, `error.${error.key}`, error.details);
    throw error;
  }
}

/** A row whose account is on a list already is refused. */
async function refuseListed(tx: Tx, rows: readonly Row[], kind: ListKind, locale: Locale): Promise<void> {
  const accounts = rows.flatMap(({ entry }) => (entry ? [{ type: entry.payeeType, key: entry.key }] : []));
  const listed = await findListed(tx, accounts);
  for (const row of rows) {
    const on = row.entry && listed.get(`${row.entry.payeeType} ${row.entry.key}`);
    if (on) row.problem = translate(locale, `error.${on === kind ? 'listEntryExists' : 'listEntryOnOtherList'}`);
  }
}

/** "1,000.50" as a spreadsheet shows it. */
function ungrouped(figure: string): string {
  return /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(figure) ? figure.replaceAll(',', '') : figure;
}

/** Headers and payee types are understood in any of the three languages, and as the contract names them. */
function columnOf(header: string): Column | null {
  return csvColumns.find((column) => isNamed(header, column, `risk.column.${column}`)) ?? null;
}

function typeOf(cell: string): ListAccountType | null {
  return listAccountTypes.find((type) => isNamed(cell, type, `risk.payeeType.${type}`)) ?? null;
}

function isNamed(text: string, name: string, id: string): boolean {
  const names = [name, ...locales.map((locale) => translate(locale, id))];
  return names.some((each) => each.toLowerCase() === text.trim().toLowerCase());
}
