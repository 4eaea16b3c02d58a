import { hex } from '@scure/base';
import { p2pkh, Transaction } from '@scure/btc-signer';
import { pubECDSA, signECDSA } from '@scure/btc-signer/utils.js';
import { expect, test } from 'vitest';
import { scriptPaying } from './scripts.ts';
import { digestsOf, signTransaction } from './signing.ts';

test('the example of BIP 143 for native P2WPKH has its digest and its signature', () => {
  const key = hex.decode('619c335025c7f4012e556c2a58b2506e30b8511b53ade95ea316fd8c3286feb9');
  const publicKey = pubECDSA(key);
  expect(hex.encode(publicKey)).toBe('025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee6357');
  expect(scriptPaying(publicKey)).toBe('00141d0f172a0ecb48aee1be1f2687d2963ae33f71a1');
  const reversed = (bytes: string) => hex.encode(hex.decode(bytes).reverse());
  const [, digest = new Uint8Array()] = digestsOf({
    version: 1,
    lockTime: 0x11,
    inputs: [
      {
        hash: reversed('fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f'),
        index: 0,
        sequence: 0xffffffee,
        amountMinor: 625_000_000n,
        // Another kind of input, whose own digest is not this one.
        publicKey,
      },
      {
        hash: reversed('ef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a'),
        index: 1,
        sequence: 0xffffffff,
        amountMinor: 600_000_000n,
        publicKey,
      },
    ],
    outputs: [
      { script: '76a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac', amountMinor: 112_340_000n },
      { script: '76a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac', amountMinor: 223_450_000n },
    ],
  });
  expect(hex.encode(digest)).toBe('c37af31116d1b27caf68aae9e3ac82f1477929014d5b917657d0eb49478cb670');
  expect(hex.encode(signECDSA(digest, key))).toBe(
    '304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee',
  );
});

const keyOf = (byte: number) => new Uint8Array(32).fill(byte + 1);
const inputsOf = (count: number) =>
  Array.from({ length: count }, (_, place) => {
    const privateKey = keyOf(place % 7);
    return {
      hash: hex.encode(new Uint8Array(32).fill(place + 3)),
      index: place,
      amountMinor: 10_000n + BigInt(place),
      key: { address: '', privateKey, publicKey: pubECDSA(privateKey) },
    };
  });
const outputs = [
  { script: '76a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac', amountMinor: 7_000n },
  { script: scriptPaying(pubECDSA(keyOf(1))), amountMinor: 2_000n },
];

test('every input is signed as the library signs it, in the same bytes each time', () => {
  const inputs = inputsOf(9);
  const transaction = new Transaction({ version: 2 });
  for (const { hash, index, amountMinor, key } of inputs) {
    const witnessUtxo = { script: hex.decode(scriptPaying(key.publicKey)), amount: amountMinor };
    transaction.addInput({ txid: hash, index, sequence: 0xfffffffd, witnessUtxo });
  }
  for (const { script, amountMinor } of outputs) {
    transaction.addOutput({ script: hex.decode(script), amount: amountMinor });
  }
  for (const [place, { key }] of inputs.entries()) transaction.signIdx(key.privateKey, place);
  transaction.finalize();
  const signed = signTransaction({ inputs, outputs });
  expect(signed).toEqual({ raw: transaction.hex, hash: transaction.id });
  expect(signTransaction({ inputs, outputs })).toEqual(signed);
});

test('the digests of as many inputs as a transaction can have take little of a processor', () => {
  const [input] = inputsOf(1);
  const { publicKey } = input?.key ?? { publicKey: pubECDSA(keyOf(1)) };
  const inputs = Array.from({ length: 1_460 }, (_, index) => {
    return { hash: '11'.repeat(32), index, sequence: 0xfffffffd, amountMinor: 1_000n, publicKey };
  });
  const before = process.cpuUsage();
  const digests = digestsOf({ version: 2, lockTime: 0, inputs, outputs });
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(2_000);
  expect(new Set(digests.map((digest) => hex.encode(digest))).size).toBe(1_460);
  const transaction = new Transaction({ version: 2 });
  for (const { hash, index } of inputs.slice(0, 2)) {
    const witnessUtxo = { script: hex.decode(scriptPaying(publicKey)), amount: 1_000n };
    transaction.addInput({ txid: hash, index, sequence: 0xfffffffd, witnessUtxo });
  }
  for (const { script, amountMinor } of outputs) {
    transaction.addOutput({ script: hex.decode(script), amount: amountMinor });
  }
  const two = digestsOf({ version: 2, lockTime: 0, inputs: inputs.slice(0, 2), outputs });
  expect(two[1]).toEqual(transaction.preimageWitnessV0(1, p2pkh(publicKey).script, 1, 1_000n));
});
