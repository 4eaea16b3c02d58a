import { base64 } from '@scure/base';
import { p2pkh, Transaction } from '@scure/btc-signer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as asked from '../../../testing/asked-signer.ts';
import { altered, keyOf, partsOf, payments, type Raw, scriptOf } from '../../../testing/bitcoin/forging.ts';
import {
  type BitcoinCompany,
  type BitcoinSignerWorld,
  bitcoinSignerWorld,
} from '../../../testing/bitcoin/signer-world.ts';
import type { PaymentRequest } from '../../chains/index.ts';

/** PSBTs that are not in the form of the worker's, or name another place of a key, each refused with nothing in the journal. */

let world: BitcoinSignerWorld;
let company: BitcoinCompany;
let on: ReturnType<typeof payments>;
beforeAll(async () => {
  world = await bitcoinSignerWorld();
  company = await world.bitcoinCompany();
  on = payments(world, company);
});
afterAll(() => world.close());

const refusalOf = (request: PaymentRequest) => asked.refusalOf(world, request);

describe('a PSBT is refused:', () => {
  const hardened = 0x8000_0000;

  test.each<[string, string, (parts: ReturnType<typeof partsOf>, psbt: Raw) => void]>([
    [
      'the signature would be over fewer outputs',
      'invalid-plan',
      ({ input }) => Object.assign(input, { sighashType: 2 }),
    ],
    ['over one output', 'invalid-plan', ({ input }) => Object.assign(input, { sighashType: 3 })],
    ['over one input', 'invalid-plan', ({ input }) => Object.assign(input, { sighashType: 0x81 })],
    [
      'the kind of signature is not said',
      'invalid-plan',
      ({ input }) => Object.assign(input, { sighashType: undefined }),
    ],
    [
      'an input is final',
      'invalid-plan',
      ({ transaction }) => Object.assign(transaction.inputs[0] ?? {}, { sequence: 0xffffffff }),
    ],
    [
      'an input waits for blocks',
      'invalid-plan',
      ({ transaction }) => Object.assign(transaction.inputs[1] ?? {}, { sequence: 144 }),
    ],
    [
      'it is locked until a height',
      'invalid-plan',
      ({ transaction }) => Object.assign(transaction, { lockTime: 4_000_000 }),
    ],
    ['its version is another', 'invalid-plan', ({ transaction }) => Object.assign(transaction, { version: 1 })],
    [
      'an output carries data',
      'invalid-plan',
      ({ transaction }, psbt) => {
        transaction.outputs.push({ amount: 0n, script: Uint8Array.of(0x6a, 1, 7) });
        psbt.outputs.push({} as never);
      },
    ],
    [
      'an input is no witness program',
      'invalid-plan',
      ({ input }) => {
        input.witnessUtxo.script = p2pkh(input.bip32Derivation[0]?.[0] ?? keyOf(1)).script;
      },
    ],
    [
      'an input names its transaction',
      'invalid-plan',
      ({ input }) => {
        const outputs = [{ amount: 50_000n, script: input.witnessUtxo.script }];
        const inputs = [{ txid: new Uint8Array(32), index: 0, finalScriptSig: new Uint8Array(), sequence: 0 }];
        Object.assign(input, { nonWitnessUtxo: { version: 2, segwitFlag: false, inputs, outputs, lockTime: 0 } });
      },
    ],
    [
      'an input does not say what it spends',
      'invalid-plan',
      ({ input }) => Object.assign(input, { witnessUtxo: undefined }),
    ],
    [
      'an input is spent twice',
      'invalid-plan',
      ({ transaction }, psbt) => {
        transaction.inputs[1] = { ...(transaction.inputs[0] as (typeof transaction.inputs)[0]) };
        psbt.inputs[1] = psbt.inputs[0] as never;
      },
    ],
    [
      'the key is at another place',
      'foreign-address',
      ({ input }) => {
        Object.assign(input.bip32Derivation[0]?.[1] ?? {}, { path: [company.index, 0, 1] });
      },
    ],
    [
      'the key is hardened',
      'foreign-address',
      ({ input }) => {
        Object.assign(input.bip32Derivation[0]?.[1] ?? {}, { path: [company.index + hardened, 0, 0] });
      },
    ],
    [
      'the path is longer',
      'foreign-address',
      ({ input }) => {
        Object.assign(input.bip32Derivation[0]?.[1] ?? {}, { path: [company.index, 0, 0, 0] });
      },
    ],
    [
      'the key is below another account',
      'foreign-address',
      ({ input }) => {
        Object.assign(input.bip32Derivation[0]?.[1] ?? {}, { fingerprint: 0x01020304 });
      },
    ],
    [
      'an input names no key',
      'foreign-address',
      ({ input }) => {
        Object.assign(input, { bip32Derivation: undefined });
      },
    ],
    [
      'the key is not that of the script',
      'invalid-plan',
      ({ input }) => {
        input.bip32Derivation = [[keyOf(2), input.bip32Derivation[0]?.[1] ?? { fingerprint: 0, path: [] }]];
      },
    ],
    [
      'an input names two keys',
      'invalid-plan',
      ({ input }) => {
        input.bip32Derivation.push([keyOf(2), { fingerprint: 1, path: [] }]);
      },
    ],
    [
      'change names another place',
      'other-output',
      ({ change }) => {
        Object.assign(change.bip32Derivation?.[0]?.[1] ?? {}, { path: [company.index, 1, 1] });
      },
    ],
    [
      'change names no key',
      'other-output',
      ({ change }) => {
        Object.assign(change, { bip32Derivation: undefined });
      },
    ],
    [
      'there is a field that the signer does not know',
      'invalid-plan',
      ({ input }) => Object.assign(input, { unknown: [[{ type: 0x77, key: Uint8Array.of(1) }, Uint8Array.of(2)]] }),
    ],
    [
      'there is a signature',
      'invalid-plan',
      ({ input }) => Object.assign(input, { partialSig: [[keyOf(2), new Uint8Array(71).fill(48)]] }),
    ],
    ['there is a script to redeem', 'invalid-plan', ({ input }) => Object.assign(input, { redeemScript: scriptOf(2) })],
  ])('%s', async (_, refusal, change) => {
    const { request } = await on.authorised();
    await on.expectRefused(
      altered(request, (psbt) => change(partsOf(psbt), psbt)),
      refusal,
    );
    expect(await refusalOf(request)).toBe('signed');
  });

  test('it is none', async () => {
    const { request } = await on.authorised();
    const psbt = String(request.plan['psbt']);
    const bytes = base64.decode(psbt);
    for (const plan of [
      {},
      { psbt: '' },
      { psbt: 'no base64' },
      { psbt: base64.encode(bytes.slice(0, -2)) },
      { psbt: base64.encode(new Uint8Array([...bytes, 0])) },
      { psbt: base64.encode(Transaction.fromPSBT(bytes).toPSBT(2)) },
      { psbt, feeMinor: '1' },
      { psbt: `${psbt}${'A'.repeat(600_000)}` },
    ]) {
      await on.expectRefused({ ...request, plan }, 'invalid-plan');
    }
    expect(await refusalOf(request)).toBe('signed');
  });
});
