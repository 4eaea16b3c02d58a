import { base64, hex } from '@scure/base';
import { p2pkh, p2wpkh, Transaction } from '@scure/btc-signer';
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { hash160, pubECDSA } from '@scure/btc-signer/utils.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import * as asked from '../../../testing/asked-signer.ts';
import { isSignedBy } from '../../../testing/bitcoin/signatures.ts';
import {
  type BitcoinCoin,
  type BitcoinCompany,
  type BitcoinOutput,
  type BitcoinSignerWorld,
  bitcoinSignerWorld,
  newBitcoinCoin,
} from '../../../testing/bitcoin/signer-world.ts';
import type { PaymentRequest } from '../../chains/index.ts';

/** The signer on a Bitcoin chain: what it signs, and every kind of forged PSBT, each refused with nothing in the journal. */

const keyOf = (byte: number) => pubECDSA(new Uint8Array(32).fill(byte));
const network = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };
const addressOf = (byte: number) => p2wpkh(keyOf(byte), network).address ?? '';
const payee = addressOf(1);
const thief = addressOf(2);
const due = 70_000n;
const fee = 1_000n;

let world: BitcoinSignerWorld;
let company: BitcoinCompany;
let other: BitcoinCompany;
beforeAll(async () => {
  world = await bitcoinSignerWorld();
  company = await world.bitcoinCompany();
  other = await world.bitcoinCompany();
});
afterAll(() => world.close());

const own = (ordinal: number, of = company) => ({ address: of.addresses[ordinal] ?? '', ordinal });
const changeOf = (of: BitcoinCompany, place = 0) => of.change[place] ?? { address: '', ordinal: 0 };
const twoCoins = () => [newBitcoinCoin(own(0), 50_000n), newBitcoinCoin(own(3), 40_000n)];
const pays = (address = payee, amountMinor = due): BitcoinOutput => ({ address, amountMinor, ordinal: null });
const back = (amountMinor = 90_000n - due - fee, of = company, place = 0): BitcoinOutput => ({
  ...changeOf(of, place),
  amountMinor,
});

interface Authorised {
  transferId: string;
  inputs: BitcoinCoin[];
  request: PaymentRequest;
}

/** A payment that was authorised, and the honest request for it. */
async function authorised(inputs = twoCoins(), outputs = [pays(), back()], to = payee): Promise<Authorised> {
  const transferId = await world.transfer(company, to, due);
  return { transferId, inputs, request: world.request(company, transferId, inputs, outputs) };
}

const signed = (request: PaymentRequest) => asked.signed(world, request);
const refusalOf = (request: PaymentRequest) => asked.refusalOf(world, request);
const entries = () => asked.journalEntries(world);

async function rows(transferId: string): Promise<{ kind: string; plan: Record<string, unknown>; txHash: string }[]> {
  const found = await world.db.operator.withoutCompany((tx) =>
    sql<{ kind: string; plan: Record<string, unknown>; txHash: string }>`
      select kind, plan, tx_hash as "txHash" from signer_journal where transfer_id = ${transferId} order by seq`.execute(
      tx,
    ),
  );
  return found.rows;
}

type Raw = ReturnType<typeof RawPSBTV0.decode>;

/** The request with its PSBT changed in the way that is given. */
function altered(request: PaymentRequest, change: (psbt: Raw) => void): PaymentRequest {
  const psbt = RawPSBTV0.decode(base64.decode(String(request.plan['psbt'])));
  change(psbt);
  return {
    ...request,
    plan: { psbt: base64.encode(RawPSBTV0.encode(psbt as Parameters<typeof RawPSBTV0.encode>[0])) },
  };
}

/** The transaction, the input's and the output's fields of a PSBT, of which the library's types say little. */
const partsOf = (psbt: Raw) => ({
  transaction: psbt.global.unsignedTx as unknown as {
    version: number;
    lockTime: number;
    inputs: { txid: Uint8Array; index: number; sequence: number; finalScriptSig: Uint8Array }[];
    outputs: { amount: bigint; script: Uint8Array }[];
  },
  input: psbt.inputs[0] as unknown as Record<string, unknown> & {
    witnessUtxo: { amount: bigint; script: Uint8Array };
    bip32Derivation: [Uint8Array, { fingerprint: number; path: number[] }][];
  },
  change: psbt.outputs[1] as unknown as { bip32Derivation?: [Uint8Array, { fingerprint: number; path: number[] }][] },
});

async function expectRefused(request: PaymentRequest, refusal: string): Promise<void> {
  const before = entries().length;
  expect(await world.sign(request)).toEqual({ signed: false, refusal, journaled: false });
  expect(entries()).toHaveLength(before);
  expect(await rows(request.transferId)).toEqual([]);
}

describe('the signer signs', () => {
  test('a payment with the key of each input, and keeps what it spends and pays in readable fields', async () => {
    const { transferId, inputs, request } = await authorised();
    const { raw, hash } = await signed(request);
    expect(isSignedBy(raw, inputs)).toBe(true);
    const transaction = Transaction.fromRaw(hex.decode(raw));
    expect(transaction).toMatchObject({ id: hash, version: 2, lockTime: 0 });
    expect([0, 1].map((place) => transaction.getInput(place).sequence)).toEqual([0xfffffffd, 0xfffffffd]);
    expect([0, 1].map((place) => transaction.getOutput(place).amount)).toEqual([due, 19_000n]);
    const spent = ({ hash, index, address, amountMinor, ordinal }: BitcoinCoin) => {
      return { hash, index, address, amountMinor: amountMinor.toString(), derivationIndex: company.index, ordinal };
    };
    const plan = {
      inputs: inputs.map(spent),
      outputs: [
        { address: payee, amountMinor: '70000', ordinal: null },
        { ...changeOf(company), amountMinor: '19000' },
      ],
      feeMinor: '1000',
    };
    expect(await rows(transferId)).toEqual([{ kind: 'transfer', plan, txHash: hash }]);
    expect(await world.compare()).toMatchObject({ agrees: true, isRestoring: false });
  });

  test('a payment without change, and one to an address of every kind', async () => {
    const exact = [newBitcoinCoin(own(0), due + fee)];
    expect(await refusalOf((await authorised(exact, [pays()])).request)).toBe('signed');
    for (const to of [
      p2pkh(keyOf(9), network).address ?? '',
      '2MsFDzHRUAMpjHxKyoEHU3aMCMsVtMqs1PV',
      'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6',
      'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry',
    ]) {
      const { request, inputs } = await authorised(twoCoins(), [pays(to), back()], to);
      expect(isSignedBy((await signed(request)).raw, inputs), to).toBe(true);
    }
  });

  test('the same bytes when asked again, also after a restart, without a second entry', async () => {
    const { transferId, request } = await authorised();
    const first = await signed(request);
    await world.stopSigner();
    await world.startSigner();
    expect(await signed(request)).toEqual(first);
    const again = { kind: 'again', companyId: company.id, transferId, paymentId: transferId } as const;
    expect(await world.sign(again)).toEqual(first);
    expect(await rows(transferId)).toHaveLength(1);
  });

  test('dearer attempts that spend the same or more, and an earlier one again', async () => {
    const { transferId, inputs, request } = await authorised();
    const first = await signed(request);
    const dearer = world.request(company, transferId, inputs, [pays(), back(17_000n)]);
    expect((await signed(dearer)).hash).not.toBe(first.hash);
    const more = [...inputs, newBitcoinCoin(changeOf(company, 1), 2_000n)];
    const dearest = world.request(company, transferId, more, [pays(), back(17_500n)]);
    expect(isSignedBy((await signed(dearest)).raw, more)).toBe(true);
    expect(await signed(request)).toEqual(first);
    expect(await rows(transferId)).toHaveLength(3);
  });
});

describe('a forged PSBT is refused:', () => {
  const hardened = 0x8000_0000;
  const scriptOf = (byte: number) => p2wpkh(keyOf(byte)).script;

  test.each<[string, string, () => BitcoinOutput[]]>([
    ['the payee is another', 'other-output', () => [pays(thief), back()]],
    ['the amount is less', 'other-output', () => [pays(payee, due - 1n), back(19_001n)]],
    ['the amount is more', 'other-output', () => [pays(payee, due + 1n), back(18_999n)]],
    ['the payee is paid twice', 'other-output', () => [pays(), pays()]],
    ['the payee is paid in parts', 'other-output', () => [pays(payee, 40_000n), pays(payee, 30_000n), back()]],
    ['no output pays the payee', 'other-output', () => [back(89_000n)]],
    ['there is one output more', 'other-output', () => [pays(), back(9_000n), pays(thief, 10_000n)]],
    ['change goes to a third party', 'other-output', () => [pays(), pays(thief, 19_000n)]],
    [
      'change goes to an address that payers were shown',
      'other-output',
      () => [pays(), { ...own(5), amountMinor: 19_000n }],
    ],
    ['there are two outputs of change', 'other-output', () => [pays(), back(9_000n), back(10_000n, company, 1)]],
    ['change is dust', 'invalid-plan', () => [pays(), back(293n)]],
    ['the outputs are more than the inputs', 'invalid-plan', () => [pays(), back(20_001n)]],
    ['the fee is more than the rate allows', 'cost-cap', () => [pays()]],
    ['the fee is more than its share of what is paid', 'cost-cap', () => [pays(), back(12_999n)]],
  ])('%s', async (_, refusal, outputs) => {
    const { transferId, inputs } = await authorised();
    await expectRefused(world.request(company, transferId, inputs, outputs()), refusal);
  });

  test('change goes to another company, with the path of its own key', async () => {
    const { request, transferId, inputs } = await authorised();
    const theirs = world.request({ ...company, index: other.index }, transferId, inputs, [
      pays(),
      back(19_000n, other),
    ]);
    const origin = partsOf(RawPSBTV0.decode(base64.decode(String(theirs.plan['psbt'])))).change.bip32Derivation;
    const forged = altered(request, (psbt) => {
      const { transaction, change } = partsOf(psbt);
      (transaction.outputs[1] as { script: Uint8Array }).script = new Uint8Array([
        0,
        20,
        ...hash160(origin?.[0]?.[0] ?? keyOf(3)),
      ]);
      change.bip32Derivation = origin ?? [];
    });
    await expectRefused(forged, 'other-output');
  });

  test('an input is another company’s, or of no company, whatever path it names', async () => {
    const { transferId, request } = await authorised();
    const theirs = [newBitcoinCoin(own(0, other), 50_000n), newBitcoinCoin(own(1, other), 40_000n)];
    const spending = world.request(other, transferId, theirs, [pays(), back(19_000n, other)]);
    await expectRefused({ ...spending, companyId: company.id }, 'foreign-address');
    const one = altered(request, (psbt) => {
      psbt.inputs[1] = RawPSBTV0.decode(base64.decode(String(spending.plan['psbt']))).inputs[1] as never;
    });
    await expectRefused(one, 'foreign-address');
    const foreign = altered(request, (psbt) => {
      const { input } = partsOf(psbt);
      input.witnessUtxo.script = scriptOf(2);
      input.bip32Derivation = [[keyOf(2), input.bip32Derivation[0]?.[1] ?? { fingerprint: 0, path: [] }]];
    });
    await expectRefused(foreign, 'foreign-address');
  });

  test('an input was spent by another payment', async () => {
    const first = await authorised();
    await signed(first.request);
    const second = await authorised([first.inputs[1] as BitcoinCoin, newBitcoinCoin(own(2), 50_000n)]);
    await expectRefused(second.request, 'input-taken');
  });

  test('it is the plan of another payment', async () => {
    const [first, second] = [await authorised(), await authorised(twoCoins(), [pays(thief), back()], thief)];
    await expectRefused(
      { ...first.request, transferId: second.transferId, paymentId: second.transferId },
      'other-output',
    );
    await signed(first.request);
    const same = await authorised();
    await expectRefused({ ...same.request, plan: first.request.plan }, 'input-taken');
  });

  test('the address of the payee is another network’s', async () => {
    const onTest = p2wpkh(keyOf(1), { ...network, bech32: 'tb' }).address ?? '';
    const { request } = await authorised(twoCoins(), [pays(), back()], onTest);
    await expectRefused(request, 'other-output');
  });

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
    const { request } = await authorised();
    await expectRefused(
      altered(request, (psbt) => change(partsOf(psbt), psbt)),
      refusal,
    );
    expect(await refusalOf(request)).toBe('signed');
  });

  test('it is none', async () => {
    const { request } = await authorised();
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
      await expectRefused({ ...request, plan }, 'invalid-plan');
    }
    expect(await refusalOf(request)).toBe('signed');
  });
});

describe('what an input is worth', () => {
  test('is in the signature, so that a wrong value gives a transaction that no node takes', async () => {
    const inputs = twoCoins();
    const [first, second] = inputs as [BitcoinCoin, BitcoinCoin];
    const lied = [first, { ...second, amountMinor: 45_000n }];
    const { request } = await authorised(lied, [pays(), back(24_000n)]);
    const { raw } = await signed(request);
    expect(isSignedBy(raw, lied)).toBe(true);
    expect(isSignedBy(raw, inputs)).toBe(false);
  });

  test('is said once: two attempts that are each wrong of another input give no signatures of a third', async () => {
    const inputs = [newBitcoinCoin(own(0), 1_000_000n), newBitcoinCoin(own(1), 1_000_000n)];
    const [first, second] = inputs as [BitcoinCoin, BitcoinCoin];
    const outputs = [pays(), back(1_029_000n)];
    // The outputs of both are the same; what the second is worth beyond them would go to the miner.
    const { transferId, request } = await authorised([first, { ...second, amountMinor: 100_000n }], outputs);
    await signed(request);
    const turned = world.request(company, transferId, [{ ...first, amountMinor: 100_000n }, second], outputs);
    expect(await refusalOf(turned)).toBe('other-payment');
    expect(await rows(transferId)).toHaveLength(1);
  });
});

describe('another attempt', () => {
  test('keeps what the first was to spend, under its own id', async () => {
    const { transferId, inputs, request } = await authorised();
    await signed(request);
    const outputs = [pays(), back()];
    expect(await refusalOf(world.request(company, transferId, twoCoins(), outputs))).toBe('other-payment');
    const half = [inputs[0] as BitcoinCoin, newBitcoinCoin(own(2), 40_000n)];
    expect(await refusalOf(world.request(company, transferId, half, outputs))).toBe('other-payment');
    const under = { ...world.request(company, transferId, twoCoins(), outputs), paymentId: newId() };
    expect(await refusalOf(under)).toBe('other-payment');
    expect(await rows(transferId)).toHaveLength(1);
  });
});
