import { rmSync } from 'node:fs';
import { hex } from '@scure/base';
import { Transaction } from '@scure/btc-signer';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { agreeOnEmpty } from '../../../testing/agreed-replacement.ts';
import * as asked from '../../../testing/asked-signer.ts';
import { back, own, payee, payments, pays, thief } from '../../../testing/bitcoin/forging.ts';
import { isSignedBy } from '../../../testing/bitcoin/signatures.ts';
import {
  type BitcoinCoin,
  type BitcoinCompany,
  type BitcoinOutput,
  type BitcoinSignerWorld,
  bitcoin,
  bitcoinSignerWorld,
  newBitcoinCoin,
} from '../../../testing/bitcoin/signer-world.ts';
import type { PaymentRequest } from '../../chains/index.ts';

/** Several payments of a company in one Bitcoin transaction: what the signer signs, what it keeps, and every forgery of it refused. */

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

const signed = (request: PaymentRequest) => asked.signed(world, request);
const refusalOf = (request: PaymentRequest) => asked.refusalOf(world, request);
const amounts = [30_000n, 20_000n, 10_000n] as const;
const payees = [payee, thief, payee] as const;
const dues = (): [BitcoinOutput, BitcoinOutput, BitcoinOutput] => [
  pays(payees[0], amounts[0]),
  pays(payees[1], amounts[1]),
  pays(payees[2], amounts[2]),
];

/** Outputs with what comes back of two coins, at a fee of 1,000. */
const withChange = (...paid: readonly BitcoinOutput[]): BitcoinOutput[] => {
  const paidMinor = paid.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  return [...paid, back(company, 89_000n - paidMinor)];
};

interface Bundle {
  ids: [string, string, string];
  inputs: BitcoinCoin[];
  request: PaymentRequest;
}

const requestOf = (
  [first, ...joined]: readonly string[],
  inputs: readonly BitcoinCoin[],
  outputs: readonly BitcoinOutput[],
): PaymentRequest => ({
  ...world.request(company, first ?? '', inputs, outputs),
  ...(joined.length > 0 && { joined }),
});

/** Three payments that were authorised, and the honest request for the transaction that makes them. */
async function authorised(inputs = on.twoCoins()): Promise<Bundle> {
  const ids: [string, string, string] = ['', '', ''];
  for (const [place, to] of payees.entries()) {
    ids[place] = await world.transfer(company, to, amounts[place] ?? 0n);
  }
  return { ids, inputs, request: requestOf(ids, inputs, [...dues(), back(company, 29_000n)]) };
}

/** The signer refuses a request, and its journal has nothing of it. */
async function expectRefused(request: PaymentRequest, refusal: string): Promise<void> {
  const before = asked.journalEntries(world).length;
  expect(await world.sign(request)).toMatchObject({ signed: false, refusal });
  expect(asked.journalEntries(world)).toHaveLength(before);
}

const asSuperuser = (statement: string) => world.asSuperuser(`set session_replication_role = replica; ${statement}`);

describe('the signer signs', () => {
  test('three payments with one change, as one entry that names each', async () => {
    const { ids, inputs, request } = await authorised();
    const { raw, hash } = await signed(request);
    expect(isSignedBy(raw, inputs)).toBe(true);
    const transaction = Transaction.fromRaw(hex.decode(raw));
    expect([0, 1, 2, 3].map((place) => transaction.getOutput(place).amount)).toEqual([...amounts, 29_000n]);
    const [entry] = await on.rows(ids[0]);
    expect(entry).toMatchObject({ kind: 'transfer', txHash: hash });
    expect(entry?.plan['joined']).toEqual([
      { transferId: ids[1], toAddress: payees[1], amountMinor: '20000' },
      { transferId: ids[2], toAddress: payees[2], amountMinor: '10000' },
    ]);
    expect(await signed(request)).toEqual({ signed: true, raw, hash });
    // Each of them may ask for the bytes again.
    for (const id of ids) {
      const again = await world.sign({ kind: 'again', companyId: company.id, transferId: id, paymentId: id });
      expect(again).toMatchObject({ signed: true, hash });
    }
    expect(await world.compare()).toMatchObject({ agrees: true, isRestoring: false });
  });

  test('dearer attempts of the same payments, which may spend a coin more', async () => {
    const { ids, inputs, request } = await authorised();
    const first = await signed(request);
    const added = newBitcoinCoin(own(company, 2), 10_000n);
    const dearer = requestOf(ids, [...inputs, added], [...dues(), back(company, 36_000n)]);
    expect((await signed(dearer)).hash).not.toBe(first.hash);
    expect(await signed(request)).toEqual(first);
    // The coin that the dearer one added is spared, as that of a payment alone.
    const [alone] = [await on.authorised([added, newBitcoinCoin(own(company, 1), 80_000n)])];
    expect(await refusalOf(alone.request)).toBe('signed');
  });

  test('the same bytes after a restart, and from a journal that was made good from the database', async () => {
    const { ids, request } = await authorised();
    const first = await signed(request);
    const whole = asked.journalEntries(world);
    await world.stopSigner();
    rmSync(world.journalFile);
    await world.rebuildJournal();
    expect(asked.journalEntries(world)).toEqual(whole);
    await world.startSigner();
    await asked.releaseRestoreMode(world);
    expect(await signed(request)).toEqual(first);
    await expectRefused(requestOf([ids[1]], on.twoCoins(), withChange(pays(thief, 20_000n))), 'other-payment');
  });
});

describe('a request is refused:', () => {
  test.each<[string, string, (bundle: Bundle) => PaymentRequest | Promise<PaymentRequest>]>([
    [
      'an output has no record',
      'other-output',
      ({ ids, inputs }) => requestOf(ids.slice(0, 2), inputs, [...dues(), back(company, 29_000n)]),
    ],
    [
      'a record has no output',
      'other-output',
      ({ ids, inputs }) => requestOf(ids, inputs, [...dues().slice(0, 2), back(company, 29_000n)]),
    ],
    [
      'a record is named twice',
      'invalid-plan',
      ({ ids: [a, b], inputs }) => requestOf([a, b, b], inputs, [...dues(), back(company, 29_000n)]),
    ],
    [
      'the first record is named again',
      'invalid-plan',
      ({ ids: [a, b], inputs }) => requestOf([a, b, a], inputs, [...dues(), back(company, 29_000n)]),
    ],
    [
      'another payee',
      'other-output',
      ({ ids, inputs }) =>
        requestOf(ids, inputs, [...dues().slice(0, 2), pays(thief, amounts[2]), back(company, 29_000n)]),
    ],
    [
      'another amount',
      'other-output',
      ({ ids, inputs }) =>
        requestOf(ids, inputs, [...dues().slice(0, 2), pays(payee, 10_001n), back(company, 28_999n)]),
    ],
    [
      'two payees get what is due, each the other’s',
      'other-output',
      ({ ids, inputs }) =>
        requestOf(ids, inputs, [
          pays(payees[0], amounts[1]),
          pays(payees[1], amounts[0]),
          pays(payees[2], amounts[2]),
          back(company, 29_000n),
        ]),
    ],
    [
      'a record of another company',
      'unknown',
      async ({ ids: [a, b], inputs }) =>
        requestOf([a, b, await world.transfer(other, payee, amounts[2])], inputs, [...dues(), back(company, 29_000n)]),
    ],
    [
      'no such record',
      'unknown',
      ({ ids: [a, b], inputs }) => requestOf([a, b, newId()], inputs, [...dues(), back(company, 29_000n)]),
    ],
    [
      'a record that was not authorised',
      'forged',
      async ({ ids, request }) => {
        await asSuperuser(`delete from causeway.outgoing_authorisation where transaction_id = '${ids[1]}'`);
        return request;
      },
    ],
    [
      'a record whose payee was changed since',
      'forged',
      async ({ ids, inputs }) => {
        await asSuperuser(`update causeway.transaction set payee_account = '${thief}' where id = '${ids[2]}'`);
        return requestOf(ids, inputs, [...dues().slice(0, 2), pays(thief, amounts[2]), back(company, 29_000n)]);
      },
    ],
    [
      'a record that has ended',
      'ended',
      async ({ ids, request }) => {
        await asSuperuser(
          `insert into causeway.transaction_stage (company_id, id, transaction_id, stage)
           values ('${company.id}', gen_random_uuid(), '${ids[1]}', 'cancelled')`,
        );
        return request;
      },
    ],
    [
      'change elsewhere',
      'other-output',
      ({ ids, inputs }) => requestOf(ids, inputs, [...dues(), pays(thief, 29_000n)]),
    ],
    [
      'change of another company',
      'other-output',
      ({ ids, inputs }) => requestOf(ids, inputs, [...dues(), pays(other.change[0]?.address, 29_000n)]),
    ],
    [
      'change twice',
      'other-output',
      ({ ids, inputs }) => requestOf(ids, inputs, [...dues(), back(company, 9_000n), back(company, 20_000n, 1)]),
    ],
    [
      'change before a payee',
      'other-output',
      ({ ids, inputs }) => requestOf(ids, inputs, [back(company, 29_000n), ...dues()]),
    ],
    [
      'a fee of more than its share of all that is paid',
      'cost-cap',
      ({ ids, inputs }) => requestOf(ids, inputs, [...dues(), back(company, 23_999n)]),
    ],
    ['an acceleration of several', 'other-payment', ({ request }) => ({ ...request, kind: 'accelerate' })],
  ])('%s', async (_, refusal, forge) => {
    const bundle = await authorised();
    await expectRefused(await forge(bundle), refusal);
  });

  test('a fee is bounded by all that is paid, not by the first payment', async () => {
    const { ids, inputs } = await authorised();
    expect(await refusalOf(requestOf(ids, inputs, [...dues(), back(company, 24_000n)]))).toBe('signed');
  });

  test('more payments than one transaction makes', async () => {
    const { ids, request } = await authorised();
    const many = Array.from({ length: 100 }, () => newId());
    await expectRefused({ ...request, joined: many }, 'invalid-plan');
    expect(await refusalOf({ ...request, joined: [ids[1], ids[2]] })).toBe('signed');
  });
});

describe('one payment is made once:', () => {
  test('what was signed with others is signed with the same ones alone', async () => {
    const { ids, inputs, request } = await authorised();
    await signed(request);
    const [a, b, c] = ids;
    const [one, two, three] = dues();
    const fresh = on.twoCoins();
    // Alone, in part, in another order, under another first, and with one more: with the coins of before, and with others.
    for (const spent of [inputs, fresh]) {
      await expectRefused(requestOf([a], spent, withChange(one)), 'other-payment');
      await expectRefused(requestOf([c], spent, withChange(three)), 'other-payment');
      await expectRefused(requestOf([a, b], spent, withChange(one, two)), 'other-payment');
      await expectRefused(requestOf([a, c, b], spent, withChange(one, three, two)), 'other-payment');
      await expectRefused(requestOf([b, a, c], spent, withChange(two, one, three)), 'other-payment');
      const more = await world.transfer(company, payee, 5_000n);
      const outputs = withChange(one, two, three, pays(payee, 5_000n));
      await expectRefused(requestOf([a, b, c, more], spent, outputs), 'other-payment');
    }
    await expectRefused(requestOf(ids, fresh, withChange(...dues())), 'other-payment');
  });

  test('what was signed alone is joined with no other, and neither is what another bundle has', async () => {
    const alone = await on.authorised();
    await signed(alone.request);
    const { ids, request, inputs } = await authorised();
    const [a, b] = ids;
    const outputs = [pays(payees[0], amounts[0]), pays(), back(company, 1_000n)];
    const rich = [newBitcoinCoin(own(company, 0), 102_000n)];
    await expectRefused(requestOf([a, alone.transferId], rich, outputs), 'other-payment');
    await signed(request);
    const further = await world.transfer(company, payee, amounts[0]);
    await expectRefused(
      requestOf([further, b], rich, [pays(payee, amounts[0]), pays(thief, amounts[1]), back(company, 51_000n)]),
      'other-payment',
    );
    // What the bundle spends serves no other payment.
    const second = await on.authorised([inputs[1] as BitcoinCoin, newBitcoinCoin(own(company, 2), 50_000n)]);
    await on.expectRefused(second.request, 'input-taken');
  });
});

describe('after a restore', () => {
  const forget = (id: string) => asSuperuser(`delete from causeway.transaction where id = '${id}'`);

  test('payments whose records are lost, the first or a further one, are raised with what the journal says of them', async () => {
    for (const lost of [0, 1]) {
      const { ids, inputs, request } = await authorised();
      const first = await signed(request);
      await forget(ids[lost] ?? '');
      expect(await signed(request)).toEqual(first);
      expect((await signed(requestOf(ids, inputs, [...dues(), back(company, 28_000n)]))).hash).not.toBe(first.hash);
      const forged = [pays(thief, amounts[0]), ...dues().slice(1), back(company, 28_000n)];
      await expectRefused(requestOf(ids, inputs, forged), 'other-output');
    }
  });

  test('nothing that the journal does not know takes a lost payment’s place', async () => {
    const { ids, request } = await authorised();
    await forget(ids[0]);
    await expectRefused(request, 'unknown');
  });
});

describe('an empty transaction', () => {
  const agree = async (bundle: Bundle, payments: readonly string[] | undefined, transferId = bundle.ids[0]) =>
    agreeOnEmpty(
      world,
      company,
      { id: transferId, nonce: 0 },
      {
        claims: {
          chainId: bitcoin.id,
          resources: bundle.inputs.map(({ hash, index }) => `in/${bitcoin.id}/${hash}:${index}`),
          ...(payments !== undefined && { payments }),
        },
      },
    );
  const emptying = ({ ids, inputs }: Bundle, named: readonly string[] = ids): PaymentRequest => ({
    ...requestOf(named, inputs, [back(company, 88_000n)]),
    kind: 'empty',
  });

  test('takes the place of all of them, where the seal of two operators names each', async () => {
    const bundle = await authorised();
    await signed(bundle.request);
    await agree(bundle, undefined);
    await agree(bundle, [...bundle.ids].reverse());
    await agree(bundle, bundle.ids.slice(0, 2));
    await expectRefused(emptying(bundle), 'forged');
    await agree(bundle, bundle.ids, bundle.ids[1]);
    await expectRefused(emptying(bundle, bundle.ids.slice(0, 1)), 'other-payment');
    await expectRefused(emptying(bundle, bundle.ids.slice(1)), 'forged');
    await expectRefused(emptying(bundle, [bundle.ids[0], bundle.ids[2], bundle.ids[1]]), 'forged');
    const { raw } = await signed(emptying(bundle));
    expect(isSignedBy(raw, bundle.inputs)).toBe(true);
    // No other attempt follows, of all or of one.
    await expectRefused(requestOf(bundle.ids, bundle.inputs, [...dues(), back(company, 27_000n)]), 'other-payment');
    const kinds = await world.db.operator.withoutCompany((tx) =>
      sql<{ kind: string }>`select kind from signer_journal where transfer_id = ${bundle.ids[0]} order by seq`.execute(
        tx,
      ),
    );
    expect(kinds.rows.map(({ kind }) => kind)).toEqual(['transfer', 'empty']);
  });
});
