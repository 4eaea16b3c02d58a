import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { getUser } from '@causeway/contract/identity.ts';
import { listReserveProofs } from '@causeway/contract/statements.ts';
import type { Page } from '@playwright/test';
import { type Company, fund, openCompany, savePayee } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { moveInTime } from '../fixtures/nights.ts';
import { administratorPage } from '../fixtures/operator-console.ts';
import { settled } from '../fixtures/screen.ts';
import { stuckPayment } from '../fixtures/stuck-payment.ts';
import { expect, test } from '../fixtures/test.ts';
import { transferByCall } from '../fixtures/transfer.ts';

const directory = join(import.meta.dirname, '../../docs/screenshots');
/** As the pictures of a company's console: taken again only when asked for. */
const wanted = process.env['SCREENSHOTS'] === '1';

test.describe.configure({ timeout: 300_000 });

let company: Company;
let stuckId: string;
let ada: Page;
let bo: Page;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  const other = await openCompany({ name: 'Kowloon Freight' });
  company = await openCompany({ name: 'Harbour Lane Trading' });
  await fund(company, { USDT: '48250', USDC: '12500.5', HKDT: '86000', ETH: '3.25' });
  const payee = await savePayee(other, { label: 'Pearl River Supplies' });
  await fund(other, { USDT: '9000' });
  await transferByCall(other, { coin: 'USDT', payeeId: payee.id, amount: '1250.5', notes: 'Invoice 2026-118' });
  stuckId = await stuckPayment(company);
  ada = await administratorPage(browser, 'Ada Wong');
  bo = await administratorPage(browser, 'Bo Leung');
  if (wanted) mkdirSync(directory, { recursive: true });
});

async function take(page: Page, name: string): Promise<void> {
  await settled(page);
  if (!wanted) return;
  await page.screenshot({ path: join(directory, `operator-${name}.png`), animations: 'disabled', caret: 'hide' });
}

test('the README’s pictures of the operator: queue, company, transaction, an exception by two people', async () => {
  await ada.goto('/app/exceptions');
  await ada.getByRole('main').getByRole('link').filter({ hasText: company.name }).first().click();
  const panel = ada.getByRole('dialog', { name: 'Exception' });
  const release = panel.getByRole('listitem').filter({ hasText: 'Release the hold' });
  await release.getByRole('button', { name: 'Propose' }).click();
  const dialog = ada.getByRole('dialog', { name: 'Release the hold' });
  await dialog.getByLabel('Reason').fill('The court order stands; the company asked for its money back');
  await dialog.getByRole('button', { name: 'Submit for confirmation' }).click();
  await release.getByRole('link', { name: 'Waits for confirmation' }).click();
  await expect(ada.getByText('You proposed this.')).toBeVisible();

  await bo.goto('/app/home');
  await expect(bo.getByRole('table').getByRole('row').filter({ hasText: company.name }).first()).toBeVisible({
    timeout: 90_000,
  });
  await take(bo, 'queue');
  await bo.goto('/app/exceptions');
  await bo.getByRole('list', { name: 'Proposed and under way' }).getByRole('link').first().click();
  await expect(bo.getByRole('dialog').getByRole('button', { name: 'Confirm' })).toBeVisible();
  await take(bo, 'exception');
  await bo.goto('/app/companies');
  await bo.getByRole('main').getByRole('link', { name: company.name }).first().click();
  await expect(bo.getByRole('heading', { name: company.name })).toBeVisible();
  await take(bo, 'company');
  await bo.goto(`/app/payments/${stuckId}`);
  await expect(bo.getByRole('main').getByText(company.name).first()).toBeVisible();
  await take(bo, 'transaction');
});

test('the README’s picture of the operator’s solvency', async () => {
  const { companyId } = await send(getUser, { token: company.token });
  await moveInTime(companyId, -2);
  const reports = async () => (await send(listReserveProofs, { token: company.token, query: {} })).total;
  await expect.poll(reports, { message: 'the report is signed', intervals: [1000], timeout: 150_000 }).toBe(1);
  await bo.goto('/app/solvency');
  await expect(bo.getByRole('row', { name: /USDT/ })).toBeVisible();
  await take(bo, 'solvency');
  await moveInTime(companyId, 2);
});
