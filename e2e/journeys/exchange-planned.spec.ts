import type { Page } from '@playwright/test';
import { type Company, fund, openCompany } from '../fixtures/company.ts';
import { option, search } from '../fixtures/palette.ts';
import { choose, expectAccessible, expectNoSideways, settled, toastOf } from '../fixtures/screen.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

test.describe.configure({ timeout: 180_000 });

/** Asks for the code by mail and fills it in. */
async function prove(page: Page, company: Company): Promise<void> {
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.locator('[data-toast]', { hasText: 'Code sent to' })).toBeVisible();
  await page.getByLabel('Verification code').fill(await company.inbox.code());
}

test('a limit order holds what it sells, is seen among the planned exchanges, and gives it back when cancelled', async ({
  browser,
}) => {
  const company = await openCompany({ name: 'Tai Koo Shipping Limited' });
  await fund(company, { USDC: '500' });
  const page = await pageOf(browser, company);
  await page.goto('/app/wallet/exchange');
  await choose(page, 'From wallet', /^USDC · /);
  await choose(page, 'To wallet', /^USDT · /);
  await page.getByLabel('You sell').fill('100');
  await page.getByRole('radio', { name: /At a limit rate/ }).check();
  await expect(page.getByText(/^The rate is .* at the moment\.$/)).toBeVisible();
  // Without a rate it is not placed.
  await page.getByRole('button', { name: 'Place limit order' }).click();
  await expect(page.getByText('required', { exact: true }).first()).toBeVisible();
  await page.getByLabel('Limit rate for 1 USDC').fill('99');
  await expect(page.getByLabel('You receive at least')).toHaveValue('9900');
  await settled(page);
  await expectAccessible(page, 'a limit order');
  await prove(page, company);
  await page.getByRole('button', { name: 'Place limit order' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Place this limit order?')).toBeVisible();
  await dialog.getByRole('button', { name: 'Place limit order' }).click();
  await expect(page.getByRole('heading', { name: 'Limit order placed' })).toBeVisible();
  await expect(
    page.getByText(/^100\.0+ USDC is held until the rate reaches the limit\. You receive at least 9,900\.00 USDT\.$/),
  ).toBeVisible();
  await page.goto('/app/wallet/exchange/planned');
  const row = page.getByRole('region', { name: 'Limit orders' }).getByRole('row', { name: /USDC → USDT/ });
  await expect(row).toContainText(/1 USDC = 99(\.00)? USDT/);
  await expect(row).toContainText(/Mid-market now: [\d,.]+/);
  await settled(page);
  await expectAccessible(page, 'planned exchanges');
  await row.getByRole('button', { name: 'Cancel order' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
  await expect(toastOf(page, 'Limit order cancelled')).toBeVisible();
  await expect(page.getByText('No limit orders waiting')).toBeVisible();
});

test('a limit order whose rate is reached is exchanged; the rate is the one of the moment', { tag: '@proof' }, async ({
  browser,
}) => {
  const company = await openCompany({ name: 'Sai Ying Pun Foods Limited' });
  await fund(company, { USDC: '500' });
  const page = await pageOf(browser, company, { viewport: { width: 390, height: 844 } });
  await page.goto('/app/wallet/exchange');
  await choose(page, 'From wallet', /^USDC · /);
  await choose(page, 'To wallet', /^USDT · /);
  await page.getByLabel('You sell').fill('100');
  await page.getByRole('radio', { name: /At a limit rate/ }).check();
  await page.getByLabel('Limit rate for 1 USDC').fill('0.5');
  await expect(page.getByText('The rate has reached this limit already: it is exchanged at once.')).toBeVisible();
  await expectNoSideways(page, 'a limit order on a phone');
  await prove(page, company);
  await page.getByRole('button', { name: 'Place limit order' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Place limit order' }).click();
  await expect(page.getByRole('heading', { name: 'Exchanged' })).toBeVisible();
});

test('a standing order is made by keyboard alone, listed, and stopped', async ({ browser }) => {
  const company = await openCompany({ name: 'Kennedy Town Traders Limited' });
  await fund(company, { USDT: '5000' });
  const page = await pageOf(browser, company);
  await page.goto('/app/wallet/exchange/planned');
  await page.getByRole('link', { name: 'New standing order' }).focus();
  await page.keyboard.press('Enter');
  await choose(page, 'From wallet', /^USDT · /);
  await choose(page, 'To wallet', /^HKD · /);
  await page.getByRole('radio', { name: /Everything above/ }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('textbox', { name: 'Stays in the wallet' }).focus();
  await page.keyboard.type('1000');
  await settled(page);
  await expectAccessible(page, 'a new standing order');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSideways(page, 'a new standing order on a phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  await prove(page, company);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/app/wallet/exchange/planned');
  const orders = page.getByRole('listitem').filter({ hasText: 'USDT → HKD' });
  await expect(orders).toContainText('Everything above 1,000.00 USDT');
  await expect(orders).toContainText('Every Monday at 09:00');
  await expect(orders).toContainText('It has not run yet.');
  await page.goto('/app/home');
  await settled(page);
  await search(page, 'usdt/hkd 1,000.00');
  await expect(option(page, 'Standing orders', /^USDT → HKD/)).toContainText('Everything above 1,000.00 USDT');
  await option(page, 'Standing orders', /^USDT → HKD/).click();
  await expect(page).toHaveURL(/\/app\/wallet\/exchange\/planned#[0-9a-f-]{36}$/);
  await expect(orders).toBeInViewport();
  await orders.getByRole('button', { name: 'Stop' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await expect(toastOf(page, 'Standing order stopped')).toBeVisible();
  await expect(orders).toContainText(/Stopped by/);
  await settled(page);
  await expectAccessible(page, 'planned exchanges with one that ended');
});
