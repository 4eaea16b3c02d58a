import { textOf, withBlanks } from '../fixtures/catalogues.ts';
import { openCompany } from '../fixtures/company.ts';
import { expectAccessible, follow, openByKey, settled } from '../fixtures/screen.ts';
import { expect, pageOf, signedInTest as test } from '../fixtures/test.ts';
import { fillTransfer } from '../fixtures/transfer.ts';

test.describe.configure({ timeout: 240_000 });

/** Dark in one language: colours do not know what is written in them. */
const appearances = [
  { language: 'en-us', colorScheme: 'light' },
  { language: 'en-us', colorScheme: 'dark' },
  { language: 'zh-hk', colorScheme: 'light' },
  { language: 'zh-cn', colorScheme: 'light' },
] as const;

/** `npm run proof` looks in every appearance, `npm test` in the first. */
const looked = process.env['AXE_EVERYWHERE'] === undefined ? appearances.slice(0, 1) : appearances;

for (const { language, colorScheme } of looked) {
  const appearance = `${language}, ${colorScheme}`;
  const t = (id: string) => textOf(language, id);

  test(`axe-core finds nothing in menus, dialogs and errors, ${appearance}`, async ({ browser, company }) => {
    const page = await pageOf(browser, company, { colorScheme, language });
    const check = async (what: string) => {
      await settled(page);
      await expectAccessible(page, `${what}, ${appearance}`);
    };
    await page.goto('/app/home');
    await page.getByRole('button', { name: t('app.user.menu') }).click();
    await expect(page.getByRole('menuitem', { name: t('app.user.signOut') })).toBeVisible();
    await check('user menu');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toHaveCount(0);
    await openByKey(page, 'Control+k', page.getByRole('dialog', { name: t('app.palette.label') }));
    await check('command palette');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await openByKey(page, '?', page.getByRole('dialog', { name: t('app.shortcuts.title') }));
    await check('keyboard shortcuts');

    await page.goto('/app/transfer-out');
    await page.getByRole('button', { name: t('transfers.form.submit') }).click();
    await expect(page.getByText(t('field.required'), { exact: true }).first()).toBeVisible();
    await check('transfer with errors');
    await page.getByLabel(t('transfers.form.wallet'), { exact: true }).click();
    await expect(page.getByRole('option').first()).toBeVisible();
    await check('list of wallets');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('option')).toHaveCount(0);
    await fillTransfer(page, { coin: 'USDT', payee: 'Pearl River Supplies', amount: '12.5' }, language);
    await page.getByLabel(t('transfers.form.code'), { exact: true }).fill('123456');
    await page.getByRole('button', { name: t('transfers.form.submit') }).click();
    const send = withBlanks(t('transfers.confirm.send'), { amount: '12.50 USDT' });
    await expect(page.getByRole('button', { name: send })).toBeVisible();
    await check('transfer, confirmation');

    await page.goto('/app/transaction');
    await page.getByRole('button', { name: t('ui.filter.more') }).click();
    await page
      .getByRole('button', { name: t('ui.dates.any') })
      .or(page.getByLabel(t('transactions.filter.time'), { exact: true }))
      .first()
      .click();
    await expect(page.getByRole('grid').first()).toBeVisible();
    await check('dates of the filter');
    await page.goto('/app/transaction?keyword=nothing+like+this');
    await expect(page.getByText(t('ui.list.noMatch'))).toBeVisible();
    await check('no match');
    await page.route('**/web/crypto/wallets', (route) => route.abort());
    await page.goto('/app/wallet');
    await expect(page.getByRole('button', { name: t('ui.retry') }).first()).toBeVisible();
    await check('error state');
    await page.context().close();
  });

  test(`axe-core finds nothing on any empty page, ${appearance}`, { tag: '@proof' }, async ({ browser }) => {
    const page = await pageOf(browser, await openCompany(), { colorScheme, language });
    await page.goto('/app/home');
    for (const path of ['/app/home', '/app/notice-center', '/app/wallet', '/app/payee', '/app/transaction']) {
      await follow(page, path);
      await settled(page);
      await expectAccessible(page, `${path} empty, ${appearance}`);
    }
    await page.context().close();
  });
}
