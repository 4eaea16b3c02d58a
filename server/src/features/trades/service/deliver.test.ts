import { createServer } from 'node:http';
import { declineTrade, disputeTrade } from '@causeway/contract/trades.ts';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { succeed } from '../../../testing/succeed.ts';
import { confirmed, type TradeWorld, tradeDetail, tradeWorld, trading } from '../../../testing/trades.ts';
import { claimMessages } from '../store/messages.ts';
import { deliverTradeMessages } from './deliver.ts';

/** Confirmations on their way to a platform that a real server plays. */

let of: TradeWorld;
const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
const taken: { id: string; type: string; number: number }[] = [];
let status = 200;
const platform = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request.headers;
    const headers = { 'webhook-id': `${id}`, 'webhook-timestamp': `${timestamp}`, 'webhook-signature': `${signature}` };
    const event = new Webhook(secret).verify(Buffer.concat(parts).toString(), headers) as {
      type: string;
      data: { number: number };
    };
    taken.push({ id: `${id}`, type: event.type, number: event.data.number });
    response.writeHead(status).end();
  });
});
let url: string;
beforeAll(async () => {
  of = await tradeWorld();
  await new Promise<void>((done) => platform.listen(0, '127.0.0.1', done));
  const address = platform.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/confirmations`;
});
afterAll(async () => {
  await new Promise((done) => platform.close(done));
  await of.close();
});

/** One round so many milliseconds from now. */
const deliver = (laterMs = 0, to = url) =>
  deliverTradeMessages({
    database: of.db.worker,
    clock: { now: () => new Date(Date.now() + laterMs) },
    log: pino({ level: 'silent' }),
    url: to,
    secret,
  });

test('are signed, sent in order, again with the same id until they are taken, and not after that', async () => {
  const { company, said } = await trading(of);
  await confirmed(of, company.admin, said.id);
  await succeed(of.world, disputeTrade, { as: company.admin, body: { id: said.id, reason: 'Wrong goods' } });
  status = 503;
  expect(await deliver()).toBe(1);
  expect(await deliver()).toBe(0);
  const failing = await tradeDetail(of, company.admin, said.id);
  expect(failing.messages[0]).toMatchObject({ attempts: 1, problem: 'status 503', deliveredAt: null });
  status = 200;
  expect(await deliver(6000)).toBe(1);
  expect(await deliver(6000)).toBe(1);
  expect(await deliver(3_600_000)).toBe(0);
  expect(taken.map(({ type, number }) => [type, number])).toEqual([
    ['trade.confirmed', 1],
    ['trade.confirmed', 1],
    ['trade.disputed', 2],
  ]);
  expect(taken[0]?.id).toBe(taken[1]?.id);
  const { messages } = await tradeDetail(of, company.admin, said.id);
  expect(messages.map(({ problem, deliveredAt }) => [problem, deliveredAt !== null])).toEqual([
    [null, true],
    [null, true],
  ]);
});

test('one that waits holds up no other trade, and what a worker took and never finished is taken by another', async () => {
  const { company, said } = await trading(of);
  await succeed(of.world, declineTrade, { as: company.admin, body: { id: said.id, reason: 'No' } });
  // Nothing listens there: port 9 is "discard".
  expect(await deliver(0, 'http://127.0.0.1:9/')).toBe(1);
  expect((await tradeDetail(of, company.admin, said.id)).messages[0]).toMatchObject({ problem: 'unreachable' });
  const other = await trading(of);
  await confirmed(of, other.company.admin, other.said.id);
  const dying = { leaseId: newId(), now: new Date(), most: 10 };
  expect(await of.db.worker.withoutCompany((tx) => claimMessages(tx, dying))).toHaveLength(1);
  expect(await deliver()).toBe(0);
  // Both: the other trade's first attempt failed more than five seconds before then.
  expect(await deliver(61_000)).toBe(2);
  const [done] = (await tradeDetail(of, other.company.admin, other.said.id)).messages;
  expect(done?.deliveredAt).not.toBeNull();
});
