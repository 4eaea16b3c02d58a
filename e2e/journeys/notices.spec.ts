import { sendUserCode } from '@causeway/contract/identity.ts';
import type { Page } from '@playwright/test';
import { type Company, fund, openCompany } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { desk } from '../fixtures/desk.ts';
import { expectAccessible, settled, toastOf } from '../fixtures/screen.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

const row = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title });

/** Mails about deposits that have come so far; a code asked for now comes after whatever was sent before it. */
async function depositMails(company: Company): Promise<string[]> {
  await send(sendUserCode, { token: company.token, body: { scenario: 'update_psd' } });
  await company.inbox.code();
  const mails = await desk.mails(company.email);
  return mails.map(({ subject }) => subject).filter((subject) => subject.startsWith('Deposit of'));
}

test.describe.configure({ timeout: 180_000 });

test('notices: read, found, deleted one by one and all read, with confirmation', async ({ browser }) => {
  const company = await openCompany();
  await fund(company, { USDT: '100', USDC: '50' });
  const page = await pageOf(browser, company);
  await page.goto('/app/notice-center');
  const usdt = row(page, 'Deposit of 100.00 USDT credited');
  await expect(usdt).toBeVisible();
  await expect(row(page, 'Deposit of 50.00 USDC credited')).toBeVisible();
  await page.getByPlaceholder('Search notices').fill('100.00 usdt credited');
  await expect(page.getByRole('listitem').filter({ hasText: 'Deposit of' })).toHaveCount(1);
  await usdt.getByRole('button', { name: /^Mark as read/ }).click();
  await expect(usdt.getByRole('button', { name: /^Mark as read/ })).toBeHidden();
  await page.getByPlaceholder('Search notices').fill('');
  await expect(row(page, 'Deposit of 50.00 USDC credited')).toBeVisible();
  await page.getByRole('combobox', { name: 'Read or unread', exact: true }).selectOption('Read');
  await expect(row(page, 'Deposit of 50.00 USDC credited')).toBeHidden();
  await expect(usdt).toBeVisible();
  // What was read is not among these rows: the button asks for all there are.
  await page.getByRole('combobox', { name: 'Read or unread', exact: true }).selectOption('Unread');
  await expect(usdt).toBeHidden();
  await expect(page.getByRole('button', { name: 'Delete all read' })).toBeEnabled();
  await page.getByRole('combobox', { name: 'Read or unread', exact: true }).selectOption('Any');
  // Lines that come and go beneath the mouse take the click with them.
  await expect(row(page, 'Deposit of 50.00 USDC credited')).toBeVisible();

  await usdt.getByRole('button', { name: /^Delete: / }).click();
  const question = page.getByRole('dialog', { name: 'Delete this notice?' });
  await expect(question).toContainText('Deposit of 100.00 USDT credited');
  await settled(page);
  await expectAccessible(page, 'the question before a notice is deleted');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(usdt).toBeVisible();
  await usdt.getByRole('button', { name: /^Delete: / }).click();
  await question.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(toastOf(page, 'Notice deleted')).toBeVisible();
  await expect(usdt).toBeHidden();

  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(page.getByText('No unread notices')).toBeVisible();
  await page.getByRole('button', { name: 'Delete all read' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete all read' }).click();
  await expect(page.getByText('No notices yet')).toBeVisible();
  await page.reload();
  await expect(page.getByText('No notices yet')).toBeVisible();
  await page.context().close();
});

test('mails stop for a group that is switched off, notices do not; the badge counts as they arrive', {
  tag: '@proof',
}, async ({ browser }) => {
  const company = await openCompany();
  const page = await pageOf(browser, company);
  await page.goto('/app/notice-center');
  await fund(company, { USDT: '100' });
  await company.inbox.next(({ subject }) => subject === 'Deposit of 100.00 USDT credited');
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(page.getByRole('link', { name: /^Notices, (0|no) unread$|^Notices$/ })).toBeVisible();

  await page.getByRole('tab', { name: 'Alerts and mails' }).click();
  await expect(page).toHaveURL(/tab=mail/);
  await expect(page.getByText(company.email)).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Email: Security of your account' })).toBeDisabled();
  await page.getByRole('checkbox', { name: /^Low balance/ }).check();
  await page
    .getByRole('button', { name: /^Set USDT/ })
    .first()
    .click();
  await page.getByLabel('Alert below').fill('250');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Below 250.00 USDT')).toBeVisible();
  await company.inbox.next(({ subject }) => subject === 'USDT wallet (Ethereum) below 250.00 USDT');
  await settled(page);
  await expectAccessible(page, 'the choice of alerts and mails');
  await page.getByRole('checkbox', { name: 'Email: Money' }).uncheck();
  await expect(toastOf(page, 'Your choice was saved')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('checkbox', { name: 'Email: Money' })).not.toBeChecked();
  await fund(company, { USDC: '70' });
  await expect(page.getByRole('link', { name: /^Notices, [1-9]\d* unread$/ })).toBeVisible();
  await page.getByRole('tab', { name: 'Notices' }).click();
  await expect(row(page, 'Deposit of 70.00 USDC credited')).toBeVisible();
  expect(await depositMails(company)).toEqual(['Deposit of 100.00 USDT credited']);
  await page.context().close();
});
