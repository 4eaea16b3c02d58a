import { addBankPayee } from '@causeway/contract/bank-payees.ts';
import { isAtBank } from '@causeway/contract/wallets-rules.ts';
import { type Company, openCompany, wallets } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { desk } from '../fixtures/desk.ts';
import { copied, expectAccessible, expectFits, settled } from '../fixtures/screen.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

/** Money at the bank that is reached by its HTTP API: in, in a currency without decimals, and out. */

test.describe.configure({ timeout: 180_000 });

let company: Company;
test.beforeAll(async () => {
  company = await openCompany({ name: 'Pearl River Trading Limited' });
});

async function yen() {
  const found = (await wallets(company)).filter(isAtBank).find(({ asset }) => asset === 'JPY');
  if (!found) throw new Error('the company has a wallet in yen');
  return found;
}

test('the account that the bank opened is shown, and yen are arriving, then there', async ({ browser }) => {
  const { place } = await yen();
  expect(place.account).toMatchObject({ holder: 'Causeway Client Money', bic: 'MRDPSGSG' });
  const page = await pageOf(browser, company, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto('/app/wallet/recharge?coin=JPY&bank=meridian');
  await page.getByRole('button', { name: 'Copy Account number' }).click();
  expect(await copied(page, /^\d+$/)).toBe(place.account.number);
  await expect(page.getByText('8 Meridian Quay, Singapore, 018956')).toBeVisible();
  await expectFits(page, 'funding details over HTTP');

  await page.goto('/app/wallet');
  const row = page.getByRole('row').filter({ hasText: place.account.number });
  await expect(row).toBeVisible();
  const { deposit } = await desk.payIn({
    bank: 'meridian',
    to: place.account.number,
    currency: 'JPY',
    amount: '1234567',
    payer: { name: 'Osaka Mills KK' },
    text: 'Invoice 2026-12',
    status: 'PENDING',
  });
  // The page is not loaded again.
  await expect(row).toContainText('1,234,567', { timeout: 30_000 });
  expect((await yen()).inbound).toBe('1234567');
  expect((await yen()).quantity).toBe('0');
  await page.goto('/app/wallet/recharge?coin=JPY&bank=meridian');
  const onItsWay = page.getByRole('row').filter({ hasText: 'Osaka Mills KK' }).filter({ hasText: 'On its way' });
  await expect(onItsWay).toContainText('Expected by');
  await onItsWay.getByRole('link').first().click();
  const arriving = page.getByRole('dialog');
  await expect(arriving.getByText('Seen by Meridian Payments')).toBeVisible();
  await expect(arriving.getByText('Invoice 2026-12')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'a deposit on its way');
  await desk.deposit(deposit ?? '', 'settle');
  await expect(arriving.getByRole('link', { name: 'Show the transaction' })).toBeVisible({ timeout: 30_000 });
  await page.keyboard.press('Escape');
  await expect(arriving).toBeHidden();
  await expect(page).toHaveURL(/coin=JPY&bank=meridian/);
  await expect(page.getByText('Nothing on its way')).toBeVisible();
  await expect.poll(async () => (await yen()).available, { timeout: 30_000 }).toBe('1234567');
  expect((await yen()).inbound).toBe('0');

  await page.goto('/app/transaction');
  await page.getByRole('row').filter({ hasText: 'Osaka Mills KK' }).getByRole('link').first().click();
  const panel = page.getByRole('dialog').filter({ hasText: 'Osaka Mills KK' });
  await expect(panel.getByText('Invoice 2026-12')).toBeVisible();
  await expect(panel.getByText('1,234,567JPY').first()).toBeVisible();
  await expect(panel.getByText('Meridian Payments').first()).toBeVisible();

  await desk.deposit(deposit ?? '', 'reverse');
  await expect.poll(async () => (await yen()).available, { timeout: 30_000 }).toBe('0');
  await page.context().close();
});

test('a payment in Singapore dollars: the bank is asked for the name, takes the order, and pays', {
  tag: '@proof',
}, async ({ browser }) => {
  const sgd = (await wallets(company)).filter(isAtBank).find(({ asset }) => asset === 'SGD');
  if (!sgd) throw new Error('the company has a wallet in Singapore dollars');
  const account = String(Date.now()).slice(-10);
  await desk.payee(account, 'Marina Chandlery Pte Ltd');
  const payIn = {
    bank: 'meridian' as const,
    currency: 'SGD',
    amount: '2000',
    payer: { name: 'Owner' },
    text: 'Capital',
  };
  await desk.payIn({ ...payIn, to: sgd.place.account.number });
  const available = async () => Number((await wallets(company)).find(({ id }) => id === sgd.id)?.available);
  await expect.poll(available, { message: 'the money to pay with is there', timeout: 60_000 }).toBeGreaterThan(1300);
  const body = {
    id: crypto.randomUUID(),
    label: 'Marina rent',
    holder: 'enterprise' as const,
    enterpriseName: 'Marina Chandler Pte Ltd',
    country: 'SG',
    currency: 'SGD' as const,
    way: 'sgFast',
    bic: 'DBSSSGSG',
    account,
  };
  await send(addBankPayee, { token: company.token, body });
  const page = await pageOf(browser, company);
  await page.goto(`/app/payment?payee=${body.id}`);
  await expect(page.getByText('the bank has “Marina Chandlery Pte Ltd”', { exact: false }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Next: amount' }).click();
  await page.getByRole('textbox', { name: 'Amount' }).fill('1250.50');
  await page.getByRole('button', { name: 'Next: check' }).click();
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Verification code').fill(await company.inbox.code());
  await page.getByRole('button', { name: 'Confirm and pay' }).click();
  await page.getByRole('link', { name: 'View transaction' }).click();
  const panel = page.getByRole('dialog');
  await expect(panel.getByText('Bank’s transfer ID')).toBeVisible({ timeout: 60_000 });
  await expect(panel.getByText('the bank has “Marina Chandlery Pte Ltd”', { exact: false }).first()).toBeVisible();
  const [, id = ''] = /([0-9a-f-]{36})$/.exec(new URL(page.url()).pathname) ?? [];
  const made = await desk.paymentNamed(id.replaceAll('-', '').toUpperCase());
  // Before the bank's cut-off it has paid by itself.
  if (made?.state !== 'settled') await desk.actOn(made?.id ?? '', 'settle').catch(() => undefined);
  await expect(panel.getByText('Pending', { exact: true })).toBeHidden({ timeout: 60_000 });
  await settled(page);
  await expectAccessible(page, 'panel of a payment over HTTP');
  await desk.actOn(made?.id ?? '', 'return', 'AC04');
  await expect(panel.getByText('The payee’s account is closed', { exact: false }).first()).toBeVisible({
    timeout: 60_000,
  });
  await page.context().close();
});
