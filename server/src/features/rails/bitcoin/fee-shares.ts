import { outputWeight, type ScriptKind, weightOf } from '../../chains/index.ts';

/**
 * What each of several payments in one transaction pays of its fee (docs/adr/0094): for its own output, and an equal part of all the rest. Exact and
 * the same each time: what division leaves over is the first payment's. Pure; amounts in satoshis.
 */

interface SharedFee {
  feeMinor: bigint;
  /** How many outputs the transaction spends. */
  inputs: number;
  /** Of the payees' outputs, in their order; empty where the transaction pays no one. */
  kinds: readonly ScriptKind[];
  changeKind: ScriptKind | null;
  /** The most that each payment pays. */
  promisedMinor: readonly bigint[];
}

/**
 * The shares of a fee in the order of the payments: their sum is the fee, and none is more than was promised. What would be more is spread over the
 * others by what each of them has left; what all promises together do not cover is the first payment's.
 */
export function feeShares({ feeMinor, inputs, kinds, changeKind, promisedMinor }: SharedFee): bigint[] {
  const count = promisedMinor.length;
  const own = promisedMinor.map((_, place) => {
    const kind = kinds[place];
    return kind === undefined ? 0 : outputWeight(kind);
  });
  const weight = weightOf(inputs, changeKind === null ? kinds : [...kinds, changeKind]);
  const rest = weight - own.reduce((sum, each) => sum + each, 0);
  const wanted = withRemainder(
    own.map((each) => (feeMinor * BigInt(each * count + rest)) / BigInt(weight * count)),
    feeMinor,
  );
  const bounded = wanted.map((share, place) => least(share, promisedMinor[place] ?? 0n));
  const surplus = feeMinor - sum(bounded);
  const room = bounded.map((share, place) => (promisedMinor[place] ?? 0n) - share);
  const roomInAll = sum(room);
  if (surplus > roomInAll) return withRemainder([...promisedMinor], feeMinor);
  if (surplus === 0n) return bounded;
  const spread = bounded.map((share, place) => share + (surplus * (room[place] ?? 0n)) / roomInAll);
  let over = feeMinor - sum(spread);
  return spread.map((share, place) => {
    const more = least(over, (promisedMinor[place] ?? 0n) - share);
    over -= more;
    return share + more;
  });
}

/** The first share takes what the others leave of the fee. */
function withRemainder(shares: readonly bigint[], feeMinor: bigint): bigint[] {
  const over = feeMinor - sum(shares);
  return shares.map((share, place) => (place === 0 ? share + over : share));
}

const least = (a: bigint, b: bigint) => (a < b ? a : b);
const sum = (amounts: readonly bigint[]) => amounts.reduce((all, amount) => all + amount, 0n);
