import { listTransactions } from '@causeway/contract/transactions.ts';
import { send } from '../fixtures/console-api.ts';
import { option, search } from '../fixtures/palette.ts';
import { expectAccessible, heading, openByKey, settled } from '../fixtures/screen.ts';
import { expect, signedInTest as test } from '../fixtures/test.ts';

test('the command palette leads to pages, payees and transactions', async ({ page, company }) => {
  const { token } = company;
  const { items } = await send(listTransactions, { token, query: { coin: 'USDT' } });
  const [deposit] = items;
  if (deposit?.hash == null) throw new Error('the company has no deposit');
  await page.goto('/app/home');
  await expect(heading(page, 'Home')).toBeVisible();
  await settled(page);

  await search(page, 'recharge');
  await expect(option(page, 'Pages', /^Recharge/)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/app/wallet/recharge');

  await search(page, 'pearl riv');
  await expect(option(page, 'Payee', /^Pearl River Supplies/)).toContainText('USDT · Ethereum · 0x');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Pearl River Supplies' })).toBeVisible();
  await expect(page).toHaveURL(/\/app\/payee\/[0-9a-f-]{36}$/);
  await page.keyboard.press('Escape');

  // Two characters are a word in Chinese.
  await search(page, '九龍');
  await option(page, 'Payee', /^九龍貿易有限公司/).click();
  await expect(page.getByRole('dialog', { name: '九龍貿易有限公司' })).toBeVisible();
  await page.keyboard.press('Escape');

  await search(page, deposit.hash.slice(20, 30));
  await expect(option(page, 'Transaction', /^On-chain deposit/)).toContainText('25,000.00 USDT · Completed');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/app/transaction/${deposit.id}`);
  // The address changes before the panel is there to take the key.
  await expect(page.getByRole('dialog', { name: 'On-chain deposit' })).toBeVisible();
  await page.keyboard.press('Escape');

  await search(page, 'nothing of this kind');
  await expect(page.getByRole('dialog').getByText('No results for “nothing of this kind”')).toBeVisible();
});

test('the field in the header finds a transaction by its amount, and members; a part that fails says so', async ({
  page,
  company,
}) => {
  const { items } = await send(listTransactions, { token: company.token, query: { coin: 'USDC' } });
  await page.goto('/app/home');
  await expect(heading(page, 'Home')).toBeVisible();
  const field = page.getByRole('banner').getByRole('button', { name: /^Search/ });
  await expect(field).toContainText('Ctrl K');
  await field.click();
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await expect(palette.getByRole('combobox')).toBeFocused();

  // As the list shows it.
  await page.keyboard.type('12,500.50 USDC');
  await expect(option(page, 'Transaction', /^On-chain deposit/)).toHaveCount(1);
  await expect(option(page, 'Transaction', /^On-chain deposit/)).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page, 'the palette with results');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/app/transaction/${items[0]?.id}`);
  await expect(page.getByRole('dialog', { name: 'On-chain deposit' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/app/transaction');

  await page.route('**/web/crypto/payee/**', (route) => route.abort());
  await search(page, company.email);
  await expect(option(page, 'Members', new RegExp(company.email))).toBeVisible();
  await expect(palette.getByRole('status')).toContainText('Could not be searched: Payee');
  await page.unroute('**/web/crypto/payee/**');
  await palette.getByRole('button', { name: 'Try again' }).click();
  await expect(palette.getByRole('status')).toBeEmpty();
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();

  // A page without a search of its own.
  await page.goto('/app/home');
  await settled(page);
  await openByKey(page, '/', palette);
});

test('the arrow keys keep what they choose in sight', { tag: '@proof' }, async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 420 });
  await page.goto('/app/home');
  await settled(page);
  await search(page, '');
  const chosen = page.getByRole('dialog').locator('[role="option"][aria-selected="true"]');
  await expect(chosen).toHaveCount(1);
  const count = await page.getByRole('dialog').getByRole('option').count();
  for (let step = 1; step < count; step += 1) await page.keyboard.press('ArrowDown');
  await expect(chosen).toHaveText((await page.getByRole('dialog').getByRole('option').last().textContent()) ?? '');
  await expect(chosen).toBeInViewport({ ratio: 1 });
});
