import { payIn, saveHongKongPayee } from '../../fixtures/bank-payment.ts';
import { openCompany } from '../../fixtures/company.ts';
import { tabTo } from '../../fixtures/screen.ts';
import { expect, pageOf, test } from '../../fixtures/test.ts';

test.describe.configure({ timeout: 240_000 });

test('it is paid by keyboard alone', async ({ browser }) => {
  const company = await openCompany({ name: 'Pearl River Trading Limited' });
  const { id } = await saveHongKongPayee(company, 'Harbour rent', 'Harbour Supplies Limited');
  await payIn(company, 'HKD', '5000');
  const page = await pageOf(browser, company);
  await page.goto(`/app/payment?payee=${id}`);
  await expect(page.getByText('Harbour Supplies Limited').first()).toBeVisible();
  await tabTo(page.getByRole('button', { name: 'Next: amount' }));
  await page.keyboard.press('Enter');
  await tabTo(page.getByRole('textbox', { name: 'Amount' }));
  await page.keyboard.type('25.75');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Check before the money leaves' })).toBeFocused();
  await tabTo(page.getByRole('button', { name: 'Send code' }));
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-toast]', { hasText: 'Code sent to' })).toBeVisible();
  await tabTo(page.getByLabel('Verification code'), 'Shift+Tab');
  await page.keyboard.type(await company.inbox.code());
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /^Payment (submitted|completed)$/ })).toBeVisible();
  await page.context().close();
});
