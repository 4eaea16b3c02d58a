import type { Page } from '@playwright/test';
import { decideByCall, makeRule, pendingTask, person, switchReview } from '../fixtures/approval.ts';
import { payIn, saveHongKongPayee, settleAtBank } from '../fixtures/bank-payment.ts';
import { textOf } from '../fixtures/catalogues.ts';
import { type Company, fund, openCompany } from '../fixtures/company.ts';
import { languagesRead } from '../fixtures/languages.ts';
import { choose, expectAccessible, expectNoSideways, find, settled } from '../fixtures/screen.ts';
import { hire } from '../fixtures/staff.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

test.describe.configure({ timeout: 240_000 });

/** Payee, coin wallet and amount, on a form that is open; ends at the last step. */
async function fill(page: Page, amount: string): Promise<void> {
  await find(page.getByLabel('Payee', { exact: true }), 'Harbou', 'Harbour rent');
  await page.getByRole('button', { name: 'Next: amount' }).click();
  await choose(page, 'Pay from', /^USDT · /);
  await page.getByLabel('Amount').fill(amount);
  await expect(page.getByText(/^This quote holds for/)).toBeVisible();
  await page.getByRole('button', { name: 'Next: check' }).click();
}

async function confirm(page: Page, company: Company, button = 'Confirm and pay'): Promise<string> {
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.locator('[data-toast]', { hasText: 'Code sent to' })).toBeVisible();
  await page.getByLabel('Verification code').fill(await company.inbox.code());
  await page.getByRole('button', { name: button }).click();
  await expect(page).toHaveURL(/\/app\/payment\/success\//);
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

test('a payee is paid in dollars out of USDT, and one that the bank refuses comes back in dollars', async ({
  browser,
}) => {
  const company = await openCompany({ name: 'Kowloon Bay Trading Limited' });
  const payee = await saveHongKongPayee(company, 'Harbour rent', 'Harbour Supplies Limited');
  await fund(company, { USDT: '5000' });
  // What the bank pays out was paid in there by others.
  await payIn(await openCompany({ name: 'Yau Tong Foods Limited' }), 'HKD', '20000');
  const page = await pageOf(browser, company);
  await page.goto('/app/payment');
  await fill(page, '90000');
  await expect(page.getByText(/balance/i).first()).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByLabel('Amount').fill('1250.50');
  await page.getByRole('button', { name: 'Next: check' }).click();
  const quote = page.getByRole('region', { name: 'Quote' });
  await expect(quote.getByText('1,250.50').first()).toBeVisible();
  await expect(quote.getByText('Leaves your wallet at most')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'the last step of a payment out of coins');
  const id = await confirm(page, company);
  await settleAtBank(company, id);
  await expect(page.getByRole('heading', { name: 'Payment completed' })).toBeVisible({ timeout: 90_000 });
  await expect(page.getByText(/^1\d\d(\.\d+)? USDT sold for it$/)).toBeVisible();
  await page.getByRole('link', { name: 'View transaction' }).click();
  const panel = page.getByRole('dialog');
  await expect(panel.getByText('Mid-market rate')).toBeVisible();
  await expect(panel.getByText('1,250.50').first()).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'the panel of a payment out of coins');

  await payee.closeAccount();
  await page.goto('/app/payment');
  await fill(page, '1000');
  await confirm(page, company);
  await expect(page.getByRole('heading', { name: 'The payment was not made' })).toBeVisible({ timeout: 90_000 });
  await expect(page.getByText('has been credited to your HKD wallet')).toBeVisible();
  await expect(page.getByText('The payee’s account is closed').first()).toBeVisible();
  await page.goto('/app/wallet');
  await expect(page.getByRole('row', { name: /^HKD Hong Kong/ })).toContainText('1,001.00');
  await page.context().close();
});

test('with review it waits on a phone, and its approver sees both amounts and the most that is sold', {
  tag: '@proof',
}, async ({ browser }) => {
  const company = await openCompany({ name: 'Sheung Wan Imports Limited' });
  await saveHongKongPayee(company, 'Harbour rent', 'Harbour Supplies Limited');
  await fund(company, { USDT: '5000' });
  const approver = await hire(company, { firstName: 'Ivy', lastName: 'Ng', role: 'approver' });
  await makeRule(company, 'Every payment', [[person(approver.id)]]);
  await switchReview(company, true);
  const page = await pageOf(browser, company, { viewport: { width: 390, height: 844 } });
  await page.goto('/app/payment');
  await fill(page, '1000');
  await expectNoSideways(page, 'payment out of coins');
  await confirm(page, company, 'Submit for approval');
  await expect(page.getByText(/will be sold for it, at the rate of the approval/)).toBeVisible();
  const other = await pageOf(browser, approver);
  await other.goto('/app/pending-approval');
  const task = await pendingTask(approver);
  await other.goto(`/app/pending-approval/${task}`);
  const panel = other.getByRole('dialog');
  await expect(panel.getByText('Paid out of coins')).toBeVisible();
  await expect(panel.getByText('Leaves at most')).toBeVisible();
  await settled(other);
  await expectAccessible(other, 'an application for a payment out of coins');
  await decideByCall(approver, [task], 'approved');
  await expect(page.getByText(/USDT sold for it/)).toBeVisible();
});

test('its steps fit a phone and can be read by everybody, in each language', { tag: '@proof' }, async ({ browser }) => {
  const company = await openCompany({ name: 'Kwun Tong Metals Limited' });
  const payee = await saveHongKongPayee(company, 'Harbour rent', 'Harbour Supplies Limited');
  await fund(company, { USDT: '5000' });
  for (const language of languagesRead) {
    const page = await pageOf(browser, company, { language, viewport: { width: 390, height: 844 } });
    const t = (id: string) => textOf(language, id);
    await page.goto(`/app/payment?payee=${payee.id}`);
    await page.getByRole('button', { name: t('payments.to.pay') }).click();
    await choose(page, t('payments.form.wallet'), /^USDT · /);
    await page.getByRole('textbox', { name: t('payments.form.amount') }).fill('1000');
    for (const step of ['pay', 'check'] as const) {
      await expect(page.getByText(t('exchanges.summary.most'))).toBeVisible();
      await settled(page);
      await expectAccessible(page, `payment out of coins, ${step}, ${language}`);
      await expectNoSideways(page, `payment out of coins, ${step}, ${language}`);
      if (step === 'pay') await page.getByRole('button', { name: t('payments.to.check') }).click();
    }
    await page.context().close();
  }
});
