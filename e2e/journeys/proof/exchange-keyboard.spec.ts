import type { Page } from '@playwright/test';
import { payIn, saveHongKongPayee } from '../../fixtures/bank-payment.ts';
import { type Company, fund, openCompany } from '../../fixtures/company.ts';
import { chooseByKey, tabTo } from '../../fixtures/screen.ts';
import { expect, pageOf, test } from '../../fixtures/test.ts';

test.describe.configure({ timeout: 180_000 });

/** Asks for the code by mail and types it, with the keyboard alone. */
async function prove(page: Page, company: Company): Promise<void> {
  await tabTo(page.getByRole('button', { name: 'Send code' }));
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-toast]', { hasText: 'Code sent to' })).toBeVisible();
  await tabTo(page.getByLabel('Verification code'), 'Shift+Tab');
  await page.keyboard.type(await company.inbox.code());
}

test('coins are exchanged by keyboard alone', async ({ browser }) => {
  const company = await openCompany({ name: 'Kowloon Bay Trading Limited' });
  await fund(company, { USDT: '5000' });
  const page = await pageOf(browser, company);
  await page.goto('/app/wallet/exchange');
  await tabTo(page.getByRole('combobox', { name: 'From wallet' }));
  await chooseByKey(page, 'USDT');
  await tabTo(page.getByLabel('You sell', { exact: true }));
  await page.keyboard.type('1000');
  await tabTo(page.getByRole('combobox', { name: 'To wallet' }));
  await chooseByKey(page, 'JPY');
  await expect(page.getByText(/^This quote holds for/)).toBeVisible();
  await prove(page, company);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Exchange at this quote?')).toBeVisible();
  await tabTo(dialog.getByRole('button', { name: /^Exchange 1,000/ }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Exchanged' })).toBeVisible();
  await page.context().close();
});

test('a payment out of coins is made by keyboard alone', async ({ browser }) => {
  const company = await openCompany({ name: 'Pearl River Trading Limited' });
  const { id } = await saveHongKongPayee(company, 'Harbour rent', 'Harbour Supplies Limited');
  await fund(company, { USDT: '5000' });
  await payIn(company, 'HKD', '500');
  const page = await pageOf(browser, company);
  await page.goto(`/app/payment?payee=${id}`);
  await expect(page.getByText('Harbour Supplies Limited').first()).toBeVisible();
  await tabTo(page.getByRole('button', { name: 'Next: amount' }));
  await page.keyboard.press('Enter');
  await tabTo(page.getByRole('combobox', { name: 'Pay from' }));
  await chooseByKey(page, 'USDT');
  await tabTo(page.getByRole('textbox', { name: 'Amount' }));
  await page.keyboard.type('1000');
  await expect(page.getByText(/^This quote holds for/)).toBeVisible();
  await tabTo(page.getByRole('button', { name: 'Next: check' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Check before the money leaves' })).toBeFocused();
  await prove(page, company);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /^Payment (submitted|completed)$/ })).toBeVisible();
  await page.context().close();
});
