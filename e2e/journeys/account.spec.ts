import { getUser } from '@causeway/contract/identity.ts';
import type { Page } from '@playwright/test';
import { authenticatorOf } from '../fixtures/authenticator.ts';
import { signUpCompany } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { copied, enter, heading, toastOf } from '../fixtures/screen.ts';
import { expect, test } from '../fixtures/test.ts';

type Person = Awaited<ReturnType<typeof signUpCompany>>;

async function signInByMail(page: Page, person: Person): Promise<void> {
  await page.goto('/sign-in');
  await enter(page, person);
  await page.getByLabel('Verification code').fill(await person.inbox.code());
  await expect(page).toHaveURL('/app/home');
}

test('an authenticator is bound by its code and the password, and opens the next sign-in', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-write']);
  const person = await signUpCompany();
  await signInByMail(page, person);
  // The first paint may still give way to the next, and the menu with it.
  const settings = page.getByRole('menuitem', { name: 'Security settings' });
  await expect(async () => {
    if (!(await settings.isVisible())) await page.getByRole('button', { name: /^Your account/ }).click();
    await settings.click({ timeout: 2_000 });
  }).toPass({ timeout: 20_000 });
  await expect(heading(page, 'Security settings')).toBeVisible();
  // The parts of the page, and which of them one reads.
  const parts = page.getByRole('navigation', { name: 'On this page' });
  await expect(parts.locator('[aria-current]')).toHaveText('Profile');
  await parts.getByRole('link', { name: 'Two-step verification' }).click();
  await expect(parts.locator('[aria-current]')).toHaveText('Two-step verification');
  await expect(page.getByRole('region', { name: 'Two-step verification' })).toBeInViewport();
  await page.getByRole('button', { name: 'Set up an authenticator' }).click();
  const qr = await page
    .getByRole('img', { name: /^QR code: otpauth:/ })
    .locator('title')
    .textContent();
  await page.getByRole('button', { name: 'Copy key' }).click();
  const secret = await copied(page, /^[A-Z2-7]{16,}$/);
  const uri = new URL((qr ?? '').replace('QR code: ', ''));
  expect(uri.searchParams.get('secret')).toBe(secret);
  expect(decodeURIComponent(uri.pathname)).toContain(person.email);

  const app = authenticatorOf(secret);
  const card = page.getByRole('form', { name: 'Authenticator' });
  await card.getByLabel('Code from the authenticator').fill(app.code() === '000000' ? '000001' : '000000');
  await card.getByLabel('Current password').fill(person.password);
  await card.getByRole('button', { name: 'Set up', exact: true }).click();
  await expect(page.locator('[data-toast="error"]')).toBeVisible();
  await card.getByLabel('Code from the authenticator').fill(app.code());
  await card.getByRole('button', { name: 'Set up', exact: true }).click();
  await expect(toastOf(page, 'Authenticator set up successfully')).toBeVisible();
  await page.getByRole('button', { name: 'I have saved these codes' }).click();
  await expect(page.getByText('Set up', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: /^Your account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Access Your Account' }).click();
  await expect(page.getByRole('radio', { name: 'Authenticator code' })).toBeChecked();
  // The step that bound it has been used; the server takes one step to either side.
  await page.getByLabel('Verification code').fill(app.code(1));
  await expect(page).toHaveURL('/app/home');
});

test('a changed password ends the other sessions and is the one that counts', async ({ page, browser }) => {
  const person = await signUpCompany();
  const elsewhere = await (await browser.newContext()).newPage();
  await signInByMail(elsewhere, person);
  await signInByMail(page, person);
  await page.goto('/app/account');
  const form = page.getByRole('form', { name: 'Change password' });
  await form.getByLabel('Current password').fill('Wrong-Password-1');
  await form.getByLabel('New password', { exact: true }).fill('Kelp-Beacon-27');
  await form.getByLabel('Confirm password').fill('Kelp-Beacon-27');
  await form.getByRole('button', { name: 'Send code' }).click();
  const code = await person.inbox.code();
  await form.getByLabel('Verification code').fill(code);
  await form.getByRole('button', { name: 'Change password' }).click();
  await expect(page.locator('[data-toast="error"]')).toBeVisible();
  await form.getByLabel('Current password').fill(person.password);
  await form.getByRole('button', { name: 'Change password' }).click();
  await expect(toastOf(page, 'Password changed successfully')).toBeVisible();

  // Here the session goes on; there it has ended: the page shows the message and goes to sign-in after 300 ms.
  await page.goto('/app/wallet');
  await expect(
    page.getByRole('table', { name: 'Wallets' }).or(page.getByText('Hide zero balances')).first(),
  ).toBeVisible();
  await elsewhere.goto('/app/wallet');
  await expect(elsewhere).toHaveURL(/\/sign-in/);
  expect(await elsewhere.evaluate(() => localStorage.getItem('auth'))).toBeNull();
  await elsewhere.getByLabel('Email').fill(person.email);
  await elsewhere.getByLabel('Password', { exact: true }).fill('Kelp-Beacon-27');
  await elsewhere.getByRole('button', { name: 'Access Your Account' }).click();
  await expect(heading(elsewhere, 'Security verification')).toBeVisible();
  await elsewhere.context().close();
});

test('the language goes to the server first, and stays as it is when the server refuses', async ({ page }) => {
  const person = await signUpCompany();
  await signInByMail(page, person);
  const token = await page.evaluate(() => localStorage.getItem('auth') ?? '');
  const choose = async (current: string, next: string) => {
    await page.getByRole('button', { name: `${current}` }).click();
    await page.getByRole('menuitemradio', { name: next }).click();
  };
  await page.route('**/web/user/language', (route) =>
    route.fulfill({
      status: 503,
      json: { code: 1008, data: null, errors: ['Not now'], key: 'unavailable', fields: {}, requestId: 'r' },
    }),
  );
  await choose('Language: English', '繁體中文');
  await expect(toastOf(page, 'Not now')).toBeVisible();
  await expect(heading(page, 'Home')).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US');
  expect(await page.evaluate(() => localStorage.getItem('language'))).not.toBe('zh-hk');

  await page.unroute('**/web/user/language');
  await choose('Language: English', '繁體中文');
  await expect(heading(page, '主頁')).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-HK');
  expect((await send(getUser, { token })).language).toBe('zh_HK');
  await page.reload();
  await expect(heading(page, '主頁')).toBeVisible();

  // Who signs in brings along the language of this browser, and mails come in it.
  await page.goto('/app/account');
  const form = page.getByRole('form', { name: '更改密碼' });
  await form.getByRole('button', { name: '發送驗證碼' }).click();
  const mail = await person.inbox.next((candidate) => candidate.codes.length > 0);
  expect(mail.language).toBe('zh-HK');
});
