import { cancelExchange, exchange, getExchangeOptions, quoteExchange } from '@causeway/contract/exchange.ts';
import { getTransaction } from '@causeway/contract/transactions.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { credit } from '../../testing/company.ts';
import { testDatabase } from '../../testing/database.ts';
import { intentOf, quotedExchange } from '../../testing/exchange-requests.ts';
import { asSuperuser, balancesOf, moveExpiry, setPrice } from '../../testing/exchange-world.ts';
import { type MainApp, mainApp, type Tenant } from '../../testing/main-app.ts';
import { succeed } from '../../testing/succeed.ts';

let world: MainApp;
let tenant: Tenant;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
beforeEach(async () => {
  tenant = await world.company();
  await credit(world.db, tenant, 'USDT', 1_000_000_000n);
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const balances = (coin: keyof Tenant['wallets']) => balancesOf(world.db, tenant, coin);
const sold = (amount: string, bound?: string) =>
  intentOf(tenant, 'USDT', 'ETH', { fixed: 'sell', amount, ...(bound === undefined ? {} : { bound }) });

describe('without review', () => {
  test('a quote is executed at once: both sides, their transactions and the seal', async () => {
    const { quote, request } = await quotedExchange(world, tenant.admin, sold('250'));
    expect(quote).toMatchObject({
      sell: { quantity: '250.000000', fee: '0.000000', total: '250.000000', available: '1000.000000' },
      buy: { quantity: '0.100000000000000000' },
      rate: '0.0004',
      inverseRate: '2500',
      problem: null,
    });
    const { data } = await succeed(world, exchange, request);
    expect(data).toMatchObject({ status: 'completed', stage: 'completed' });
    expect(await balances('USDT')).toEqual({ available: 750_000_000n, outbound: 0n, fee: 0n, fx: 250_000_000n });
    expect(await balances('ETH')).toEqual({ available: 10n ** 17n, outbound: 0n, fee: 0n, fx: -(10n ** 17n) });
    const out = (await succeed(world, getTransaction, { as: tenant.admin, params: { id: data.id } })).data;
    const bought = (await succeed(world, getTransaction, { as: tenant.admin, params: { id: data.boughtId ?? '' } }))
      .data;
    expect(out).toMatchObject({ type: 'crypto_exchange_out', relatedId: bought.id, quantity: '250.000000' });
    expect(bought).toMatchObject({ type: 'crypto_exchange_in', relatedId: out.id, stage: 'credited' });
    expect(out.exchanged).toMatchObject({
      boughtId: bought.id,
      actual: { sold: '250.000000', bought: '0.100000000000000000' },
    });
    expect(bought.exchanged).toEqual(out.exchanged);
  });

  test('a quote serves once, its member alone, and only for what it was made for', async () => {
    const first = await quotedExchange(world, tenant.admin, sold('250'));
    const second = await quotedExchange(world, tenant.admin, sold('250'));
    const other = await quotedExchange(world, tenant.admin, sold('260'));
    await succeed(world, exchange, first.request);
    const at = (quoteId: string) => ({ ...second.request, body: { ...second.request.body, quoteId } });
    expect((await world.ask(exchange, at(first.quote.id))).key).toBe('quoteUsed');
    expect((await world.ask(exchange, at(other.quote.id))).key).toBe('quoteOfAnother');
    expect((await world.ask(exchange, at(newId()))).key).toBe('quoteNotFound');
    const colleague = await world.member(tenant, 'finance');
    const theirs = await quotedExchange(world, colleague, sold('250'));
    expect((await world.ask(exchange, at(theirs.quote.id))).key).toBe('quoteOfAnother');
    await succeed(world, exchange, second.request);
  });

  test('an expired quote is refused by the database’s clock, and its code is still good', async () => {
    const { quote, request } = await quotedExchange(world, tenant.admin, sold('250'));
    await moveExpiry(world.db, quote.id, '0 seconds');
    expect((await world.ask(exchange, request)).key).toBe('quoteExpired');
    await moveExpiry(world.db, quote.id, '1 minute');
    await succeed(world, exchange, request);
  });

  test('what is bought can be fixed: the least that gives it leaves', async () => {
    const intent = intentOf(tenant, 'USDT', 'ETH', { fixed: 'buy', amount: '0.1' });
    const { request } = await quotedExchange(world, tenant.admin, intent);
    await succeed(world, exchange, request);
    expect(await balances('ETH')).toMatchObject({ available: 10n ** 17n });
    expect(await balances('USDT')).toMatchObject({ available: 750_000_000n });
  });

  test('is refused below what the person accepted, and the quote is not used', async () => {
    const { request } = await quotedExchange(world, tenant.admin, sold('250', '0.1000001'));
    expect((await world.ask(exchange, request)).key).toBe('exchangeOutOfBound');
    expect(await balances('USDT')).toMatchObject({ available: 1_000_000_000n });
  });

  test('no price is quoted for what cannot be exchanged now, and the reason is said', async () => {
    const body = { sellWalletId: tenant.wallets.USDT, buyWalletId: tenant.wallets.ETH, fixed: 'sell', amount: '250' };
    const refused = async (given = {}) =>
      (await world.ask(quoteExchange, { as: tenant.admin, body: { ...body, ...given } })).key;
    expect(await refused({ buyWalletId: tenant.wallets.USDT })).toBe('exchangeSameWallet');
    expect(await refused({ amount: '0' })).toBe('exchangeTooSmall');
    expect(await refused({ amount: '0.0000001' })).toBe('amountTooManyDecimals');
    await setPrice(world.db, 'ETH', '2500', 'stale');
    const stale = await world.ask(quoteExchange, { as: tenant.admin, body });
    expect([stale.key, stale.errors]).toEqual([
      'quoteUnavailable',
      ['There is no current price for ETH. Please try again shortly.'],
    ]);
    await setPrice(world.db, 'ETH', '2500');
    const set = (column: string, on: boolean) =>
      asSuperuser(world.db, `update causeway.chain_asset set ${column} = $1 where coin = 'ETH'`, [on]);
    await set('deposits_paused', true);
    expect(await refused()).toBe('exchangePairOff');
    await set('deposits_paused', false);
    expect(await refused()).toBeNull();
  });

  test('a frozen wallet is neither sold nor bought, and a quote of before does not help', async () => {
    const { request } = await quotedExchange(world, tenant.admin, sold('250'));
    await world.db.operator.withCompany(tenant.id, (tx) =>
      sql`update wallet set frozen_at = now(), frozen_reason = 'other' where company_id = company_id() and id = ${tenant.wallets.ETH}`.execute(
        tx,
      ),
    );
    expect((await world.ask(exchange, request)).key).toBe('walletFrozen');
  });

  test('options and quotes say what stops them', async () => {
    const { data } = await succeed(world, getExchangeOptions, { as: tenant.admin });
    expect(data.wallets.map(({ cannotSell }) => cannotSell)).toEqual([null, null, null, null]);
    const body = { sellWalletId: tenant.wallets.USDT, buyWalletId: tenant.wallets.ETH, fixed: 'sell', amount: '2000' };
    const quoted = (await succeed(world, quoteExchange, { as: tenant.admin, body })).data;
    expect(quoted.problem?.field).toBe('amount');
    expect((await world.ask(cancelExchange, { as: tenant.admin, body: { id: newId() } })).key).toBe('notFound');
  });
});
