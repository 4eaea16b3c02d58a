import { openCompany } from '../fixtures/company.ts';
import { choose, chooseByKey, expectAccessible, find, settled, toastOf } from '../fixtures/screen.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

test.describe.configure({ timeout: 240_000 });

test('bank payees are added, corrected by keyboard, changed and deleted', async ({ browser }) => {
  const company = await openCompany();
  const page = await pageOf(browser, company);
  await page.goto('/app/payee?tab=bank');
  await expect(page.getByText('No bank payees yet')).toBeVisible();
  await page.getByRole('link', { name: 'Add bank payee' }).first().click();
  await expect(page).toHaveURL(/\/app\/payee\/bank\/add/);

  // Hong Kong, by bank and account.
  await page.getByLabel('Account label').fill('Harbour rent');
  await page.getByLabel('Name of the enterprise').fill('Harbour Supplies Limited');
  await find(page.getByLabel('Country of the account'), 'Hong Kong', 'Hong Kong');
  await choose(page, 'Currency', 'HKD · Hong Kong Dollar');
  await page.getByLabel('Bank code').fill('004');
  await page.getByRole('textbox', { name: 'Account number, with its branch code' }).fill('808-123456-838');
  await expect(page.getByText('Bank: The Hongkong and Shanghai Banking Corporation')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'form of a bank payee');
  await page.getByRole('button', { name: 'Save payee' }).click();
  await expect(toastOf(page, 'Added successfully')).toBeVisible();
  const panel = page.getByRole('dialog', { name: 'Harbour rent' });
  await expect(panel.getByText('PC-000001')).toBeVisible();
  await expect(panel.getByText('Not possible: no bank answers for this account', { exact: false })).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'panel of a bank payee');

  // Great Britain by keyboard alone, with an error that is mended.
  await page.goto('/app/payee/bank/add');
  await page.getByLabel('Account label').focus();
  await page.keyboard.type('London agent');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Thames Agency Ltd');
  await page.keyboard.press('Tab');
  await page.keyboard.type('United Kingdom');
  await expect(page.getByRole('option', { name: 'United Kingdom' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Country of the account')).toHaveValue('United Kingdom');
  await page.getByLabel('Currency').focus();
  await chooseByKey(page, 'GBP');
  await expect(page.getByLabel('Sort code')).toBeVisible();
  await page.getByLabel('Sort code').focus();
  await page.keyboard.type('20-00');
  await page.keyboard.press('Tab');
  await page.keyboard.type('55779911');
  await page.keyboard.press('Enter');
  await expect(page.getByText('A sort code has 6 digits.')).toBeVisible();
  // The first wrong field has the focus.
  await expect(page.getByLabel('Sort code')).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.type('-00');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'London agent' }).getByText('Barclays')).toBeVisible();

  // Another account: marked, old beside new, and a notice.
  await page.goto('/app/payee?tab=bank');
  await page.getByRole('link', { name: 'Harbour rent' }).click();
  await panel.getByRole('link', { name: 'Change account' }).click();
  await page.getByRole('textbox', { name: 'Account number, with its branch code' }).fill('808999888777');
  await page.getByRole('button', { name: 'Save new account' }).click();
  await expect(toastOf(page, 'Account changed. Administrators have been notified.')).toBeVisible();
  await expect(panel.getByText('The account was changed.', { exact: false })).toBeVisible();
  await expect(panel.getByText('808123456838').first()).toBeVisible();
  await expect(panel.getByText('808999888777').first()).toBeVisible();
  await page.goto('/app/notice-center');
  await expect(page.getByRole('link', { name: 'Bank account of a payee changed: Harbour rent' })).toBeVisible();
  await page.goto('/app/payee?tab=bank&mark=changed');
  await expect(page.getByRole('link', { name: 'Harbour rent' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'London agent' })).toHaveCount(0);

  // On a phone nothing is wider than the screen; deleting asks first.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('link', { name: 'Harbour rent' }).click();
  await settled(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await panel.getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: 'Delete this payee?' });
  await expect(question.getByText('Harbour Supplies Limited')).toBeVisible();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(toastOf(page, 'Deleted successfully')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Harbour rent' })).toHaveCount(0);
});
