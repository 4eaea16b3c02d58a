import { freshEmail, signUpCompany, walletOf } from '../fixtures/company.ts';
import { inboxOf } from '../fixtures/desk.ts';
import { invite } from '../fixtures/operator.ts';
import { heading, toastOf } from '../fixtures/screen.ts';
import { expect, test } from '../fixtures/test.ts';

test('a company signs up with an invitation, and signs in to its own wallets', async ({ page }) => {
  const email = freshEmail();
  const inbox = inboxOf(email);
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await expect(page).toHaveURL('/sign-up');
  await page.getByLabel('Invitation code').fill(await invite());
  await page.getByLabel('Company name').fill('Lantern Bay 3M & Söhne 有限公司');
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Wong');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(toastOf(page, `A verification code has been sent to ${email}`)).toBeVisible();
  await expect(page.getByRole('button', { name: /Send again in \d+ s/ })).toBeDisabled();
  await page.getByLabel('Verification code').fill(await inbox.code());

  const points = page.locator('[data-rule]');
  const password = page.getByLabel('Password', { exact: true });
  for (const [typed, passed] of [
    ['harbour', [false, false, true, false]],
    ['Harbour', [false, true, true, false]],
    ['Harbour2', [true, true, true, true]],
  ] as const) {
    await password.fill(typed);
    await expect
      .poll(() => points.evaluateAll((items) => items.map((item) => item.getAttribute('data-passed') === 'true')))
      .toEqual(passed);
  }
  await password.fill('Kelp-Lantern-26');
  await page.getByLabel('Confirm password').fill('Harbour-2027');
  for (const name of ['Terms of Service', 'Payment Terms', 'Privacy Policy']) {
    await page.getByRole('checkbox', { name: `I have read and agree to the ${name}` }).check();
  }
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('The password entered do not match!')).toBeVisible();
  await expect(page.getByLabel('Confirm password')).toBeFocused();
  await page.getByLabel('Confirm password').fill('Kelp-Lantern-26');
  await page.getByRole('button', { name: 'Create account' }).click();
  // The company is called so.
  await expect(
    page.getByText('The password contains “lantern”, which is part of your or your company’s details.').first(),
  ).toBeVisible();
  await expect(password).toBeFocused();
  await password.fill('Kelp-Beacon-26');
  await page.getByLabel('Confirm password').fill('Kelp-Beacon-26');
  await page.getByRole('button', { name: 'Create account' }).click();

  await expect(heading(page, 'Registration successful')).toBeVisible();
  await expect(page.getByRole('main').getByRole('status')).toContainText(email);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('Kelp-Beacon-26');
  await page.getByRole('button', { name: 'Access Your Account' }).click();
  await page.getByLabel('Verification code').fill(await inbox.code());
  await expect(page).toHaveURL('/app/home');

  const token = await page.evaluate(() => localStorage.getItem('auth') ?? '');
  await expect.poll(async () => (await walletOf({ token }, 'USDT').catch(() => null))?.available).toBe('0.000000');
});

test('the three agreements are pages of their own, and what was typed stays', { tag: '@proof' }, async ({
  page,
  context,
}) => {
  await page.goto('/sign-up?invitation=CW-FROM-A-LINK');
  await expect(page.getByLabel('Invitation code')).toHaveValue('CW-FROM-A-LINK');
  await page.getByLabel('Company name').fill('Lantern Bay');
  for (const [name, path] of [
    ['Terms of Service', '/terms'],
    ['Payment Terms', '/payment-terms'],
    ['Privacy Policy', '/privacy'],
  ] as const) {
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name, exact: true }).click();
    const agreement = await opened;
    await expect(agreement).toHaveURL(path);
    await expect(heading(agreement, name)).toBeVisible();
    expect(((await agreement.locator('main').textContent()) ?? '').length).toBeGreaterThan(2000);
    await agreement.close();
  }
  await page.reload();
  await expect(page.getByLabel('Company name')).toHaveValue('Lantern Bay');
});

test('what is missing is said under its field in the words of the specification', async ({ page }) => {
  await page.goto('/sign-up');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(toastOf(page, 'Form validation failed')).toBeVisible();
  for (const text of [
    'Please enter your invitation code',
    'Please enter your email address',
    'Please enter a 6-digit verification code',
    'required',
  ]) {
    await expect(page.getByText(text, { exact: true }).first()).toBeVisible();
  }
  await expect(page.getByText('Please agree to continue')).toHaveCount(3);
  await expect(page.getByLabel('Invitation code')).toBeFocused();
  await page.getByLabel('Email').fill('ada@harbour');
  await page.getByLabel('Company name').focus();
  await expect(page.getByText('Please enter a valid email address', { exact: true })).toBeVisible();
});

test('an email that is known gets the same answer, and is told by mail', async ({ page }) => {
  const known = await signUpCompany();
  await page.goto('/sign-up');
  await page.getByLabel('Email').fill(known.email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(toastOf(page, `A verification code has been sent to ${known.email}`)).toBeVisible();
  const mail = await known.inbox.next();
  expect(mail.codes).toEqual([]);
});
