import { getPaymentRequest } from '@causeway/contract/payment-requests.ts';
import type { Browser, Page } from '@playwright/test';
import { decodeQR } from 'qr/decode.js';
import { addresses } from '../addresses.ts';
import { decideByCall, makeRule, pendingTask, person, switchReview } from '../fixtures/approval.ts';
import { type Company, freshName, fund, openCompany, savePayee } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { desk } from '../fixtures/desk.ts';
import { languagesRead } from '../fixtures/languages.ts';
import { choose, expectAccessible, expectNoSideways, find, settled, toastOf } from '../fixtures/screen.ts';
import { hire } from '../fixtures/staff.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';
import { proveByMail } from '../fixtures/transfer.ts';

test.describe.configure({ timeout: 240_000 });

interface Wish {
  title: string;
  kind?: 'Reusable';
  pricing: 'A currency' | 'A coin';
  asset: string;
  amount: string;
}

/** Makes a request on the form's page; returns the payer's link. */
async function make(page: Page, { title, kind, pricing, asset, amount }: Wish): Promise<string> {
  await page.goto('/app/u-collection/new');
  if (kind !== undefined) await page.getByRole('radio', { name: kind }).check();
  await page.getByLabel('Title').fill(title);
  await page.getByRole('radio', { name: pricing }).check();
  await choose(page, pricing === 'A coin' ? 'Coin' : 'Currency', asset);
  await page.getByLabel('Amount', { exact: true }).fill(amount);
  await page.getByRole('button', { name: 'Review' }).click();
  const review = page.getByRole('dialog', { name: 'Make this payment request?' });
  await expect(review).toContainText(title);
  await review.getByRole('button', { name: 'Make request' }).click();
  await expect(toastOf(page, 'Payment request made')).toBeVisible();
  await expect(page).toHaveURL(/u-collection\/[0-9a-f-]{36}$/);
  const link = page.locator('[data-link]');
  await expect(link).toHaveText(/\/pay\/[\w-]{32}$/);
  // Until its addresses are opened there is nothing to pay.
  await expect(page.getByRole('heading', { name: 'Where to pay' })).toBeVisible();
  return (await link.textContent()) ?? '';
}

async function payerPage(browser: Browser, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL: addresses.console, locale: 'en-US', ...options });
  return context.newPage();
}

/** What the page asks for, as a payer would copy it. */
async function asked(payer: Page): Promise<{ address: string; amount: string }> {
  const of = async (id: string) => (await payer.locator(`#${id}`).getAttribute('data-copy')) ?? '';
  return { address: await of('copy-address'), amount: await of('copy-amount') };
}

/** Reads the QR code from its pixels, as a phone's camera would. */
async function readQr(payer: Page): Promise<string> {
  const picture = await payer.getByRole('img', { name: /^QR code/ }).evaluate(async (svg) => {
    const size = 480;
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
    await image.decode();
    const canvas = new OffscreenCanvas(size, size);
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('no canvas');
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, size, size);
    context.drawImage(image, 0, 0, size, size);
    const bytes = context.getImageData(0, 0, size, size).data;
    return { size, data: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) };
  });
  const data = new Uint8Array(Buffer.from(picture.data, 'base64'));
  return decodeQR({ width: picture.size, height: picture.size, data });
}

const half = (amount: string) => (Math.floor(Number(amount) * 500_000) / 1_000_000).toFixed(6);

test('an invoice in HKD is paid in two parts, by a page that needs no script', async ({ browser }) => {
  const company = await openCompany({ name: freshName('Jasmine Teas') });
  const page = await pageOf(browser, company);
  await page.goto('/app/u-collection');
  await expect(page.getByText('No payment requests')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'payment requests, none yet');
  await page.goto('/app/u-collection/new');
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByText('required', { exact: true }).first()).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'a new payment request');
  const link = await make(page, { title: 'Invoice 118', pricing: 'A currency', asset: 'HKD', amount: '1000' });

  // Without a script: a coin is chosen by a link, and everything that is to be copied is there.
  const plain = await payerPage(browser, { javaScriptEnabled: false });
  await plain.goto(link);
  await expect(plain.getByRole('heading', { name: 'Invoice 118' })).toBeVisible();
  await expect(plain.getByText('1,000.00 HKD').first()).toBeVisible();
  await plain.getByRole('link', { name: /^USDT/ }).click();
  await expect(plain.getByText('Send exactly')).toBeVisible();
  await expect(plain.getByText('Send only USDT on Ethereum.')).toBeVisible();
  await plain.getByRole('link', { name: '繁體中文' }).click();
  await expect(plain.getByText('請轉入準確金額')).toBeVisible();
  await plain.context().close();

  const payer = await payerPage(browser, { viewport: { width: 390, height: 844 } });
  await payer.goto(`${link}?method=USDT.ethereum`);
  const first = await asked(payer);
  await expect(payer.locator('[data-address]')).toHaveText(first.address);
  expect(await readQr(payer)).toContain(`/transfer?address=${first.address}&uint256=`);
  await payer.getByRole('link', { name: 'Address only' }).click();
  await expect.poll(() => readQr(payer)).toBe(first.address);
  await expect(payer.getByRole('timer')).toHaveText(/^\d+:\d\d:\d\d left$/);
  await expectAccessible(payer, 'the payer’s page');
  await expectNoSideways(payer, 'the payer’s page');

  // A part arrives: the page says so without being loaded again, and asks for the rest.
  await desk.faucet('USDT', first.address, half(first.amount));
  await expect(payer.getByText(/of 6 confirmations|^Confirmed$/).first()).toBeVisible({ timeout: 60_000 });
  await expect(payer.getByText('Part of the amount has arrived')).toBeVisible({ timeout: 60_000 });
  const rest = await asked(payer);
  expect(rest.address).toBe(first.address);
  expect(Number(rest.amount)).toBeLessThan(Number(first.amount));
  await expect(page.getByText('Credited', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Ask for the rest' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ask for the rest?' });
  await expect(dialog).toContainText('Invoice 118');
  await expectAccessible(page, 'asking for the rest');
  await dialog.getByRole('button', { name: 'Ask for the rest' }).click();
  await expect(toastOf(page, 'The request is open again')).toBeVisible();
  await payer.reload();
  await desk.faucet('USDT', first.address, (await asked(payer)).amount);
  await expect(payer.getByText(/of 6 confirmations|^Confirmed$/).first()).toBeVisible({ timeout: 60_000 });
  await expect(payer.getByText('Paid', { exact: true })).toBeVisible({ timeout: 60_000 });
  await expectAccessible(payer, 'the payer’s page, paid');
  await payer.getByRole('link', { name: 'View receipt' }).click();
  await expect(payer.getByRole('heading', { name: 'Payment receipt' })).toBeVisible();
  await expectAccessible(payer, 'the receipt');
  await expectNoSideways(payer, 'the receipt');
  for (const file of ['receipt.pdf', 'request.pdf']) {
    const answer = await payer.request.get(`${link}/${file}?lang=zh-hk`);
    expect(answer.status()).toBe(200);
    expect((await answer.body()).subarray(0, 5).toString()).toBe('%PDF-');
  }
  await payer.context().close();

  await expect(page.getByText('Settled').first()).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'a settled payment request');
  const detail = new URL(page.url()).pathname;
  await page.goto('/app/u-collection?state=settled');
  await expect(page.getByRole('link', { name: /^Invoice 118/ }).first()).toBeVisible();
  await page.context().close();
  for (const language of languagesRead) {
    const narrow = await pageOf(browser, company, { language, viewport: { width: 390, height: 844 } });
    for (const place of ['/app/u-collection', '/app/u-collection/new', detail]) {
      await narrow.goto(place);
      await settled(narrow);
      await expectNoSideways(narrow, `${place} in ${language}`);
    }
    await narrow.context().close();
  }
});

test('what is too much goes back by an approved transfer; another coin waits for a decision', async ({ browser }) => {
  const company = await openCompany({ name: freshName('Harbour Ceramics') });
  await fund(company, { USDT: '50' });
  await savePayee(company, { label: 'Mistaken payer' });
  const page = await pageOf(browser, company);
  const link = await make(page, { title: 'Order 7', pricing: 'A coin', asset: 'USDT', amount: '100' });
  const address = await addressOf(browser, link);
  await desk.faucet('USDT', address, '130');
  await desk.faucet('USDC', address, '5');
  await desk.mine(8);
  await expect(page.getByText('This request needs a decision')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('More than the amount arrived.')).toBeVisible();
  await expect(page.getByText('in a coin or on a chain that the request does not accept')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'a payment request that needs a decision');
  const payer = await payerPage(browser);
  await payer.goto(link);
  await expect(payer.getByText(`${company.name} is reviewing this payment`)).toBeVisible();
  await expectAccessible(payer, 'the payer’s page, under review');
  await payer.context().close();

  const approver = await approverOf(company);
  await page.getByRole('listitem').filter({ hasText: '130.00' }).getByRole('button', { name: 'Refund' }).click();
  const refund = page.getByRole('dialog', { name: 'Refund a payment' });
  await find(refund.getByLabel('Payee'), 'Mista', 'Mistaken payer');
  await refund.getByRole('textbox', { name: 'Amount' }).fill('30');
  await expectAccessible(page, 'a refund');
  await proveByMail(page, company);
  await refund.getByRole('button', { name: 'Refund 30 USDT' }).click();
  await expect(toastOf(page, 'Refund submitted for approval')).toBeVisible();
  await decideByCall(approver, [await pendingTask(approver)], 'approved');
  await expect(page.getByText('30.00 USDT to Mistaken payer')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Refund submitted' }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Accept as paid' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Accept as paid' }).click();
  await expect(toastOf(page, 'Accepted')).toBeVisible();
  const id = page.url().split('/').at(-1) ?? '';
  const state = async () => (await send(getPaymentRequest, { token: company.token, params: { id } })).state;
  await expect.poll(state).toBe('settled');
  await page.context().close();
});

test('a reusable request is paid by two payers, each of whom sees their own payment; the company sees both', {
  tag: '@proof',
}, async ({ browser }) => {
  const company = await openCompany({ name: freshName('Lotus Memberships') });
  const page = await pageOf(browser, company);
  const wish = { title: 'Membership', kind: 'Reusable', pricing: 'A coin', asset: 'USDT', amount: '100' } as const;
  const link = await make(page, wish);
  const address = await addressOf(browser, link);
  const payers = await Promise.all(
    [desk.faucet('USDT', address, '100'), desk.faucet('USDT', address, '70')].map(async (sent) => ({
      hash: await sent,
      page: await payerPage(browser),
    })),
  );
  await desk.mine(8);
  await expect(page.getByText('This request needs a decision')).toBeVisible({ timeout: 60_000 });
  for (const [index, payer] of payers.entries()) {
    const [own, other] = index === 0 ? ['100.00 USDT', '70.00 USDT'] : ['70.00 USDT', '100.00 USDT'];
    const received = payer.page.getByRole('listitem').filter({ hasText: payer.hash });
    await payer.page.goto(link);
    await expect(payer.page.getByText('Ready for your payment')).toBeVisible();
    await expect(received).toHaveCount(0);
    await payer.page.getByLabel('Transaction hash of your payment').fill(payer.hash);
    await payer.page.getByRole('button', { name: 'Find payment' }).click();
    await expect(received).toContainText(own);
    await expect(received).toContainText('Confirmed');
    await expect(payer.page.getByRole('listitem').filter({ hasText: other })).toHaveCount(0);
    // What must be decided of another's payment is none of a payer's business.
    await expect(payer.page.getByText('Ready for your payment')).toBeVisible();
    await payer.page.context().close();
  }
  await page.getByRole('link', { name: 'See the transactions' }).click();
  await expect(page.getByRole('row').filter({ hasText: '+70.00' })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: '+100.00' })).toBeVisible();
  await page.getByRole('row').filter({ hasText: '+70.00' }).getByRole('link').first().click();
  await page.getByRole('dialog').getByRole('link', { name: 'Membership' }).click();
  await expect(page.getByRole('button', { name: 'Accept as paid' })).toBeVisible();
  await page.goto('/app/home');
  await expect(page.getByRole('link', { name: /^Membership/ })).toBeVisible();
  await page.goto('/app/u-collection');
  await expect(page.getByRole('row').filter({ hasText: 'Membership' })).toContainText('2 payments');
  await page.context().close();
});

async function addressOf(browser: Browser, link: string): Promise<string> {
  const payer = await payerPage(browser);
  await payer.goto(link);
  const { address } = await asked(payer);
  await payer.context().close();
  return address;
}

/** Review is on, and this colleague approves every transfer. */
async function approverOf(company: Company) {
  const colleague = await hire(company, { firstName: 'Ada', lastName: 'Lo', role: 'approver' });
  await makeRule(company, 'All transfers', [[person(colleague.id)]]);
  await switchReview(company, true);
  return colleague;
}
