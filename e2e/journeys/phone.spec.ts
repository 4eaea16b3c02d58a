import { locales } from '@causeway/contract/locale.ts';
import { fund, openCompany, savePayee } from '../fixtures/company.ts';
import { desk } from '../fixtures/desk.ts';
import { panelPlaces } from '../fixtures/places.ts';
import {
  chooseByKey,
  expectFocusIn,
  expectNoSideways,
  heading,
  openByKey,
  settled,
  tabTo,
  toastOf,
} from '../fixtures/screen.ts';
import { expect, pageOf, signedInTest as test } from '../fixtures/test.ts';
import { expectStage } from '../fixtures/transfer.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test.describe.configure({ timeout: 240_000 });
// By finger and by keyboard among what moves: other journeys leave out animations (playwright.config.ts).
test.use({ reducedMotion: 'no-preference' });

test('the ends of an address stay in one piece, and it is monospaced in every language', async ({
  browser,
  company,
}) => {
  const path = (await panelPlaces(company)).find((place) => place.startsWith('/app/payee/')) ?? '';
  for (const language of locales) {
    const page = await pageOf(browser, company, { ...phone, language });
    await page.goto(path);
    await settled(page);
    const address = page.getByRole('dialog').locator('span[title^="0x"]');
    const ends = address.locator('.font-semibold');
    await expect(ends).toHaveCount(2);
    const drawn = await ends.evaluateAll((found) =>
      found.map((end) => ({ lines: end.getClientRects().length, family: getComputedStyle(end).fontFamily })),
    );
    for (const { lines, family } of drawn) {
      expect(lines).toBe(1);
      expect(family).toMatch(/^ui-monospace, .*monospace$/);
    }
    await page.context().close();
  }
});

test('a transfer is made on a phone', async ({ browser }) => {
  const company = await openCompany();
  const [payee] = await Promise.all([
    savePayee(company, { label: 'Pearl River Supplies' }),
    fund(company, { USDT: '100' }),
  ]);
  const page = await pageOf(browser, company, phone);
  await page.goto('/app/home');
  await page.getByRole('button', { name: 'Open the menu' }).tap();
  await page.getByRole('dialog').getByRole('link', { name: 'Wallet list' }).tap();
  await expect(heading(page, 'Wallet list')).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('link', { name: 'Transfer out' }).first().tap();
  await page.getByLabel('Wallet', { exact: true }).tap();
  await page.getByRole('option', { name: 'USDT' }).tap();
  await page.getByRole('button', { name: 'Show all options' }).tap();
  await page.getByRole('option', { name: 'Pearl River Supplies' }).tap();
  await page.getByLabel('Amount').fill('12.5');
  const summary = await page.getByRole('region', { name: 'Summary' }).boundingBox();
  const review = await page.getByRole('button', { name: 'Review transfer' }).boundingBox();
  expect((summary?.y ?? 0) + (summary?.height ?? 0)).toBeLessThan(review?.y ?? 0);
  await page.getByRole('button', { name: 'Send code' }).tap();
  await page.getByLabel('Verification code').fill(await company.inbox.code());
  await page.getByRole('button', { name: 'Review transfer' }).tap();
  await expect(page.getByRole('button', { name: /^Send 12\.5/ })).toBeVisible();
  await expectNoSideways(page, 'the confirmation');
  await page.getByRole('button', { name: /^Send 12\.5/ }).tap();
  await page.getByRole('link', { name: 'View transaction' }).tap();
  await expectStage(page, 'Completed');
  await expectNoSideways(page, 'the transaction');
  expect(await desk.balance('USDT', payee.address)).toBe('12.5');

  // The list begins on the first screen: its filters are behind a button, which counts those that are set.
  await page.goto('/app/transaction');
  await settled(page);
  await expect(page.getByRole('listitem').filter({ hasText: 'On-chain transfer' })).toBeInViewport({ ratio: 1 });
  const type = page.getByRole('combobox', { name: 'Type' });
  await expect(type).toHaveCount(0);
  await page.getByRole('button', { name: 'Filters', exact: true }).tap();
  await type.selectOption({ label: 'On-chain deposit' });
  await expect(page.getByRole('listitem').filter({ hasText: 'On-chain transfer' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Filters (1)' }).tap();
  await expect(type).toHaveCount(0);
  await page.getByRole('button', { name: 'Clear 1 filter' }).tap();
  await expect(page.getByRole('listitem').filter({ hasText: 'On-chain transfer' })).toBeVisible();
  await page.context().close();
});

test('a transfer is made by keyboard alone', { tag: '@proof' }, async ({ browser }) => {
  const company = await openCompany();
  const [payee] = await Promise.all([savePayee(company, { label: 'Kowloon Freight' }), fund(company, { USDT: '100' })]);
  const page = await pageOf(browser, company);
  const { keyboard } = page;
  await page.goto('/app/home');
  await expect(heading(page, 'Home')).toBeVisible();
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await openByKey(page, 'Control+k', palette);
  await expect(palette.getByRole('combobox')).toBeFocused();
  await keyboard.type('Transfer out');
  await expect(page.getByRole('option', { name: 'Transfer out' })).toBeVisible();
  await keyboard.press('Enter');
  await expect(page).toHaveURL('/app/transfer-out');
  const wallet = page.getByLabel('Wallet', { exact: true });
  await expect(wallet).toBeEnabled();
  await tabTo(wallet);
  await chooseByKey(page, 'USDT');
  await expect(wallet).toContainText('USDT');
  await tabTo(page.getByLabel('Payee'));
  await keyboard.type('Kow');
  await expect(page.getByRole('option', { name: 'Kowloon Freight' })).toBeVisible();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await expect(page.getByLabel('Payee')).toHaveValue('Kowloon Freight');
  await tabTo(page.getByLabel('Amount'));
  await keyboard.type('7.25');
  await tabTo(page.getByRole('button', { name: 'Send code' }));
  await keyboard.press('Enter');
  await expect(toastOf(page, `Code sent to ${company.email}`)).toBeVisible();
  // The focus is where the code goes.
  await expect(page.getByLabel('Verification code')).toBeFocused();
  const code = await company.inbox.code();
  await keyboard.type(code);
  await keyboard.press('Enter');
  const confirm = page.getByRole('button', { name: /^Send 7\.25/ });
  await expect(confirm).toBeVisible();
  await expectFocusIn(page.getByRole('dialog').or(page.getByRole('alertdialog')));
  await tabTo(confirm);
  await keyboard.press('Enter');
  const view = page.getByRole('link', { name: 'View transaction' });
  await expect(view).toBeVisible();
  await tabTo(view);
  await keyboard.press('Enter');
  await expectStage(page, 'Completed');
  await keyboard.press('Escape');
  await expect(page).toHaveURL('/app/transaction');
  expect(await desk.balance('USDT', payee.address)).toBe('7.25');
  await page.context().close();
});
