import { type BatchField, batchFields, type Written } from '@causeway/contract/batches-rules.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { stringify } from 'csv-stringify/sync';
import type { Tx } from '../../../platform/database/database.ts';
import type { FileAnswer } from '../../../platform/http/call-answer.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { csvForm } from '../../../platform/text/csv.ts';
import { translate } from '../../../platform/text/texts.ts';
import { readDirectory } from '../reading/directory.ts';
import { placeOf } from '../reading/find-payee.ts';
import { findWrong } from '../store/rows.ts';
import { type DraftsPorts, existing } from './ports.ts';
import { wordsOf } from './view.ts';

/** Files to fill in or to mend: CSV (RFC 4180, UTF-8 with byte order mark), cells that a spreadsheet would take for a formula neutralised. */

/** Fields that every template has; those of new payees come behind. */
export async function template(tx: Tx, { locale, families }: SignedInContext & DraftsPorts): Promise<FileAnswer> {
  const { wallets } = await readDirectory(tx, families);
  const payee = translate(locale, 'batches.template.payee');
  const rows = wallets.map(
    (wallet): Written => ({ payee, asset: wallet.asset, place: placeOf(wallet), amount: '100.00' }),
  );
  const columns = batchFields.map((field) => [field, translate(locale, `batches.column.${field}`)] as const);
  return { name: 'batch-template.csv', type: 'text/csv; charset=utf-8', content: csvOf(columns, rows) };
}

/** @throws DomainError batchNotFound */
export async function wrongRows(tx: Tx, { locale }: SignedInContext, { id }: { id: string }): Promise<FileAnswer> {
  const batch = await existing(tx, id);
  const rows = await findWrong(tx, id);
  const used = batchFields.filter(
    (field) => batch.mapping[field] !== undefined || rows.some(({ written }) => written[field] !== undefined),
  );
  const named = (field: BatchField) => {
    const place = batch.mapping[field];
    const own = place === undefined ? undefined : batch.header?.columns[place]?.name;
    return own ?? translate(locale, `batches.column.${field}`);
  };
  const columns = [
    ...used.map((field) => [field, named(field)] as const),
    ['reasons', translate(locale, 'batches.column.reasons')] as const,
  ];
  const records = rows.map(({ written, problems }) => ({
    ...written,
    reasons: problems
      .filter(({ severity }) => severity === 'error')
      .map((problem) => reasonOf(problem, locale))
      .join('\n'),
  }));
  const name = `${batch.name.replaceAll(/[/\\:*?"<>|]/g, '-')}-errors.csv`;
  return { name, type: 'text/csv; charset=utf-8', content: csvOf(columns, records), rows: rows.length };
}

function reasonOf(problem: Parameters<typeof wordsOf>[0], locale: Locale): string {
  const { sentence, mend } = wordsOf(problem, locale);
  return `${sentence} ${mend}`;
}

function csvOf(columns: readonly (readonly [string, string])[], rows: readonly object[]): Buffer {
  const csv = stringify([...rows], {
    header: true,
    columns: columns.map(([key, header]) => ({ key, header })),
    ...csvForm,
  });
  return Buffer.from(csv);
}
