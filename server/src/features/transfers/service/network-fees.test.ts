import {
  cancelTransfer,
  listNetworkFees,
  quoteSpeedUp,
  speedUpTransfer,
  transferOut,
} from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chainFamiliesOf } from '../../../chain-families.ts';
import { strangersAddress } from '../../../testing/bitcoin/addresses.ts';
import { bitcoinWallet, waitingTransfer } from '../../../testing/bitcoin/waiting-transfer.ts';
import { credit } from '../../../testing/company.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { succeed, transferContent, transferRequest } from '../../../testing/valid-requests.ts';
import type { FeeBasis } from '../../rails/index.ts';
import type { SubmissionRow } from '../store/submission.ts';
import { promiseOf } from './network-fees.ts';

let world: MainApp;
let tenant: Tenant;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
beforeEach(async () => {
  tenant = await world.company();
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const as = () => tenant.admin;

describe('what each level costs', () => {
  test('follows its rate and the coins, and comes with what is debited', async () => {
    const { walletId } = await bitcoinWallet(world, tenant);
    const query = { walletId, amount: '0.002' };
    const { items, leftBehind } = (await succeed(world, listNetworkFees, { as: as(), query })).data;
    expect(items.map(({ level, feeRate, expectedSeconds }) => [level, feeRate, expectedSeconds])).toEqual([
      ['economy', '2.000', 86_400],
      ['normal', '10.000', 3_600],
      ['urgent', '20.000', 600],
    ]);
    // One input, the largest kind of payee, change: each virtual byte at its rate, rounded up.
    for (const { fee, networkFee, feeRate, vsize, amount, debited } of items) {
      expect(fee).toBe(networkFee);
      expect(Number(fee) * 1e8).toBe(Math.ceil(vsize * Number(feeRate)));
      expect(amount).toBe('0.00200000');
      expect(Number(debited)).toBeCloseTo(Number(amount) + Number(fee), 8);
    }
    expect(leftBehind).toBeNull();
  });

  test('of everything leaves nothing, and is refused where nothing is left', async () => {
    const { walletId } = await bitcoinWallet(world, tenant, 100_000n);
    const { items } = (await succeed(world, listNetworkFees, { as: as(), query: { walletId, all: 'true' } })).data;
    for (const { debited } of items) expect(debited).toBe('0.00100000');
    const above = await world.ask(listNetworkFees, { as: as(), query: { walletId, amount: '0.001' } });
    expect(above).toMatchObject({ key: 'amountAboveBalanceMinusFee', fields: { amount: expect.any(String) } });
  });

  test('is no choice on a chain whose fee is flat', async () => {
    const query = { walletId: tenant.wallets.USDT, amount: '5' };
    const { data } = await succeed(world, listNetworkFees, { as: as(), query });
    expect(data).toEqual({ items: [], leftBehind: null, publishedAt: null });
    const content = await transferContent(world, tenant);
    const request = await transferRequest(world, tenant, content);
    const refused = await world.ask(transferOut, { ...request, body: { ...request.body, feeLevel: 'normal' } });
    expect(refused).toMatchObject({ key: 'feeLevelUnknown', fields: { feeLevel: expect.any(String) } });
  });
});

describe('a submitted fee', () => {
  const families = chainFamiliesOf([]);
  const row = {
    family: 'bitcoin',
    coin: 'BTC',
    decimals: 8,
    feeMinor: 0n,
    availableMinor: 1_000_000n,
    payee: { chainId: 'bitcoin', coin: 'BTC', address: strangersAddress('payee'), status: 'usable' },
  } as unknown as SubmissionRow;
  const coin = (key: string, amountMinor: bigint) => ({ key, amountMinor, isConfirmed: true });
  const basis: FeeBasis = {
    rates: {
      economy: 2000,
      normal: 10_000,
      urgent: 20_000,
      minimum: 1000,
      publishedAt: new Date(),
      askedAt: new Date(),
      isStale: false,
    },
    coins: [coin('a:0', 1_000_000n)],
  };
  const promised = (changed: Partial<Parameters<typeof promiseOf>[2]> = {}) =>
    promiseOf(row, families, { basis, feeLevel: 'normal', feeMinor: 1_410n, amountMinor: 500_000n, ...changed });

  test('is promised to the network as it was shown, also when its level costs a little else by now', () => {
    expect(promised()).toMatchObject({ level: 'normal', networkFeeMinor: 1_410n, vsize: 141 });
    expect(promised({ feeMinor: 1_300n })).toMatchObject({ networkFeeMinor: 1_300n });
    expect(promised({ feeMinor: 2_100n })).toMatchObject({ networkFeeMinor: 2_100n });
  });

  test.each<[string, Partial<Parameters<typeof promiseOf>[2]>]>([
    ['feeChanged', { feeMinor: 1_260n }],
    ['feeChanged', { feeMinor: 2_120n }],
    ['feeLevelMissing', { feeLevel: undefined }],
    ['networkFeeUnknown', { basis: null }],
    ['amountAboveBalanceMinusFee', { amountMinor: 999_000n }],
    ['tooManyCoins', { amountMinor: 900_000n, basis: { ...basis, coins: many(2000, 1_000n * 500n) } }],
  ])('is refused by %s', (key, changed) => {
    const rich = key === 'tooManyCoins' ? { amountMinor: 900_000_000n } : {};
    expect(() => promised({ ...changed, ...rich })).toThrow(expect.objectContaining({ key }));
  });

  function many(count: number, amountMinor: bigint) {
    return Array.from({ length: count }, (_, index) => coin(`${index}:0`, amountMinor));
  }
});

describe('speeding up', () => {
  const outbound = async (walletId: string) => {
    const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
      sql<{ balance: string }>`select balance::text from ledger_account
        where company_id = company_id() and owner_id = ${walletId} and kind = 'outbound'`.execute(tx),
    );
    return rows[0]?.balance;
  };

  test('holds what the next block costs more, once, and says so in the audit log', async () => {
    const { id, walletId } = await waitingTransfer(world, tenant);
    const offer = (await succeed(world, quoteSpeedUp, { as: as(), query: { id } })).data;
    expect(offer).toMatchObject({ fee: '0.00000300', feeRate: '2.127', newFeeRate: '20.000', expectedSeconds: 600 });
    expect(Number(offer.newFee) - Number(offer.fee)).toBeCloseTo(Number(offer.extra), 8);
    const other = await world.ask(speedUpTransfer, {
      as: as(),
      body: { id, fee: '0.00001' },
    });
    expect(other).toMatchObject({ key: 'feeChanged', fields: { fee: expect.any(String) } });
    expect(await outbound(walletId)).toBe('200300');
    const body = { id, fee: offer.newFee };
    const { data } = await succeed(world, speedUpTransfer, { as: as(), body });
    expect(data).toEqual({ id, fee: offer.newFee, stage: 'broadcast' });
    expect(await outbound(walletId)).toBe(String(200_000 + Math.round(Number(offer.newFee) * 1e8)));
    // The dearer transaction is the worker's to make: until then there is nothing to raise.
    const again = await world.ask(quoteSpeedUp, { as: as(), query: { id } });
    expect(again.key).toBe('speedUpUnavailable');
  });

  test('is the initiator’s alone, and of what waits for a block', async () => {
    const { id } = await waitingTransfer(world, tenant);
    const colleague = await world.member(tenant, 'finance');
    expect((await world.ask(quoteSpeedUp, { as: colleague, query: { id } })).key).toBe('transferNotOwn');
    await credit(world.db, tenant, 'USDT', 30_000_000n);
    const request = await transferRequest(world, tenant, await transferContent(world, tenant));
    const sent = (await succeed(world, transferOut, request)).data;
    const own = await world.ask(quoteSpeedUp, { ...(request.as && { as: request.as }), query: { id: sent.id } });
    expect(own.key).toBe('speedUpUnavailable');
    await succeed(world, cancelTransfer, { ...request, body: { id: sent.id } });
  });
});
