import { base64, hex } from '@scure/base';
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { pubECDSA } from '@scure/btc-signer/utils.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PsbtContent, readPsbt, writePsbt } from './psbt.ts';
import { scriptPaying } from './scripts.ts';

/** One P2SH-P2WSH input of two keys, with scripts, paths and a signature: a valid vector of BIP 174. */
const multisig =
  '70736274ff0100550200000001279a2323a5dfb51fc45f220fa58b0fc13e1e3342792a85d7e36cd6333b5cbc390000000000ffffffff01a05aea0b000000001976a914ffe9c0061097cc3b636f2cb0460fa4fc427d2b4588ac0000000000010120955eea0b0000000017a9146345200f68d189e1adc0df1c4d16ea8f14c0dbeb87220203b1341ccba7683b6af4f1238cd6e97e7167d569fac47f1e48d47541844355bd4646304302200424b58effaaa694e1559ea5c93bbfd4a89064224055cdf070b6771469442d07021f5c8eb0fea6516d60b8acb33ad64ede60e8785bfb3aa94b99bdf86151db9a9a010104220020771fd18ad459666dd49f3d564e3dbc42f4c84774e360ada16816a8ed488d5681010547522103b1341ccba7683b6af4f1238cd6e97e7167d569fac47f1e48d47541844355bd462103de55d1e1dac805e3f8a58c1fbf9b94c02f3dbaafe127fefca4995f26f82083bd52ae220603b1341ccba7683b6af4f1238cd6e97e7167d569fac47f1e48d47541844355bd4610b4a6ba67000000800000008004000080220603de55d1e1dac805e3f8a58c1fbf9b94c02f3dbaafe127fefca4995f26f82083bd10b4a6ba670000008000000080050000800000';
const valid: [string, string][] = [
  ['two keys, scripts and paths', multisig],
  [
    'an input with a final scriptSig and one of P2SH-P2WPKH',
    '70736274ff0100a00200000002ab0949a08c5af7c49b8212f417e2f15ab3f5c33dcf153821a8139f877a5b7be40000000000feffffffab0949a08c5af7c49b8212f417e2f15ab3f5c33dcf153821a8139f877a5b7be40100000000feffffff02603bea0b000000001976a914768a40bbd740cbe81d988e71de2a4d5c71396b1d88ac8e240000000000001976a9146f4620b553fa095e721b9ee0efe9fa039cca459788ac000000000001076a47304402204759661797c01b036b25928948686218347d89864b719e1f7fcf57d1e511658702205309eabf56aa4d8891ffd111fdf1336f3a29da866d7f8486d75546ceedaf93190121035cdc61fc7ba971c0b501a646a2a83b102cb43881217ca682dc86e2d73fa882920001012000e1f5050000000017a9143545e6e33b832c47050f24d3eeb93c9c03948bc787010416001485d13537f2e265405a34dbafa9e3dda01fb82308000000',
  ],
  [
    'fields of an unknown type',
    '70736274ff01003f0200000001ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0000000000ffffffff010000000000000000036a010000000000000af00102030405060708090f0102030405060708090a0b0c0d0e0f0000',
  ],
  [
    'extended public keys',
    '70736274ff01009d0100000002710ea76ab45c5cb6438e607e59cc037626981805ae9e0dfd9089012abb0be5350100000000ffffffff190994d6a8b3c8c82ccbcfb2fba4106aa06639b872a8d447465c0d42588d6d670000000000ffffffff0200e1f505000000001976a914b6bc2c0ee5655a843d79afedd0ccc3f7dd64340988ac605af405000000001600141188ef8e4ce0449eaac8fb141cbf5a1176e6a088000000004f010488b21e039e530cac800000003dbc8a5c9769f031b17e77fea1518603221a18fd18f2b9a54c6c8c1ac75cbc3502f230584b155d1c7f1cd45120a653c48d650b431b67c5b2c13f27d7142037c1691027569c503100008000000080000000800001011f00e1f5050000000016001433b982f91b28f160c920b4ab95e58ce50dda3a4a220203309680f33c7de38ea6a47cd4ecd66f1f5a49747c6ffb8808ed09039243e3ad5c47304402202d704ced830c56a909344bd742b6852dccd103e963bae92d38e75254d2bb424502202d86c437195df46c0ceda084f2a291c3da2d64070f76bf9b90b195e7ef28f77201220603309680f33c7de38ea6a47cd4ecd66f1f5a49747c6ffb8808ed09039243e3ad5c1827569c5031000080000000800000008000000000010000000001011f00e1f50500000000160014388fb944307eb77ef45197d0b0b245e079f011de220202c777161f73d0b7c72b9ee7bde650293d13f095bc7656ad1f525da5fd2e10b11047304402204cb1fb5f869c942e0e26100576125439179ae88dca8a9dc3ba08f7953988faa60220521f49ca791c27d70e273c9b14616985909361e25be274ea200d7e08827e514d01220602c777161f73d0b7c72b9ee7bde650293d13f095bc7656ad1f525da5fd2e10b1101827569c5031000080000000800000008000000000000000000000220202d20ca502ee289686d21815bd43a80637b0698e1fbcdbe4caed445f6c1a0a90ef1827569c50310000800000008000000080000000000400000000',
  ],
  [
    'no inputs',
    '70736274ff01004c020000000002d3dff505000000001976a914d0c59903c5bac2868760e90fd521a4665aa7652088ac00e1f5050000000017a9143545e6e33b832c47050f24d3eeb93c9c03948bc787b32e1300000000',
  ],
];

const key = '03b1341ccba7683b6af4f1238cd6e97e7167d569fac47f1e48d47541844355bd46';
/** Each is the valid vector above with the one change that BIP 174 makes, or a vector of its own. */
const invalid: [string, string][] = [
  [
    'a transaction of the network',
    '0200000001268171371edff285e937adeea4b37b78000c0566cbb3ad64641713ca42171bf6000000006a473044022070b2245123e6bf474d60c5b50c043d4c691a5d2435f09a34a7662a9dc251790a022001329ca9dacf280bdf30740ec0390422422c81cb45839457aeb76fc12edd95b3012102657d118d3357b8e0f4c2cd46db7b39f6d9c38d9a70abcb9b2de5dc8dbfe4ce31feffffff02d3dff505000000001976a914d0c59903c5bac2868760e90fd521a4665aa7652088ac00e1f5050000000017a9143545e6e33b832c47050f24d3eeb93c9c03948bc787b32e1300',
  ],
  [
    'a scriptSig in the unsigned transaction',
    '70736274ff0100fd0a010200000002ab0949a08c5af7c49b8212f417e2f15ab3f5c33dcf153821a8139f877a5b7be4000000006a47304402204759661797c01b036b25928948686218347d89864b719e1f7fcf57d1e511658702205309eabf56aa4d8891ffd111fdf1336f3a29da866d7f8486d75546ceedaf93190121035cdc61fc7ba971c0b501a646a2a83b102cb43881217ca682dc86e2d73fa88292feffffffab0949a08c5af7c49b8212f417e2f15ab3f5c33dcf153821a8139f877a5b7be40100000000feffffff02603bea0b000000001976a914768a40bbd740cbe81d988e71de2a4d5c71396b1d88ac8e240000000000001976a9146f4620b553fa095e721b9ee0efe9fa039cca459788ac00000000000001012000e1f5050000000017a9143545e6e33b832c47050f24d3eeb93c9c03948bc787010416001485d13537f2e265405a34dbafa9e3dda01fb8230800',
  ],
  ['outputs are missing', multisig.slice(0, -2)],
  ['the transaction’s field has a key', multisig.replace('ff010055', 'ff02000155')],
  ['the witness UTXO’s field has a key', multisig.replace('0001012095', '000201002095')],
  ['a signature’s public key is short', multisig.replace(`2202${key}`, `2102${key.slice(0, -2)}`)],
  ['the redeem script’s field has a key', multisig.replace('0104220020', '020400220020')],
  ['the witness script’s field has a key', multisig.replace('0105475221', '020500475221')],
  ['a path’s public key is short', multisig.replace(`2206${key}`, `2106${key.slice(0, -2)}`)],
];

describe('vectors of BIP 174', () => {
  test.each(valid)('valid, and none of ours: %s', (_, vector) => {
    const bytes = hex.decode(vector);
    expect(RawPSBTV0.decode(bytes).global.unsignedTx).toBeDefined();
    expect(() => readPsbt(base64.encode(bytes))).toThrow();
  });

  test.each(invalid)('invalid: %s', (_, vector) => {
    const bytes = hex.decode(vector);
    expect(vector).not.toBe(multisig);
    expect(() => readPsbt(base64.encode(bytes))).toThrow();
  });
});

const publicKey = (byte: number) => pubECDSA(new Uint8Array(32).fill(byte));
const origin = fc
  .record({
    byte: fc.integer({ min: 1, max: 20 }),
    fingerprint: fc.integer({ min: 0, max: 0xffffffff }),
    path: fc.array(fc.integer({ min: 0, max: 0xffffffff }), { minLength: 0, maxLength: 5 }),
  })
  .map(({ byte, fingerprint, path }) => ({ publicKey: publicKey(byte), fingerprint, path }));
const amountMinor = fc.bigInt({ min: 0n, max: 2_100_000_000_000_000n });
const ours = origin.map((known) => ({ script: scriptPaying(known.publicKey), origin: known }));
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => hex.encode(bytes));
const content: fc.Arbitrary<PsbtContent> = fc.record({
  inputs: fc.array(
    fc
      .record({ key: ours, hash, index: fc.integer({ min: 0, max: 0xffffffff }), amountMinor })
      .map(({ key: known, ...rest }) => ({ ...rest, ...known })),
    { minLength: 1, maxLength: 4 },
  ),
  outputs: fc.array(
    fc.record({ key: ours, isOurs: fc.boolean(), amountMinor }).map(({ key: known, isOurs, amountMinor: amount }) => ({
      amountMinor: amount,
      script: known.script,
      origin: isOurs ? known.origin : null,
    })),
    { minLength: 1, maxLength: 3 },
  ),
});

test('an input of another kind is refused, though its script ends in the hash of a key that it names', () => {
  const known = { publicKey: publicKey(1), fingerprint: 1, path: [0, 0, 0] };
  const input = {
    hash: '11'.repeat(32),
    index: 0,
    amountMinor: 1n,
    script: scriptPaying(known.publicKey),
    origin: known,
  };
  const outputs = [{ script: input.script, amountMinor: 1n, origin: null }];
  expect(readPsbt(writePsbt({ inputs: [input], outputs })).inputs).toEqual([input]);
  const version1 = { ...input, script: input.script.replace(/^00/, '51') };
  expect(() => readPsbt(writePsbt({ inputs: [version1], outputs }))).toThrow(/own kind/);
  const unknown = [{ ...outputs[0], script: version1.script, amountMinor: 1n, origin: known }];
  expect(() => readPsbt(writePsbt({ inputs: [input], outputs: unknown }))).toThrow(/an address/);
});

describe('a PSBT of ours', () => {
  const runs = { numRuns: Number(process.env['PROOF_ROUNDS'] ?? 8) * 5 };

  test('is read as it was written', () => {
    fc.assert(
      fc.property(content, (said) => {
        expect(readPsbt(writePsbt(said))).toEqual(said);
      }),
      runs,
    );
  });

  test('is what the library writes', () => {
    fc.assert(
      fc.property(content, (said) => {
        const bytes = base64.decode(writePsbt(said));
        expect(RawPSBTV0.encode(RawPSBTV0.decode(bytes))).toEqual(bytes);
      }),
      runs,
    );
    const [known] = fc.sample(content, 1);
    if (!known) throw new Error('there is one');
    const many = Array.from({ length: 300 }, (_, index) => ({ ...known.inputs[0], index }));
    const bytes = base64.decode(writePsbt({ ...known, inputs: many as typeof known.inputs }));
    expect(RawPSBTV0.encode(RawPSBTV0.decode(bytes))).toEqual(bytes);
  });

  test('has one form: with any bit changed it says something else, or is none', () => {
    fc.assert(
      fc.property(content, fc.nat(), (said, bit) => {
        const bytes = base64.decode(writePsbt(said));
        const place = bit % (bytes.length * 8);
        bytes[place >> 3] = (bytes[place >> 3] ?? 0) ^ (1 << (place & 7));
        let read: PsbtContent;
        try {
          read = readPsbt(base64.encode(bytes));
        } catch {
          return;
        }
        expect(read).not.toEqual(said);
      }),
      runs,
    );
  });
});
