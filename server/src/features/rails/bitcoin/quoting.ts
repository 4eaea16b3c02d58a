import type { FeeLevel } from '@causeway/contract/transfers-rules.ts';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { feeOf, outpointKey, type ScriptKind, vsizeOf } from '../../chains/index.ts';
import { type Coin, isLacking, type Lacking, selectAll, selectCoins } from './coin-selection.ts';
import { type FeeRates, findFeeRates, type PublishedRates } from './store/fees.ts';
import { type SpendableOutput, spendableOutputs } from './store/outputs.ts';

/**
 * What a transfer on a Bitcoin chain costs: the fee follows the size of the transaction, and so the coins that it would spend (docs/adr/0089).
 * Amounts in satoshis.
 */

/** What a quote is made of, as it was read at one moment. */
export interface FeeBasis {
  rates: PublishedRates;
  coins: readonly Coin[];
}

/** Null until rates are published. */
export async function readFeeBasis(tx: PlatformTx, companyId: string, chainId: string): Promise<FeeBasis | null> {
  const rates = await findFeeRates(tx, chainId);
  if (rates === null) return null;
  return { rates, coins: (await spendableOutputs(tx, companyId, chainId)).map(selectable) };
}

export function selectable<C extends SpendableOutput>(output: C): C & Coin {
  return { ...output, key: outpointKey(output), isConfirmed: output.isFinal };
}

/** What is paid to whom, and what the miner gets for it. */
export interface FeeQuote {
  amountMinor: bigint;
  networkFeeMinor: bigint;
  vsize: number;
}

/** Satoshis per virtual byte. */
export const rateOf = (milli: number): number => milli / 1000;

/** What each transaction is expected to pay later for a coin that it spends: the cheapest rate of now. */
const longTermOf = ({ economy }: FeeRates): number => rateOf(economy);

/** What a transfer of an amount costs at a level. `Lacking` where the coins do not suffice, or are too many for one transaction. */
export function quoteAmount(
  { rates, coins }: FeeBasis,
  { kind, amountMinor, level }: { kind: ScriptKind; amountMinor: bigint; level: FeeLevel },
): FeeQuote | Lacking {
  const found = selectCoins({
    mode: 'rate',
    coins,
    outputs: [{ kind, amountMinor }],
    feeRate: rateOf(rates[level]),
    changeKind: 'p2wpkh',
    longTermFeeRate: longTermOf(rates),
    seed: `${amountMinor}`,
  });
  return isLacking(found) ? found : { amountMinor, networkFeeMinor: found.feeMinor, vsize: found.vsize };
}

/** Everything that is worth more than it costs, less the fee; and what stays behind. */
export function quoteAll(
  { rates, coins }: FeeBasis,
  { kind, level }: { kind: ScriptKind; level: FeeLevel },
): (FeeQuote & { leftBehind: { coins: number; amountMinor: bigint } }) | Lacking {
  const found = selectAll({ coins, kind, feeRate: rateOf(rates[level]) });
  if (isLacking(found)) return found;
  const left = [...found.uneconomical, ...found.beyondWeight];
  return {
    amountMinor: found.amountMinor,
    networkFeeMinor: found.feeMinor,
    vsize: found.vsize,
    leftBehind: { coins: left.length, amountMinor: left.reduce((sum, coin) => sum + coin.amountMinor, 0n) },
  };
}

/** What an ordinary transfer costs, one coin in, change back: while coins are still on their way back from other payments. */
export function quoteTypical(
  { rates }: FeeBasis,
  { kind, level }: { kind: ScriptKind; level: FeeLevel },
): Omit<FeeQuote, 'amountMinor'> {
  const vsize = vsizeOf(1, [kind, 'p2wpkh']);
  return { networkFeeMinor: feeOf(vsize, BigInt(rates[level])), vsize };
}

/** How far a promised fee may be from what its level costs by now: a tenth below, half above. */
export function isStillFair(promisedMinor: bigint, presentMinor: bigint): boolean {
  return promisedMinor * 10n >= presentMinor * 9n && promisedMinor * 2n <= presentMinor * 3n;
}
