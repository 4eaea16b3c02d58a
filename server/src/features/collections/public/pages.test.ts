import { randomBytes } from 'node:crypto';
import { locales } from '@causeway/contract/locale.ts';
import { parseAmount } from '@causeway/contract/money.ts';
import { editPaymentRequest, remindOfPaymentRequest } from '@causeway/contract/payment-requests.ts';
import { readPublicPaymentRequest } from '@causeway/contract/payment-requests-public.ts';
import { paymentPagePath } from '@causeway/contract/payment-requests-rules.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CollectionWorld,
  collectionWorld,
  credit,
  detail,
  expire,
  type Opened,
  opened,
  paid,
  pay,
  usdt,
  work,
} from '../../../testing/collections.ts';
import type { Tenant } from '../../../testing/main-app.ts';
import { succeed } from '../../../testing/succeed.ts';

/** The payer's pages over the real routes: what they show, what they keep to themselves, and how they are guarded. */

let of: CollectionWorld;
let company: Tenant;
let addresses = 0;
beforeAll(async () => {
  of = await collectionWorld();
  company = await of.world.company();
});
afterAll(() => of.close());

interface Asked {
  query?: string;
  headers?: Record<string, string>;
  method?: 'GET' | 'POST';
  /** Of the caller. */
  ip?: string;
}

async function fetchPage(path: string, { query = '', headers = {}, method = 'GET', ip = '203.0.113.7' }: Asked = {}) {
  const answer = await of.world.app.inject({ method, url: `${path}${query}`, headers, remoteAddress: ip });
  return { status: answer.statusCode, headers: answer.headers, text: answer.body, bytes: answer.rawPayload };
}

const pageOf = (request: Opened, asked: Asked = {}) => fetchPage(paymentPagePath(request.token), asked);

test('a page says everything that a payer needs, in each language, and escapes what people wrote', async () => {
  const evil = `<img src=x onerror="alert(1)"> & Söhne`;
  const request = await opened(of, company, { title: evil, note: '<script>alert(2)</script>', reference: 'A&B' });
  for (const locale of locales) {
    const { status, text } = await pageOf(request, { query: `?lang=${locale}` });
    expect(status).toBe(200);
    expect(text).toContain('100.00 USDT');
    expect(text).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; Söhne');
    expect(text).not.toMatch(/<img|<script>|undefined|\[object/);
    expect(text).toContain(`data-copy="${request.address}"`);
    expect(text).toContain('data-copy="100.00"');
  }
  const chinese = await pageOf(request, { headers: { 'accept-language': 'zh-Hant-HK,en;q=0.5' } });
  expect(chinese.text).toContain('<html lang="zh-HK"');
  expect(chinese.text).toContain('收款請求');
});

test('nothing on it may be run, framed, remembered or passed on', async () => {
  const { headers, text } = await pageOf(await opened(of, company));
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain('unsafe');
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow, noarchive',
    'x-frame-options': 'DENY',
  });
  expect(headers['set-cookie']).toBeUndefined();
  expect(text).not.toMatch(/ style=|<style|<script(?! type="module" src=)| on[a-z]+="/);
  const files = [...text.matchAll(/(?:href|src)="(\/pay\/assets\/[^"]+)"/g)].map((match) => match[1] ?? '');
  expect(files).toHaveLength(2);
  for (const file of files) {
    const asset = await fetchPage(file);
    expect(asset.status).toBe(200);
    expect(asset.headers['cache-control']).toContain('immutable');
  }
  expect((await fetchPage('/pay/assets/page.js')).status).toBe(404);
});

test('it is as light as the page of sign-in, even uncompressed', async () => {
  const { text, bytes } = await pageOf(await opened(of, company));
  let total = bytes.length;
  for (const [, path = ''] of text.matchAll(/(?:href|src)="(\/pay\/assets\/[^"]+)"/g)) {
    total += (await fetchPage(path)).bytes.length;
  }
  expect(total).toBeGreaterThan(10_000);
  // What `check-bytes` allows the page of sign-in, compressed.
  expect(total).toBeLessThan(118 * 1024);
});

test('an amount in a currency is asked for in each coin at its frozen rate, and nothing is chosen beforehand', async () => {
  const accepted = [
    { chainId: 'ethereum', coin: 'USDT' },
    { chainId: 'ethereum', coin: 'USDC' },
  ];
  const request = await opened(of, company, { pricing: 'currency', asset: 'USD', amount: '780', accepted });
  const first = await pageOf(request);
  expect(first.text).toContain('780.00 USD');
  expect(first.text).not.toContain(request.address);
  const chosen = await pageOf(request, { query: '?method=USDC.ethereum' });
  expect(chosen.text).toContain(`data-copy="${request.address}"`);
  expect(chosen.text).toMatch(/1 USDC = [\d.,]+ USD/);
  const amount = /id="copy-amount" data-copy="([\d.]+)"/.exec(chosen.text)?.[1] ?? '';
  expect(amount).toBe('780.00');
  const minor = parseAmount(amount, 6);
  expect(minor.ok && chosen.text.includes(`uint256=${minor.minor}`)).toBe(true);
});

test('it follows a payment from seen over a part to paid, and an unchanged page is not sent again', async () => {
  const request = await opened(of, company);
  const before = await pageOf(request);
  const tag = String(before.headers['etag']);
  expect((await pageOf(request, { headers: { 'if-none-match': tag } })).status).toBe(304);
  const first = await pay(of, request, 40n * usdt);
  const seen = await pageOf(request, { headers: { 'if-none-match': tag } });
  expect(seen.status).toBe(200);
  expect(seen.text).toContain('Your payment has been seen');
  await credit(of, first);
  const part = await pageOf(request);
  expect(part.text).toContain('Part of the amount has arrived');
  expect(part.text).toContain('data-copy="60.00"');
  expect((await fetchPage(`${paymentPagePath(request.token)}/receipt`)).status).toBe(303);
  await paid(of, request, 60n * usdt);
  const settled = await pageOf(request);
  expect(settled.text).toContain('has received your payment');
  // Nothing more can be sent by it.
  expect(settled.text).not.toContain(request.address);
  const receipt = await fetchPage(`${paymentPagePath(request.token)}/receipt`);
  expect(receipt.text).toContain('100.00 USDT');
  expect(receipt.text).toContain(first.hash);
  for (const name of ['receipt.pdf', 'request.pdf']) {
    const file = await fetchPage(`${paymentPagePath(request.token)}/${name}`, { query: '?lang=zh-cn' });
    expect(file.headers['content-disposition']).toMatch(
      /attachment; filename="payment-(receipt|request)-INV-0042\.pdf"/,
    );
    expect(file.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  }
});

test('a payer of a reusable request sees the payment whose hash is known, and no other payer’s', async () => {
  const request = await opened(of, company, {
    kind: 'reusable',
    pricing: 'open',
    asset: null,
    amount: null,
    expiresAt: null,
  });
  const mine = await paid(of, request, 15n * usdt);
  const others = await paid(of, request, 27n * usdt, { coin: 'USDC' });
  const plain = await pageOf(request);
  for (const secret of [mine.hash, others.hash, '15.00', '27.00']) expect(plain.text).not.toContain(secret);
  const named = await pageOf(request, { query: `?hash=${mine.hash}` });
  expect(named.text).toContain('15.00 USDT');
  expect(named.text).not.toContain(others.hash);
  const receipt = await fetchPage(`${paymentPagePath(request.token)}/receipt`, { query: `?hash=${mine.hash}` });
  expect(receipt.text).toContain('15.00 USDT');
  const nothing = await pageOf(request, { query: `?hash=0x${'1'.repeat(64)}` });
  expect(nothing.text).toContain('No payment with this hash');
});

test('an expired request and one under review have no address to pay to', async () => {
  const request = await opened(of, company);
  await expire(of, request);
  const over = await pageOf(request);
  expect(over.text).toContain('This request has expired');
  expect(over.text).not.toContain(request.address);
  await paid(of, request, 100n * usdt);
  const late = await pageOf(request);
  expect(late.text).toContain('is reviewing this payment');
  expect(late.text).toContain('after the request had ended');
  expect(late.text).not.toContain(request.address);
});

test('reminders are stopped by a form, and by no link that a scanner would follow', async () => {
  const payer = { name: 'Wong', email: 'wong@payer.example', language: 'zh_HK' as const };
  const dueOn = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  const expiresAt = new Date(Date.now() + 9 * 86_400_000).toISOString();
  const request = await opened(of, company, { payer, dueOn, expiresAt, reminderDays: [0] });
  const path = `${paymentPagePath(request.token)}/stop-reminders`;
  expect((await fetchPage(path)).status).toBe(404);
  expect((await pageOf(request)).text).toContain('Stop reminders');
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await fetchPage(path, { method: 'POST', headers: form })).status).toBe(303);
  await work(of);
  const stopped = await pageOf(request);
  expect(stopped.text).toContain('Reminders of this request have been stopped');
  expect(stopped.text).not.toContain('Stop reminders');
});

test('a reminder ends reminders with one click, of the address that it went to', async () => {
  const payer = { name: 'Wong', email: 'wong.one@payer.example', language: 'zh_HK' as const };
  const request = await opened(of, company, { payer });
  const as = company.admin;
  const remind = () => of.world.ask(remindOfPaymentRequest, { as, params: { id: request.id } });
  expect((await pageOf(request)).text).not.toContain('Stop reminders');
  expect((await remind()).status).toBe(200);
  await work(of);
  // Also where no days were chosen, the page that the mail names has the form.
  expect((await pageOf(request)).text).toContain('Stop reminders');
  const [mail] = of.mails.filter(({ to }) => to === payer.email);
  const url = new URL(mail?.unsubscribe ?? '');
  expect(url.origin).toBe('https://causeway.example');

  // Scanners follow links; programs that know no one click show the page.
  expect((await fetchPage(url.pathname)).headers.location).toContain('#reminders');
  const click = (path: string) =>
    of.world.app.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'zh-HK' },
      payload: 'List-Unsubscribe=One-Click',
    });
  expect((await click(`${url.pathname}x`)).statusCode).toBe(200);
  // The company corrects the address: the one before it ends nothing any more.
  const body = { note: '', payer: { ...payer, email: 'wong.two@payer.example' }, reminderDays: [] };
  await succeed(of.world, editPaymentRequest, { as, params: { id: request.id }, body });
  expect((await click(url.pathname)).statusCode).toBe(200);
  expect((await detail(of, as, request.id)).reminders.stoppedAt).toBeNull();
  await succeed(of.world, editPaymentRequest, { as, params: { id: request.id }, body: { ...body, payer } });
  const clicked = await click(url.pathname);
  expect(clicked.statusCode).toBe(200);
  expect(clicked.body).toContain('已停止提示');
  expect((await click(url.pathname)).statusCode).toBe(200);

  const { reminders, timeline } = await detail(of, as, request.id);
  expect(reminders.stoppedAt).not.toBeNull();
  expect(timeline.filter(({ step }) => step === 'reminders_stopped')).toHaveLength(1);
  expect((await remind()).key).toBe('paymentRequestRemindersStopped');
});

test('a payer who left an address is mailed the receipt once, in the payer’s language', async () => {
  const payer = { name: 'Wong', email: 'wong.lee@payer.example', language: 'zh_CN' as const };
  const request = await opened(of, company, { payer });
  const { hash } = await paid(of, request, 100n * usdt);
  await work(of, { times: 3 });
  const mails = of.mails.filter(({ to }) => to === payer.email);
  expect(mails).toHaveLength(1);
  expect(mails[0]?.language).toBe('zh-CN');
  expect(mails[0]?.subject).toMatch(/已收到您的付款：Invoice 0042$/);
  expect(mails[0]?.text).toContain(hash);
  expect(mails[0]?.text).toContain(`https://causeway.example${paymentPagePath(request.token)}/receipt?lang=zh-cn`);
  expect(mails[0]?.text).not.toContain(request.address);
});

test('guesses of tokens get a page without data, and soon none', async () => {
  const request = await opened(of, company);
  const ip = `198.51.100.${++addresses}`;
  const statuses: number[] = [];
  for (let i = 0; i < 40; i++) {
    const { status, text } = await fetchPage(paymentPagePath(String(i).padStart(32, 'A')), { ip });
    expect(text).not.toContain('Invoice 0042');
    statuses.push(status);
  }
  expect(statuses[0]).toBe(404);
  expect(statuses.at(-1)).toBe(429);
  // The address that guesses is limited, and no other.
  expect((await pageOf(request, { ip })).status).toBe(429);
  expect((await pageOf(request, { ip: '198.51.100.200' })).status).toBe(200);
  expect((await fetchPage('/pay/short', { ip: '198.51.100.201' })).status).toBe(404);
});

/** Tries of a stranger, by proof as many as the issue of payment requests asked for. */
const guesses = process.env['PROOF_ROUNDS'] === undefined ? 60 : 10_000;

/** How often each answer came, by its error. */
async function answersTo(tries: (nth: number) => { token: string; ip: string }): Promise<Record<string, number>> {
  const keys: Record<string, number> = {};
  for (let nth = 0; nth < guesses; nth += 1) {
    const { token, ip } = tries(nth);
    const said = (await of.world.ask(readPublicPaymentRequest, { body: { token }, ip })).key ?? 'data';
    keys[said] = (keys[said] ?? 0) + 1;
  }
  return keys;
}

test('a link that was guessed leads to nothing, from however many addresses', { timeout: 600_000 }, async () => {
  const { token } = await opened(of, company);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  // Links by chance, and the true one with one letter changed. Each is looked up, since no two come from one address.
  const said = await answersTo((nth) => {
    const at = nth % token.length;
    const other = letters[(letters.indexOf(token[at] ?? '') + 1 + (nth % 63)) % 64];
    const near = token.slice(0, at) + other + token.slice(at + 1);
    const guess = nth % 2 === 0 ? near : randomBytes(24).toString('base64url');
    return { token: guess, ip: `198.18.${nth >> 8}.${nth & 255}` };
  });
  expect(said).toEqual({ paymentLinkUnknown: guesses });
});

test('who guesses links is refused soon', { timeout: 600_000 }, async () => {
  const request = await opened(of, company);
  const said = await answersTo((nth) => {
    return { token: Buffer.from(`${nth}`.padStart(24, 'x')).toString('base64url'), ip: '203.0.113.9' };
  });
  expect(said).toEqual({ paymentLinkUnknown: 30, tooManyRequests: guesses - 30 });
  const held = await of.world.ask(readPublicPaymentRequest, { body: { token: request.token }, ip: '203.0.113.9' });
  expect(held.key).toBe('tooManyRequests');
  const unknown = await of.world.ask(readPublicPaymentRequest, { body: { token: 'x'.repeat(32) } });
  expect(unknown.key).toBe('paymentLinkUnknown');
});
