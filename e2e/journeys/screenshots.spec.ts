import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { updateUser } from '@causeway/contract/identity-account.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { createPaymentRequest, getPaymentRequest } from '@causeway/contract/payment-requests.ts';
import { addRiskPolicy, type RiskContent } from '@causeway/contract/risk.ts';
import type { RiskMethod } from '@causeway/contract/risk-rules.ts';
import type { Page } from '@playwright/test';
import { addresses } from '../addresses.ts';
import { makeRule, pendingTask, person, switchReview } from '../fixtures/approval.ts';
import { payIn, saveHongKongPayee } from '../fixtures/bank-payment.ts';
import { type Company, fund, openCompany, savePayee, speak, walletRows } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { desk } from '../fixtures/desk.ts';
import { pdfOf } from '../fixtures/papers.ts';
import { choose, find, settled } from '../fixtures/screen.ts';
import { type Colleague, hire, makeRole } from '../fixtures/staff.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';
import { fillTransfer, transferByCall } from '../fixtures/transfer.ts';

const directory = join(import.meta.dirname, '../../docs/screenshots');
/** The README's pictures are taken again only when asked for (`npm run screenshots`); the run itself always goes this way. */
const wanted = process.env['SCREENSHOTS'] === '1';

test.describe.configure({ timeout: 180_000 });

let company: Company;
let mei: Colleague;
let transferId: string;

test.beforeAll(async () => {
  test.setTimeout(180_000);
  company = await openCompany({ name: 'Harbour Lane Trading' });
  await send(updateUser, {
    token: company.token,
    body: { firstName: 'Ada', lastName: 'Wong', mobileCountryCode: null, mobile: null },
  });
  await fund(company, { USDT: '48250', USDC: '12500.5', HKDT: '86000', ETH: '3.25' });
  await payIn(company, 'HKD', '286400');
  await saveHongKongPayee(company, 'Harbour rent', 'Harbour Supplies Limited');
  const [pearl] = await Promise.all([
    savePayee(company, { label: 'Pearl River Supplies' }),
    savePayee(company, { label: 'Kowloon Freight' }),
  ]);
  transferId = await transferByCall(company, {
    coin: 'USDT',
    payeeId: pearl.id,
    amount: '4820.75',
    notes: 'November, first half',
  });
  [mei] = await Promise.all([
    hire(company, { firstName: 'Mei', lastName: 'Chan', role: 'approver' }),
    addPolicy('Nothing above 50,000 a day', { dimension: 'crypto_value', from: '50000', to: null }),
  ]);
  await addPolicy('At most 20 transfers a day', { dimension: 'crypto_frequency', from: '20', to: null });
  await addPolicy('Coins we know', { dimension: 'coin', coins: ['USDT', 'USDC', 'HKDT', 'ETH'] }, 'allow_only');
  await makeRule(company, 'Every payment', [[person(mei.id)]]);
  await switchReview(company, true);
  // It waits for Mei; the first one has left by now.
  await transferByCall(company, { coin: 'USDT', payeeId: pearl.id, amount: '1900', notes: 'Invoice 2026-118' });
  if (wanted) mkdirSync(directory, { recursive: true });
});

async function addPolicy(name: string, content: RiskContent, method: RiskMethod = 'forbid'): Promise<void> {
  const { token } = company;
  const body = {
    name,
    business: 'crypto_withdrawal' as const,
    method,
    result: 'deny' as const,
    window: 'day' as const,
  };
  await send(addRiskPolicy, { token, body: { ...body, content } });
}

async function take(page: Page, name: string): Promise<void> {
  await settled(page);
  if (!wanted) return;
  // The window's own size, two colours deep enough for text, no blinking cursor.
  await page.screenshot({ path: join(directory, `${name}.png`), animations: 'disabled', caret: 'hide' });
}

test('the README’s pictures: sign-in, home, wallets, transfer, recharge, payment, transaction', async ({
  browser,
  page,
}) => {
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill('ada@harbour.example');
  await page.getByLabel('Password', { exact: true }).fill('Kelp-Lantern-26');
  await take(page, 'sign-in');
  const app = await pageOf(browser, company);
  await app.goto('/app/home');
  await expect(app.getByText('Recent transactions')).toBeVisible();
  await take(app, 'home');
  await app.goto('/app/wallet');
  await expect(app.locator('table').last().getByRole('row')).toHaveCount(await walletRows(company));
  await expect(app.locator('main svg[width="144"]')).toBeVisible();
  await take(app, 'wallets');
  await app.goto('/app/transfer-out');
  await fillTransfer(app, { coin: 'USDT', payee: 'Pearl River Supplies', amount: '1250.50' });
  await app.getByLabel('Amount').blur();
  await expect(app.getByText('It will wait for Mei Chan.')).toBeVisible();
  await take(app, 'transfer');
  await app.goto('/app/wallet/recharge?coin=HKD&bank=harbour');
  await expect(app.getByRole('button', { name: 'Download PDF' })).toBeVisible();
  await take(app, 'recharge');
  await app.goto('/app/payment');
  await find(app.getByLabel('Payee', { exact: true }), 'Harbour', 'Harbour rent');
  await app.getByRole('button', { name: 'Next: amount' }).click();
  await app.getByLabel('Amount').fill('48250');
  await app.getByLabel('Remittance text').fill('Rent, December');
  await app.getByLabel('Invoice number').fill('2026-118');
  await app.setInputFiles('input[type=file]', [pdfOf('lease.pdf', 'Lease')]);
  await expect(app.getByRole('button', { name: /Remove lease\.pdf/ })).toBeVisible();
  await app.getByRole('button', { name: 'Next: check' }).click();
  await expect(app.getByText('It will wait for Mei Chan.')).toBeVisible();
  await take(app, 'payment');
  await app.goto('/app/wallet/exchange');
  await choose(app, 'From wallet', /^ETH · /);
  await choose(app, 'To wallet', /^HKD · /);
  await app.getByLabel('You sell').fill('1.5');
  await app.getByRole('radio', { name: /At a limit rate/ }).check();
  await app.getByLabel('Limit rate for 1 ETH').fill('29500');
  await expect(app.getByLabel('You receive at least')).toHaveValue('44250');
  await app.getByLabel('You sell').blur();
  await take(app, 'exchange');
  await app.goto(`/app/transaction/${transferId}`);
  const timeline = app.getByRole('dialog').getByRole('list', { name: 'Timeline' });
  await expect(timeline.getByRole('listitem').filter({ hasText: 'Completed' }).locator('time')).toBeVisible({
    timeout: 60_000,
  });
  await take(app, 'transaction');
  await app.context().close();
});

test('the README’s pictures of payment requests: the list, and what a payer sees', async ({ browser }) => {
  const weekMs = 7 * 24 * 3_600_000;
  const make = async (title: string, reference: string, amount: string, name: string) => {
    const id = randomUUID();
    const body = {
      ...({ id, title, reference, note: '', kind: 'single', pricing: 'coin', asset: 'USDT', amount } as const),
      dueOn: null,
      ...{ accepted: [{ chainId: 'ethereum', coin: 'USDT' }], tolerance: { percent: '0' }, reminderDays: [] },
      expiresAt: new Date(Date.now() + weekMs).toISOString(),
      payer: { name, email: null, language: 'en_US' as const },
    };
    const { token } = await send(createPaymentRequest, { token: company.token, body });
    const address = async () =>
      (await send(getPaymentRequest, { token: company.token, params: { id } })).addresses[0]?.address ?? '';
    await expect.poll(address).toMatch(/^0x/);
    return { link: `/pay/${token}`, address: await address() };
  };
  const tea = await make('Tea, November', 'INV-2026-118', '850', 'Jasmine Teas');
  const porcelain = await make('Porcelain, sample order', 'INV-2026-119', '400', 'Harbour Ceramics');
  const linen = await make('Linen, October', 'INV-2026-120', '1600', 'Delta Textiles Limited');
  const silk = await make('Silk, December', 'INV-2026-121', '2400', 'Kowloon Mills Limited');
  await desk.faucet('USDT', tea.address, '850');
  await desk.faucet('USDT', porcelain.address, '450');
  await desk.faucet('USDT', linen.address, '1000');
  await desk.mine(8);
  const app = await pageOf(browser, company);
  await app.goto('/app/u-collection');
  await expect(app.getByRole('row').filter({ hasText: 'Tea, November' })).toContainText('Settled', { timeout: 60_000 });
  await expect(app.getByRole('row').filter({ hasText: 'Porcelain' })).toContainText('Needs a decision');
  await expect(app.getByRole('row').filter({ hasText: 'Linen' })).toContainText('1,000.00');
  await take(app, 'requests');
  await app.context().close();
  const context = await browser.newContext({ baseURL: addresses.console, locale: 'en-US' });
  const payer = await context.newPage();
  await payer.goto(silk.link);
  await expect(payer.getByRole('img', { name: /^QR code/ })).toBeVisible();
  if (wanted) await payer.screenshot({ path: join(directory, 'payer.png'), animations: 'disabled', caret: 'hide' });
  await context.close();
});

test('the README’s pictures of a company: an approval, policies, a role, the audit log', async ({ browser }) => {
  const theirs = await pageOf(browser, mei);
  await theirs.goto(`/app/pending-approval/${await pendingTask(mei)}`);
  await expect(theirs.getByRole('dialog').getByText('Risk check')).toBeVisible();
  await take(theirs, 'approval');
  await theirs.context().close();
  const app = await pageOf(browser, company);
  await app.goto('/app/risk-setting/policy');
  await expect(app.getByRole('list', { name: 'Policy settings' }).getByRole('listitem')).toHaveCount(3);
  await take(app, 'policies');
  const role = await makeRole(company, 'Treasury', ['transfer.create', 'payee.manage', 'approval.decide'], '25000');
  await app.goto(`/app/role-management/${role}`);
  // The tree of permissions, rather than the fields above it.
  const tree = app.getByRole('dialog').getByRole('checkbox', { name: 'Home', exact: true });
  await expect(tree).toBeVisible();
  await app.getByLabel('Can approve transfers worth less than').evaluate((field) => field.scrollIntoView());
  await take(app, 'role');
  await app.goto('/app/audit-log');
  await expect(app.getByRole('table').getByRole('row').nth(8)).toBeVisible();
  await take(app, 'audit');
  await app.context().close();
});

for (const [locale, path, name] of [
  ['zh-hk', '/app/home', 'home-zh-hk'],
  ['zh-cn', '/app/wallet', 'wallets-zh-cn'],
] as [Locale, string, string][]) {
  test(`the README’s picture in ${locale}`, async ({ browser }) => {
    await speak(company, locale);
    const page = await pageOf(browser, company, { language: locale });
    await page.goto(path);
    await take(page, name);
    await page.context().close();
  });
}

test('the README’s picture of a phone', async ({ browser }) => {
  const page = await pageOf(browser, company, {
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  await page.goto('/app/transfer-out');
  await fillTransfer(page, { coin: 'USDT', payee: 'Kowloon Freight', amount: '310' });
  await page.getByLabel('Amount').blur();
  await take(page, 'transfer-phone');
  await page.context().close();
});
