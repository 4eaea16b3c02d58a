import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Bank, startBank } from './bank/bank.ts';
import { atTime } from './bank/calendar.ts';
import { virtualNumber } from './bank/catalogue.ts';
import { answerDeskCall } from './desk-api.ts';
import { DeskError } from './desk-call.ts';
import { listenHttp } from './http-listen.ts';
import { orderFile } from './testing/orders.ts';

const HKD = '998001000000344';
const MONDAY = atTime('2026-11-23', '09:00');

let bank: Bank;

beforeEach(async () => {
  bank = await startBank({ machine: () => MONDAY, everyMs: 50, webhookRetryMs: 20 });
});

afterEach(() => bank.stop());

type Answer = Record<string, unknown> & Record<string, never>[];

/** A call of the desk's API; only the bank's part is there. */
async function call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> {
  const [pathname = '', query = ''] = path.split('?');
  const parts = { bank } as unknown as Parameters<typeof answerDeskCall>[0];
  const request = { method, path: `/api/${pathname}`, query: new URLSearchParams(query), body };
  return JSON.parse(JSON.stringify(await answerDeskCall(parts, request)));
}

const payIn = (more: Record<string, unknown> = {}) =>
  call('POST', 'bank/pay-in', {
    bank: 'harbour',
    to: virtualNumber(5),
    currency: 'HKD',
    amount: '100.00',
    payer: { name: 'A Payer', bic: 'OTHRHKHH' },
    ...more,
  });

async function order(id: string, amount = '10.00'): Promise<string> {
  await writeFile(join(bank.files.root, 'out', `${id}.xml`), orderFile(id, [{ endToEndId: id, amount }]));
  await expect.poll(async () => (await call('GET', `bank/payments?endToEndId=${id}`)).length).toBe(1);
  return String((await call('GET', `bank/payments?endToEndId=${id}`))[0]?.['id']);
}

const payment = (id: string) => call('GET', `bank/payments/${id}`);
const balance = async () => {
  const { accounts } = (await call('GET', 'bank')) as unknown as {
    accounts: { number: string; balance: string; held: string }[];
  };
  const found = accounts.find(({ number }) => number === HKD);
  return [found?.balance, found?.held];
};

test('money is paid in to a virtual account, and the books show from whom and how', async () => {
  const { booking } = await payIn({ reference: 'RF18539007547034', garble: 'spaced' });
  const [entry] = await call('GET', `bank/bookings?account=${HKD}`);
  expect(entry).toMatchObject({ id: booking, amount: '100.00', bookingDate: '2026-11-23' });
  expect(entry).toMatchObject({
    details: [{ paidTo: virtualNumber(5), text: 'pmt ref rf18 5390 0754 7034', amount: '100.00' }],
  });
  expect(await balance()).toEqual(['100.00', '0.00']);
});

test('what cannot be is refused with a sentence, and nothing is booked', async () => {
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ to: '99800100000010' }, /AC01/],
    [{ currency: 'JPY', amount: '1' }, /AM03/],
    [{ amount: '1.001' }, /AM12/],
    [{ amount: '0' }, /AM12/],
    [{ amount: '-1' }, /amount/],
    [{ payer: { name: '' } }, /payer/],
    [{ bank: 'other' }, /bank/],
  ];
  for (const [wrong, sentence] of cases) await expect(payIn(wrong)).rejects.toThrow(sentence);
  await expect(call('POST', 'bank/payments/none', { act: 'settle' })).rejects.toThrow(DeskError);
  await expect(call('POST', 'bank/files/none', { act: 'again' })).rejects.toThrow('nothing here');
  expect(await call('GET', 'bank/bookings')).toEqual([]);
});

test('several pay-ins are one entry, fees are booked, and an entry is taken back', async () => {
  const one = { bank: 'harbour', to: HKD, currency: 'HKD', amount: '1.10', payer: { name: 'A' } };
  await call('POST', 'bank/batch', { payIns: [one, one], details: 'without' });
  await call('POST', 'bank/fee', { bank: 'harbour', currency: 'HKD', amount: '0.20', text: 'Fee' });
  const { booking } = await payIn();
  await call('POST', `bank/bookings/${booking}`, { act: 'reverse' });
  await expect(call('POST', `bank/bookings/${booking}`, { act: 'reverse' })).rejects.toThrow('taken back before');
  expect((await call('GET', 'bank/bookings')).map((entry) => entry['amount'])).toEqual([
    '-100.00',
    '100.00',
    '-0.20',
    '2.20',
  ]);
  expect(await balance()).toEqual(['2.00', '0.00']);
});

test('a payment is delayed, settled and returned; another is refused', async () => {
  await payIn();
  await call('POST', 'bank/payouts', { mode: 'delay' });
  const first = await order('FIRST');
  expect(await payment(first)).toMatchObject({ state: 'pending' });
  expect(await balance()).toEqual(['100.00', '10.00']);
  expect(await call('POST', `bank/payments/${first}`, { act: 'settle' })).toMatchObject({ state: 'settled' });
  expect(await call('POST', `bank/payments/${first}`, { act: 'return', reason: 'AC06' })).toMatchObject({
    state: 'returned',
    reason: { code: 'AC06' },
  });
  const second = await order('SECOND');
  await call('POST', `bank/payments/${second}`, { act: 'refuse', reason: 'RR04' });
  expect(await payment(second)).toMatchObject({ state: 'rejected', reason: { code: 'RR04' } });
  await expect(call('POST', `bank/payments/${second}`, { act: 'settle' })).rejects.toThrow('The payment is rejected.');
  await call('POST', 'bank/payouts', { mode: 'refuse', reason: 'AC01' });
  expect(await payment(await order('THIRD'))).toMatchObject({ state: 'rejected', reason: { code: 'AC01' } });
  expect(await balance()).toEqual(['100.00', '0.00']);
  // Every step was reported to the customer; the return is an entry of the account.
  const names = (await call('GET', 'bank/files'))
    .map((file) => String(file['name']))
    .filter((name) => name.startsWith('pain.002'));
  expect(names.sort()).toEqual([
    'pain.002_FIRST.xml',
    'pain.002_FIRST_2.xml',
    'pain.002_SECOND.xml',
    'pain.002_SECOND_2.xml',
    'pain.002_THIRD.xml',
  ]);
});

test('a payment that is only accepted is settled once payments are settled again', async () => {
  await payIn();
  await call('POST', 'bank/payouts', { mode: 'accept' });
  const id = await order('LATER');
  expect(await payment(id)).toMatchObject({ state: 'accepted' });
  await call('POST', 'bank/payouts', { mode: 'settle' });
  expect(await payment(id)).toMatchObject({ state: 'settled' });
});

test('the clock ends a day, whose statement is kept back and sent later', async () => {
  await payIn();
  await call('POST', 'bank/statements', { skipNext: true });
  expect(await call('POST', 'bank/clock', { to: 'day' })).toMatchObject({
    date: '2026-11-24',
    closedThrough: '2026-11-23',
  });
  expect(await call('POST', 'bank/clock', { to: 'workingDay' })).toMatchObject({ date: '2026-11-25' });
  const missed = (await call('GET', 'bank/files?state=missed')).map((file) => String(file['name']));
  expect(missed).toContain(`camt.053_${HKD}_2026-11-23_000001.xml`);
  expect(missed).toHaveLength(5);
  const [name = ''] = missed;
  expect(await call('POST', `bank/files/${name}`, { act: 'again' })).toEqual({ name });
  expect(await call('GET', `bank/files/${name}`)).toMatchObject({
    content: expect.stringContaining('camt.053.001.08'),
  });
  expect(await call('GET', 'bank/files?state=missed')).toHaveLength(4);
  expect((await call('GET', `bank/statements?account=${HKD}`)).map((one) => [one['opening'], one['closing']])).toEqual([
    ['0.00', '100.00'],
    ['100.00', '100.00'],
  ]);
});

test('the servers are made to fail and to recover', async () => {
  expect(await call('POST', 'bank/sftp', { mode: 'down' })).toMatchObject({ mode: 'down' });
  expect(await call('POST', 'bank/sftp', { mode: 'ok', hostKey: 'other' })).toMatchObject({
    mode: 'ok',
    hostKey: 'other',
  });
  expect(await call('POST', 'bank/api', { mode: 'down' })).toEqual({ mode: 'down' });
  expect(await call('POST', 'bank/api', { mode: 'ok' })).toEqual({ mode: 'ok' });
  await expect(call('POST', 'bank/sftp', { mode: 'sulking' })).rejects.toThrow('mode');
});

test('events are held, delivered in reverse order, forged, doubled and lost', async () => {
  const names: string[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      names.push(JSON.parse(Buffer.concat(chunks).toString('utf8')).name);
      response.end();
    });
  });
  const port = await listenHttp(receiver, 0, 'events');
  await call('POST', 'bank/webhook', { url: `http://127.0.0.1:${port}/`, mode: 'held' });
  await bank.change((turn) =>
    turn.put('globalAccounts', 'ga', {
      id: 'ga',
      number: '9970010000001',
      currency: 'SGD',
      country: 'SG',
      nickName: '',
      requestId: 'r',
      status: 'ACTIVE',
      createdAt: turn.now,
    }),
  );
  const wish = { bank: 'meridian', to: '9970010000001', currency: 'SGD', amount: '5.00', payer: { name: 'A' } };
  const { deposit } = await call('POST', 'bank/pay-in', { ...wish, status: 'PENDING' });
  await call('POST', `bank/deposits/${deposit}`, { act: 'settle' });
  expect(names).toEqual([]);
  const [settled, pending] = await call('GET', 'bank/events');
  await call('POST', `bank/events/${pending?.['id']}`, { act: 'lose' });
  await call('POST', `bank/deposits/${deposit}`, { act: 'reverse' });
  await call('POST', 'bank/webhook', { mode: 'on', order: 'reversed' });
  expect(names).toEqual(['deposit.reversed', 'deposit.settled']);
  expect(await call('POST', `bank/events/${settled?.['id']}`, { act: 'again' })).toEqual({ status: '200' });
  expect(await call('POST', `bank/events/${settled?.['id']}`, { act: 'forge' })).toEqual({ status: '200' });
  expect(names).toHaveLength(4);
  expect((await call('GET', 'bank/events')).map((event) => event['state'])).toEqual(['delivered', 'delivered', 'lost']);
  receiver.closeAllConnections();
  receiver.close();
});
