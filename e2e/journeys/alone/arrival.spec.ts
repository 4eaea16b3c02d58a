import { openCompany, speak, walletOf } from '../../fixtures/company.ts';
import { desk } from '../../fixtures/desk.ts';
import { expect, pageOf, test } from '../../fixtures/test.ts';

test.afterEach(async () => {
  await desk.mining({ auto: true });
});

test('a deposit shows as arriving, counts its confirmations and is credited at depth, all without a reload', async ({
  browser,
}) => {
  const company = await openCompany();
  await speak(company, 'zh-hk');
  const { address } = (await walletOf(company, 'USDT')).place;
  const page = await pageOf(browser, company, { language: 'zh-hk' });
  await page.goto('/app/wallet/recharge?coin=USDT&chain=ethereum');
  await expect(page.locator('[data-address]')).toHaveText(address);
  await page.evaluate(() => Object.assign(window, { stayed: true }));
  const deposits = page.getByRole('table').last();

  await desk.mining({ auto: false });
  await desk.faucet('USDT', address, '1234.56');
  await desk.mine(1);
  await expect(deposits).toContainText('1,234.56');
  await expect(deposits).toContainText('0/6');
  expect(await walletOf(company, 'USDT')).toMatchObject({ inbound: '1234.560000', available: '0.000000' });
  await desk.mine(3);
  await expect(deposits).toContainText('3/6');
  await desk.mine(3);
  await expect(deposits).toContainText('已入帳');
  expect(await walletOf(company, 'USDT')).toMatchObject({ inbound: '0.000000', available: '1234.560000' });

  const mail = await company.inbox.next(
    (candidate) => candidate.text.includes('1,234.56') || candidate.text.includes('1234.56'),
  );
  expect(mail.language).toBe('zh-HK');
  expect(mail.subject).toMatch(/\p{Script=Han}/u);
  await expect(
    page
      .getByRole('link', { name: /[1-9]/ })
      .filter({ has: page.locator('svg') })
      .first(),
  ).toBeVisible();
  expect(await page.evaluate(() => 'stayed' in window)).toBe(true);
  await page.goto('/app/notice-center');
  await expect(page.getByRole('listitem').filter({ hasText: 'USDT' }).first()).toBeVisible();
  await page.context().close();
});

test('a reorganisation takes an uncredited deposit away again, on the page too', async ({ browser }) => {
  const company = await openCompany();
  const { address } = (await walletOf(company, 'USDC')).place;
  const page = await pageOf(browser, company);
  await page.goto('/app/wallet/recharge?coin=USDC&chain=ethereum');
  await expect(page.locator('[data-address]')).toHaveText(address);
  await desk.mining({ auto: false });
  await desk.faucet('USDC', address, '77');
  await desk.mine(2);
  const deposits = page.getByRole('table').last();
  await expect(deposits).toContainText('1 of 6 confirmations');
  await desk.reorganise(2);
  await desk.mine(1);
  await expect(deposits).toContainText('Removed by the chain before it was final');
  expect(await walletOf(company, 'USDC')).toMatchObject({ inbound: '0.000000', available: '0.000000' });
  await page.context().close();
});
