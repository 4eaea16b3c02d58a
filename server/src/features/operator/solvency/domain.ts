import { addTo, type Owed, owedOf } from '../../../platform/solvency/owed.ts';
import {
  differenceOf,
  digestOf,
  type Holding,
  type HoldingSource,
  midnightAfter,
  reportFormat,
  type Statement,
  type Timing,
} from '../../../platform/solvency/statement.ts';
import type { BalanceRow } from '../../../platform/solvency/store.ts';
import { buildTree, leafId, type TreeNode } from '../../../platform/solvency/tree.ts';
import { treasuryOwner } from '../../chains/index.ts';

/** How a report is put together, without database or nodes. Amounts in minor units. */

/** A posting that moved what is on a chain, as the addresses see it, with the block of its cause; null where no block has it. */
export interface ChainMove {
  companyId: string;
  asset: string;
  postingId: string;
  kind: string;
  sourceId: string;
  minor: bigint;
  block: number | null;
  postedAt: Date;
}

/**
 * What the books had on the other side of an instant than the chain at a block: by these the addresses held more (or less) than the books say.
 * What was posted later and happened up to the block, and, turned round, what was posted by then and happened after it.
 */
export function timingOf(moves: readonly ChainMove[], at: Date, height: number): ChainMove[] {
  return moves.flatMap((move) => {
    if (move.block === null || move.minor === 0n) return [];
    if (move.postedAt >= at && move.block <= height) return [move];
    if (move.postedAt < at && move.block > height) return [{ ...move, minor: -move.minor }];
    return [];
  });
}

/** What the recorded movements brought to each company between two blocks, the first excluded, the last included; by company and asset. */
export function movedBetween(moves: readonly Omit<ChainMove, 'postedAt'>[], from: number, to: number) {
  const moved = new Map<string, bigint>();
  for (const { companyId, asset, block, minor } of moves) {
    if (block !== null && block > from && block <= to) addTo(moved, `${companyId}/${asset}`, minor);
  }
  return moved;
}

/** What one chain held at the block of the midnight. */
export interface ChainHoldings {
  chain: string;
  block: { height: number; hash: string; time: Date } | null;
  source: HoldingSource;
  /** Of companies' addresses, of the treasury's under its owner, and of the gas tank's, whose company is null. */
  holdings: { companyId: string | null; address: string; asset: string; minor: bigint }[];
  timing: ChainMove[];
}

/** What one bank had stated of one currency by the midnight, and what of it is no company's. */
export interface BankHolding {
  bank: string;
  asset: string;
  /** The last closing balances known then, and what was announced as booked since. */
  statedMinor: bigint;
  /** Part of it: posted after the midnight. */
  unpostedMinor: bigint;
  suspenseMinor: bigint;
  /** What the bank took and no company bears: not positive. */
  chargesMinor: bigint;
}

export interface ReportParts {
  day: string;
  decimals: ReadonlyMap<string, number>;
  balances: readonly BalanceRow[];
  chains: readonly ChainHoldings[];
  banks: readonly BankHolding[];
  previous: string | null;
  /** A new salt of 32 random bytes for each leaf. */
  newSalt(): Buffer;
}

export interface ReportLeaf {
  companyId: string;
  position: number;
  salt: Buffer;
  sums: Record<string, string>;
  parts: Record<string, Record<string, string>>;
  path: { hash: string; sums: string[] }[];
}

export interface Report {
  statement: Statement;
  digest: string;
  leaves: ReportLeaf[];
}

export function composeReport(parts: ReportParts): Report {
  const { day, chains, banks } = parts;
  const owed = owedOf(parts.balances);
  const assets = assetsOf(owed, chains, banks);
  const named = [...owed.companies].map(([companyId, company]) => {
    const salt = parts.newSalt();
    return { companyId, company, salt, id: leafId(companyId, day, salt) };
  });
  named.sort((one, other) => Buffer.compare(one.id, other.id));
  const of = { day, assets, companies: named.length };
  const tree = buildTree(
    of,
    named.map(({ id, company }) => ({ id, sums: assets.map((asset) => company.sums.get(asset) ?? 0n) })),
  );
  const statement: Statement = {
    format: reportFormat,
    day,
    at: midnightAfter(day).toISOString(),
    companies: named.length,
    assets: assets.map((asset, index) => figuresOf(asset, tree.sums[index] ?? 0n, owed, parts)),
    chains: chains.map(({ chain, block, source, holdings }) => ({
      chain,
      block: block && { ...block, time: block.time.toISOString() },
      source,
      held: textsOf(sumByAsset(holdings.filter(({ companyId }) => companyId !== null))),
    })),
    root: tree.root.toString('hex'),
    holdings: digestOf(holdingLines(chains)),
    timing: digestOf(timingLines(chains)),
    previous: parts.previous,
  };
  return {
    statement,
    digest: digestOf(statement),
    leaves: named.map(({ companyId, company, salt }, position) => ({
      companyId,
      position,
      salt,
      sums: Object.fromEntries(textsOf(company.sums).map(({ asset, minor }) => [asset, minor])),
      parts: Object.fromEntries(company.parts),
      path: tree.path(position).map(stepOf),
    })),
  };
}

function stepOf({ hash, sums }: TreeNode): { hash: string; sums: string[] } {
  return { hash: hash.toString('hex'), sums: sums.map(String) };
}

function assetsOf(owed: Owed, chains: readonly ChainHoldings[], banks: readonly BankHolding[]): string[] {
  const ofCompanies = [...owed.companies.values()].flatMap(({ sums }) => [...sums.keys()]);
  const onChains = chains.flatMap(({ holdings, timing }) => [...holdings, ...timing].map(({ asset }) => asset));
  const atBanks = banks.map(({ asset }) => asset);
  return [...new Set([...ofCompanies, ...owed.own.keys(), ...onChains, ...atBanks])].sort();
}

function figuresOf(
  asset: string,
  owedMinor: bigint,
  owed: Owed,
  { chains, banks, decimals }: ReportParts,
): Statement['assets'][number] {
  const holdings = chains.flatMap((chain) => chain.holdings).filter((row) => row.asset === asset);
  const held = total(holdings.filter(({ companyId }) => companyId !== null));
  const timing = total(chains.flatMap((chain) => chain.timing).filter((row) => row.asset === asset));
  const own = owed.own.get(asset) ?? 0n;
  const atBanks = owed.atBanks.get(asset) ?? 0n;
  const places = decimals.get(asset);
  if (places === undefined) throw new Error(`asset ${asset} is unknown`);
  const figures = {
    owed: String(owedMinor),
    atBanks: String(atBanks),
    heldAtBanks: heldAtBanks(
      banks.filter((bank) => bank.asset === asset),
      owed.ownAtBanks.get(asset) ?? 0n,
    ),
    held: String(held),
    treasury: String(total(holdings.filter(({ companyId }) => companyId === treasuryOwner))),
    own: String(own),
    timing: String(timing),
  };
  return {
    asset,
    decimals: places,
    ...figures,
    difference: String(differenceOf(figures)),
    tank: String(total(holdings.filter(({ companyId }) => companyId === null))),
  };
}

/**
 * What banks stated, less what is owed in suspense and less the operator's own there: fees that were not collected, as far as they are more
 * than what banks took. Beyond that, charges are missing from what companies are owed. Null where no bank has reported of the asset.
 */
function heldAtBanks(banks: readonly BankHolding[], feesMinor: bigint): string | null {
  if (banks.length === 0) return null;
  const sum = (of: (bank: BankHolding) => bigint) => banks.reduce((so, bank) => so + of(bank), 0n);
  const ownMinor = feesMinor + sum(({ chargesMinor }) => chargesMinor);
  const stated = sum(({ statedMinor, unpostedMinor, suspenseMinor }) => statedMinor - unpostedMinor - suspenseMinor);
  const heldMinor = stated - (ownMinor > 0n ? ownMinor : 0n);
  return String(heldMinor > 0n ? heldMinor : 0n);
}

/** What the statement's digest of holdings is of, in one order. */
export function holdingLines(chains: readonly Pick<ChainHoldings, 'chain' | 'holdings'>[]): Holding[] {
  return chains
    .flatMap(({ chain, holdings }) =>
      holdings.map(
        ({ companyId, address, asset, minor }): Holding => ({
          chain,
          address,
          asset,
          minor: String(minor),
          owner: companyId === null ? 'operator' : companyId === treasuryOwner ? 'treasury' : 'company',
        }),
      ),
    )
    .sort(byKey(({ chain, address, asset }) => `${chain} ${address} ${asset}`));
}

/** And that of its postings around midnight. */
export function timingLines(chains: readonly Pick<ChainHoldings, 'chain' | 'timing'>[]): Timing[] {
  return chains
    .flatMap(({ chain, timing }) =>
      timing.map(
        (move): Timing => ({
          chain,
          company: move.companyId,
          posting: move.postingId,
          kind: move.kind,
          source: move.sourceId,
          asset: move.asset,
          minor: String(move.minor),
          block: move.block ?? 0,
          postedAt: move.postedAt.toISOString(),
        }),
      ),
    )
    .sort(byKey(({ company, posting, asset }) => `${company} ${posting} ${asset}`));
}

/** By code unit, so that every computer orders them alike. */
function byKey<T>(keyOf: (row: T) => string): (one: T, other: T) => number {
  return (one, other) => (keyOf(one) < keyOf(other) ? -1 : 1);
}

function total(rows: readonly { minor: bigint }[]): bigint {
  return rows.reduce((sum, { minor }) => sum + minor, 0n);
}

function sumByAsset(rows: readonly { asset: string; minor: bigint }[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { asset, minor } of rows) addTo(sums, asset, minor);
  return sums;
}

function textsOf(sums: ReadonlyMap<string, bigint>): { asset: string; minor: string }[] {
  return [...sums]
    .filter(([, minor]) => minor !== 0n)
    .sort(byKey(([asset]) => asset))
    .map(([asset, minor]) => ({ asset, minor: String(minor) }));
}
