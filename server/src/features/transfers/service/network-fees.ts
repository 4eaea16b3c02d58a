import type { OutputInput, Query } from '@causeway/contract/call.ts';
import { formatAmount, sayAmount } from '@causeway/contract/money.ts';
import type { listNetworkFees, NetworkFeeOption } from '@causeway/contract/transfers.ts';
import { type FeeLevel, feeLevels } from '@causeway/contract/transfers-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { addressKindOf, type ChainFamilies, familyOf } from '../../chains/index.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import { usdCentsOf } from '../../outgoing/index.ts';
import {
  type FeeBasis,
  type FeeQuote,
  isLacking,
  isStillFair,
  type PublishedRates,
  quoteAll,
  quoteAmount,
  quoteTypical,
  readFeeBasis,
} from '../../rails/index.ts';
import { readSubmission, type SubmissionRow } from '../store/submission.ts';

/** Transfers on chains where who sends chooses what the network takes (docs/adr/0089): what each level costs, and what was promised. */

/** Within how many blocks a transfer of a level is expected. */
export const blocksOf: Readonly<Record<FeeLevel, number>> = { economy: 144, normal: 6, urgent: 1 };

/** As large as any address's output is: what is counted before a payee is chosen. */
const largestKind = 'p2tr';

/**
 * What a transfer would cost at each level. Nothing is held by it.
 * @throws DomainError walletNotFound, payeeNotFound, networkFeeUnknown, feeRatesStale, amountFormat, amountTooManyDecimals, amountTooLarge,
 *   amountAboveBalanceMinusFee, tooManyCoins
 */
export async function describeNetworkFees(
  tx: Tx,
  context: SignedInContext & { families: ChainFamilies },
  { walletId, payeeId, amount, all }: Query<typeof listNetworkFees>,
): Promise<OutputInput<typeof listNetworkFees>> {
  const row = await readSubmission(tx, { id: null, walletId, payeeId: payeeId ?? null });
  if (!row) throw new DomainError('walletNotFound');
  if (payeeId !== undefined && !row.payee) throw refusal('payeeNotFound', {}, 'payeeId');
  if (!familyOf(context.families, row).choosesFee) return { items: [], leftBehind: null, publishedAt: null };
  const basis = basisOf(await readFeeBasis(tx, context.session.companyId, row.walletChainId));
  const kind = row.payee ? addressKindOf(row.payee.address) : largestKind;
  const amountMinor = amount === undefined ? null : amountOf(amount, { asset: row.coin, decimals: row.decimals });
  const quotes = feeLevels.map((level) => {
    if (all === undefined && amountMinor !== null) {
      return { level, quote: quoteOf(row, basis, { kind, amountMinor, level }), leftBehind: null };
    }
    const whole = wholeOf(row, basis, { kind, level });
    return { level, quote: whole, leftBehind: whole.leftBehind };
  });
  const left = quotes.map(({ leftBehind }) => leftBehind).find((each) => each !== null && each.coins > 0);
  return {
    items: quotes.map(({ level, quote }) => optionOf(row, basis, { level, quote, now: context.clock.now() })),
    leftBehind: left ? { coins: left.coins, amount: formatAmount(left.amountMinor, row.decimals) } : null,
    publishedAt: basis.rates.publishedAt.toISOString(),
  };
}

function basisOf(basis: FeeBasis | null): FeeBasis {
  freshRates(basis?.rates ?? null);
  invariant(basis, 'fresh rates are of a basis');
  return basis;
}

/** @throws DomainError networkFeeUnknown, feeRatesStale */
export function freshRates(rates: PublishedRates | null): PublishedRates {
  if (rates === null) throw new DomainError('networkFeeUnknown');
  if (rates.isStale) throw new DomainError('feeRatesStale');
  return rates;
}

type Asked = { kind: ReturnType<typeof addressKindOf>; amountMinor: bigint; level: FeeLevel };

/** @throws DomainError amountAboveBalanceMinusFee, tooManyCoins */
function quoteOf(row: SubmissionRow, basis: FeeBasis, asked: Asked): FeeQuote {
  const found = quoteAmount(basis, asked);
  if (!isLacking(found)) return found;
  const { kind, level, amountMinor } = asked;
  if (found.limit === 'weight') throw tooMany(row, basis, asked);
  const typical = quoteTypical(basis, { kind, level });
  // The books have it, and its coins are on their way back from other payments: it waits for them.
  if (amountMinor + row.feeMinor + typical.networkFeeMinor <= row.availableMinor) return { amountMinor, ...typical };
  throw aboveBalance(row, mostOf(row, basis, asked));
}

/** Everything that can be sent, never more than the books have. @throws DomainError amountAboveBalanceMinusFee */
function wholeOf(row: SubmissionRow, basis: FeeBasis, asked: Pick<Asked, 'kind' | 'level'>) {
  const whole = quoteAll(basis, asked);
  if (isLacking(whole)) throw aboveBalance(row, 0n);
  const most = row.availableMinor - row.feeMinor - whole.networkFeeMinor;
  if (most <= 0n) throw aboveBalance(row, 0n);
  return { ...whole, amountMinor: whole.amountMinor - row.feeMinor < most ? whole.amountMinor - row.feeMinor : most };
}

function mostOf(row: SubmissionRow, basis: FeeBasis, asked: Pick<Asked, 'kind' | 'level'>): bigint {
  const whole = quoteAll(basis, asked);
  return isLacking(whole) ? 0n : whole.amountMinor - row.feeMinor;
}

function aboveBalance({ coin, decimals }: SubmissionRow, mostMinor: bigint) {
  const most = sayAmount(mostMinor > 0n ? mostMinor : 0n, decimals);
  return refusal('amountAboveBalanceMinusFee', { most, coin }, 'amount');
}

function tooMany(row: SubmissionRow, basis: FeeBasis, asked: Pick<Asked, 'kind' | 'level'>) {
  return refusal(
    'tooManyCoins',
    { most: sayAmount(mostOf(row, basis, asked), row.decimals), coin: row.coin },
    'amount',
  );
}

function optionOf(
  row: SubmissionRow,
  { rates }: FeeBasis,
  { level, quote, now }: { level: FeeLevel; quote: FeeQuote; now: Date },
): NetworkFeeOption {
  const say = (minor: bigint) => formatAmount(minor, row.decimals);
  const feeMinor = row.feeMinor + quote.networkFeeMinor;
  return {
    level,
    fee: say(feeMinor),
    networkFee: say(quote.networkFeeMinor),
    feeRate: formatAmount(BigInt(rates[level]), 3),
    vsize: quote.vsize,
    feeUsd: usdOf(row, feeMinor, now),
    amount: say(quote.amountMinor),
    debited: say(quote.amountMinor + feeMinor),
    expectedSeconds: Math.round((blocksOf[level] * row.blockTimeMs) / 1000),
  };
}

/** Null while no price is fresh enough. */
export function usdOf(row: SubmissionRow, minor: bigint, now: Date): string | null {
  try {
    return formatAmount(usdCentsOf(row, minor, now), 2);
  } catch (error) {
    if (error instanceof DomainError && error.key === 'rateStale') return null;
    throw error;
  }
}

/** What a submission promises the network; null where the fee is no choice. */
export interface NetworkPromise {
  level: FeeLevel;
  networkFeeMinor: bigint;
  vsize: number;
}

/**
 * What a submitted fee promises the network: all of it but the operator's part. It is held to what its level costs by now, within bounds. Null:
 * what its level costs by now.
 * @throws DomainError feeLevelMissing, feeLevelUnknown, networkFeeUnknown, feeRatesStale, feeChanged, amountAboveBalanceMinusFee, tooManyCoins
 */
export function promiseOf(
  row: SubmissionRow,
  families: ChainFamilies,
  {
    basis,
    feeLevel,
    feeMinor,
    amountMinor,
  }: { basis: FeeBasis | null; feeLevel: FeeLevel | undefined; feeMinor: bigint | null; amountMinor: bigint },
): NetworkPromise | null {
  if (!familyOf(families, row).choosesFee) {
    if (feeLevel !== undefined) throw refusal('feeLevelUnknown', {}, 'feeLevel');
    return null;
  }
  if (feeLevel === undefined) throw refusal('feeLevelMissing', {}, 'feeLevel');
  if (!row.payee) throw refusal('payeeNotFound', {}, 'payeeId');
  const asked = { kind: addressKindOf(row.payee.address), amountMinor, level: feeLevel };
  const present = quoteOf(row, basisOf(basis), asked);
  const networkFeeMinor = feeMinor === null ? present.networkFeeMinor : feeMinor - row.feeMinor;
  if (!isStillFair(networkFeeMinor, present.networkFeeMinor)) {
    const fee = sayAmount(row.feeMinor + present.networkFeeMinor, row.decimals);
    throw refusal('feeChanged', { fee, coin: row.coin }, 'fee');
  }
  return { level: feeLevel, networkFeeMinor, vsize: present.vsize };
}
