import { listTransactions } from '@causeway/contract/transactions.ts';
import { fund, openCompany, savePayee, walletOf } from '../../fixtures/company.ts';
import { send } from '../../fixtures/console-api.ts';
import { demoteDatabase } from '../../fixtures/database.ts';
import { toastOf } from '../../fixtures/screen.ts';
import { expect, pageOf, test } from '../../fixtures/test.ts';
import { fillTransfer, proveByMail, submitted } from '../../fixtures/transfer.ts';

let restore: () => Promise<void> = async () => undefined;
test.afterEach(() => restore());

/** The database fails over while a transfer is sent: 503, nothing lost, and sent once when the service is back. */
test('a transfer that meets an outage keeps what was typed, and goes out once when the service is back', async ({
  browser,
}) => {
  const company = await openCompany();
  await Promise.all([savePayee(company, { label: 'Pearl River Supplies' }), fund(company, { USDT: '100' })]);
  const page = await pageOf(browser, company);
  await page.goto('/app/transfer-out');
  await fillTransfer(page, { coin: 'USDT', payee: 'Pearl River Supplies', amount: '40' });
  await proveByMail(page, company);
  await page.getByRole('button', { name: 'Review transfer' }).click();
  await expect(page.getByRole('button', { name: /^Send 40/ })).toBeVisible();
  restore = await demoteDatabase();
  await page.getByRole('button', { name: /^Send 40/ }).click();
  const banner = page.getByText('The service is temporarily unavailable. What you have entered is kept');
  await expect(banner).toBeVisible();
  await expect(toastOf(page, 'The service is temporarily unavailable. Please try again shortly.')).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('outage.png') });
  await expect(page.getByRole('button', { name: /^Send 40/ })).toBeEnabled();
  await restore();
  await expect(toastOf(page, 'The service is available again.')).toBeVisible();
  await expect(banner).toBeHidden();
  await page.getByRole('button', { name: /^Send 40/ }).click();
  await expect(page.getByRole('heading', { name: submitted })).toBeVisible();
  const { items } = await send(listTransactions, { token: company.token, query: { keyword: 'Pearl River' } });
  expect(items.filter(({ type }) => type === 'chain_withdraw')).toHaveLength(1);
  expect(Number((await walletOf(company, 'USDT')).available)).toBeLessThan(60);
  await page.context().close();
});
