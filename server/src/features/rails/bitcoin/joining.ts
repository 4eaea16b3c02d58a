import { mostJoinedPayments, type ScriptKind } from '../../chains/index.ts';
import { type Coin, isLacking, type Payment, type Selection, selectCoins } from './coin-selection.ts';
import { feeShares } from './fee-shares.ts';

/**
 * Which of a wallet's payments go out in one transaction (docs/adr/0094). Joined are those of which each is served at least as well as alone: the rate is
 * the highest that one of them would have had, all of it costs no more than they were promised to, and none waits for change of another payment that it
 * would not have needed. Pure; amounts in satoshis, rates in satoshis per virtual byte.
 */

/** A payment that could go out now. */
export interface Candidate {
  id: string;
  payment: Payment;
  /** The fee that was promised for it, and is held. */
  promisedMinor: bigint;
}

interface JoiningTerms<C extends Coin> {
  coins: readonly C[];
  /** What a payment that was promised no other rate would pay. */
  feeRate: number;
  /** Below it nodes forward nothing. */
  floorRate: number;
  longTermFeeRate: number;
}

export interface Joint<C extends Coin> {
  /** In the order of the outputs; at least two. */
  payments: readonly Candidate[];
  selection: Selection<C>;
  /** What each of them pays of the fee. */
  sharesMinor: readonly bigint[];
}

const changeKind: ScriptKind = 'p2wpkh';

/** @returns what goes out with the first of the candidates; null where it goes alone, or cannot go at all */
export function joinPayments<C extends Coin>(
  candidates: readonly Candidate[],
  terms: JoiningTerms<C>,
): Joint<C> | null {
  const [first, ...others] = candidates.flatMap((candidate) => {
    const alone = aloneOf(candidate, terms);
    return alone === null ? [] : [alone];
  });
  if (!first || first.candidate !== candidates[0] || others.length === 0) return null;
  const all = [first, ...others].slice(0, mostJoinedPayments);
  const whole = jointOf(all, terms);
  if (whole) return whole;
  let joined = [first];
  let found: Joint<C> | null = null;
  for (const other of others) {
    if (joined.length === mostJoinedPayments) break;
    const wider = jointOf([...joined, other], terms);
    if (!wider) continue;
    joined = [...joined, other];
    found = wider;
  }
  return found;
}

/** How a payment would go out by itself. */
interface Alone {
  candidate: Candidate;
  /** In thousandths, rounded up. */
  milli: bigint;
  /** It needs no change that waits for a block. */
  isConfirmed: boolean;
}

function aloneOf<C extends Coin>(candidate: Candidate, terms: JoiningTerms<C>): Alone | null {
  const found = selectCoins({
    ...{ ...terms, mode: 'exact-fee', changeKind, seed: candidate.id },
    ...{ outputs: [candidate.payment], feeMinor: candidate.promisedMinor },
  });
  if (isLacking(found)) return null;
  const vsize = BigInt(found.vsize);
  return { candidate, milli: (found.feeMinor * 1000n + vsize - 1n) / vsize, isConfirmed: areConfirmed(found) };
}

const areConfirmed = ({ inputs }: Selection<Coin>) => inputs.every(({ isConfirmed }) => isConfirmed);

/** One transaction for all of them; null where it would serve one of them worse than by itself. */
function jointOf<C extends Coin>(joined: readonly Alone[], terms: JoiningTerms<C>): Joint<C> | null {
  const payments = joined.map(({ candidate }) => candidate);
  const outputs = payments.map(({ payment }) => payment);
  const milli = joined.reduce((most, alone) => (alone.milli > most ? alone.milli : most), 0n);
  const feeRate = Number(milli) / 1000;
  const selection = selectCoins({ ...terms, mode: 'rate', outputs, feeRate, changeKind, seed: payments[0]?.id ?? '' });
  if (isLacking(selection)) return null;
  const promisedMinor = payments.map((payment) => payment.promisedMinor);
  if (selection.feeMinor > promisedMinor.reduce((sum, each) => sum + each, 0n)) return null;
  if (joined.some(({ isConfirmed }) => isConfirmed) && !areConfirmed(selection)) return null;
  const { feeMinor, inputs, changeMinor } = selection;
  const kinds = outputs.map(({ kind }) => kind);
  const shared = { feeMinor, inputs: inputs.length, kinds, changeKind: changeMinor > 0n ? changeKind : null };
  return { payments, selection, sharesMinor: feeShares({ ...shared, promisedMinor }) };
}
