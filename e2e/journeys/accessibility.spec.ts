import { openCompany } from '../fixtures/company.ts';
import { consolePlaces, panelPlaces, publicPlaces } from '../fixtures/places.ts';
import { expectAccessible, settled } from '../fixtures/screen.ts';
import { expect, pageOf, remembered, signedInTest as test } from '../fixtures/test.ts';
import { fillTransfer } from '../fixtures/transfer.ts';

test.describe.configure({ timeout: 240_000 });

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe-core finds nothing before sign-in, ${colorScheme}`, async ({ browser }) => {
    const context = await browser.newContext({ colorScheme, storageState: remembered({}) });
    const page = await context.newPage();
    for (const path of publicPlaces) {
      await page.goto(path);
      await settled(page);
      await expectAccessible(page, `${path}, ${colorScheme}`);
    }
    await page.goto('/sign-up');
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByText('Please enter your invitation code')).toBeVisible();
    await settled(page);
    await expectAccessible(page, `/sign-up with errors, ${colorScheme}`);
    await context.close();
  });

  test(`axe-core finds nothing on any populated page, ${colorScheme}`, async ({ browser, company }) => {
    const page = await pageOf(browser, company, { colorScheme });
    for (const path of [...consolePlaces, ...(await panelPlaces(company)), '/app/otc']) {
      await page.goto(path);
      await settled(page);
      await expectAccessible(page, `${path}, ${colorScheme}`);
    }
    await page.context().close();
  });

  test(`axe-core finds nothing in menus, dialogs and errors, ${colorScheme}`, async ({ browser, company }) => {
    const page = await pageOf(browser, company, { colorScheme });
    const check = async (what: string) => {
      await settled(page);
      await expectAccessible(page, `${what}, ${colorScheme}`);
    };
    await page.goto('/app/home');
    await page.getByRole('button', { name: /^Your account/ }).click();
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
    await check('user menu');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog')).toBeVisible();
    await check('command palette');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toBeVisible();
    await check('keyboard shortcuts');

    await page.goto('/app/transfer-out');
    await page.getByRole('button', { name: 'Review transfer' }).click();
    await expect(page.getByText('Please choose a wallet', { exact: true })).toBeVisible();
    await check('transfer with errors');
    await page.getByLabel('Wallet', { exact: true }).click();
    await expect(page.getByRole('option').first()).toBeVisible();
    await check('list of wallets');
    await page.keyboard.press('Escape');
    await fillTransfer(page, { coin: 'USDT', payee: 'Pearl River Supplies', amount: '12.5' });
    await page.getByLabel('Verification code').fill('123456');
    await page.getByRole('button', { name: 'Review transfer' }).click();
    await expect(page.getByRole('button', { name: /^Send 12\.5/ })).toBeVisible();
    await check('transfer, confirmation');

    await page.goto('/app/transaction');
    await page.getByRole('button', { name: 'Advanced filter' }).click();
    await page
      .getByRole('button', { name: /Any time/ })
      .or(page.getByLabel('Time', { exact: true }))
      .first()
      .click();
    await check('dates of the filter');
    await page.goto('/app/transaction?keyword=nothing+like+this');
    await expect(page.getByText('No transaction matches these filters')).toBeVisible();
    await check('no match');
    await page.route('**/web/crypto/wallets', (route) => route.abort());
    await page.goto('/app/wallet');
    await expect(page.getByRole('button', { name: 'Try again' }).first()).toBeVisible();
    await check('error state');
    await page.context().close();
  });

  test(`axe-core finds nothing on any empty page, ${colorScheme}`, async ({ browser }) => {
    const page = await pageOf(browser, await openCompany(), { colorScheme });
    for (const path of ['/app/home', '/app/notice-center', '/app/wallet', '/app/payee', '/app/transaction']) {
      await page.goto(path);
      await settled(page);
      await expectAccessible(page, `${path} empty, ${colorScheme}`);
    }
    await page.context().close();
  });
}
