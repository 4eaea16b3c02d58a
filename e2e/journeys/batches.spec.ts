import type { Page } from '@playwright/test';
import { fund, openCompany, savePayee } from '../fixtures/company.ts';
import { choose, expectAccessible, expectNoSideways, settled, toastOf } from '../fixtures/screen.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

test.describe.configure({ timeout: 240_000 });

/** A cell of the grid by the number of its row and its column. */
function cell(page: Page, row: number, column: string) {
  return page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: String(row), exact: true }) })
    .locator(`[data-field="${column}"]`);
}

test('a file with errors is read, mended by keyboard, and its new payee saved', async ({ browser }) => {
  const company = await openCompany({ name: 'Quarry Bay Logistics Limited' });
  await fund(company, { USDT: '500' });
  await savePayee(company, { label: 'Pearl River Supplies' });
  const page = await pageOf(browser, company);
  await page.goto('/app/storm');
  await expect(page.getByText('No batches yet')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'batches, empty');

  // A spreadsheet is refused with what to do, and the page stays.
  await page.getByLabel(/Drop a file here/).setInputFiles({
    name: 'pay.xlsx',
    mimeType: 'application/vnd.ms-excel',
    buffer: Buffer.from('PK\x03\x04[Content_Types].xml'),
  });
  await expect(page.getByText(/This is a spreadsheet\. In Excel, choose/)).toBeVisible();

  const content = [
    'Whom,Where to,What,How much,Invoice',
    'Pearl River Suplies,,USDT,120.50,A-1',
    'Pearl River Supplies,,USDT,"1,5",A-2',
    'Pearl River Supplies,,USDT,30,A-3',
    'Pearl River Supplies,,USDT,30,A-3',
    'New Harbour Ltd,0x52908400098527886E0F7030069857D2E4169EE7,USDT,12,A-4',
  ].join('\n');
  await page
    .getByLabel(/Drop a file here/)
    .setInputFiles({ name: 'november.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  await expect(page.getByRole('heading', { name: 'Match the columns' })).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'columns to match');
  for (const [column, field] of [
    ['Whom', 'Payee'],
    ['Where to', 'Account or address'],
    ['What', 'Currency or coin'],
    ['How much', 'Amount'],
  ] as const) {
    await choose(page, column, new RegExp(`^${field}$`));
  }
  await page.getByRole('button', { name: 'Read the rows' }).click();

  await expect(page.getByText('2 rows have errors.')).toBeVisible();
  await expect(cell(page, 1, 'payee')).toContainText('No saved payee is called “Pearl River Suplies”.');
  await expect(cell(page, 5, 'account')).toContainText('is not a saved payee yet');
  await settled(page);
  await expectAccessible(page, 'a batch with errors');

  // By keyboard: to the first cell, Enter, the right name, Enter.
  await cell(page, 1, 'payee').focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Payee 1').fill('Pearl River Supplies');
  await page.keyboard.press('Enter');
  await expect(cell(page, 1, 'payee')).not.toContainText('No saved payee');
  await expect(page.getByText('1 row has an error.')).toBeVisible();

  await page.getByRole('button', { name: 'Save new payees' }).click();
  await expect(page.getByText('1 row has an error.')).toBeHidden();
  await expect(cell(page, 5, 'payee')).toContainText('Open payee');
  await expect(page.getByText('2 rows have warnings.')).toBeVisible();
  await page.getByRole('button', { name: 'Accept all' }).click();
  await expect(page.getByText('2 rows have warnings.')).toBeHidden();
  await settled(page);
  await expectAccessible(page, 'a batch without errors');

  // The next file with these columns is matched alike; it is discarded.
  await page.goto('/app/storm');
  await page
    .getByLabel(/Drop a file here/)
    .setInputFiles({ name: 'december.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  await expect(page.getByRole('grid')).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await expect(toastOf(page, 'december was discarded')).toBeVisible();
  await expect(
    page.getByRole('region', { name: 'Batch payments' }).getByRole('row', { name: /november/ }),
  ).toContainText('Draft');
});

test('a column that is not known is chosen first, and rows are checked again once their payee is saved', async ({
  browser,
}) => {
  const company = await openCompany({ name: 'Tai Tam Trading Limited' });
  const page = await pageOf(browser, company);
  await page.goto('/app/storm');
  const content = 'Payee,Coin,Amount,Floor,Desk\nPerl River,USDT,12,,\nPerl River,USDT,13,3,\n';
  await page
    .getByLabel(/Drop a file here/)
    .setInputFiles({ name: 'floors.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  await expect(page.getByText('1 column is still to be chosen')).toBeVisible();
  const read = page.getByRole('button', { name: 'Read the rows' });
  await expect(read).toBeDisabled();
  // A field that another column had leaves that one to be chosen again.
  await choose(page, 'Floor', /^Amount$/);
  await expect(page.getByText('1 column is still to be chosen')).toBeVisible();
  await choose(page, 'Amount', /^Amount$/);
  await choose(page, 'Floor', /^Not used$/);
  await read.click();
  await expect(page.getByText('2 rows have errors.')).toBeVisible();
  await expect(cell(page, 1, 'payee')).toContainText('No saved payee is called “Perl River”.');

  await savePayee(company, { label: 'Perl River' });
  const again = page.getByRole('button', { name: 'Check the rows again' });
  await again.focus();
  await page.keyboard.press('Enter');
  await expect(toastOf(page, 'The rows were checked again with the payees and wallets of now.')).toBeVisible();
  await expect(page.getByText('2 rows have errors.')).toBeHidden();
  await expect(cell(page, 1, 'payee')).toContainText('Open payee');
});

test('rows are typed and pasted, on a phone too', async ({ browser }) => {
  const company = await openCompany({ name: 'Shek O Foods Limited' });
  await savePayee(company, { label: 'Pearl River Supplies' });
  const page = await pageOf(browser, company, { viewport: { width: 390, height: 844 } });
  await page.goto('/app/storm');
  await page.getByRole('button', { name: 'Type rows' }).click();
  await expect(page.getByText('No rows yet')).toBeVisible();
  await page.getByRole('button', { name: 'Paste rows' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByLabel('Cells')
    .fill('Payee\tAmount\tCurrency or coin\nPearl River Supplies\t12\tUSDT\nPearl River Supplies\t13\tUSDT');
  await expect(dialog.getByText('2 rows: Payee, Currency or coin, Amount')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'pasting rows');
  await dialog.getByRole('button', { name: 'Add 2 rows' }).click();
  await expect(cell(page, 2, 'amount')).toContainText('13');
  await page.getByRole('button', { name: 'Add row' }).click();
  await expect(cell(page, 3, 'amount')).toContainText('Amount is missing.');
  await page.getByRole('button', { name: 'Take it out' }).click();
  await expect(page.getByText('1 row has an error.')).toBeHidden();
  await settled(page);
  await expectNoSideways(page, 'a batch on a phone');
});
