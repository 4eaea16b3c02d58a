import type { OutputInput, Query } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type * as calls from '@causeway/contract/operator-solvency.ts';
import { audit } from '../../../../platform/audit/record.ts';
import type { Tx } from '../../../../platform/database/database.ts';
import { readPage } from '../../../../platform/database/list.ts';
import { DomainError } from '../../../../platform/domain-error.ts';
import type { FileAnswer } from '../../../../platform/http/call-answer.ts';
import { actorOf, type OperatorContext } from '../../../../platform/session.ts';
import { owedOf } from '../../../../platform/solvency/owed.ts';
import { differencesWithLedger } from '../../../../platform/solvency/signing.ts';
import {
  type FullFile,
  lastDayBefore,
  midnightAfter,
  type Statement,
} from '../../../../platform/solvency/statement.ts';
import { findLeaves, findReport, findReports } from '../../../../platform/solvency/store.ts';
import { nameOfPlace } from '../../../banks/index.ts';
import { treasuryOwner } from '../../../chains/index.ts';
import { nilCompany } from '../../../identity/index.ts';
import { holdingLines, timingLines } from '../domain.ts';
import { decimalsOfAll, findNightState } from '../night-store.ts';
import {
  findBanksOf,
  findCompanyNames,
  findDecimals,
  findHoldingsOf,
  firstReportDay,
  heldList,
  insertRequest,
  owedList,
  readBalances,
  timingList,
} from '../store.ts';

/** What the operator's people see of solvency. */

type Day = { day: string };
type OfAsset = { day: string; asset: string };

/** @throws DomainError notFound for a day that has not ended */
export async function get(
  tx: Tx,
  { clock, locale }: OperatorContext,
  query: Query<typeof calls.getSolvency>,
): Promise<OutputInput<typeof calls.getSolvency>> {
  const lastDay = lastDayBefore(clock.now());
  const day = query.day ?? lastDay;
  if (day > lastDay) throw new DomainError('notFound');
  const report = await findReport(tx, day);
  const night = await findNightState(tx);
  const shared = {
    day,
    at: midnightAfter(day).toISOString(),
    lastDay,
    firstReport: await firstReportDay(tx),
    night: night && { ...night, triedAt: night.triedAt.toISOString() },
  };
  if (!report) return { ...shared, ...(await owedAlone(tx, day)), report: null };
  const { statement, digest, signed } = report;
  const banks = await findBanksOf(tx, day);
  return {
    ...shared,
    companies: statement.companies,
    assets: statement.assets.map((figures) => ({
      ...figuresOf(figures, statement),
      byBank: banks
        .filter(({ asset }) => asset === figures.asset)
        .map(({ statedMinor, suspenseMinor, ...names }) => ({
          bank: nameOfPlace(names, locale),
          quantity: formatAmount(statedMinor, figures.decimals),
          suspense: formatAmount(suspenseMinor, figures.decimals),
        })),
    })),
    report: {
      digest,
      root: statement.root,
      signedAt: signed?.at ?? null,
      publicKey: signed?.publicKey ?? null,
      chains: statement.chains.map(({ chain, block, source }) => ({
        chain,
        block: block && { height: block.height, hash: block.hash, at: block.time },
        source,
      })),
    },
  };
}

/** For a midnight without a report: what was owed is in the ledger, and what chains held was not recorded. */
async function owedAlone(tx: Tx, day: string): Promise<{ companies: number; assets: calls.SolvencyAsset[] }> {
  const owed = owedOf(await readBalances(tx, midnightAfter(day)));
  const decimals = await decimalsOfAll(tx);
  const sums = new Map<string, bigint>();
  for (const company of owed.companies.values()) {
    for (const [asset, minor] of company.sums) sums.set(asset, (sums.get(asset) ?? 0n) + minor);
  }
  const assets = [...sums].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    companies: owed.companies.size,
    assets: assets.map(([asset, minor]) => {
      const places = decimals.get(asset) ?? 0;
      return {
        asset,
        decimals: places,
        owed: formatAmount(minor, places),
        atBanks: formatAmount(owed.atBanks.get(asset) ?? 0n, places),
        heldAtBanks: null,
        byBank: [],
        own: formatAmount(owed.own.get(asset) ?? 0n, places),
        held: null,
        treasury: null,
        byChain: [],
        timing: null,
        difference: null,
        tank: null,
      };
    }),
  };
}

function figuresOf(figures: Statement['assets'][number], { chains }: Statement): Omit<calls.SolvencyAsset, 'byBank'> {
  const { asset, decimals } = figures;
  const shown = (minor: string) => formatAmount(BigInt(minor), decimals);
  return {
    asset,
    decimals,
    owed: shown(figures.owed),
    atBanks: shown(figures.atBanks),
    heldAtBanks: figures.heldAtBanks == null ? null : shown(figures.heldAtBanks),
    held: shown(figures.held),
    treasury: figures.treasury === undefined ? null : shown(figures.treasury),
    byChain: chains.flatMap(({ chain, held }) =>
      held.filter((each) => each.asset === asset).map(({ minor }) => ({ chain, quantity: shown(minor) })),
    ),
    own: shown(figures.own),
    timing: shown(figures.timing),
    difference: shown(figures.difference),
    tank: shown(figures.tank),
  };
}

const seriesDays = 90;

export async function series(
  tx: Tx,
  _context: OperatorContext,
  { asset }: Query<typeof calls.listSolvencySeries>,
): Promise<OutputInput<typeof calls.listSolvencySeries>> {
  const reports = await findReports(tx, { most: seriesDays });
  const items = reports.flatMap(({ day, statement }) => {
    const figures = statement.assets.find((each) => each.asset === asset);
    if (!figures) return [];
    const shown = (minor: string) => formatAmount(BigInt(minor), figures.decimals);
    return [{ day, owed: shown(figures.owed), held: shown(figures.held), difference: shown(figures.difference) }];
  });
  return { items: items.reverse() };
}

/** @throws DomainError notFound, cursorInvalid */
export async function listOwed(
  tx: Tx,
  { clock }: OperatorContext,
  { day, asset, ...query }: OfAsset & Query<typeof calls.listSolvencyOwed>,
): Promise<OutputInput<typeof calls.listSolvencyOwed>> {
  if (day > lastDayBefore(clock.now())) throw new DomainError('notFound');
  const shown = await formatterOf(tx, asset);
  const page = await readPage(tx, owedList, query, { at: midnightAfter(day), asset });
  return {
    ...page,
    items: page.items.map(({ id, name, availableMinor, outboundMinor, inboundMinor, escrowMinor, ownMinor }) => ({
      id,
      name,
      available: shown(availableMinor),
      inTransfer: shown(outboundMinor),
      arriving: shown(inboundMinor),
      inEscrow: shown(escrowMinor),
      total: shown(availableMinor + outboundMinor + inboundMinor + escrowMinor),
      own: shown(ownMinor),
    })),
  };
}

/** @throws DomainError notFound, cursorInvalid */
export async function listHeld(
  tx: Tx,
  _context: OperatorContext,
  { day, asset, ...query }: OfAsset & Query<typeof calls.listSolvencyHeld>,
): Promise<OutputInput<typeof calls.listSolvencyHeld>> {
  const shown = await formatterOf(tx, asset);
  const page = await readPage(tx, heldList, query, { day, asset });
  return {
    ...page,
    items: page.items.map(({ chain, address, minor, companyId, companyName }) => ({
      chain,
      address,
      quantity: shown(minor),
      isTreasury: companyId === treasuryOwner,
      company:
        companyId === null || companyId === treasuryOwner ? null : { id: companyId, name: companyName ?? companyId },
    })),
  };
}

/** @throws DomainError notFound, cursorInvalid */
export async function listTiming(
  tx: Tx,
  _context: OperatorContext,
  { day, asset, ...query }: OfAsset & Query<typeof calls.listSolvencyTiming>,
): Promise<OutputInput<typeof calls.listSolvencyTiming>> {
  const shown = await formatterOf(tx, asset);
  const page = await readPage(tx, timingList, query, { day, asset });
  return {
    ...page,
    items: page.items.map(({ companyId, companyName, minor, postedAt, ...row }) => ({
      ...row,
      company: { id: companyId, name: companyName ?? companyId },
      quantity: shown(minor),
      postedAt: postedAt.toISOString(),
    })),
  };
}

async function formatterOf(tx: Tx, asset: string): Promise<(minor: bigint) => string> {
  const decimals = await findDecimals(tx, asset);
  if (decimals === null) throw new DomainError('notFound');
  return (minor) => formatAmount(minor, decimals);
}

/** @throws DomainError notFound */
export async function check(
  tx: Tx,
  _context: OperatorContext,
  { day }: Day,
): Promise<OutputInput<typeof calls.checkSolvency>> {
  const report = await findReport(tx, day);
  if (!report) throw new DomainError('notFound');
  const different = await differencesWithLedger(tx, day, await readBalances(tx, midnightAfter(day)));
  const names = await findCompanyNames(tx, different);
  return {
    companies: report.statement.companies,
    different: different.map((id) => ({ id, name: names.get(id) ?? id })),
  };
}

/** The download is in the operator's audit log. @throws DomainError notFound, also while the report is not signed */
export async function download(tx: Tx, context: OperatorContext, { day }: Day): Promise<FileAnswer> {
  const report = await findReport(tx, day);
  if (!report?.signed) throw new DomainError('notFound');
  const parts = await findHoldingsOf(tx, day);
  const file: FullFile = {
    type: 'full',
    statement: report.statement,
    signed: report.signed,
    leaves: (await findLeaves(tx, day)).map(({ companyId, salt, sums }) => ({
      company: companyId,
      salt: salt.toString('hex'),
      sums,
    })),
    holdings: holdingLines(parts),
    timing: timingLines(parts),
  };
  await audit(tx, {
    actor: actorOf(context),
    action: 'operator.downloadSolvency',
    subjectKind: 'installation',
    subjectId: nilCompany,
    detail: { day },
  });
  return {
    name: `solvency-${day}.json`,
    type: 'application/json; charset=utf-8',
    content: Buffer.from(`${JSON.stringify(file, null, 2)}\n`),
  };
}

export async function request(tx: Tx, context: OperatorContext): Promise<void> {
  await insertRequest(tx, context.session.userId);
  await audit(tx, {
    actor: actorOf(context),
    action: 'operator.requestSolvency',
    subjectKind: 'installation',
    subjectId: nilCompany,
    detail: {},
  });
}
