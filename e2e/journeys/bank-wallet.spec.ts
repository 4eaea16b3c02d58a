import { openAtBank } from '../fixtures/bank-wallet.ts';
import { expectFunds, fund, openCompany, walletRows } from '../fixtures/company.ts';
import { languagesRead } from '../fixtures/languages.ts';
import { choose, copied, expectAccessible, expectFits, heading, settled } from '../fixtures/screen.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

test.describe.configure({ timeout: 180_000 });

test('a wallet at a bank is listed and valued, and says how to pay into it', async ({ browser }) => {
  const company = await openCompany();
  await fund(company, { USDT: '1000' });
  await expectFunds(company, { USDT: '1000' });
  const yen = await openAtBank(company, 'JPY', 1_234_567n);
  await openAtBank(company, 'HKD', 8_000_050n);
  const page = await pageOf(browser, company);

  await page.goto('/app/wallet');
  await expect(heading(page, 'Wallet list')).toBeVisible();
  const rows = page.locator('table').last().getByRole('row');
  await expect(rows).toHaveCount(await walletRows(company));
  const yenRow = rows.filter({ hasText: 'Japanese Yen · Pier Bank' });
  await expect(yenRow).toContainText('1,234,567JPY');
  await expect(yenRow).toContainText(yen.accountNumber);
  await expect(rows.filter({ hasText: 'Hong Kong Dollar · Pier Bank' })).toContainText('80,000.50HKD');
  // 1,000 USDT, 80,000.50 HKD at 7.79 and 1,234,567 JPY at 154.3 to the dollar: all of them have a price.
  await expect(page.getByText(/^19,2\d\d\.\d\dUSD$/).first()).toBeVisible();

  await yenRow.getByRole('link').first().click();
  const panel = page.getByRole('dialog', { name: 'JPY at Pier Bank' });
  await expect(panel.getByText('PIERHKHH')).toBeVisible();
  await expect(panel.locator('table')).toContainText('+1,234,567');
  await expect(panel.getByRole('link', { name: 'Recharge' })).toHaveAttribute('href', /coin=JPY&bank=pier-hk/);
  await expect(panel.getByRole('link', { name: 'Transfer out' })).toHaveAttribute(
    'href',
    /transfer-out\/bank\?wallet=/,
  );
  await expect(panel.locator('svg[role="img"]')).toHaveCount(0);
  await panel.getByRole('button', { name: 'Copy Account number' }).click();
  expect(await copied(page, /^\d+$/)).toBe(yen.accountNumber);
  await page.context().close();
});

test('its pages fit and can be read by everybody, in each language', { tag: '@proof' }, async ({ browser }) => {
  const company = await openCompany();
  const yen = await openAtBank(company, 'JPY', 1_234_567n);
  const names = { 'en-us': 'Japanese Yen · Pier Bank', 'zh-hk': '日圓 · 碼頭銀行', 'zh-cn': '日元 · 码头银行' };
  for (const language of languagesRead) {
    const page = await pageOf(browser, company, { language });
    for (const [path, text] of [
      ['/app/wallet', names[language]],
      [`/app/wallet/${yen.id}`, yen.accountNumber],
    ] as const) {
      await page.goto(path);
      await expect(page.getByText(text).last()).toBeVisible();
      await expectFits(page, `${path}, ${language}`);
    }
    await page.context().close();
  }
});

test('a currency leads to the form for a bank account, and a coin back to the one for an address', {
  tag: '@proof',
}, async ({ browser }) => {
  const company = await openCompany();
  await openAtBank(company, 'HKD', 100n);
  const page = await pageOf(browser, company);
  await page.goto('/app/transfer-out');
  await choose(page, 'Wallet', /^HKD(?!T)/);
  await expect(page).toHaveURL(/\/app\/transfer-out\/bank/);
  await expect(page.getByLabel('Pay from')).toContainText('HKD');
  await expect(page.getByText('No bank payee with an account in HKD yet', { exact: false })).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'transfer out to a bank account');
  await choose(page, 'Pay from', /^USDT/);
  await expect(page).toHaveURL(/\/app\/transfer-out(\?|$)/);
  await expect(page.getByLabel('Wallet', { exact: true })).toContainText('USDT');
  await page.context().close();
});
