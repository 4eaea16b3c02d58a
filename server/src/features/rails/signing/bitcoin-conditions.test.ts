import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAuthorisationKeys } from '../../../platform/crypto/new-keys.ts';
import { createSeal, type Seal } from '../../../platform/crypto/seal.ts';
import { newId } from '../../../platform/ids.ts';
import { agreeOnEmpty } from '../../../testing/agreed-replacement.ts';
import * as asked from '../../../testing/asked-signer.ts';
import { back, own, payee, payments, pays } from '../../../testing/bitcoin/forging.ts';
import {
  type BitcoinCoin,
  type BitcoinCompany,
  type BitcoinOutput,
  type BitcoinSignerWorld,
  bitcoin,
  bitcoinSignerWorld,
  newBitcoinCoin,
} from '../../../testing/bitcoin/signer-world.ts';
import { accelerateKind, type PaymentRequest } from '../../chains/index.ts';
import { insertTransactions } from '../../transactions/index.ts';
import { type AccelerationClaims, accelerationType } from '../bitcoin/acceleration.ts';
import { settlementTypes } from '../settlement/domain.ts';
import { sweepType } from '../sweeps/domain.ts';

/** Conditions of the signer's that no other one covers, on a Bitcoin chain: of payments that are signed together, of empty transactions, of accelerations. */

let world: BitcoinSignerWorld;
let company: BitcoinCompany;
let other: BitcoinCompany;
let on: ReturnType<typeof payments>;
beforeAll(async () => {
  world = await bitcoinSignerWorld({
    maxFeeRate: 100,
    maxFeePercent: 10,
    smallFeeMinor: 5_000n,
    maxAccelerationsPerHour: 100,
    treasuryPerDay: new Map(),
  });
  company = await world.bitcoinCompany();
  other = await world.bitcoinCompany();
  on = payments(world, company);
});
afterAll(() => world.close());

const signed = (request: PaymentRequest) => asked.signed(world, request);
const refusalOf = (request: PaymentRequest) => asked.refusalOf(world, request);
const asSuperuser = (statement: string) => world.asSuperuser(`set session_replication_role = replica; ${statement}`);
const amounts = [30_000n, 20_000n, 10_000n] as const;
const paid = amounts.map((amount) => pays(payee, amount));
const forget = (id: string) => asSuperuser(`delete from causeway.transaction where id = '${id}'`);
const retype = (id: string, type: string) =>
  asSuperuser(`update causeway.transaction set type = '${type}' where id = '${id}'`);

interface Bundle {
  ids: [string, string, string];
  inputs: BitcoinCoin[];
  request: PaymentRequest;
}

function requestOf(
  [first = '', ...joined]: readonly string[],
  inputs: readonly BitcoinCoin[],
  changeMinor = 29_000n,
): PaymentRequest {
  return { ...world.request(company, first, inputs, [...paid, back(company, changeMinor)]), joined };
}

async function authorised(): Promise<Bundle> {
  const ids: [string, string, string] = ['', '', ''];
  for (const [place, amount] of amounts.entries()) ids[place] = await world.transfer(company, payee, amount);
  const inputs = on.twoCoins();
  return { ids, inputs, request: requestOf(ids, inputs) };
}

const emptying = ({ ids: [first, ...joined], inputs }: Bundle): PaymentRequest => ({
  ...world.request(company, first, inputs, [back(company, 88_000n)]),
  ...{ joined, kind: 'empty' },
});

const resourceOf = ({ hash, index }: BitcoinCoin) => `in/${bitcoin.id}/${hash}:${index}`;

const agree = ({ ids, inputs }: Bundle) =>
  agreeOnEmpty(
    world,
    company,
    { id: ids[0], nonce: 0 },
    { claims: { chainId: bitcoin.id, resources: inputs.map(resourceOf), payments: ids } },
  );

describe('a payment that is signed with others', () => {
  test.each([...Object.values(settlementTypes), accelerationType, sweepType])(
    'is no %s, and joins none',
    async (type) => {
      const further = await authorised();
      await retype(further.ids[1], type);
      expect(await refusalOf(further.request)).toBe('other-payment');
      const first = await authorised();
      await retype(first.ids[0], type);
      const kind = type === accelerationType ? accelerateKind : 'transfer';
      expect(await refusalOf({ ...first.request, kind })).toBe(
        type === accelerationType ? 'invalid-plan' : 'other-payment',
      );
    },
  );

  test('is of a type that is signed at all', async () => {
    const { ids, request } = await authorised();
    await retype(ids[1], 'chain_deposit');
    expect(await refusalOf(request)).toBe('unknown');
  });

  test('is out of the wallet of the first', async () => {
    const { ids, request } = await authorised();
    const [first] = company.wallets.values();
    await world.asSuperuser(`do $$ declare c text; begin
      for c in select conname from pg_constraint where conrelid = 'causeway.wallet'::regclass and contype = 'u' loop
        execute 'alter table causeway.wallet drop constraint ' || quote_ident(c) || ' cascade';
      end loop; end $$`);
    const second = newId();
    await asSuperuser(`insert into causeway.wallet (company_id, id, chain_id, asset_id)
        select company_id, '${second}', chain_id, asset_id from causeway.wallet where id = '${first}';
      update causeway.transaction set wallet_id = '${second}' where id = '${ids[2]}'`);
    expect(await refusalOf(request)).toBe('other-payment');
  });

  test('is not asked for its seal again once it was signed, and still needs a payee', async () => {
    const { ids, inputs, request } = await authorised();
    await signed(request);
    await asSuperuser(`delete from causeway.outgoing_authorisation where transaction_id = '${ids[1]}'`);
    expect(await refusalOf(requestOf(ids, inputs, 28_000n))).toBe('signed');
    await asSuperuser(`update causeway.transaction set payee_account = null where id = '${ids[1]}'`);
    expect(await refusalOf(requestOf(ids, inputs, 27_000n))).toBe('forged');
  });

  test('is known by the journal of its own company alone', async () => {
    const { ids, request } = await authorised();
    await signed(request);
    const first = await world.transfer(other, payee, amounts[0]);
    const inputs = [newBitcoinCoin(own(other, 0), 50_000n), newBitcoinCoin(own(other, 3), 40_000n)];
    const forged = {
      ...world.request(other, first, inputs, [...paid.slice(0, 2), back(other, 39_000n)]),
      joined: [ids[1]],
    };
    expect(await refusalOf(forged)).toBe('unknown');
  });
});

describe('after a restore', () => {
  test('one record of three is enough to raise their fee', async () => {
    const { ids, inputs, request } = await authorised();
    await signed(request);
    await forget(ids[0]);
    await forget(ids[1]);
    expect(await refusalOf(requestOf(ids, inputs, 28_000n))).toBe('signed');
  });

  test('a payment that was signed alone has no other to be read from', async () => {
    const { transferId, inputs, request } = await on.authorised();
    await signed(request);
    await forget(transferId);
    const dearer = world.request(company, transferId, inputs, [pays(), back(company, 18_000n)]);
    expect(await refusalOf(dearer)).toBe('unknown');
  });

  test.each([0, 1])('an empty transaction takes the place of payments of which record %d is lost', async (lost) => {
    const bundle = await authorised();
    await signed(bundle.request);
    await agree(bundle);
    await forget(bundle.ids[lost] ?? '');
    expect(await refusalOf(emptying(bundle))).toBe('signed');
  });
});

describe('an empty transaction', () => {
  test('takes the place of none of several that have ended in part', async () => {
    const bundle = await authorised();
    await signed(bundle.request);
    await agree(bundle);
    await asSuperuser(`insert into causeway.transaction_stage (company_id, id, transaction_id, stage)
      values ('${company.id}', gen_random_uuid(), '${bundle.ids[1]}', 'failed')`);
    expect(await refusalOf(emptying(bundle))).toBe('ended');
  });

  test('spends what every attempt spends, though the first has spent more', async () => {
    const [wide, narrow] = [newBitcoinCoin(own(company, 0), 80_000n), newBitcoinCoin(own(company, 3), 10_000n)];
    const { transferId, request } = await on.authorised([wide, narrow]);
    await signed(request);
    await signed(world.request(company, transferId, [wide], [pays(), back(company, 8_000n)]));
    await agreeOnEmpty(
      world,
      company,
      { id: transferId, nonce: 0 },
      { claims: { chainId: bitcoin.id, resources: [resourceOf(wide)] } },
    );
    const empty = { ...world.request(company, transferId, [wide], [back(company, 78_000n)]), kind: 'empty' };
    expect(await refusalOf(empty)).toBe('signed');
  });
});

describe('an acceleration', () => {
  /** As the HTTP process leaves it, but for what is forged. */
  async function accelerated(coin: BitcoinCoin, changed: object = {}, seal: Seal = world.seal): Promise<string> {
    const id = newId();
    const walletId = company.wallets.get(`BTC@${bitcoin.id}`) ?? '';
    const claims = {
      ...{ version: 1, companyId: company.id, transferId: id, chainId: bitcoin.id, hash: coin.hash, index: coin.index },
      ...{ feeMinor: '2000', initiatorId: newId(), issuedAt: new Date().toISOString() },
    } satisfies AccelerationClaims;
    const depositId = newId();
    const common = { walletId, coin: 'BTC', payeeAccount: coin.address, chain: { chainId: bitcoin.id } };
    await world.db.app.withCompany(company.id, async (tx) => {
      await insertTransactions(tx, [
        {
          ...common,
          ...{ id: depositId, type: 'chain_deposit', quantityMinor: coin.amountMinor, timeline: [{ stage: 'seen' }] },
        },
        {
          ...common,
          ...{ id, type: accelerationType, quantityMinor: 0n, feeMinor: 2_000n, timeline: [{ stage: 'approved' }] },
        },
      ]);
      await sql`insert into bitcoin_acceleration (company_id, transaction_id, deposit_id, chain_id, hash, index, parent_fee, parent_vsize)
        values (company_id(), ${id}, ${depositId}, ${bitcoin.id}, ${coin.hash}, ${coin.index}, 150, 141)`.execute(tx);
      await sql`insert into bitcoin_acceleration_seal (company_id, transaction_id, fee, jws)
        values (company_id(), ${id}, 2000, ${seal('causeway-acceleration', { ...claims, ...changed })})`.execute(tx);
    });
    return id;
  }
  const accelerating = (
    id: string,
    coin: BitcoinCoin,
    outputs: BitcoinOutput[] = [back(company, coin.amountMinor - 2_000n)],
  ) => ({
    ...world.request(company, id, [coin], outputs),
    kind: accelerateKind,
  });
  const newCoin = () => newBitcoinCoin(own(company, 1), 30_000n);

  test('has a seal of the companies’ process, of a version that the signer knows', async () => {
    const coin = newCoin();
    const { privateKey } = await newAuthorisationKeys();
    expect(await refusalOf(accelerating(await accelerated(coin, {}, createSeal(JSON.parse(privateKey))), coin))).toBe(
      'forged',
    );
    expect(await refusalOf(accelerating(await accelerated(coin, { version: 2 }), coin))).toBe('forged');
    expect(await refusalOf(accelerating(await accelerated(coin), coin))).toBe('signed');
  });

  test('spends the output that was sealed, and not that of another transaction at the same place', async () => {
    const coin = newCoin();
    const hash = coin.hash.split('').reverse().join('');
    expect(await refusalOf(accelerating(await accelerated(coin, { hash }), coin))).toBe('other-payment');
  });

  test('is no payment that others could be signed with once its record is lost', async () => {
    const coin = newCoin();
    const id = await accelerated(coin);
    await signed(accelerating(id, coin));
    await forget(id);
    const { ids, inputs } = await authorised();
    expect(await refusalOf(requestOf([ids[0], ids[1], id], inputs))).toBe('unknown');
  });
});

test('no sweep is signed where payments are made of outputs', async () => {
  const from = own(company, 1).address;
  const id = newId();
  const walletId = company.wallets.get(`BTC@${bitcoin.id}`) ?? '';
  await world.asSuperuser(`insert into causeway.transaction
      (company_id, id, type, status, stage, direction, wallet_id, chain_id, coin, quantity, payee_account, payer_account)
    values ('${company.id}', '${id}', '${sweepType}', 'pending', 'signing', 'out', '${walletId}', '${bitcoin.id}', 'BTC', 48000,
      '${own(company, 0).address}', '${from}')`);
  const outputs = [{ ...own(company, 0), amountMinor: 48_000n }];
  const request = world.request(company, id, [newBitcoinCoin(own(company, 1), 50_000n)], outputs);
  expect(await refusalOf(request)).toBe('foreign-address');
});
