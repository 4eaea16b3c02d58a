import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type * as calls from '@causeway/contract/operator-banks.ts';
import { bankFileShownCharacters } from '@causeway/contract/operator-banks-rules.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { FileAnswer } from '../../../platform/http/call-answer.ts';
import { actorOf, type OperatorContext } from '../../../platform/session.ts';
import { hasText, translate } from '../../../platform/text/texts.ts';
import { nameOfPlace } from '../../banks/index.ts';
import { type FileRow, fileList, findFile, findStatements, readContent, type StatementRow } from './files-store.ts';
import { shownMoney } from './moneys.ts';
import { findMoneysOfFile } from './moneys-store.ts';

/** Files of banks, what they say, and what came of them. */

const mostMoneys = 100;
/** A file is kept in parts of half a megabyte: its first holds more characters than are shown. */
const shownParts = 2;

/** @throws DomainError cursorInvalid */
export async function listFiles(
  tx: Tx,
  { locale }: OperatorContext,
  query: Query<typeof calls.listBankFiles>,
): Promise<OutputInput<typeof calls.listBankFiles>> {
  const page = await readPage(tx, fileList, query, undefined);
  return { ...page, items: page.items.map((row) => shownFile(row, locale)) };
}

function shownFile(row: FileRow, locale: Locale) {
  const { id, bank, name, kind, bytes, source, state, problem, blanks, at, readAt } = row;
  return {
    ...{ id, bank, name, kind, bytes, source, state },
    bankName: nameOfPlace({ ...row, name: row.bankName }, locale),
    problem: problem === null || !hasText(locale, problem) ? null : translate(locale, problem, blanks ?? {}),
    at: at.toISOString(),
    readAt: readAt?.toISOString() ?? null,
  };
}

/** @throws DomainError notFound */
export async function getFile(
  tx: Tx,
  { locale }: OperatorContext,
  { id }: { id: string },
): Promise<OutputInput<typeof calls.getBankFile>> {
  const row = await findFile(tx, id);
  if (!row) throw new DomainError('notFound');
  const content = await readContent(tx, id, shownParts);
  const all = content.toString('utf8');
  const text = printable(all.slice(0, bankFileShownCharacters));
  const moneys = await findMoneysOfFile(tx, id, mostMoneys + 1);
  return {
    file: shownFile(row, locale),
    sha256: row.sha256,
    reference: row.reference,
    text,
    isCut: all.length > bankFileShownCharacters || content.length < row.bytes,
    statements: (await findStatements(tx, id)).map(shownStatement),
    moneys: moneys.slice(0, mostMoneys).map((money) => shownMoney(money, locale)),
    moneysCut: moneys.length > mostMoneys,
  };
}

/** Characters that steer a screen or turn the direction of what follows are shown as what they are not. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' || character === '\t' ? character : character === '\r' ? '' : '\ufffd',
  );
}

function shownStatement(row: StatementRow) {
  const { decimals, openingMinor, closingMinor, totalMinor, ...statement } = row;
  const say = (minor: bigint | null) => (minor === null ? null : formatAmount(minor, decimals));
  return {
    ...statement,
    opening: say(openingMinor),
    closing: say(closingMinor),
    total: formatAmount(totalMinor, decimals),
    difference:
      row.kind === 'notification' || openingMinor === null || closingMinor === null
        ? null
        : formatAmount(closingMinor - openingMinor - totalMinor, decimals),
  };
}

/** Each download is logged before the bytes leave. @throws DomainError notFound */
export async function downloadFile(
  context: OperatorContext & { database: Database },
  { id }: { id: string },
): Promise<FileAnswer> {
  return context.database.withCompany(context.session.companyId, async (tx) => {
    const row = await findFile(tx, id);
    if (!row) throw new DomainError('notFound');
    await audit(tx, {
      actor: actorOf(context),
      action: 'operator.downloadBankFile',
      subjectKind: 'installation',
      subjectId: 'installation',
      detail: { fileName: row.name, sha256: row.sha256 },
    });
    return { name: row.name, type: 'application/octet-stream', content: await readContent(tx, id, null) };
  });
}
