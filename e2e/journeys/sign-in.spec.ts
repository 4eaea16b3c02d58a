import { login } from '@causeway/contract/identity.ts';
import { signUpCompany } from '../fixtures/company.ts';
import { sealed, send, solvedCaptcha } from '../fixtures/console-api.ts';
import { enter, heading, toastOf } from '../fixtures/screen.ts';
import { expect, test } from '../fixtures/test.ts';

let person: Awaited<ReturnType<typeof signUpCompany>>;
test.beforeAll(async () => {
  person = await signUpCompany();
});

/** A stranger's wrong password. */
async function failToSignIn(email: string): Promise<void> {
  const [password, captcha] = [await sealed('Wrong-Password-1'), await solvedCaptcha()];
  await expect(send(login, { body: { loginMethod: 'email', email, password, captcha } })).rejects.toThrow();
}

test('the root leads to the home page, and that to sign-in and back to where one wanted to go', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveURL(/\/sign-in/);
  await page.goto('/app/wallet/recharge?coin=USDT');
  await expect(page).toHaveURL(/\/sign-in\?to=/);
  await enter(page, person);
  await page.getByLabel('Verification code').fill(await person.inbox.code());
  await expect(page).toHaveURL('/app/wallet/recharge?coin=USDT');
});

test('a wrong code is refused, the countdown holds back another, and the right one opens', async ({ page }) => {
  const own = await signUpCompany();
  await page.clock.install();
  await page.goto('/sign-in');
  await enter(page, own);
  await expect(heading(page, 'Security verification')).toBeVisible();
  await expect(page.getByRole('button', { name: /Send again in (60|5\d) s/ })).toBeDisabled();
  const code = await own.inbox.code();
  await page.getByLabel('Verification code').fill(code === '000000' ? '000001' : '000000');
  await expect(page.locator('[data-toast="error"]')).toBeVisible();
  await expect(page.getByLabel('Verification code')).toHaveValue('');
  await expect(page).toHaveURL(/step=verify/);
  expect(await page.evaluate(() => localStorage.getItem('auth'))).toBeNull();
  await page.clock.fastForward(61_000);
  await expect(page.getByRole('button', { name: 'Send code' })).toBeEnabled();
  await page.getByLabel('Verification code').fill(code);
  await expect(page).toHaveURL('/app/home');
});

test('skipping for 30 days leaves the code out in this browser, and in no other', async ({ page, browser }) => {
  await page.goto('/sign-in');
  await enter(page, person);
  await page.getByRole('checkbox', { name: 'Skip verification in this browser for 30 days' }).check();
  await page.getByLabel('Verification code').fill(await person.inbox.code());
  await expect(page).toHaveURL('/app/home');
  await page.getByRole('button', { name: /^Your account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await enter(page, person);
  await expect(page).toHaveURL('/app/home');

  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.goto('/sign-in');
  await enter(elsewhere, person);
  await expect(heading(elsewhere, 'Security verification')).toBeVisible();
  await elsewhere.context().close();
});

test('a password that misses a point is never sent; wrong ones do not tell whether the email exists', async ({
  page,
}) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/web/user/login')) calls.push(request.postData() ?? '');
  });
  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'Access Your Account' }).click();
  await expect(page.getByText('Please enter your email address', { exact: true })).toBeVisible();
  await expect(page.getByText('Please enter your password', { exact: true })).toBeVisible();
  await enter(page, { email: person.email, password: 'lowercase' });
  await expect(page.locator('[data-toast="error"]', { hasText: 'at least 8 characters' })).toBeVisible();
  expect(calls).toEqual([]);
  await expect(page.locator('[data-rule][data-passed="false"]').first()).toHaveClass(/text-negative/);
  await page.getByRole('button', { name: 'Access Your Account' }).click();
  await page.getByRole('button', { name: 'Access Your Account' }).click();
  await expect(page.locator('[data-toast="error"]')).toHaveCount(1);

  const answers: string[] = [];
  for (const email of [person.email, 'nobody@harbour.example']) {
    await page.reload();
    await enter(page, { email, password: 'Wrong-Password-1' });
    answers.push((await page.locator('[data-toast="error"] p').first().textContent()) ?? '');
    await expect(page.getByLabel('Email')).toHaveValue(email);
  }
  expect(answers[0]).toBe(answers[1]);
  expect(calls.join()).not.toContain('Wrong-Password-1');
});

test('ten failed attempts by strangers do not lock the account: a new browser needs a code as well, a known one does not', {
  tag: '@proof',
}, async ({ page, browser }) => {
  const own = await signUpCompany();
  await page.goto('/sign-in');
  await enter(page, own);
  await page.getByLabel('Verification code').fill(await own.inbox.code());
  await expect(page).toHaveURL('/app/home');
  await page.getByRole('button', { name: /^Your account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  for (let i = 0; i < 10; i++) await failToSignIn(own.email);
  const masked = `${own.email[0]}•••@harbour.example`;

  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.goto('/sign-in');
  await enter(elsewhere, { ...own, password: 'Wrong-Password-1' });
  await expect(elsewhere.getByText('the password is now checked together with the code')).toBeVisible({
    timeout: 30_000,
  });
  await elsewhere.getByRole('button', { name: 'Back' }).click();
  await expect(elsewhere.getByLabel('Email')).toHaveValue(own.email);
  await enter(elsewhere, own);
  await expect(toastOf(elsewhere, `If the password is correct, a code will be sent to ${masked}`).last()).toBeVisible({
    timeout: 30_000,
  });
  await elsewhere.getByLabel('Verification code').fill(await own.inbox.code());
  await expect(elsewhere).toHaveURL('/app/home');
  await elsewhere.context().close();

  await expect(page).toHaveURL(/\/sign-in/);
  await enter(page, own);
  await expect(heading(page, 'Security verification')).toBeVisible();
  await expect(page.getByText('the password is now checked together with the code')).toBeHidden();
});

test('a forgotten password is set anew by the code from the mail', async ({ page }) => {
  const own = await signUpCompany();
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Forgotten password?' }).click();
  // The sign-in page, which has an email too, stays until this one is there.
  await expect(heading(page, 'Reset your password')).toBeVisible();
  await page.getByLabel('Email').fill(own.email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(toastOf(page, `A verification code has been sent to ${own.email}`)).toBeVisible();
  await page.getByLabel('Verification code').fill(await own.inbox.code());
  await page.getByLabel('New password', { exact: true }).fill('Kelp-Beacon-27');
  await page.getByLabel('Confirm password').fill('Kelp-Beacon-27');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(heading(page, 'Password reset successfully')).toBeVisible();
  // Without a press of the button the page goes there as well.
  await expect(page).toHaveURL('/sign-in');
  await enter(page, own);
  await expect(page.locator('[data-toast="error"]')).toBeVisible();
  await enter(page, { email: own.email, password: 'Kelp-Beacon-27' });
  await page.getByLabel('Verification code').fill(await own.inbox.code());
  await expect(page).toHaveURL('/app/home');
});
