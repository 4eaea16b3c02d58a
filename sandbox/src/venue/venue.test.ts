import { createHash, createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Airwallex } from '@airwallex/node-sdk';
import { afterEach, expect, test } from 'vitest';
import { fixed, fixedText } from './fixed.ts';
import { FX_CLIENT_ID, startFx } from './fx.ts';
import { startVenue, type VenueServer } from './kraken.ts';

/** The venue keeps what it has said, over a restart as well; the vendor's own client converts at the FX account. */

let venue: VenueServer | undefined;
afterEach(() => venue?.stop());

let nonce = Date.now() * 1000;

function nextNonce(): number {
  nonce += 1;
  return nonce;
}

async function call(method: string, parameters: Record<string, string> = {}, at = nextNonce()) {
  if (!venue) throw new Error('no venue');
  const [key, secret] = await Promise.all(
    [venue.keys.apiKeyFile, venue.keys.privateKeyFile].map(async (file) => (await readFile(file, 'utf8')).trim()),
  );
  const path = `/0/private/${method}`;
  const body = new URLSearchParams({ nonce: String(at), ...parameters }).toString();
  const digest = createHash('sha256').update(`${at}${body}`).digest();
  const sign = createHmac('sha512', Buffer.from(secret ?? '', 'base64'))
    .update(path)
    .update(digest)
    .digest('base64');
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'API-Key': key ?? '', 'API-Sign': sign };
  const response = await fetch(`${venue.url}${path}`, { method: 'POST', headers, body });
  return (await response.json()) as { error: string[]; result: Record<string, unknown> };
}

const order = {
  ordertype: 'limit',
  type: 'sell',
  pair: 'ETHUSD',
  volume: '100',
  price: '2495',
  cl_ord_id: '0190a000-0000-7000-8000-000000000001',
};

test('orders, balances and the last nonce outlive a restart; money only changes hands', async () => {
  const priceOf = () => '2500';
  venue = await startVenue({ priceOf, tickMs: 0 });
  const before = venue.engine.balances();
  const placed = await call('AddOrder', order);
  expect(placed.error).toEqual([]);
  const used = nonce;
  const { engine, dir } = venue;
  const sold = engine.trades.reduce((sum, { quantity }) => sum + fixed(quantity), 0n);
  expect(sold).toBeGreaterThan(0n);
  expect(sold).toBeLessThan(fixed('100'));
  const paid = engine.trades.reduce((sum, { cost, fee }) => sum + fixed(cost) - fixed(fee), 0n);
  expect(engine.balance('XETH')).toBe(fixedText(fixed(before['XETH'] ?? '0') - sold, 4));
  expect(engine.balance('ZUSD')).toBe(fixedText(fixed(before['ZUSD'] ?? '0') + paid, 4));
  const balances = engine.balances();
  await venue.stop();
  venue = await startVenue({ priceOf, tickMs: 0, dir });
  expect(venue.engine.balances()).toEqual(balances);
  expect((await call('OpenOrders', {}, used)).error).toEqual(['EAPI:Invalid nonce']);
  const { open } = (await call('OpenOrders', { cl_ord_id: order.cl_ord_id })).result as { open: object };
  expect(Object.keys(open)).toHaveLength(1);
  expect((await call('AddOrder', order)).error).toEqual(['EOrder:Duplicate cl_ord_id']);
  expect(
    (await call('AddOrder', { ...order, volume: '1000000', cl_ord_id: order.cl_ord_id.replace(/1$/, '2') })).error,
  ).toEqual(['EOrder:Insufficient funds']);
});

test('signature, deadline and the number of requests are looked at', async () => {
  venue = await startVenue({ priceOf: () => '2500', tickMs: 0, rate: { most: 2, perSecond: 0 } });
  expect((await call('AddOrder', { ...order, deadline: '2020-01-01T00:00:00Z' })).error).toEqual([
    'EService:Deadline elapsed',
  ]);
  expect((await call('Balance')).error).toEqual([]);
  expect((await call('Balance')).error).toEqual([]);
  expect((await call('Balance')).error).toEqual(['EAPI:Rate limit exceeded']);
  const response = await fetch(`${venue.url}/0/private/Balance`, { method: 'POST', body: `nonce=${nonce + 9}` });
  expect(await response.json()).toEqual({ error: ['EAPI:Invalid key'] });
});

test('the vendor’s client takes a quote and converts; the same request is one conversion, over a restart as well', async () => {
  const options = {
    dir: await mkdtemp(join(tmpdir(), 'causeway-fx-')),
    dollarsOf: (currency: string) => (currency === 'USD' ? '1' : '0.128'),
  };
  let fx = await startFx(options);
  class SandboxAirwallex extends Airwallex {
    override get basePath(): string {
      return fx.url;
    }
  }
  const apiKey = (await readFile(fx.apiKeyFile, 'utf8')).trim();
  const sdk = new SandboxAirwallex({ clientId: FX_CLIENT_ID, apiKey, env: 'demo', enableTelemetry: false, retry: 0 });
  const parties = { sell_currency: 'HKD', buy_currency: 'USD', sell_amount: 1000 };
  const quote = await sdk.transactionalFX.quotes.createFxQuote({ ...parties, validity: 'MIN_1' });
  expect(quote.buy_amount).toBe(127.8);
  const request = { ...parties, sell_amount: '1000', request_id: 'one', quote_id: quote.quote_id };
  const made = await sdk.transactionalFX.conversion.createConversion(request);
  expect(await sdk.transactionalFX.conversion.createConversion(request)).toMatchObject({
    conversion_id: made.conversion_id,
  });
  expect(fx.balance('USD')).toBe('5000127.8');
  expect((await sdk.transactionalFX.conversion.getConversions({ request_id: 'one' })).items).toHaveLength(1);
  fx.setMode('scheduling');
  const booked = async (id: string) =>
    sdk.transactionalFX.conversion.createConversion({ ...parties, sell_amount: '1000', request_id: id });
  expect((await booked('two')).status).toBe('SCHEDULED');
  const late = await booked('three');
  await fx.moveOn('three', 'OVERDUE');
  await fx.moveOn('three', 'CANCELLED');
  await expect(fx.moveOn('three', 'SETTLED')).rejects.toThrow('three');
  expect((await sdk.transactionalFX.conversion.getConversion(late.conversion_id ?? '')).status).toBe('CANCELLED');
  sdk._cleanup();
  await fx.stop();
  fx = await startFx(options);
  expect([...fx.conversions.values()].map(({ status }) => status)).toEqual(['SETTLED', 'SCHEDULED', 'CANCELLED']);
  expect(fx.balance('USD')).toBe('5000127.8');
  await fx.moveOn('two', 'SETTLED');
  expect(fx.balance('USD')).toBe('5000255.6');
  await fx.stop();
  await rm(options.dir, { recursive: true });
});
