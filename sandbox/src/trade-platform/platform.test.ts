import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startTradePlatform, type TradePlatform } from './platform.ts';

/** The platform before a console that a real server plays. */

const secrets = {
  events: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  confirmations: `whsec_${Buffer.alloc(32, 2).toString('base64')}`,
};
const party = (name: string, wallet: string) => ({ name, address: 'Hong Kong', wallet });
const wish = {
  ...{ network: 'ethereum', currency: 'USDT', quantity: '1000' },
  ...{ buyer: party('One', '0x1'), seller: party('Other', '0x2') },
  milestones: [{ name: 'On board', amount: '400' }],
};

let dir: string;
let platform: TradePlatform;
let taken: { headers: IncomingHttpHeaders; body: string; isGenuine: boolean }[];
let status: number;
const console_ = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts).toString();
    taken.push({ headers: request.headers, body, isGenuine: isGenuine(request.headers, body) });
    response.writeHead(status).end();
  });
});
let eventsUrl: string;

function isGenuine(headers: IncomingHttpHeaders, body: string): boolean {
  try {
    new Webhook(secrets.events).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

const start = () => startTradePlatform({ dir, secrets, eventsUrl, firstRetryMs: 20 });
const versions = () => taken.map(({ body }) => JSON.parse(body).data.version as number);

beforeEach(async () => {
  [taken, status] = [[], 200];
  dir = await mkdtemp(join(tmpdir(), 'trade-platform-'));
  if (!console_.listening) await new Promise<void>((done) => console_.listen(0, '127.0.0.1', done));
  const address = console_.address();
  eventsUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hooks/trades`;
  platform = await start();
  return async () => rm(dir, { recursive: true, force: true });
});
afterEach(async () => {
  await platform.stop();
  await new Promise((done) => console_.close(done));
});

function confirm(type: string, tradeId: string, id = 'msg_1', secret = secrets.confirmations) {
  const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data: { tradeId, number: 1 } });
  const at = new Date();
  return fetch(platform.url, {
    method: 'POST',
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    },
    body,
  });
}

test('each change is an event with the next version, signed, and repeated until it is accepted', async () => {
  status = 503;
  const trade = await platform.make(wish);
  await vi.waitFor(() => expect(taken.length).toBeGreaterThan(1), { timeout: 20_000 });
  status = 200;
  await vi.waitFor(() => expect(platform.state().events[0]?.state).toBe('delivered'), { timeout: 20_000 });
  await platform.act(trade.id, { act: 'ship', billOfLading: 'MAEU-1' });
  await platform.act(trade.id, { act: 'milestone', milestone: 'm1' });
  await platform.act(trade.id, { act: 'refund', amount: '0.5' });
  await vi.waitFor(() => expect(new Set(versions())).toEqual(new Set([1, 2, 3, 4])), { timeout: 20_000 });
  expect(taken.every((each) => each.isGenuine)).toBe(true);
  const last = JSON.parse(taken.find(({ body }) => JSON.parse(body).data.version === 4)?.body ?? '{}').data;
  expect(last).toMatchObject({ phase: 'shipped', billOfLading: 'MAEU-1', refunded: '0.5' });
  expect(last.milestones).toEqual([{ id: 'm1', name: 'On board', amount: '400', reached: true }]);
  await expect(platform.act(trade.id, { act: 'milestone', milestone: 'm9' })).rejects.toThrow('no such milestone');
});

test('an event is held back, sent late and forged', async () => {
  const trade = await platform.make(wish);
  await platform.act(trade.id, { act: 'ship', hold: true });
  await platform.act(trade.id, { act: 'inspect' });
  await vi.waitFor(() => expect(versions().sort()).toEqual([1, 3]), { timeout: 20_000 });
  const held = platform.state().events.find(({ state }) => state === 'held');
  expect(await platform.send(held?.id ?? '', 'again')).toBe('200');
  expect(platform.state().events.find(({ id }) => id === held?.id)?.state).toBe('delivered');
  await platform.send(held?.id ?? '', 'late');
  await platform.send(held?.id ?? '', 'forged');
  expect(taken.slice(-2).map((each) => each.isGenuine)).toEqual([false, false]);
});

test('what companies confirm is verified, counts once, changes the trade, and survives a restart', async () => {
  const { id } = await platform.make(wish);
  expect((await confirm('trade.confirmed', id, 'msg_9', secrets.events)).status).toBe(401);
  expect((await confirm('trade.confirmed', id)).status).toBe(200);
  expect((await confirm('trade.confirmed', id)).status).toBe(200);
  platform.setMode('failing');
  expect((await confirm('trade.disputed', id, 'msg_2')).status).toBe(503);
  platform.setMode('ok');
  expect((await confirm('trade.disputed', id, 'msg_2')).status).toBe(200);
  const known = platform.state();
  expect(known).toMatchObject({ refused: 1, trades: [{ version: 3, status: 'in_progress', phase: 'disputed' }] });
  expect(known.received.map(({ type, times }) => [type, times])).toEqual([
    ['trade.disputed', 1],
    ['trade.confirmed', 2],
  ]);
  await platform.stop();
  platform = await start();
  expect(platform.state().trades).toEqual(known.trades);
  expect(platform.state().received).toEqual(known.received);
});
