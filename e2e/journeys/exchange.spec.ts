import type { Page } from '@playwright/test';
import { decideByCall, makeRule, pendingTask, person, switchReview } from '../fixtures/approval.ts';
import { type Company, fund, openCompany } from '../fixtures/company.ts';
import { choose, expectAccessible, expectNoSideways, settled } from '../fixtures/screen.ts';
import { hire } from '../fixtures/staff.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

test.describe.configure({ timeout: 180_000 });

/** Asks for the code by mail and fills it in. */
async function prove(page: Page, company: Company): Promise<void> {
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.locator('[data-toast]', { hasText: 'Code sent to' })).toBeVisible();
  await page.getByLabel('Verification code').fill(await company.inbox.code());
}

test('coins are exchanged for a currency at a live quote, and both rows point to each other', async ({ browser }) => {
  const company = await openCompany({ name: 'Kowloon Bay Trading Limited' });
  await fund(company, { USDT: '5000' });
  const page = await pageOf(browser, company);
  await page.goto('/app/wallet');
  await page.getByRole('row', { name: /USDT/ }).getByRole('link', { name: 'Exchange' }).click();
  await expect(page.getByRole('combobox', { name: 'From wallet' })).toContainText('USDT');
  await page.getByRole('button', { name: 'Exchange', exact: true }).click();
  await expect(page.getByText('required', { exact: true }).first()).toBeVisible();
  await choose(page, 'To wallet', /^HKD · /);
  await page.getByLabel('You sell').fill('9000');
  await expect(page.getByText(/^This quote holds for/)).toBeVisible();
  await expect(page.getByText(/balance/i).first()).toBeVisible();
  await page.getByLabel('You sell').fill('1,000');
  await expect(page.getByLabel('You receive', { exact: true })).toHaveValue(/^7\d{3}(\.\d+)?$/);
  await expect(page.getByText('You receive at least')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'an exchange with its quote');
  await prove(page, company);
  await page.getByRole('button', { name: 'Exchange', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Exchange at this quote?')).toBeVisible();
  await dialog.getByRole('button', { name: /^Exchange 1,000/ }).click();
  await expect(page.getByRole('heading', { name: 'Exchanged' })).toBeVisible();
  await page.getByRole('link', { name: 'View transaction' }).click();
  const panel = page.getByRole('dialog');
  await expect(panel.getByText('Mid-market rate')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'the panel of an exchange');
  await panel.getByRole('link', { name: 'Show what was bought' }).click();
  await expect(panel.getByText('Exchange (currency bought)').first()).toBeVisible();
  await page.goto('/app/wallet');
  await expect(page.getByRole('row', { name: /^HKD Hong Kong/ })).toContainText(/7,\d{3}\.\d{2}/);
});

test('with review on an exchange waits, its approver sees the bound, and it is executed on approval', {
  tag: '@proof',
}, async ({ browser }) => {
  const company = await openCompany({ name: 'Sheung Wan Imports Limited' });
  await fund(company, { USDT: '5000' });
  const approver = await hire(company, { firstName: 'Ivy', lastName: 'Ng', role: 'approver' });
  await makeRule(company, 'Every exchange', [[person(approver.id)]]);
  await switchReview(company, true);
  const page = await pageOf(browser, company, { viewport: { width: 390, height: 844 } });
  await page.goto('/app/wallet/exchange');
  await choose(page, 'From wallet', /^USDT · /);
  await choose(page, 'To wallet', /^JPY · /);
  await page.getByLabel('You receive', { exact: true }).fill('30000');
  await expect(page.getByText('Leaves your wallet at most')).toBeVisible();
  await expectNoSideways(page, 'exchange');
  await prove(page, company);
  await page.getByRole('button', { name: 'Submit for approval' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Submit for approval' }).click();
  await expect(page.getByRole('heading', { name: 'Submitted for approval' })).toBeVisible();
  const other = await pageOf(browser, approver);
  await other.goto('/app/pending-approval');
  const task = await pendingTask(approver);
  await other.goto(`/app/pending-approval/${task}`);
  await expect(other.getByRole('dialog').getByText('Leaves at most')).toBeVisible();
  await settled(other);
  await expectAccessible(other, 'an application for an exchange');
  await decideByCall(approver, [task], 'approved');
  await expect(page.getByRole('heading', { name: 'Exchanged' })).toBeVisible();
  await expect(page.getByText(/30,000 JPY/)).toBeVisible();
});
