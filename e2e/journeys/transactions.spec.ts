import { readFile } from 'node:fs/promises';
import { downloadReceipt } from '@causeway/contract/transactions.ts';
import type { Page } from '@playwright/test';
import { addresses } from '../addresses.ts';
import { type Company, expectFunds, openCompany, savePayee, speak, walletOf } from '../fixtures/company.ts';
import { desk } from '../fixtures/desk.ts';
import { textOfPdf } from '../fixtures/pdf.ts';
import { hire } from '../fixtures/staff.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';
import { expectStage, transferByCall } from '../fixtures/transfer.ts';

let company: Company;
/** The one transfer, named so that a spreadsheet would take its note for a formula. */
let transferId: string;

test.beforeAll(async () => {
  test.setTimeout(150_000);
  company = await openCompany();
  const { address } = (await walletOf(company, 'USDT')).place;
  for (let nth = 1; nth <= 12; nth += 1) await desk.faucet('USDT', address, `${nth * 10}`);
  await desk.faucet('USDC', address, '5.5');
  await expectFunds(company, { USDT: '780', USDC: '5.5' });
  const payee = await savePayee(company, { label: '=HYPERLINK("x")' });
  transferId = await transferByCall(company, { coin: 'USDT', payeeId: payee.id, amount: '33.25', notes: '+cmd|calc' });
});

function rows(page: Page) {
  return page.locator('main table tbody tr');
}

test('the list is sorted and paged, with a total', async ({ browser }) => {
  const page = await pageOf(browser, company);
  await page.goto('/app/transaction');
  await expect(rows(page)).toHaveCount(14);
  await page.getByLabel('Rows per page').selectOption('10');
  await expect(page.getByText('1–10 of 14')).toBeVisible();
  await expect(page).toHaveURL(/size=10/);
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page.getByText('11–14 of 14')).toBeVisible();
  await expect(rows(page)).toHaveCount(4);
  await page.reload();
  await expect(page.getByText('11–14 of 14')).toBeVisible();
  await page.goBack();
  await expect(page.getByText('1–10 of 14')).toBeVisible();
  await page.getByRole('button', { name: 'Quantity' }).click();
  await expect(page).toHaveURL(/sort=amount/);
  const first = () => rows(page).first().textContent();
  const descending = page.getByRole('columnheader', { name: 'Quantity' });
  await expect(descending).toHaveAttribute('aria-sort', /.+/);
  const order = await descending.getAttribute('aria-sort');
  await expect.poll(first).toContain(order === 'descending' ? '120' : '5.5');
  await page.getByRole('button', { name: 'Quantity' }).click();
  await expect.poll(first).toContain(order === 'descending' ? '5.5' : '120');
  await page.context().close();
});

test('filters stand in the address, and survive reload, detail and the back button', async ({ browser }) => {
  const page = await pageOf(browser, company);
  await page.goto('/app/home');
  await page.goto('/app/transaction');
  await page.getByRole('combobox', { name: 'Type', exact: true }).selectOption('On-chain deposit');
  await expect(rows(page)).toHaveCount(13);
  await page.getByRole('button', { name: 'Advanced filter' }).click();
  await page.getByRole('combobox', { name: 'Coin', exact: true }).selectOption('USDT');
  await page.getByLabel('Amount from').fill('45');
  await page.getByLabel('Amount from').press('Enter');
  await expect(rows(page)).toHaveCount(8);
  await expect(page).toHaveURL(/type=chain_deposit/);
  await expect(page).toHaveURL(/amountMin=45/);
  await page.reload();
  await expect(rows(page)).toHaveCount(8);
  await expect(page.getByLabel('Amount from')).toHaveValue('45');
  await rows(page).first().getByRole('link').first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(rows(page)).toHaveCount(8);
  await page.getByPlaceholder('Id, hash, address, name, note').fill('no such thing');
  await expect(page.getByText('No results for these filters')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows(page)).toHaveCount(14);
  await page.getByPlaceholder('Id, hash, address, name, note').fill(transferId);
  await expect(rows(page)).toHaveCount(1);
  await page.context().close();
});

test('a receipt is a PDF in each of the three languages', async ({ browser }) => {
  const page = await pageOf(browser, company);
  await page.goto(`/app/transaction/${transferId}`);
  await expectStage(page, 'Completed');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download receipt (PDF)' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/\.pdf$/);
  for (const [locale, words] of [
    ['en-us', ['Completed', '33.25', 'On-chain transfer']],
    ['zh-hk', ['33.25', '轉']],
    ['zh-cn', ['33.25', '转']],
  ] as const) {
    const path = downloadReceipt.path.replace('{id}', transferId);
    const headers = { authorization: `Bearer ${company.token}`, 'accept-language': locale };
    const response = await fetch(`${addresses.console}${path}`, { headers });
    expect(response.headers.get('content-disposition')).toContain('attachment');
    const text = await textOfPdf(await response.arrayBuffer());
    for (const word of words) expect(text, `${locale} receipt`).toContain(word);
  }
  await page.context().close();
});

test('the filtered list is downloaded as CSV, and no cell is a formula', async ({ browser }) => {
  const page = await pageOf(browser, company);
  await page.goto('/app/transaction?type=chain_withdraw');
  await expect(rows(page)).toHaveCount(1);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const path = await (await download).path();
  const csv = await readFile(path, 'utf8');
  expect(csv.startsWith('\ufeff')).toBe(true);
  expect(csv.trim().split('\r\n').length).toBe(2);
  expect(csv).toContain('33.25');
  const cells = csv
    .replace('\ufeff', '')
    .split(/[,\r\n]+/)
    .map((cell) => cell.replace(/^"/, ''));
  expect(cells.filter((cell) => /^[=+@\t]|^-\D/.test(cell))).toEqual([]);
  expect(csv).toContain('HYPERLINK');
  await page.context().close();
});

test('who may not export is offered no download, and sees the list all the same', async ({ browser }) => {
  const page = await pageOf(browser, await hire(company, { firstName: 'Vera', role: 'viewer' }));
  await page.goto('/app/transaction?type=chain_withdraw');
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Advanced filter' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Download CSV' })).toHaveCount(0);
  await page.context().close();
});

test('a deposit names its sender and its place on the chain', async ({ browser }) => {
  await speak(company, 'zh-cn');
  const page = await pageOf(browser, company, { language: 'zh-cn' });
  await page.goto('/app/transaction?coin=USDC');
  await rows(page).first().getByRole('link').first().click();
  const panel = page.getByRole('dialog');
  await expect(panel).toContainText('5.5');
  await expect(panel).toContainText(/0x[0-9a-f]{6}/i);
  await expect(panel.getByText('已完成').first()).toBeVisible();
  await page.context().close();
});

test('what happens appears in the open list by itself', async ({ browser }) => {
  await speak(company, 'en-us');
  const page = await pageOf(browser, company);
  await page.goto('/app/transaction?coin=USDC');
  await expect(rows(page)).toHaveCount(1);
  await desk.faucet('USDC', (await walletOf(company, 'USDC')).place.address, '1.25');
  await expect(rows(page)).toHaveCount(2, { timeout: 45_000 });
  await expect(rows(page).first()).toContainText('Completed', { timeout: 45_000 });
  await page.context().close();
});
