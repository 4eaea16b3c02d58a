import { readFile } from 'node:fs/promises';
import { getCompanySettings, setCompanySettings } from '@causeway/contract/organisation.ts';
import type { Page } from '@playwright/test';
import { expectFunds, fund, openCompany, savePayee, walletOf } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { expectAccessible, heading } from '../fixtures/screen.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';
import { transferByCall } from '../fixtures/transfer.ts';

test.describe.configure({ timeout: 180_000 });

test('a wallet’s statement is chosen by period, read in the base currency, and saved', async ({ browser }) => {
  const company = await openCompany();
  const { token } = company;
  const { timeZone, codeRecipient } = await send(getCompanySettings, { token });
  await send(setCompanySettings, { token, body: { timeZone, codeRecipient, baseCurrency: 'HKD' } });
  await fund(company, { USDT: '1000' });
  const payee = await savePayee(company, { label: 'Kobe Steel Trading' });
  await transferByCall(company, { coin: 'USDT', payeeId: payee.id, amount: '250' });
  await expectFunds(company, { USDT: '749' });
  const page = await pageOf(browser, company);

  await test.step('from the wallet to its statement', async () => {
    const { id } = await walletOf(company, 'USDT');
    await page.goto(`/app/wallet/${id}`);
    // The total of the page behind is in the base currency too.
    await expect(page.getByText(/^[5-6],[0-9]{3}\.\d\dHKD$/).first()).toBeVisible();
    await page.getByRole('link', { name: 'Statement for a period' }).click();
    await expect(heading(page, 'Statements')).toBeVisible();
    const row = page.locator('tbody tr').filter({ hasText: 'Kobe Steel Trading' });
    await expect(row).toContainText('−251.00');
    await expect(row).toContainText(/−1,9\d\d\.\d\d/);
    await expect(page.getByText('including fee 1.00')).toBeVisible();
    await expectAccessible(page, 'a statement');
  });

  await test.step('the month before was empty, and the address keeps the choice', async () => {
    await page.getByRole('button', { name: 'Previous period' }).click();
    await expect(page.getByText('No movements').first()).toBeVisible();
    await expect(page).toHaveURL(/unit=month/);
    await page.reload();
    await expect(page.getByText('No movements').first()).toBeVisible();
    await page.getByRole('button', { name: 'Next period' }).click();
    await expect(page.getByText('Kobe Steel Trading')).toBeVisible();
  });

  await test.step('as a file', async () => {
    const csv = await saved(page, 'Download CSV');
    expect(csv.name).toMatch(/^statement-usdt-ethereum-.*\.csv$/);
    expect(csv.content.toString('utf8')).toMatch(/Kobe Steel Trading.*,-251\.000000,1\.000000,749\.000000,/);
    const pdf = await saved(page, 'Download PDF');
    expect(pdf.content.subarray(0, 5).toString()).toBe('%PDF-');
  });
  await page.context().close();
});

async function saved(page: Page, button: string): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}
