import type { Page } from '@playwright/test';
import { freshName, fund, openCompany } from '../fixtures/company.ts';
import { administratorPage } from '../fixtures/operator-console.ts';
import { option, search } from '../fixtures/palette.ts';
import { choose, expectAccessible, expectNoSideways, settled, toastOf } from '../fixtures/screen.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

test.describe.configure({ timeout: 240_000 });

/** Answers at the ordinary rate, for half an hour. */
async function quote(desk: Page, text: string): Promise<void> {
  const panel = desk.getByRole('dialog', { name: /USDT → HKD$/ });
  await panel.getByRole('button', { name: 'Take the ordinary rate' }).click();
  await expect(panel.getByText('Position in HKD')).toBeVisible();
  await panel.getByRole('form', { name: 'Quote' }).getByLabel('Message').fill(text);
  await panel.getByRole('button', { name: 'Send the quote' }).click();
  await expect(toastOf(desk, 'Quote sent to the company')).toBeVisible();
}

test('a company asks the desk, counters its quote, and accepts the next one with a code', async ({ browser }) => {
  const name = freshName('Quarry Bay Metals');
  const company = await openCompany({ name });
  await fund(company, { USDT: '70000' });
  const page = await pageOf(browser, company);
  const desk = await administratorPage(browser, 'Dora Desk');

  await page.goto('/app/otc');
  await expect(page.getByText('No OTC requests')).toBeVisible();
  await expectAccessible(page, 'requests to the desk, none yet');
  await page.getByRole('link', { name: 'Ask for a quote' }).first().click();
  await page.getByRole('button', { name: 'Send to the desk' }).click();
  await expect(page.getByText('required', { exact: true }).first()).toBeVisible();
  await choose(page, 'Sell from', /^USDT · /);
  await choose(page, 'Buy into', /^HKD · /);
  await page.getByLabel('Amount', { exact: true }).fill('1000');
  await page.getByRole('button', { name: 'Send to the desk' }).click();
  // Too little for the desk: it leads to the page of exchanges, with what was typed.
  await expect(page.getByRole('link', { name: 'Exchange it at once' })).toHaveAttribute('href', /sell=.*amount=1000$/);
  await page.getByLabel('Amount', { exact: true }).fill('60000');
  await expect(page.getByRole('link', { name: 'Exchange it at once' })).toHaveCount(0);
  await page.getByRole('textbox', { name: /^Message/ }).fill('For the quarter’s invoices');
  await settled(page);
  await expectAccessible(page, 'asking the desk');
  await page.getByRole('button', { name: 'Send to the desk' }).click();
  const panel = page.getByRole('dialog', { name: 'USDT → HKD' });
  await expect(panel.getByText('Waiting for the desk').first()).toBeVisible();
  // What was asked is not in the form any more.
  await page.goto('/app/otc/ask');
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('');
  await settled(page);
  await search(page, 'usdt/hkd 60,000');
  await expect(option(page, 'OTC', /^USDT → HKD/)).toContainText('60,000.00 USDT · Waiting for the desk');
  await option(page, 'OTC', /^USDT → HKD/).click();
  await expect(page).toHaveURL(/\/app\/otc\/[0-9a-f-]{36}$/);

  // The queue leads to the desk.
  await desk.goto('/app/home');
  await desk
    .getByRole('link', { name: new RegExp(`${name}: OTC request`) })
    .first()
    .click({ timeout: 60_000 });
  await desk.goto('/app/desk');
  await desk.getByRole('link', { name: new RegExp(name) }).click();
  const request = desk.getByRole('dialog', { name: /USDT → HKD$/ });
  await expect(request.getByText('For the quarter’s invoices')).toBeVisible();
  await settled(desk);
  await expectAccessible(desk, 'a request at the desk');
  await request.getByLabel('Rate').fill('999');
  await expect(request.getByText(/better for the company than the middle rate/)).toBeVisible();
  await expect(request.getByRole('button', { name: 'Send the quote' })).toBeDisabled();
  await request.getByLabel('Rate').fill('');
  await quote(desk, 'Good for half an hour');

  // It appears at the company without a reload.
  const offer = panel.getByRole('region', { name: 'The desk’s quote' });
  await expect(offer.getByText(/^Valid for \d+ min/)).toBeVisible();
  await expect(panel.getByText('Good for half an hour')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'the desk’s quote');
  await offer.getByRole('button', { name: 'Counter' }).click();
  const counter = page.getByRole('dialog', { name: 'Ask the desk for another price' });
  await counter.getByLabel('Rate').fill('7.79');
  await counter.getByLabel('Message').fill('A little more, please');
  await expectAccessible(page, 'a counter');
  await counter.getByRole('button', { name: 'Send to the desk' }).click();
  await expect(toastOf(page, 'The desk has your counter')).toBeVisible();
  await expect(offer).toHaveCount(0);

  await expect(request.getByText('A little more, please')).toBeVisible();
  await quote(desk, 'Our best');
  await page.goto('/app/home');
  await expect(page.getByRole('heading', { name: 'Quotes of the desk that wait for you' })).toBeVisible();
  await page.getByRole('link', { name: /^60,000\.00 USDT · USDT → HKD$/ }).click();
  await offer.getByRole('button', { name: 'Accept' }).click();
  const dialog = page.getByRole('dialog', { name: 'Accept the desk’s quote?' });
  await expect(dialog.getByText('Leaves your wallet').first()).toBeVisible();
  await dialog.getByRole('button', { name: 'Send code' }).click();
  await expect(page.locator('[data-toast]', { hasText: 'Code sent to' })).toBeVisible();
  await dialog.getByLabel('Verification code').fill(await company.inbox.code());
  await settled(page);
  await expectAccessible(page, 'accepting the desk’s quote');
  await dialog.getByRole('button', { name: /^Exchange 60,000/ }).click();
  await expect(page.getByRole('heading', { name: 'Exchanged' })).toBeVisible();

  // Both sides of the exchange, and the way back to the request.
  await page.getByRole('link', { name: 'View transaction' }).click();
  const transaction = page.getByRole('dialog');
  await transaction.getByRole('link', { name: 'Show what was bought' }).click();
  await expect(transaction.getByText('Exchange (currency bought)').first()).toBeVisible();
  await transaction.getByRole('link', { name: 'Open the request to the desk' }).click();
  await expect(panel.getByText('Accepted', { exact: true }).first()).toBeVisible();
  await expect(request.getByText('Accepted', { exact: true }).first()).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/app/otc', '/app/otc/ask', new URL(page.url()).pathname]) {
    await page.goto(path);
    await settled(page);
    await expectNoSideways(page, path);
  }
  await desk.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/app/desk', new URL(desk.url()).pathname]) {
    await desk.goto(path);
    await settled(desk);
    await expectNoSideways(desk, path);
  }
  await desk.context().close();
});
