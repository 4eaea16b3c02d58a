import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAnvil } from './anvil.ts';
import { type Bank, startBank } from './bank/bank.ts';
import { type Bitcoin, startBitcoin } from './bitcoin/bitcoin.ts';
import { type Chain, startChain } from './chain.ts';
import { type Desk, startDesk } from './desk.ts';
import { deskClient } from './desk-client.ts';
import { type Inbox, startInbox } from './inbox.ts';
import { type PriceFeed, startPriceFeed } from './price-feed.ts';
import { startTradePlatform, type TradePlatform } from './trade-platform/platform.ts';
import { startVenue, type VenueServer } from './venue/kraken.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

const tradeSecrets = {
  events: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  confirmations: `whsec_${Buffer.alloc(32, 2).toString('base64')}`,
};
const PERSON = '0x00000000000000000000000000000000000A11cE';

let chain: Chain;
let bitcoin: Bitcoin;
let inbox: Inbox;
let prices: PriceFeed;
let bank: Bank;
let venue: VenueServer;
let webhooks: WebhookReceiver;
let trades: TradePlatform;
let desk: Desk;

beforeAll(async () => {
  [chain, bitcoin, inbox, prices, bank, venue, webhooks, trades] = await Promise.all([
    startChain({ autoMining: false }),
    startBitcoin({ autoMining: false }),
    startInbox(),
    startPriceFeed(),
    startBank(),
    startVenue({ priceOf: () => '2500', tickMs: 0 }),
    startWebhookReceiver(),
    startTradePlatform({ secrets: tradeSecrets, eventsUrl: 'http://127.0.0.1:9/' }),
  ]);
  const services = async () => [{ name: 'console', url: 'http://127.0.0.1:1', up: false }];
  desk = await startDesk({ parts: { chain, bitcoin, inbox, prices, bank, venue, webhooks, trades, services } });
});

afterAll(async () => {
  await Promise.all([
    desk.stop(),
    chain.stop(),
    bitcoin.stop(),
    inbox.stop(),
    prices.stop(),
    bank.stop(),
    venue.stop(),
    webhooks.stop(),
    trades.stop(),
  ]);
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

test('every answer protects its reader, and no page may frame the desk', async () => {
  for (const path of ['/', '/desk.css', '/api/services', '/api/nothing', '/nothing']) {
    const { headers } = await fetch(`${desk.url}${path}`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy, path).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('permissions-policy')).toContain('camera=()');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  }
});

test('a request that dribbles is ended', async () => {
  const services = async () => [];
  const timeouts = {
    headersTimeout: 100,
    requestTimeout: 200,
    keepAliveTimeout: 1_000,
    connectionsCheckingInterval: 20,
  };
  const slow = await startDesk({
    parts: { chain, bitcoin, inbox, prices, bank, venue, webhooks, trades, services },
    timeouts,
  });
  for (const head of [
    'GET / HTTP/1.1\r\nx: ',
    'POST /api/mine HTTP/1.1\r\nhost: localhost\r\ncontent-length: 999\r\n\r\n',
  ]) {
    const socket = connect({ host: '127.0.0.1', port: slow.port });
    const heard: string[] = [];
    socket.on('data', (bytes) => heard.push(String(bytes)));
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(head);
    const timer = setInterval(() => socket.writable && socket.write('x'), 10);
    await closed;
    clearInterval(timer);
    // The desk refuses the type of the body at once; the rest of the body is discarded.
    expect(heard.join('')).toMatch(/^HTTP\/1\.1 4(08|15) /);
  }
  await slow.stop();
});

test('neither the nodes nor anvil answer a web page of another origin', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  const headers = { 'content-type': 'application/json', origin: 'https://evil.example' };
  for (const url of chain.urls) {
    expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(403);
    expect((await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })).status).toBe(
      200,
    );
  }
  const dir = await mkdtemp(join(tmpdir(), 'causeway-anvil-'));
  const anvil = await startAnvil(dir, 31337, 1_700_000_000);
  try {
    const answer = await fetch(anvil.url, { method: 'POST', body, headers });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    expect((await fetch(anvil.url, { method: 'OPTIONS', headers: preflight })).ok).toBe(false);
    // WebSockets know no CORS: where the system allows it, the address itself cannot be guessed.
    if (platform() === 'linux') {
      const { hostname, port } = new URL(anvil.url);
      expect(hostname).toMatch(/^127\.(?!0\.0\.1$)/);
      await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow('fetch failed');
    }
  } finally {
    await anvil.end('SIGKILL');
    await rm(dir, { recursive: true, force: true });
  }
});

test('the venue is shown, disturbed and funded', async () => {
  expect((await call('POST', 'venue', { mode: 'refusing', book: 'thin' })).answer).toMatchObject({
    mode: 'refusing',
    book: 'thin',
  });
  expect((await call('POST', 'venue/balance', { asset: 'ZUSD', amount: '12.5' })).answer).toMatchObject({
    balances: { ZUSD: '12.5000' },
  });
  expect((await call('POST', 'venue', { mode: 'odd' })).status).toBe(422);
  expect((await call('GET', 'venue/orders')).answer).toEqual([]);
});

test('the Bitcoin chain is commanded: payments, their replacement, fees, blocks, reorganisations and nodes', async () => {
  const { bitcoin: commanded } = deskClient(desk.url);
  const [address, other] = [
    'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
    'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6',
  ];
  const { height } = await commanded.state();
  const first = await commanded.pay([
    { address, amount: '0.3' },
    { address: other, amount: '0.00001' },
  ]);
  const [shown] = await commanded.mempool();
  expect(shown).toMatchObject({ txid: first, isReplaceable: true, payer: 'faucet' });
  expect(shown?.feeRate).toBeCloseTo(5, 0);
  expect(shown?.outputs.slice(0, 2)).toEqual([
    { address, amount: '0.30000000' },
    { address: other, amount: '0.00001000' },
  ]);
  expect(await commanded.balance(address)).toMatchObject({ confirmed: '0.00000000', waiting: '0.30000000' });
  const second = await commanded.replace(first, 20);
  expect((await commanded.mempool()).map(({ txid }) => txid)).toEqual([second]);
  expect(await commanded.balance(address)).toMatchObject({ waiting: '0.00000000' });

  const final = await commanded.pay([{ address, amount: '1' }], { feeRate: 2, isReplaceable: false });
  await expect(commanded.replace(final, 50)).rejects.toThrow('txn-mempool-conflict');
  await commanded.doubleSpend(final);
  expect(await commanded.mempool()).toEqual([]);
  await commanded.setMarket({ minedRate: 10 });
  await commanded.fill(3, 4);
  expect(await commanded.mine(1)).toBe(height + 2);
  expect((await commanded.mempool()).map(({ payer }) => payer)).toEqual(['crowd', 'crowd', 'crowd']);
  await commanded.setMarket({ minedRate: 1 });
  expect(await commanded.mine(1)).toBe(height + 3);
  expect(await commanded.reorganise(1, 'waiting')).toBe(height + 4);
  expect(await commanded.mempool()).toHaveLength(3);
  await commanded.setNode(2, 'down');
  expect((await commanded.state()).nodes.map(({ mode }) => mode)).toEqual(['ok', 'ok', 'down']);
  await commanded.setNode(2, 'ok');
  expect((await call('POST', 'bitcoin/faucet', { payments: [{ address: PERSON, amount: '1' }] })).status).toBe(422);
  expect((await call('POST', 'bitcoin/market', { minedRate: -1 })).status).toBe(422);
  const { answer } = await call('GET', 'bitcoin/blocks');
  expect(Array.isArray(answer) && answer[0]).toMatchObject({ height: height + 4, transactions: 0 });
});

test('the receiver verifies what comes by its secret, and gives the answer that was chosen', async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  expect((await call('POST', 'webhooks', { secret: 'whsec_short' })).status).toBe(422);
  const { answer } = await call('POST', 'webhooks', { secret });
  const { url } = answer as { url: string };
  const body = '{"type":"deposit.credited"}';
  const at = new Date();
  const send = (signature: string) =>
    fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body,
      headers: {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': signature,
      },
    });
  const signature = new Webhook(secret).sign('evt_1', at, body);
  expect((await send(signature)).status).toBe(200);
  expect((await send('v1,AAAA')).status).toBe(200);
  expect((await call('GET', 'webhooks')).answer).toMatchObject({
    mode: 'ok',
    received: [{ isVerified: false }, { id: 'evt_1', type: 'deposit.credited', isVerified: true, signatures: 1, body }],
  });
  const statuses = { failing: 500, redirecting: 302, gone: 410 };
  for (const [mode, status] of Object.entries(statuses)) {
    await call('POST', 'webhooks', { mode });
    expect((await send(signature)).status, mode).toBe(status);
  }
  await call('POST', 'webhooks', { mode: 'hanging' });
  await expect(fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(200) })).rejects.toThrow();
});
