import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import {
  isBankFee,
  isShare,
  type listPriceHistory,
  type listPricesInForce,
  type PriceKind,
  type PriceRow,
  type PriceTrial,
  priceKinds,
  priceTrialDays,
} from '@causeway/contract/operator-prices.ts';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { OperatorContext } from '../../../platform/session.ts';
import { nameOfPlace } from '../../banks/index.ts';
import { nilCompany } from '../../identity/index.ts';
import { refusal } from '../../ledger/index.ts';
import { findPrices, formatUsd, isStale, usdValue } from '../../rates/index.ts';
import { canBeTried, isFor, type PriceKey, trialOf } from './domain.ts';
import {
  type AssetRow,
  findAssets,
  findCompanyName,
  findExempt,
  findOpenPrices,
  findPricedCompanies,
  type HistoryRow,
  type OpenPrice,
  priceHistory,
  sumPast,
} from './store.ts';

/** Prices as the operator reads them: what holds, what is planned, what was, and what a new one would have earned. */

/** What holds of one price now; amounts in minor units, a spread in basis points. */
export interface Held {
  value: bigint | null;
  from: 'company' | 'installation' | 'registered';
  since: Date | null;
  planned: readonly OpenPrice[];
  /** Of a company: what is planned for every company and will hold for it, since none of its own beats it then. */
  plannedForAll: readonly OpenPrice[];
}

function say(kind: PriceKind, value: bigint | null, decimals: number): string | null {
  if (value === null) return null;
  return formatAmount(value, isShare(kind) ? 0 : decimals);
}

/** @throws DomainError notFound for a company that is not there */
export async function listInForce(
  tx: Tx,
  { locale }: OperatorContext,
  { companyId = null }: { companyId?: string | null | undefined },
): Promise<OutputInput<typeof listPricesInForce>> {
  const name = companyId === null ? null : await findCompanyName(tx, companyId);
  if (companyId !== null && name === null) throw new DomainError('notFound');
  const [assets, open, priced] = [
    await findAssets(tx),
    await findOpenPrices(tx, { companyId }),
    await findPricedCompanies(tx),
  ];
  return {
    company: companyId === null ? null : { id: companyId, name: name ?? '' },
    items: assets.map((row) => ({
      asset: row.asset,
      decimals: row.decimals,
      isCoin: row.isCoin,
      prices: keysOf(row, companyId).map((key) => ({
        kind: key.kind,
        chain: chainOf(row, key.chain),
        bank: bankOf(row, key.bank, locale),
        ...shownHeld(key.kind, heldOf(row, open, key), row.decimals),
      })),
      companies: priced.filter(({ asset }) => asset === row.asset).map(({ id, name: of }) => ({ id, name: of })),
    })),
  };
}

function keysOf({ asset, isCoin, chains, banks }: AssetRow, companyId: string | null): PriceKey[] {
  return priceKinds
    .filter((kind) => isFor(kind, { isCoin }))
    .flatMap((kind): PriceKey[] => {
      const key = { kind, asset, chain: null, bank: null, companyId };
      if (isBankFee(kind)) return banks.map(({ id: bank }) => ({ ...key, bank }));
      return kind === 'withdrawal_fee' ? chains.map(({ id: chain }) => ({ ...key, chain })) : [key];
    });
}

function bankOf({ banks }: AssetRow, id: string | null, locale: Locale): { id: string; name: string } | null {
  const bank = banks.find((one) => one.id === id);
  return bank ? { id: bank.id, name: nameOfPlace(bank, locale) } : null;
}

function chainOf({ chains }: AssetRow, id: string | null): { id: string; name: string } | null {
  const chain = chains.find((one) => one.id === id);
  return chain ? { id: chain.id, name: chain.name } : null;
}

/** What holds of a key, from what was set and what the asset was registered with. */
function heldOf(row: AssetRow, open: readonly OpenPrice[], key: PriceKey): Held {
  const { kind, asset, chain, bank, companyId } = key;
  const its = open.filter(
    (one) => one.kind === kind && one.asset === asset && one.chain === chain && one.bank === bank,
  );
  const scoped = (scope: string) => its.filter((one) => one.companyId === scope);
  const own = companyId === null ? [] : scoped(companyId);
  const held = (rows: readonly OpenPrice[]) => rows.find(({ isPlanned, value }) => !isPlanned && value !== null);
  const [first, second] = [held(own), held(scoped(nilCompany))];
  const planned = (scope: string) => scoped(scope).filter(({ isPlanned }) => isPlanned);
  const holds = first ?? second;
  return {
    value: holds?.value ?? registered(row, key),
    from: first ? 'company' : second ? 'installation' : 'registered',
    since: holds?.validFrom ?? null,
    planned: planned(companyId ?? nilCompany),
    plannedForAll: companyId === null ? [] : planned(nilCompany).filter(({ validFrom }) => !hasOwnAt(own, validFrom)),
  };
}

/** Whether a company has a price of its own at an instant, from its prices in the order of their instants; one without a value ends it. */
function hasOwnAt(own: readonly OpenPrice[], at: Date): boolean {
  return (own.filter(({ validFrom }) => validFrom <= at).at(-1)?.value ?? null) !== null;
}

/** What the asset was registered with, or the file of banks says; null: no limit, no spread, or minimums in which banks differ. */
function registered(row: AssetRow, { kind, chain, bank }: PriceKey): bigint | null {
  const { chains, banks } = row;
  if (kind === 'withdrawal_minimum' || kind === 'recharge_minimum') return registeredMinimum(row, kind);
  if (isBankFee(kind)) {
    const fees = banks.find(({ id }) => id === bank);
    return BigInt((kind === 'payout_fee_swift' ? fees?.swiftMinor : fees?.localMinor) ?? 0);
  }
  if (kind !== 'withdrawal_fee') return null;
  return BigInt(chains.find(({ id }) => id === chain)?.feeMinor ?? 0);
}

function registeredMinimum({ isCoin, minimumMinor, banks }: AssetRow, kind: PriceKind): bigint | null {
  if (isCoin || banks.length === 0) return minimumMinor;
  const ofBanks = new Set(
    banks.map((bank) => (kind === 'withdrawal_minimum' ? bank.payoutMinimumMinor : bank.rechargeMinimumMinor)),
  );
  const [minimum] = ofBanks;
  return ofBanks.size === 1 && minimum !== undefined ? BigInt(minimum) : null;
}

export function shownHeld(kind: PriceKind, { value, from, since, planned, plannedForAll }: Held, decimals: number) {
  const shown = (one: OpenPrice) => ({
    id: one.id,
    value: say(kind, one.value, decimals),
    validFrom: one.validFrom.toISOString(),
  });
  return {
    value: say(kind, value, decimals),
    from,
    since: since?.toISOString() ?? null,
    planned: planned.map(shown),
    plannedForAll: plannedForAll.map(shown),
  };
}

/** What is known of a price: its asset, and what holds. */
export interface Known {
  asset: AssetRow;
  held: Held;
  /** What would hold without a price of its own. */
  fallback: bigint | null;
}

/** @throws DomainError assetUnknown, coinNotOnChain, currencyNotAtBank, notFound for a company that is not there */
export async function readKnown(tx: PlatformTx, key: PriceKey): Promise<Known> {
  const [asset] = await findAssets(tx, key.asset);
  if (!asset) throw refusal('assetUnknown', {}, 'asset');
  if (!isFor(key.kind, asset)) throw refusal(asset.isCoin ? 'currencyNotAtBank' : 'coinNotOnChain', {}, 'asset');
  if (key.chain !== null && chainOf(asset, key.chain) === null) throw refusal('coinNotOnChain', {}, 'chain');
  if (key.bank !== null && !asset.banks.some(({ id }) => id === key.bank))
    throw refusal('currencyNotAtBank', {}, 'bank');
  if (key.companyId !== null && (await findCompanyName(tx, key.companyId)) === null) throw new DomainError('notFound');
  const open = await findOpenPrices(tx, { companyId: key.companyId, asset: key.asset });
  const all = heldOf(asset, open, { ...key, companyId: null });
  const fallback = key.companyId === null ? registered(asset, key) : all.value;
  return { asset, held: heldOf(asset, open, key), fallback };
}

/** What a price would have earned over the last days; null where past ones do not say. */
export async function tryOut(
  tx: PlatformTx,
  key: PriceKey,
  value: bigint,
  decimals: number,
): Promise<PriceTrial | null> {
  if (!canBeTried(key.kind)) return null;
  const exempt = key.companyId === null ? await findExempt(tx, key) : [];
  const trial = trialOf(key.kind, value, await sumPast(tx, key, { value, days: priceTrialDays, exempt }));
  const price = (await findPrices(tx)).find(({ asset }) => asset === key.asset);
  const { earnedMinor, wouldEarnMinor } = trial;
  const cents = (minor: bigint) => (price && !isStale(price, new Date()) ? usdValue(minor, decimals, price.usd) : null);
  const [earned, would] = [cents(earnedMinor), cents(wouldEarnMinor)];
  return {
    transfers: trial.transfers,
    earned: formatAmount(earnedMinor, decimals),
    wouldEarn: formatAmount(wouldEarnMinor, decimals),
    difference: formatAmount(wouldEarnMinor - earnedMinor, decimals),
    usd:
      earned === null || would === null
        ? null
        : { earned: formatUsd(earned), wouldEarn: formatUsd(would), difference: formatUsd(would - earned) },
    refused: trial.refused,
    companies: trial.companies,
  };
}

/** @throws DomainError cursorInvalid */
export async function listHistory(
  tx: Tx,
  { locale }: OperatorContext,
  query: Query<typeof listPriceHistory>,
): Promise<OutputInput<typeof listPriceHistory>> {
  const page = await readPage(tx, priceHistory, query, undefined);
  return { ...page, items: page.items.map((row) => shownRow(row, locale)) };
}

function shownRow(row: HistoryRow, locale: Locale): PriceRow {
  const { id, kind, asset, isCoin, decimals, state, setBy } = row;
  return {
    id,
    kind,
    asset,
    isCoin,
    decimals,
    chain: row.chainId === null ? null : { id: row.chainId, name: row.chainName ?? row.chainId },
    bank:
      row.bankId === null || row.bankNames === null
        ? null
        : { id: row.bankId, name: nameOfPlace(row.bankNames, locale) },
    company: row.companyId === null ? null : { id: row.companyId, name: row.company ?? '' },
    value: say(kind, row.value, decimals),
    validFrom: row.validFrom.toISOString(),
    validUntil: row.state === 'withdrawn' ? null : (row.validUntil?.toISOString() ?? null),
    state,
    proposal:
      row.proposalId === null
        ? null
        : { id: row.proposalId, proposedBy: row.proposedBy ?? '', confirmedBy: row.confirmedBy ?? '' },
    setBy,
    withdrawal:
      row.withdrawnAt === null
        ? null
        : { at: row.withdrawnAt.toISOString(), by: row.withdrawnBy ?? '', reason: row.withdrawalReason ?? '' },
  };
}
