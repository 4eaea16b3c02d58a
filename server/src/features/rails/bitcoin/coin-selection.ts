import {
  dustThreshold,
  feeOf,
  inputWeight,
  milliRate,
  mostInputs,
  type ScriptKind,
  vsizeOf,
  weightOf,
} from '../../chains/index.ts';
import { matching, shuffled } from './coin-search.ts';

/**
 * Which of a company's coins a payment spends, and what comes back (docs/adr/0088). Pure: the same coins, outputs, rates and seed
 * give the same selection, in whichever order the coins are. Amounts in satoshis, rates in satoshis per virtual byte with at most
 * three decimals.
 */

/** An output of the company's that may be spent. */
export interface Coin {
  /** `<txid>:<vout>`; no two coins have the same. */
  key: string;
  amountMinor: bigint;
  /** A block has it. Another is change of the company's own that waits for one; foreign ones that wait are never spent. */
  isConfirmed: boolean;
}

/** What a transaction pays to others. */
export interface Payment {
  kind: ScriptKind;
  amountMinor: bigint;
}

/** The fee is the rate's, or the one that was promised, which `feeRate` should then come to and `floorRate` must. */
type FeeMode = { mode: 'rate' } | { mode: 'exact-fee'; feeMinor: bigint; floorRate: number };

export type SelectionRequest<C extends Coin> = FeeMode & {
  coins: readonly C[];
  outputs: readonly Payment[];
  feeRate: number;
  changeKind: ScriptKind;
  /** What spending a coin is expected to cost later: above it few coins are spent, at it and below more may be. */
  longTermFeeRate: number;
  /** How many small coins are spent beyond those that are needed while the rate is at most the long-term one; none by default. */
  consolidate?: number;
  /** Decides the random draw: the payment's id. */
  seed: string;
};

/** What remains of the coins once the payees and the miner are paid. */
interface Settled {
  /** 0, or not dust. */
  changeMinor: bigint;
  feeMinor: bigint;
  /** In virtual bytes; never less than the signed transaction's. */
  vsize: number;
}

export interface Selection<C extends Coin> extends Settled {
  inputs: readonly C[];
}

/** What is missing: of coins, of those that one transaction can spend, or of the promised fee so that nodes forward it. */
export interface Lacking {
  lacking: bigint;
  limit: 'coins' | 'weight' | 'fee';
}

export const isLacking = (found: object): found is Lacking => 'lacking' in found;

/** Change worth having where the draw can give it: what is much smaller will cost more of its worth to spend. */
const comfortableChangeMinor = 50_000n;

/** Confirmed coins alone where they suffice, and otherwise also the company's own change that waits for a block. */
export function selectCoins<C extends Coin>(request: SelectionRequest<C>): Selection<C> | Lacking {
  const measure = measureOf(request);
  const economical = request.coins.filter((coin) => isEconomical(coin, measure.milli));
  const pools = [economical.filter(({ isConfirmed }) => isConfirmed), economical];
  // A promised fee does not grow with the inputs, so that coins which are not worth today's rate still pay.
  if (measure.promisedMinor !== null) pools.push([...request.coins]);
  for (const pool of pools) {
    const found = selectFrom(request, measure, largestFirst(pool));
    if (found) return found;
  }
  return lackingOf(measure, largestFirst(pools.at(-1) ?? []));
}

/** A selection that leaves nothing of what is worth spending: `amountMinor` is what one payee gets. */
export interface WholeSelection<C extends Coin> extends Settled {
  inputs: readonly C[];
  amountMinor: bigint;
  /** Coins that would cost more than they bring. */
  uneconomical: readonly C[];
  /** Coins beyond what one transaction can spend: the smallest. */
  beyondWeight: readonly C[];
}

/** Spends every coin that is worth more than it costs at the rate; the payee gets the sum less the fee. */
export function selectAll<C extends Coin>({
  coins,
  kind,
  feeRate,
}: {
  coins: readonly C[];
  kind: ScriptKind;
  feeRate: number;
}): WholeSelection<C> | Lacking {
  const milli = milliRate(feeRate);
  const economical = largestFirst(coins.filter((coin) => isEconomical(coin, milli)));
  const most = mostInputs([kind]);
  const inputs = economical.slice(0, most);
  const vsize = vsizeOf(Math.max(1, inputs.length), [kind]);
  const feeMinor = feeOf(vsize, milli);
  const amountMinor = sumOf(inputs) - feeMinor;
  if (amountMinor < dustThreshold(kind)) return { lacking: dustThreshold(kind) - amountMinor, limit: 'coins' };
  const uneconomical = largestFirst(coins.filter((coin) => !isEconomical(coin, milli)));
  return { inputs, amountMinor, changeMinor: 0n, feeMinor, vsize, uneconomical, beyondWeight: economical.slice(most) };
}

/** What sums of coins come to, without looking at each coin again. */
interface Measure {
  milli: bigint;
  longTermMilli: bigint;
  /** Null where the fee follows the rate. */
  promisedMinor: bigint | null;
  paidMinor: bigint;
  mostInputs: number;
  /** Change below this is left to the miner: it is dust, or would cost more to spend than it is. */
  leastChangeMinor: bigint;
  kinds: readonly ScriptKind[];
  /** The sum that so many inputs need when nothing comes back. */
  neededMinor(inputs: number): bigint;
  /** Null where so many inputs of this sum do not pay what is due. */
  settle(inputs: number, sumMinor: bigint): Settled | null;
  /** By how much the promised fee is too little for nodes to forward so many inputs. */
  lackingFeeMinor(inputs: number): bigint;
}

function measureOf(request: SelectionRequest<Coin>): Measure {
  const { outputs, changeKind } = request;
  const milli = milliRate(request.feeRate);
  const longTermMilli = milliRate(request.longTermFeeRate);
  const kinds = outputs.map(({ kind }) => kind);
  const withChange = [...kinds, changeKind];
  const dust = dustThreshold(changeKind);
  const paidMinor = sumOf(outputs);
  const spendingMinor = feeOf(Math.ceil(inputWeight / 4), longTermMilli);
  const common = { milli, longTermMilli, paidMinor, kinds, mostInputs: mostInputs(withChange) };

  if (request.mode === 'rate') {
    const leastChangeMinor = spendingMinor > dust ? spendingMinor : dust;
    const neededMinor = (inputs: number) => paidMinor + feeOf(vsizeOf(inputs, kinds), milli);
    const settle = (inputs: number, sumMinor: bigint): Settled | null => {
      const vsize = vsizeOf(inputs, withChange);
      const feeMinor = feeOf(vsize, milli);
      const changeMinor = sumMinor - paidMinor - feeMinor;
      if (changeMinor >= leastChangeMinor) return { changeMinor, feeMinor, vsize };
      if (sumMinor < neededMinor(inputs)) return null;
      return { changeMinor: 0n, feeMinor: sumMinor - paidMinor, vsize: vsizeOf(inputs, kinds) };
    };
    return { ...common, promisedMinor: null, leastChangeMinor, neededMinor, settle, lackingFeeMinor: () => 0n };
  }

  const { feeMinor: promisedMinor } = request;
  const floor = milliRate(request.floorRate);
  const settle = (inputs: number, sumMinor: bigint): Settled | null => {
    const left = sumMinor - paidMinor - promisedMinor;
    if (left < 0n) return null;
    // More than was promised is never paid: the fee gives what the change lacks to be forwarded.
    const changeMinor = left > 0n && left < dust ? dust : left;
    const feeMinor = promisedMinor - (changeMinor - left);
    const vsize = vsizeOf(inputs, changeMinor > 0n ? withChange : kinds);
    return feeMinor < feeOf(vsize, floor) ? null : { changeMinor, feeMinor, vsize };
  };
  const lackingFeeMinor = (inputs: number) => {
    const lacking = feeOf(vsizeOf(inputs, withChange), floor) - promisedMinor;
    return lacking > 0n ? lacking : 1n;
  };
  const neededMinor = () => paidMinor + promisedMinor;
  return { ...common, promisedMinor, leastChangeMinor: dust, neededMinor, settle, lackingFeeMinor };
}

function selectFrom<C extends Coin>(
  request: SelectionRequest<C>,
  measure: Measure,
  pool: readonly C[],
): Selection<C> | null {
  const found = [
    withoutChange(measure, pool),
    accumulated(measure, shuffled(pool, request.seed), comfortableChangeMinor),
    accumulated(measure, pool, 0n),
  ].filter((selection) => selection !== null);
  const [best] = found
    .map((selection) => ({ selection, below: isBelowRate(measure, selection), waste: wasteOf(measure, selection) }))
    // Sorting is stable: of equals the first search is taken.
    .sort((a, b) => Number(a.below) - Number(b.below) || compare(a.waste, b.waste));
  return best ? withSmallCoins(request, measure, best.selection, pool) : null;
}

/** Coins whose sum needs no change: nothing comes back that must be spent again, and no output shows which is the payee's. */
function withoutChange<C extends Coin>(measure: Measure, pool: readonly C[]): Selection<C> | null {
  // In units of 1/4000 satoshi, in which weights and rates have no fractions.
  const unit = 4000n;
  const costs = measure.promisedMinor === null ? measure.milli : 0n;
  const values = pool.map(({ amountMinor }) => amountMinor * unit - BigInt(inputWeight) * costs);
  const fixed = BigInt(weightOf(0, measure.kinds)) * costs;
  const target = (measure.paidMinor + (measure.promisedMinor ?? 0n)) * unit + fixed;
  const excess = measure.promisedMinor === null ? measure.leastChangeMinor * unit : 0n;
  const picked = matching(values, { target, excess, mostPicked: measure.mostInputs });
  if (!picked || picked.length === 0) return null;
  const inputs = picked.map((index) => pool[index]).filter((coin) => coin !== undefined);
  const settled = measure.settle(inputs.length, sumOf(inputs));
  return settled && settled.changeMinor === 0n ? { inputs, ...settled } : null;
}

/** Coins in their order until they suffice, and give the change that is wanted where there are coins enough. */
function accumulated<C extends Coin>(
  measure: Measure,
  order: readonly C[],
  wantedChangeMinor: bigint,
): Selection<C> | null {
  let sumMinor = 0n;
  let last: { count: number; settled: Settled } | null = null;
  for (const [index, { amountMinor }] of order.slice(0, measure.mostInputs).entries()) {
    sumMinor += amountMinor;
    const count = index + 1;
    if (sumMinor < measure.neededMinor(count)) continue;
    const settled = measure.settle(count, sumMinor);
    if (!settled) continue;
    last = { count, settled };
    if (settled.changeMinor >= wantedChangeMinor) break;
  }
  return last && { inputs: order.slice(0, last.count), ...last.settled };
}

/** While fees are low: small coins that will cost more to spend when fees rise. */
function withSmallCoins<C extends Coin>(
  { consolidate = 0 }: SelectionRequest<C>,
  measure: Measure,
  selection: Selection<C>,
  pool: readonly C[],
): Selection<C> {
  if (measure.milli > measure.longTermMilli || selection.changeMinor === 0n) return selection;
  const spent = new Set(selection.inputs.map(({ key }) => key));
  const small = pool.filter(({ key, isConfirmed }) => isConfirmed && !spent.has(key)).reverse();
  const room = Math.max(0, Math.min(consolidate, measure.mostInputs - selection.inputs.length));
  const { length: needed } = selection.inputs;
  let sumMinor = sumOf(selection.inputs);
  let added = 0;
  let best: Settled = selection;
  for (const { amountMinor } of small.slice(0, room)) {
    sumMinor += amountMinor;
    const settled = measure.settle(needed + added + 1, sumMinor);
    // A promised fee is not spread over more than it pays for.
    if (!settled || isBelowRate(measure, settled)) break;
    added += 1;
    best = settled;
  }
  const { changeMinor, feeMinor, vsize } = best;
  return { inputs: [...selection.inputs, ...small.slice(0, added)], changeMinor, feeMinor, vsize };
}

const isBelowRate = ({ milli }: Measure, { feeMinor, vsize }: Settled) => feeMinor < feeOf(vsize, milli);

/** What a selection costs beyond the least: inputs that would be cheaper later, and change or what goes to the miner (Bitcoin Core's waste). */
function wasteOf<C extends Coin>(measure: Measure, { inputs, changeMinor, feeMinor, vsize }: Selection<C>): bigint {
  const { milli, longTermMilli } = measure;
  const spending = BigInt(inputs.length * inputWeight) * (milli - longTermMilli);
  const change = BigInt(weightOf(0, ['p2wpkh']) - weightOf(0, [])) * milli + BigInt(inputWeight) * longTermMilli;
  const excess = measure.promisedMinor === null ? (feeMinor - feeOf(vsize, milli)) * 4000n : 0n;
  return spending + (changeMinor > 0n ? change : excess);
}

function lackingOf(measure: Measure, pool: readonly Coin[]): Lacking {
  const spendable = pool.slice(0, measure.mostInputs);
  const count = Math.max(1, spendable.length);
  const lacking = measure.neededMinor(count) - sumOf(spendable);
  if (lacking <= 0n) return { lacking: measure.lackingFeeMinor(count), limit: 'fee' };
  const isAllEnough = pool.length > spendable.length && sumOf(pool) >= measure.neededMinor(count);
  return { lacking, limit: isAllEnough ? 'weight' : 'coins' };
}

/** Whether a coin is worth more than it costs to spend. */
function isEconomical({ amountMinor }: Coin, milli: bigint): boolean {
  return amountMinor * 4000n > BigInt(inputWeight) * milli;
}

/** In an order that depends on the coins alone. */
export function largestFirst<C extends Coin>(coins: readonly C[]): C[] {
  return [...coins].sort((a, b) => compare(b.amountMinor, a.amountMinor) || compare(a.key, b.key));
}

const compare = <T extends bigint | string>(a: T, b: T) => (a < b ? -1 : Number(a > b));

export const sumOf = (amounts: readonly { amountMinor: bigint }[]) =>
  amounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
