import type { OutputInput, Query } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { getPeriodStatement, listStatements } from '@causeway/contract/statements.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { Input } from '../../../platform/http/call-input.ts';
import { decodeCursor, pageOf, sizeOf } from '../../../platform/http/page.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import type { FlowSums } from '../../ledger/index.ts';
import type { Balances, Movement, Place } from '../domain.ts';
import { balanceAfter } from '../store.ts';
import { describeMovements, movementsFrom } from './lines.ts';
import {
  ledgerBalance,
  type OpenPeriod,
  type OpenStatements,
  openStatements,
  sumWallet,
  type WalletSpan,
} from './open.ts';

/** The company's wallets with opening balance, sums and closing balance. */
export async function describeStatements(
  tx: Tx,
  context: SignedInContext,
  query: Query<typeof listStatements>,
): Promise<OutputInput<typeof listStatements>> {
  const opened = await openStatements(tx, context, query, null);
  const items = [];
  for (const wallet of opened.wallets) items.push(describeWallet(opened, wallet, await sumWallet(tx, wallet)));
  return {
    period: describePeriod(opened.period),
    currency: opened.currency,
    items,
    openingValue: totalValue(opened, 'openingValueMinor'),
    closingValue: totalValue(opened, 'closingValueMinor'),
  };
}

/**
 * One wallet's statement, a page of movements at a time, oldest first.
 * @throws DomainError walletNotFound, cursorInvalid
 */
export async function describeStatement(
  tx: Tx,
  context: SignedInContext,
  { id, cursor, size, ...period }: Input<typeof getPeriodStatement>,
): Promise<OutputInput<typeof getPeriodStatement>> {
  const opened = await openStatements(tx, context, period, id);
  const [wallet] = opened.wallets;
  invariant(wallet, 'the wallet that was asked for is there');
  const sums = await sumWallet(tx, wallet);
  const wanted = sizeOf(size);
  const movements: Movement[] = [];
  for await (const movement of movementsFrom((read) => read(tx), wallet, await startOf(tx, wallet, cursor))) {
    movements.push(movement);
    if (movements.length > wanted) break;
  }
  const { items, next } = pageOf(movements, wanted, ({ place }) => [place.available, place.onHold]);
  return {
    period: describePeriod(opened.period),
    currency: opened.currency,
    statement: describeWallet(opened, wallet, sums),
    items: (await describeMovements(tx, items, wallet, opened, context.locale)).map(({ shown }) => shown),
    total: sums.movements,
    totalExact: true,
    next,
  };
}

/** Where a page begins. @throws DomainError cursorInvalid where that is not within the period */
async function startOf(tx: Tx, wallet: WalletSpan, cursor: string | undefined): Promise<Balances & { place: Place }> {
  const { accounts, opening } = wallet;
  const { from, to } = wallet.span;
  const given = decodeCursor(cursor, ['number', 'number']);
  if (given === null) return { place: from, ...opening };
  const [available, onHold] = given;
  const isWithin = (place: number, first: number, last: number) =>
    Number.isSafeInteger(place) && place >= first && place <= last;
  if (!isWithin(available, from.available, to.available) || !isWithin(onHold, from.onHold, to.onHold)) {
    throw new DomainError('cursorInvalid');
  }
  return {
    place: { available, onHold },
    availableMinor: await balanceAfter(tx, accounts.availableId, available),
    onHoldMinor: await balanceAfter(tx, accounts.onHoldId, onHold),
  };
}

function describePeriod({ opensAt, closesAt, isOpeningFinal: _, ...period }: OpenPeriod) {
  return { ...period, opensAt: opensAt.toISOString(), closesAt: closesAt.toISOString() };
}

export function describeWallet({ decimals: valueDecimals }: OpenStatements, span: WalletSpan, sums: FlowSums) {
  const { wallet, placeName, opening, closing, isNew } = span;
  const inUnits = (minor: bigint) => formatAmount(minor, wallet.decimals);
  const inBooks = (minor: bigint | null) => (minor === null ? null : formatAmount(minor, valueDecimals));
  return {
    walletId: wallet.id,
    asset: wallet.asset,
    decimals: wallet.decimals,
    placeName,
    opening: inUnits(ledgerBalance(opening)),
    moneyIn: inUnits(sums.moneyInMinor),
    moneyOut: inUnits(sums.moneyOutMinor),
    fees: inUnits(sums.feesMinor),
    closing: inUnits(ledgerBalance(closing)),
    onHold: inUnits(closing.onHoldMinor),
    available: inUnits(closing.availableMinor),
    movements: sums.movements,
    isNew,
    openingValue: inBooks(span.openingValueMinor),
    closingValue: inBooks(span.closingValueMinor),
  };
}

/** Of all wallets; null where that of one is not known. */
export function totalValue(
  { wallets, decimals }: OpenStatements,
  end: 'openingValueMinor' | 'closingValueMinor',
): string | null {
  let total = 0n;
  for (const wallet of wallets) {
    const value = wallet[end];
    if (value === null) return null;
    total += value;
  }
  return formatAmount(total, decimals);
}
