import { dustThreshold, feeOf, milliRate, mostInputs, type ScriptKind, vsizeOf } from '../../chains/index.ts';
import { type Coin, type Lacking, largestFirst, type Payment, type Selection, sumOf } from './coin-selection.ts';

/**
 * Transactions that get a stuck one into a block: one in its place that pays the miner more (BIP 125), and one that spends its output and
 * pays for both. Pure, as coin selection is.
 */

/** What nodes want per virtual byte of what they forward in another's place (Bitcoin Core's incremental relay fee). */
const incrementalMilli = 1000n;

export interface Replaceable<C extends Coin> {
  inputs: readonly C[];
  /** To others; none where the replacement is to pay nothing. */
  outputs: readonly Payment[];
  changeKind: ScriptKind;
  feeMinor: bigint;
  vsize: number;
  /** The fees of transactions that spend its outputs: they leave the mempool with it, and the replacement pays for them too. */
  descendantFeesMinor?: bigint;
}

/**
 * A transaction that nodes take in the place of another: it spends the same coins, and confirmed ones beside them (BIP 125, rule 2) where its change
 * does not cover the fee. The fee is the rate's, and at least what rules 3 and 4 want; the rate exceeds that of the first.
 */
export function replacement<C extends Coin>(
  plan: Replaceable<C>,
  { feeRate, coins }: { feeRate: number; coins: readonly C[] },
): Selection<C> | Lacking {
  const { feeMinor, vsize: formerVsize, descendantFeesMinor = 0n } = plan;
  const milli = milliRate(feeRate);
  const feeAt = (vsize: number) =>
    greatest([
      feeOf(vsize, milli),
      feeMinor + descendantFeesMinor + feeOf(vsize, incrementalMilli),
      (feeMinor * BigInt(vsize)) / BigInt(formerVsize) + 1n,
    ]);
  return withFee(plan, coins, feeAt);
}

/** Spends an output of a waiting transaction to an address of the company, so that miners take both at the rate. */
export function accelerating<C extends Coin>(
  parent: { feeMinor: bigint; vsize: number },
  { coin, changeKind, feeRate, coins }: { coin: C; changeKind: ScriptKind; feeRate: number; coins: readonly C[] },
): Selection<C> | Lacking {
  const milli = milliRate(feeRate);
  const feeAt = (vsize: number) =>
    greatest([feeOf(parent.vsize + vsize, milli) - parent.feeMinor, feeOf(vsize, incrementalMilli)]);
  return withFee({ inputs: [coin], outputs: [], changeKind }, coins, feeAt);
}

/** Adds the largest confirmed coins until the fee is covered; the fee follows the size. */
function withFee<C extends Coin>(
  { inputs, outputs, changeKind }: Pick<Replaceable<C>, 'inputs' | 'outputs' | 'changeKind'>,
  coins: readonly C[],
  feeAt: (vsize: number) => bigint,
): Selection<C> | Lacking {
  const kinds = outputs.map(({ kind }) => kind);
  const withChange = [...kinds, changeKind];
  const spent = new Set(inputs.map(({ key }) => key));
  const further = largestFirst(coins.filter(({ key, isConfirmed }) => isConfirmed && !spent.has(key)));
  const room = Math.max(0, mostInputs(withChange) - inputs.length);
  const paidMinor = sumOf(outputs);
  let leftMinor = sumOf(inputs) - paidMinor;
  let lacking = 0n;
  const spending = (added: number) => [...inputs, ...further.slice(0, added)];
  for (let added = 0; added <= Math.min(room, further.length); added += 1) {
    if (added > 0) leftMinor += further[added - 1]?.amountMinor ?? 0n;
    const count = inputs.length + added;
    const vsize = vsizeOf(count, withChange);
    const feeMinor = feeAt(vsize);
    const changeMinor = leftMinor - feeMinor;
    if (changeMinor >= dustThreshold(changeKind)) return { inputs: spending(added), changeMinor, feeMinor, vsize };
    const smaller = vsizeOf(count, kinds);
    if (kinds.length > 0 && leftMinor >= feeAt(smaller)) {
      return { inputs: spending(added), changeMinor: 0n, feeMinor: leftMinor, vsize: smaller };
    }
    lacking = kinds.length > 0 ? feeAt(smaller) - leftMinor : dustThreshold(changeKind) - changeMinor;
  }
  return { lacking, limit: further.length > room ? 'weight' : 'coins' };
}

const greatest = (amounts: readonly bigint[]) => amounts.reduce((most, amount) => (amount > most ? amount : most));
