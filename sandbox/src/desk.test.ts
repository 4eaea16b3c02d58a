import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Chain, startChain } from './chain.ts';
import { type Desk, startDesk } from './desk.ts';
import { type Inbox, startInbox } from './inbox.ts';
import { type PriceFeed, startPriceFeed } from './price-feed.ts';

const PERSON = '0x00000000000000000000000000000000000A11cE';

let chain: Chain;
let inbox: Inbox;
let prices: PriceFeed;
let desk: Desk;

beforeAll(async () => {
  [chain, inbox, prices] = await Promise.all([startChain({ autoMining: false }), startInbox(), startPriceFeed()]);
  const services = async () => [{ name: 'console', url: 'http://127.0.0.1:1', up: false }];
  desk = await startDesk({ parts: { chain, inbox, prices, services } });
});

afterAll(async () => {
  await Promise.all([desk.stop(), chain.stop(), inbox.stop(), prices.stop()]);
});

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; answer: unknown }> {
  const response = await fetch(`${desk.url}/api/${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return { status: response.status, answer: await response.json() };
}

test('the faucet pays, a block makes it final, and the balance shows it', async () => {
  const { answer } = await call('POST', 'faucet', { coin: 'USDC', address: PERSON, amount: '7.25' });
  expect(answer).toEqual({ hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
  await call('POST', 'mine', { blocks: 2 });
  expect((await call('GET', `balance?coin=USDC&address=${PERSON}`)).answer).toMatchObject({ balance: '7.25' });
});

test('wrong input is refused with a reason', async () => {
  for (const wrong of [
    { coin: 'DOGE', address: PERSON, amount: '1' },
    { coin: 'USDC', address: '0x12', amount: '1' },
    { coin: 'USDC', address: PERSON, amount: '1e3' },
    { coin: 'USDC', address: PERSON, amount: '-1' },
  ]) {
    expect(await call('POST', 'faucet', wrong)).toMatchObject({ status: 422, answer: { error: expect.any(String) } });
  }
  expect((await call('POST', 'nodes/2', { mode: 'ok' })).status).toBe(404);
  expect((await call('POST', 'mine', { blocks: 0 })).status).toBe(422);
  expect((await call('GET', 'nothing')).status).toBe(404);
});

test('mails are listed by recipient and read one by one', async () => {
  const transport = createTransport(inbox.url);
  await transport.sendMail({ from: 'a@b.example', to: 'reader@example.com', subject: 'Code', text: 'It is 123456.' });
  transport.close();
  const { answer } = await call('GET', 'mails?to=reader');
  expect(answer).toMatchObject([{ subject: 'Code', codes: ['123456'] }]);
  expect((await call('GET', 'mails?to=nobody')).answer).toEqual([]);
});

test('mining, nodes, prices and reorganisations follow their switches', async () => {
  expect((await call('POST', 'mining', { auto: false, depth: 6 })).answer).toMatchObject({ auto: false, depth: 6 });
  await call('POST', 'nodes/1', { mode: 'down' });
  await expect(fetch(chain.urls[1])).rejects.toThrow();
  await call('POST', 'nodes/1', { mode: 'ok' });
  await call('POST', 'prices', { mode: 'frozen', usd: { ethereum: 4321 } });
  expect((await call('GET', 'prices')).answer).toMatchObject({ mode: 'frozen', usd: { ethereum: 4321 } });
  const { height } = chain.engine.tip();
  expect((await call('POST', 'reorg', { depth: 2, keepTransactions: true })).answer).toEqual({ height: height + 1 });
});

test('pages of other origins and plain forms get nothing', async () => {
  const body = JSON.stringify({ blocks: 1 });
  const post = (headers: Record<string, string>) => fetch(`${desk.url}/api/mine`, { method: 'POST', headers, body });
  expect((await post({ 'content-type': 'text/plain' })).status).toBe(415);
  expect((await post({ 'content-type': 'application/json', origin: 'https://evil.example' })).status).toBe(403);
});

test('the page, its scripts without types, and its texts in three languages are served', async () => {
  const page = await (await fetch(desk.url)).text();
  const script = await fetch(`${desk.url}/app.ts`);
  expect(script.headers.get('content-type')).toContain('text/javascript');
  expect(await script.text()).not.toContain('Promise<void>');
  const catalogues = await Promise.all(
    ['en-us', 'zh-hk', 'zh-cn'].map(async (locale) => {
      const texts = await (await fetch(`${desk.url}/texts/${locale}.json`)).json();
      return new Map(Object.entries(texts as Record<string, string>));
    }),
  );
  const english = new Map(
    [...page.matchAll(/data-text="([^"]+)"[^>]*>([^<]*)</g)].map((match) => [match[1], match[2]]),
  );
  expect(english.size).toBeGreaterThan(10);
  for (const [id, words] of english) expect(catalogues[0]?.get(String(id))).toBe(words);
  for (const catalogue of catalogues) {
    expect([...catalogue.keys()]).toEqual([...(catalogues[0]?.keys() ?? [])]);
    expect([...catalogue.values()]).not.toContain('');
  }
});
