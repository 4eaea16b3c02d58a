import { hex } from '@scure/base';
import { p2pkh, p2wpkh, Transaction } from '@scure/btc-signer';
import { hash160 } from '@scure/btc-signer/utils.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import * as asked from '../../../testing/asked-signer.ts';
import {
  altered,
  back,
  due,
  keyOf,
  network,
  own,
  partsOf,
  payee,
  payments,
  pays,
  psbtOf,
  scriptOf,
  thief,
} from '../../../testing/bitcoin/forging.ts';
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
import { noteStage } from '../../transactions/index.ts';

/** The signer on a Bitcoin chain: what it signs, and plans that pay, spend or cost what no record allows, each refused with nothing in the journal. */

let world: BitcoinSignerWorld;
let company: BitcoinCompany;
let other: BitcoinCompany;
let on: ReturnType<typeof payments>;
beforeAll(async () => {
  world = await bitcoinSignerWorld();
  company = await world.bitcoinCompany();
  other = await world.bitcoinCompany();
  on = payments(world, company);
});
afterAll(() => world.close());

const refusalOf = (request: PaymentRequest) => asked.refusalOf(world, request);
const signed = (request: PaymentRequest) => asked.signed(world, request);
const fee = 1_000n;

async function failed(transferId: string): Promise<void> {
  await world.db.worker.withCompany(company.id, (tx) => noteStage(tx, transferId, { stage: 'failed' }));
}

describe('the signer signs', () => {
  test('a payment with the key of each input, and keeps what it spends and pays in readable fields', async () => {
    const { transferId, inputs, request } = await on.authorised();
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
        { ...company.change[0], amountMinor: '19000' },
      ],
      feeMinor: '1000',
    };
    expect(await on.rows(transferId)).toEqual([{ kind: 'transfer', plan, txHash: hash }]);
    expect(await world.compare()).toMatchObject({ agrees: true, isRestoring: false });
  });

  test('a payment without change, and one to an address of every kind', async () => {
    const exact = [newBitcoinCoin(own(company, 0), due + fee)];
    expect(await refusalOf((await on.authorised(exact, [pays()])).request)).toBe('signed');
    for (const to of [
      p2pkh(keyOf(9), network).address ?? '',
      '2MsFDzHRUAMpjHxKyoEHU3aMCMsVtMqs1PV',
      'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6',
      'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry',
    ]) {
      const { request, inputs } = await on.authorised(on.twoCoins(), [pays(to), back(company)], to);
      expect(isSignedBy((await signed(request)).raw, inputs), to).toBe(true);
    }
  });

  test('the same bytes when asked again, also after a restart, without a second entry', async () => {
    const { transferId, request } = await on.authorised();
    const first = await signed(request);
    await world.stopSigner();
    await world.startSigner();
    expect(await signed(request)).toEqual(first);
    const again = { kind: 'again', companyId: company.id, transferId, paymentId: transferId } as const;
    expect(await world.sign(again)).toEqual(first);
    expect(await on.rows(transferId)).toHaveLength(1);
  });

  test('dearer attempts that spend the same or more, and an earlier one again', async () => {
    const { transferId, inputs, request } = await on.authorised();
    const first = await signed(request);
    const dearer = world.request(company, transferId, inputs, [pays(), back(company, 17_000n)]);
    expect((await signed(dearer)).hash).not.toBe(first.hash);
    const more = [...inputs, newBitcoinCoin(company.change[1] ?? own(company, 0), 2_000n)];
    const dearest = world.request(company, transferId, more, [pays(), back(company, 17_500n)]);
    expect(isSignedBy((await signed(dearest)).raw, more)).toBe(true);
    expect(await signed(request)).toEqual(first);
    expect(await on.rows(transferId)).toHaveLength(3);
  });
});

describe('a forged PSBT is refused:', () => {
  test.each<[string, string, () => BitcoinOutput[]]>([
    ['the payee is another', 'other-output', () => [pays(thief), back(company)]],
    ['the amount is less', 'other-output', () => [pays(payee, due - 1n), back(company, 19_001n)]],
    ['the amount is more', 'other-output', () => [pays(payee, due + 1n), back(company, 18_999n)]],
    ['the payee is paid twice', 'other-output', () => [pays(), pays()]],
    ['the payee is paid in parts', 'other-output', () => [pays(payee, 40_000n), pays(payee, 30_000n), back(company)]],
    ['no output pays the payee', 'other-output', () => [back(company, 89_000n)]],
    ['there is one output more', 'other-output', () => [pays(), back(company, 9_000n), pays(thief, 10_000n)]],
    ['change goes to a third party', 'other-output', () => [pays(), pays(thief, 19_000n)]],
    [
      'change goes to an address that payers were shown',
      'other-output',
      () => [pays(), { ...own(company, 5), amountMinor: 19_000n }],
    ],
    [
      'there are two outputs of change',
      'other-output',
      () => [pays(), back(company, 9_000n), back(company, 10_000n, 1)],
    ],
    ['change is dust', 'invalid-plan', () => [pays(), back(company, 293n)]],
    ['the outputs are more than the inputs', 'invalid-plan', () => [pays(), back(company, 20_001n)]],
    ['the fee is more than the rate allows', 'cost-cap', () => [pays()]],
    ['the fee is more than its share of what is paid', 'cost-cap', () => [pays(), back(company, 12_999n)]],
  ])('%s', async (_, refusal, outputs) => {
    const { transferId, inputs } = await on.authorised();
    await on.expectRefused(world.request(company, transferId, inputs, outputs()), refusal);
  });

  test('change goes to another company, with the path of its own key', async () => {
    const { request, transferId, inputs } = await on.authorised();
    const theirs = world.request({ ...company, index: other.index }, transferId, inputs, [
      pays(),
      back(other, 19_000n),
    ]);
    const origin = partsOf(psbtOf(theirs)).change.bip32Derivation;
    const forged = altered(request, (psbt) => {
      const { transaction, change } = partsOf(psbt);
      (transaction.outputs[1] as { script: Uint8Array }).script = new Uint8Array([
        0,
        20,
        ...hash160(origin?.[0]?.[0] ?? keyOf(3)),
      ]);
      change.bip32Derivation = origin ?? [];
    });
    await on.expectRefused(forged, 'other-output');
  });

  test('an input is another company’s, or of no company, whatever path it names', async () => {
    const { transferId, request } = await on.authorised();
    const theirs = [newBitcoinCoin(own(other, 0), 50_000n), newBitcoinCoin(own(other, 1), 40_000n)];
    const spending = world.request(other, transferId, theirs, [pays(), back(other, 19_000n)]);
    await on.expectRefused({ ...spending, companyId: company.id }, 'foreign-address');
    const one = altered(request, (psbt) => {
      psbt.inputs[1] = psbtOf(spending).inputs[1] as never;
    });
    await on.expectRefused(one, 'foreign-address');
    const foreign = altered(request, (psbt) => {
      const { input } = partsOf(psbt);
      input.witnessUtxo.script = scriptOf(2);
      input.bip32Derivation = [[keyOf(2), input.bip32Derivation[0]?.[1] ?? { fingerprint: 0, path: [] }]];
    });
    await on.expectRefused(foreign, 'foreign-address');
  });

  test('an input was spent by another payment', async () => {
    const first = await on.authorised();
    await signed(first.request);
    const second = await on.authorised([first.inputs[1] as BitcoinCoin, newBitcoinCoin(own(company, 2), 50_000n)]);
    await on.expectRefused(second.request, 'input-taken');
  });

  test('an input was spent by a payment that has failed, with another value', async () => {
    const first = await on.authorised();
    await signed(first.request);
    const [, spent = newBitcoinCoin(own(company, 0), 0n)] = first.inputs;
    const worth = (amountMinor: bigint) =>
      on.authorised([{ ...spent, amountMinor }, newBitcoinCoin(own(company, 2), 90_000n - amountMinor)]);
    const [again, lying] = [await worth(spent.amountMinor), await worth(spent.amountMinor - 1n)];
    await on.expectRefused(again.request, 'input-taken');
    await failed(first.transferId);
    await on.expectRefused(lying.request, 'input-taken');
    expect(isSignedBy((await signed(again.request)).raw, again.inputs)).toBe(true);
    // Of the one that has failed nothing else is signed, and the input serves the second payment by now.
    const third = await worth(spent.amountMinor);
    await on.expectRefused(third.request, 'input-taken');
    const dearer = world.request(company, first.transferId, first.inputs, [pays(), back(company, 18_000n)]);
    expect(await refusalOf(dearer)).toBe('ended');
  });

  test('it is the plan of another payment', async () => {
    const [first, second] = [
      await on.authorised(),
      await on.authorised(on.twoCoins(), [pays(thief), back(company)], thief),
    ];
    await on.expectRefused(
      { ...first.request, transferId: second.transferId, paymentId: second.transferId },
      'other-output',
    );
    await signed(first.request);
    const same = await on.authorised();
    await on.expectRefused({ ...same.request, plan: first.request.plan }, 'input-taken');
  });

  test('the address of the payee is another network’s', async () => {
    const onTest = p2wpkh(keyOf(1), { ...network, bech32: 'tb' }).address ?? '';
    const { request } = await on.authorised(on.twoCoins(), [pays(), back(company)], onTest);
    await on.expectRefused(request, 'other-output');
  });
});

describe('what an input is worth', () => {
  test('is in the signature, so that a wrong value gives a transaction that no node takes', async () => {
    const inputs = on.twoCoins();
    const [first, second] = inputs as [BitcoinCoin, BitcoinCoin];
    const lied = [first, { ...second, amountMinor: 45_000n }];
    const { request } = await on.authorised(lied, [pays(), back(company, 24_000n)]);
    const { raw } = await signed(request);
    expect(isSignedBy(raw, lied)).toBe(true);
    expect(isSignedBy(raw, inputs)).toBe(false);
  });

  test('is said once: two attempts that are each wrong of another input give no signatures of a third', async () => {
    const inputs = [newBitcoinCoin(own(company, 0), 1_000_000n), newBitcoinCoin(own(company, 1), 1_000_000n)];
    const [first, second] = inputs as [BitcoinCoin, BitcoinCoin];
    const outputs = [pays(), back(company, 1_029_000n)];
    // The outputs of both are the same; what the second is worth beyond them would go to the miner.
    const { transferId, request } = await on.authorised([first, { ...second, amountMinor: 100_000n }], outputs);
    await signed(request);
    const turned = world.request(company, transferId, [{ ...first, amountMinor: 100_000n }, second], outputs);
    expect(await refusalOf(turned)).toBe('other-payment');
    expect(await on.rows(transferId)).toHaveLength(1);
  });
});

describe('another attempt', () => {
  test('keeps what the first was to spend, under its own id', async () => {
    const { transferId, inputs, request } = await on.authorised();
    await signed(request);
    const outputs = [pays(), back(company)];
    expect(await refusalOf(world.request(company, transferId, on.twoCoins(), outputs))).toBe('other-payment');
    const half = [inputs[0] as BitcoinCoin, newBitcoinCoin(own(company, 2), 40_000n)];
    expect(await refusalOf(world.request(company, transferId, half, outputs))).toBe('other-payment');
    const under = { ...world.request(company, transferId, on.twoCoins(), outputs), paymentId: newId() };
    expect(await refusalOf(under)).toBe('other-payment');
    expect(await on.rows(transferId)).toHaveLength(1);
  });
});
