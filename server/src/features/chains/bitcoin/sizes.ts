/**
 * Sizes of what a Bitcoin transaction of P2WPKH inputs is made of (BIP 141: a virtual byte is four units of weight), and the smallest amounts
 * that nodes forward. Rates are in thousandths of a satoshi per virtual byte, so that nothing is computed in floating point.
 */

/** Kinds of scripts that have addresses. */
export type ScriptKind = 'p2pkh' | 'p2sh' | 'p2wpkh' | 'p2wsh' | 'p2tr';

const scriptBytes: Readonly<Record<ScriptKind, number>> = { p2pkh: 25, p2sh: 23, p2wpkh: 22, p2wsh: 34, p2tr: 34 };

const forms: readonly [RegExp, ScriptKind][] = [
  [/^76a914[0-9a-f]{40}88ac$/, 'p2pkh'],
  [/^a914[0-9a-f]{40}87$/, 'p2sh'],
  [/^0014[0-9a-f]{40}$/, 'p2wpkh'],
  [/^0020[0-9a-f]{64}$/, 'p2wsh'],
  [/^5120[0-9a-f]{64}$/, 'p2tr'],
];

/** The kind of a script in hexadecimal; null where no address has it. */
export function scriptKindOf(script: string): ScriptKind | null {
  return forms.find(([form]) => form.test(script))?.[1] ?? null;
}

/** Outpoint, empty script and sequence at four units a byte; two counts, a signature of 72 bytes at most and a key of 33 at one. */
export const inputWeight = 4 * (36 + 1 + 4) + (1 + 1 + 72 + 1 + 33);

/** Nodes forward nothing heavier (Bitcoin Core's MAX_STANDARD_TX_WEIGHT). */
const heaviest = 400_000;

const weightOfCount = (count: number) => 4 * (count < 253 ? 1 : 3);
const bytesOf = (kind: ScriptKind) => 8 + 1 + scriptBytes[kind];
/** In units of weight. */
export const outputWeight = (kind: ScriptKind) => 4 * bytesOf(kind);

/** Weight of a transaction with so many inputs. */
export function weightOf(inputs: number, outputs: readonly ScriptKind[]): number {
  const fixed = 4 * (4 + 4) + 2;
  const paid = outputs.reduce((sum, kind) => sum + outputWeight(kind), 0);
  return fixed + weightOfCount(inputs) + inputs * inputWeight + weightOfCount(outputs.length) + paid;
}

/** Virtual size in bytes: never less than what is signed. */
export function vsizeOf(inputs: number, outputs: readonly ScriptKind[]): number {
  return Math.ceil(weightOf(inputs, outputs) / 4);
}

/** How many inputs a transaction may have that nodes forward. */
export function mostInputs(outputs: readonly ScriptKind[]): number {
  return Math.max(0, Math.floor((heaviest - weightOf(253, outputs)) / inputWeight) + 253);
}

/**
 * The least that an output may be (Bitcoin Core's GetDustThreshold): three satoshis for each byte that it takes to make and to spend it.
 */
export function dustThreshold(kind: ScriptKind): bigint {
  const isWitness = kind.startsWith('p2w') || kind === 'p2tr';
  const spending = 32 + 4 + 1 + (isWitness ? Math.floor(107 / 4) : 107) + 4;
  return 3n * BigInt(bytesOf(kind) + spending);
}

/**
 * A rate in satoshis per virtual byte, of at most three decimals, in thousandths.
 * @throws RangeError when it is none
 */
export function milliRate(rate: number): bigint {
  const milli = Math.round(rate * 1000);
  if (!Number.isSafeInteger(milli) || milli < 0 || Math.abs(rate * 1000 - milli) > 1e-6 * Math.max(1, milli)) {
    throw new RangeError(`${rate} is no fee rate in satoshis per virtual byte with at most three decimals`);
  }
  return BigInt(milli);
}

/** The fee of a size at a rate, rounded up to whole satoshis. */
export function feeOf(vsize: number, milli: bigint): bigint {
  return (BigInt(vsize) * milli + 999n) / 1000n;
}
