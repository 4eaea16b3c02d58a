import { Readable } from 'node:stream';
import type { Query } from '@causeway/contract/call.ts';
import { type downloadStatement, pdfMostMovements, type StatementFormat } from '@causeway/contract/statements.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { FileAnswer } from '../../../platform/http/call-answer.ts';
import { actorOf, type OpenContext } from '../../../platform/session.ts';
import type { Movement } from '../domain.ts';
import { writeCamt } from './camt053.ts';
import { writeCsv } from './csv.ts';
import { describeMovements, movementsFrom, type Reading } from './lines.ts';
import { type OpenStatements, openStatements, sumWallet, type WalletSpan } from './open.ts';
import type { Lines, Statement } from './statement.ts';
import { statementContent } from './words.ts';

/** What its calls ask of other features; bound in compose.ts. */
export interface StatementPorts {
  /** The company's name as its statements show it. */
  companyName(tx: Tx): Promise<string>;
}

const batchLines = 500;

/**
 * A statement as a file; each download is in the audit log. What it holds is fixed when it begins. CSV and camt.053 are read and written
 * batch by batch, however long; a PDF is limited.
 * @throws DomainError walletNotFound, statementTooLong, statementOnlyAtBanks
 */
export async function download(
  context: OpenContext & StatementPorts,
  { format, walletId, ...period }: Query<typeof downloadStatement>,
): Promise<FileAnswer> {
  const { database, session, locale } = context;
  const statement = await database.withCompany(session.companyId, async (tx) => {
    const opened = writable(await openStatements(tx, context, period, walletId ?? null), format);
    const wallets = [];
    for (const span of opened.wallets) wallets.push({ span, sums: await sumWallet(tx, span) });
    const found = { company: await context.companyName(tx), opened, wallets };
    const count = countMovements(found);
    if (format === 'pdf' && count > pdfMostMovements) {
      throw new DomainError('statementTooLong', { count, most: pdfMostMovements });
    }
    await record(tx, context, found, { format, walletId, count });
    return found;
  });
  const reading: Reading = (read) => database.withCompany(session.companyId, read, { readOnly: true });
  const { from, to } = statement.opened.period;
  const [wallet] = walletId === undefined ? [] : statement.opened.wallets;
  const place = wallet && (wallet.wallet.chain?.id ?? wallet.wallet.bank?.id);
  const name = ['statement', ...(wallet ? [wallet.wallet.asset.toLowerCase(), place] : []), from, to].join('-');
  const lines = (span: WalletSpan) => linesOf(reading, statement, span, context);
  const written = { locale, now: context.clock.now() };
  // Each wallet has a line for its opening and one for its closing balance.
  const rows = countMovements(statement) + 2 * statement.wallets.length;
  if (format === 'csv') {
    return {
      name: `${name}.csv`,
      type: 'text/csv; charset=utf-8',
      content: writeCsv(statement, lines, locale),
      rows,
    };
  }
  if (format === 'camt053') {
    return {
      name: `${name}.camt053.xml`,
      type: 'application/xml; charset=utf-8',
      content: writeCamt(statement, lines, written),
      rows,
    };
  }
  const content = await statementContent(statement, lines, written);
  // PDF and fonts take 30 MB of memory: they come with the first one.
  const { drawStatement } = await import('../adapters/statement-pdf.ts');
  const drawn = await drawStatement(content, locale);
  return { name: `${name}.pdf`, type: 'application/pdf', content: Readable.from([drawn]) };
}

/** The wallets that a format has room for: in camt.053 there are no coins. @throws DomainError statementOnlyAtBanks */
function writable(opened: OpenStatements, format: StatementFormat): OpenStatements {
  if (format !== 'camt053') return opened;
  const wallets = opened.wallets.filter(({ wallet }) => wallet.bank !== null);
  if (wallets.length === 0) throw new DomainError('statementOnlyAtBanks');
  return { ...opened, wallets };
}

function countMovements({ wallets }: Statement): number {
  return wallets.reduce((sum, { sums }) => sum + sums.movements, 0);
}

async function* linesOf(reading: Reading, { opened }: Statement, span: WalletSpan, { locale }: OpenContext): Lines {
  const describe = (batch: readonly Movement[]) => reading((tx) => describeMovements(tx, batch, span, opened, locale));
  let batch: Movement[] = [];
  for await (const movement of movementsFrom(reading, span, { place: span.span.from, ...span.opening })) {
    batch.push(movement);
    if (batch.length === batchLines) {
      yield* await describe(batch);
      batch = [];
    }
  }
  yield* await describe(batch);
}

async function record(
  tx: Tx,
  context: OpenContext,
  { opened }: Statement,
  { format, walletId, count }: { format: StatementFormat; walletId: string | undefined; count: number },
): Promise<void> {
  const { from, to, timeZone } = opened.period;
  const [span] = opened.wallets;
  const name = walletId === undefined || !span ? {} : { name: `${span.wallet.asset} · ${span.placeName}` };
  await audit(tx, {
    actor: actorOf(context),
    action: 'statements.download',
    subjectKind: walletId === undefined ? 'company' : 'wallet',
    subjectId: walletId ?? tx.companyId,
    detail: { ...name, format, from, to, timeZone, count },
  });
}
