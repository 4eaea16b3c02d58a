import type { Page } from '@playwright/test';
import { makeRule, pendingTask, person, switchReview } from '../fixtures/approval.ts';
import { payIn, saveHongKongPayee } from '../fixtures/bank-payment.ts';
import { fund, openCompany, savePayee } from '../fixtures/company.ts';
import { desk, type Inbox } from '../fixtures/desk.ts';
import { expectAccessible, expectNoSideways, settled } from '../fixtures/screen.ts';
import { hire } from '../fixtures/staff.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

test.describe.configure({ timeout: 240_000 });

async function seen(page: Page, name: string): Promise<void> {
  await settled(page);
  await expectAccessible(page, name);
  await expectNoSideways(page, name);
}

async function prove(page: Page, inbox: Inbox): Promise<void> {
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Verification code').fill(await inbox.code());
}

test('coins and currency are paid together: checked, proved by one code, approved once, each row a payment of its own', async ({
  browser,
}) => {
  const company = await openCompany({ name: 'Aberdeen Marine Supplies Limited' });
  const mei = await hire(company, { firstName: 'Mei', lastName: 'Chan', role: 'approver' });
  await Promise.all([
    savePayee(company, { label: 'Pearl River Supplies' }),
    saveHongKongPayee(company, 'Harbour Stationers', 'Harbour Stationers Limited'),
    fund(company, { USDT: '500' }),
    payIn(company, 'HKD', '1000'),
  ]);
  await makeRule(company, 'Every payment', [[person(mei.id)]]);
  await switchReview(company, true);
  const page = await pageOf(browser, company);
  await page.goto('/app/storm');
  const content = [
    'payee,asset,amount,invoice',
    'Pearl River Supplies,USDT,120.50,A-1',
    'Pearl River Supplies,USDT,30,A-2',
    'Harbour Stationers,HKD,250,A-3',
  ].join('\n');
  await page
    .getByLabel(/Drop a file here/)
    .setInputFiles({ name: 'november.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  await expect(page.getByRole('grid')).toBeVisible();
  await page.getByRole('link', { name: 'Check and submit' }).click();
  await expect(page.getByRole('heading', { name: '3 payments' })).toBeVisible();
  await expect(page.getByText('It will wait for Mei Chan.')).toBeVisible();
  await prove(page, company.inbox);
  await seen(page, 'batch-submit');
  await page.getByRole('button', { name: 'Submit 3 payments' }).click();
  await expect(page.getByText('Waits for approval by Mei Chan')).toBeVisible();
  await seen(page, 'batch-run-waiting');

  const theirs = await pageOf(browser, mei);
  await theirs.goto(`/app/pending-approval?id=${await pendingTask(mei)}`);
  await theirs
    .getByRole('link', { name: /november/ })
    .first()
    .click();
  await seen(theirs, 'batch-approval');
  await theirs.getByRole('button', { name: 'Approve', exact: true }).click();
  const dialog = theirs.getByRole('dialog').last();
  await dialog.getByRole('button', { name: 'Send code' }).click();
  await dialog.getByLabel('Verification code').fill(await mei.inbox.code());
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Waits for approval by Mei Chan')).toBeHidden();
  await expect
    .poll(
      async () => {
        await desk.mine(1);
        return page.getByRole('region', { name: 'Payments of this submission' }).getByText('Completed').count();
      },
      { timeout: 90_000, intervals: [500] },
    )
    .toBeGreaterThanOrEqual(2);
  await seen(page, 'batch-run-paid');
  await page.getByRole('link', { name: 'Open the batch' }).click();
  await expect(page.getByText(/No. 1: 3 payments/)).toBeVisible();
  await seen(page, 'batch-after');
  await page.goto('/app/storm');
  await expect(page.getByRole('row').filter({ hasText: 'november' })).toContainText(/[23] of 3 paid/);
});
