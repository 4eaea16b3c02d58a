import type { BatchCheck } from '@causeway/contract/batch-runs.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { accountsOf } from '../../ledger/index.ts';
import { nameWallets } from '../../wallets/index.ts';
import type { ReadRow } from './rows.ts';
import { asTotal } from './view.ts';

/** What the rows of a check ask for, in minor units: also those that would be refused, whose fee is not known and counts as zero. */
interface Asked {
  walletId: string;
  asset: string;
  decimals: number;
  amountMinor: bigint;
  feeMinor: bigint;
  /** What the wallet has available. */
  availableMinor: bigint;
}

/** Rows that name a wallet and an amount. */
export async function askedOf(tx: Tx, read: readonly ReadRow[]): Promise<Asked[]> {
  const refused = read.flatMap(({ row, outcome }) => ('answer' in outcome ? [] : (row.walletId ?? [])));
  const balances = await availableOf(tx, [...new Set(refused)]);
  return read.flatMap(({ row, outcome }) => {
    if ('answer' in outcome) {
      const { walletId, coin, decimals, amountMinor, feeMinor, available } = outcome.answer.payment;
      return { walletId, asset: coin, decimals, amountMinor, feeMinor, availableMinor: available.balanceMinor };
    }
    const { walletId, asset, decimals, amountMinor } = row;
    if (walletId === null || asset === null || decimals === null || amountMinor === null) return [];
    return { walletId, asset, decimals, amountMinor, feeMinor: 0n, availableMinor: balances.get(walletId) ?? 0n };
  });
}

async function availableOf(tx: Tx, walletIds: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
  if (walletIds.length === 0) return new Map();
  const accounts = await accountsOf(tx, walletIds);
  return new Map(
    accounts.flatMap(({ ownerId, kind, balanceMinor }) =>
      kind === 'available' ? [[ownerId, balanceMinor] as const] : [],
    ),
  );
}

export function totalsOf(asked: readonly Asked[]): BatchCheck['totals'] {
  return [...Map.groupBy(asked, ({ asset }) => asset).values()].map((of) => asTotal(sumOf(of)));
}

function sumOf(of: readonly Asked[]) {
  return {
    asset: of[0]?.asset ?? '',
    decimals: of[0]?.decimals ?? 0,
    rows: of.length,
    amountMinor: of.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    feeMinor: of.reduce((sum, { feeMinor }) => sum + feeMinor, 0n),
  };
}

/** What each paying wallet has, and would have left. */
export async function walletsOf(
  tx: Tx,
  { locale }: SignedInContext,
  asked: readonly Asked[],
): Promise<BatchCheck['wallets']> {
  const names = await nameWallets(tx, locale);
  return [...Map.groupBy(asked, ({ walletId }) => walletId)].map(([walletId, of]) => {
    const sum = sumOf(of);
    const availableMinor = of[0]?.availableMinor ?? 0n;
    const leftMinor = availableMinor - sum.amountMinor - sum.feeMinor;
    const say = (minor: bigint) => formatAmount(minor, sum.decimals);
    return {
      ...asTotal(sum),
      walletId,
      place: names.get(walletId)?.place ?? '',
      available: say(availableMinor),
      left: leftMinor < 0n ? `-${say(-leftMinor)}` : say(leftMinor),
      covered: leftMinor >= 0n,
    };
  });
}
