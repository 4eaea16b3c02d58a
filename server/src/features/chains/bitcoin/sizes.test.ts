import { hex } from '@scure/base';
import { OutScript, p2pkh, p2sh, p2tr, p2wpkh, p2wsh, Transaction } from '@scure/btc-signer';
import { pubECDSA, pubSchnorr } from '@scure/btc-signer/utils.js';
import { describe, expect, test } from 'vitest';
import { dustThreshold, feeOf, milliRate, mostInputs, type ScriptKind, scriptKindOf, vsizeOf } from './sizes.ts';

const key = (of: number) => new Uint8Array(32).fill((of % 250) + 1);
const publicKey = pubECDSA(key(1));
const scripts: Record<ScriptKind, Uint8Array> = {
  p2pkh: p2pkh(publicKey).script,
  p2sh: p2sh(p2wpkh(publicKey)).script,
  p2wpkh: p2wpkh(publicKey).script,
  p2wsh: p2wsh(p2pkh(publicKey)).script,
  p2tr: p2tr(pubSchnorr(key(1))).script,
};
const kinds = Object.keys(scripts) as ScriptKind[];

/** What a library makes and signs of so many inputs, of keys of their own. */
function signedVsize(inputs: number, outputs: readonly ScriptKind[], round = 0): number {
  const transaction = new Transaction();
  for (let index = 0; index < inputs; index += 1) {
    const { script } = p2wpkh(pubECDSA(key(index + round)));
    const txid = new Uint8Array(32).fill(round + 1);
    transaction.addInput({ txid, index, witnessUtxo: { script, amount: 100_000n }, sequence: 0xfffffffd });
  }
  for (const kind of outputs) transaction.addOutput({ script: scripts[kind], amount: 1000n });
  for (let index = 0; index < inputs; index += 1) transaction.signIdx(key(index + round), index);
  transaction.finalize();
  return transaction.vsize;
}

describe('the size', () => {
  test('is never less than what is signed, and at most a virtual byte an input more', () => {
    for (let round = 0; round < 20; round += 1) {
      const inputs = (round % 5) + 1;
      const outputs = kinds.filter((_, index) => ((round + 1) >> (index % 5)) % 2 === 1);
      const signed = signedVsize(inputs, outputs, round);
      expect(vsizeOf(inputs, outputs)).toBeGreaterThanOrEqual(signed);
      expect(vsizeOf(inputs, outputs)).toBeLessThanOrEqual(signed + inputs);
    }
  });

  test('counts the longer number of inputs and of outputs from 253 on', () => {
    expect(vsizeOf(253, ['p2wpkh']) - vsizeOf(252, ['p2wpkh'])).toBe(68 + 2);
    const many = (count: number) => new Array<ScriptKind>(count).fill('p2wpkh');
    expect(vsizeOf(1, many(253)) - vsizeOf(1, many(252))).toBe(31 + 2);
    const transaction = new Transaction();
    for (let index = 0; index < 253; index += 1) {
      const witnessUtxo = { script: scripts.p2wpkh, amount: 1000n };
      transaction.addInput({ txid: new Uint8Array(32), index, witnessUtxo });
    }
    for (const paid of many(253)) transaction.addOutput({ script: scripts[paid], amount: 1000n });
    const finalScriptWitness = [new Uint8Array(72), publicKey];
    for (let index = 0; index < 253; index += 1) transaction.updateInput(index, { finalScriptWitness }, true);
    expect(transaction.vsize).toBe(vsizeOf(253, many(253)));
  });

  test('is standard up to as many inputs as there may be, and no more', () => {
    const most = mostInputs(['p2wpkh', 'p2tr']);
    expect(vsizeOf(most, ['p2wpkh', 'p2tr'])).toBeLessThanOrEqual(100_000);
    expect(vsizeOf(most + 1, ['p2wpkh', 'p2tr'])).toBeGreaterThan(100_000);
    // Where outputs fill it, there is room for none.
    expect(mostInputs(new Array<ScriptKind>(3000).fill('p2tr'))).toBe(0);
  });
});

test('every kind of script is known by its bytes, and data or an unknown version is none', () => {
  for (const kind of kinds) expect(scriptKindOf(hex.encode(scripts[kind]))).toBe(kind);
  const unknown = OutScript.encode({ type: 'p2a', script: new Uint8Array() });
  expect(scriptKindOf(hex.encode(unknown))).toBeNull();
  expect(scriptKindOf('6a0401020304')).toBeNull();
  expect(scriptKindOf(`${hex.encode(scripts.p2wpkh)}00`)).toBeNull();
});

test('dust is what Bitcoin Core calls so at its default of 3 satoshis per virtual byte', () => {
  const known = { p2pkh: 546n, p2sh: 540n, p2wpkh: 294n, p2wsh: 330n, p2tr: 330n };
  for (const kind of kinds) expect(dustThreshold(kind)).toBe(known[kind]);
});

test('fees are whole satoshis, rounded up, of rates with three decimals', () => {
  expect(feeOf(141, milliRate(1))).toBe(141n);
  expect(feeOf(141, milliRate(1.001))).toBe(142n);
  expect(feeOf(141, milliRate(0.1))).toBe(15n);
  // 1.005 and 8.07 are not what they seem in floating point.
  expect(milliRate(1.005)).toBe(1005n);
  expect(milliRate(8.07)).toBe(8070n);
  for (const rate of [1.0005, -1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => milliRate(rate)).toThrow(RangeError);
});
