import type { Browser, Page } from '@playwright/test';
import { freshEmail, freshName, fund, openCompany, savePayee } from '../fixtures/company.ts';
import { operator } from '../fixtures/operator.ts';
import { activate, enterOperator, type Operator, operatorPage } from '../fixtures/operator-console.ts';
import { expectAccessible, find, heading, settled, toastOf } from '../fixtures/screen.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';
import { fillTransfer } from '../fixtures/transfer.ts';

test.describe.configure({ timeout: 180_000 });

/** An administrator at the operator's console, signed in. */
async function administrator(browser: Browser, name: string): Promise<{ page: Page; who: Operator }> {
  const email = freshEmail();
  const words = ['staff', 'add', '--name', name, '--email', email, '--role', 'administrator', '--json'];
  const { link } = JSON.parse(await operator(...words)) as { link: string };
  const page = await operatorPage(browser);
  const who = await activate(page, link, email);
  await enterOperator(page, who);
  return { page, who };
}

/** Confirms the proposal that a colleague's page shows. */
async function confirmAt(url: string, { page, who }: { page: Page; who: Operator }, what: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm this proposal' });
  await dialog.getByLabel('Code from your authenticator').fill(who.authenticator.code(1));
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(toastOf(page, 'Confirmed'), what).toBeVisible();
}

test('prices, switches and announcements: two operators set a fee, one switches a coin off, and companies see all of it', async ({
  browser,
}) => {
  test.slow();
  const name = freshName('Tai Wo Trading');
  const company = await openCompany({ name });
  const [, , ada, bo] = await Promise.all([
    savePayee(company, { label: 'Pearl River Supplies' }),
    fund(company, { USDT: '100' }),
    administrator(browser, 'Ada Prices'),
    administrator(browser, 'Bo Prices'),
  ]);

  // Ada proposes a fee for one company, with what it would have earned; the company pays the old one until Bo confirms.
  await ada.page.goto('/app/prices');
  await settled(ada.page);
  await expectAccessible(ada.page, 'prices');
  await find(ada.page.getByLabel('For'), name.slice(0, 12), name);
  await expect(ada.page).toHaveURL(/companyId=/);
  await ada.page.getByRole('button', { name: 'Change: Withdrawal fee, USDT · Ethereum' }).click();
  const dialog = ada.page.getByRole('dialog', { name: 'Change: Withdrawal fee, USDT · Ethereum' });
  await dialog.getByRole('textbox', { name: 'Withdrawal fee' }).fill('2.75');
  await expect(dialog.getByText('Completed withdrawals of the last 90 days')).toBeVisible();
  await dialog.getByLabel('Reason').fill('Agreed with the company');
  await expectAccessible(ada.page, 'change of a price');
  await dialog.getByRole('button', { name: 'Submit for confirmation' }).click();
  await expect(ada.page).toHaveURL(/\/app\/confirmations\/[0-9a-f-]{36}/);
  await expect(ada.page.getByRole('row', { name: /Withdrawal fee.*1\.00 USDT.*2\.75 USDT/ })).toBeVisible();
  const page = await pageOf(browser, company);
  await page.goto('/app/transfer-out');
  await fillTransfer(page, { coin: 'USDT', payee: 'Pearl River Supplies', amount: '10' });
  const summary = page.locator('dl').filter({ hasText: 'Available afterwards' });
  await expect(summary).toContainText('11.00');
  await confirmAt(ada.page.url(), bo, 'the fee');
  await page.reload();
  await expect(summary).toContainText('12.75');
  // A fee that rises is a notice, too.
  await page.goto('/app/notice-center');
  await expect(page.getByText('The withdrawal fee of USDT on Ethereum rises to 2.75 USDT').first()).toBeVisible({
    timeout: 30_000,
  });

  // Off at once by one; on again by two.
  await bo.page.goto('/app/assets');
  await settled(bo.page);
  await expectAccessible(bo.page, 'chains and coins');
  await bo.page.getByRole('button', { name: 'Switch off: Deposits, USDC · Ethereum' }).click();
  const off = bo.page.getByRole('dialog', { name: 'Switch off: Deposits, USDC · Ethereum' });
  await off.getByLabel('Reason').fill('The issuer migrates its contract');
  await off.getByRole('button', { name: 'Switch off' }).click();
  await expect(toastOf(bo.page, 'Switched off: Deposits, USDC · Ethereum')).toBeVisible();
  await page.goto('/app/wallet/recharge?coin=USDC&chain=ethereum');
  await expect(page.getByText('Deposits are paused for now')).toBeVisible();
  await expect(page.locator('[data-address]')).toBeHidden();
  await bo.page.getByRole('button', { name: 'Switch on: Deposits, USDC · Ethereum' }).click();
  const on = bo.page.getByRole('dialog', { name: 'Switch on: Deposits, USDC · Ethereum' });
  await on.getByLabel('Reason').fill('The migration is over');
  await on.getByRole('button', { name: 'Submit for confirmation' }).click();
  await expect(bo.page).toHaveURL(/\/app\/confirmations\/[0-9a-f-]{36}/);
  await confirmAt(bo.page.url(), ada, 'deposits');
  await page.reload();
  await expect(page.locator('[data-address]')).toBeVisible();

  // One announcement is planned and cancelled, one goes out to the company.
  await announce(ada.page, 'Maintenance on Sunday', async () => {
    await ada.page.getByLabel('At a set time').check();
    await ada.page.getByLabel('Date and time').fill('2099-01-01T09:00');
    await expectAccessible(ada.page, 'announcement');
    await ada.page.getByRole('button', { name: 'Plan' }).click();
  });
  const panel = ada.page.getByRole('dialog', { name: 'Maintenance on Sunday' });
  await expect(panel.getByText('Planned', { exact: true })).toBeVisible();
  await panel.getByRole('button', { name: 'Cancel announcement' }).click();
  const cancelling = ada.page.getByRole('dialog', { name: 'Cancel this announcement?' });
  await cancelling.getByRole('button', { name: 'Cancel announcement' }).click();
  await expect(panel.getByText('Cancelled', { exact: true })).toBeVisible();
  const title = `Welcome, ${name}`;
  await announce(ada.page, title, async () => {
    await ada.page.getByLabel('One company').check();
    await find(ada.page.getByRole('combobox', { name: 'One company' }), name.slice(0, 12), name);
    await ada.page.getByRole('button', { name: 'Send now' }).click();
    const sending = ada.page.getByRole('dialog', { name: 'Send this announcement now?' });
    await sending.getByRole('button', { name: 'Send now' }).click();
  });
  await expect(ada.page.getByRole('dialog', { name: title }).getByText('Sent', { exact: true })).toBeVisible({
    timeout: 30_000,
  });
  await page.goto('/app/notice-center');
  await expect(page.getByText(title).first()).toBeVisible();
  await Promise.all([ada.page, bo.page, page].map((one) => one.context().close()));
});

/** Writes an announcement in three languages; `send` chooses when and to whom. */
async function announce(page: Page, title: string, send: () => Promise<void>): Promise<void> {
  await page.goto('/app/announcements');
  await page.getByRole('link', { name: 'Write an announcement' }).first().click();
  await expect(heading(page, 'Write an announcement')).toBeVisible();
  for (const language of ['English', '繁體中文', '简体中文']) {
    const group = page.getByRole('group', { name: language });
    await group.getByLabel('Title').fill(title);
    await group.getByLabel('Text').fill('First paragraph.\n\nSecond paragraph.');
  }
  await send();
}
