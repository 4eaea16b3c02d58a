import { getUser, logout } from '@causeway/contract/identity.ts';
import { endOtherSessions } from '@causeway/contract/identity-account.ts';
import { signIn, signUpCompany } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { enter, heading, toastOf } from '../fixtures/screen.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

let person: Awaited<ReturnType<typeof signUpCompany>>;
test.beforeAll(async () => {
  person = await signUpCompany();
});

const warning = "You haven't operated for a long time, please log in again";

test('fifteen minutes without mouse or key: a warning for three seconds, then sign-in', async ({ browser }) => {
  const page = await pageOf(browser, { token: await signIn(person) });
  await page.clock.install();
  // The watch begins together with the stream of events, after the first paint.
  const watching = page.waitForRequest('**/web/events');
  await page.goto('/app/home');
  await watching;
  await expect(heading(page, 'Home')).toBeVisible();
  // From here on the test moves the clock, however slow the machine is.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 5_000);
  await page.keyboard.press('Shift');
  await page.clock.runFor(899_000);
  await expect(toastOf(page, warning)).toBeHidden();
  await expect(page).toHaveURL('/app/home');
  // A key puts it off for another fifteen minutes.
  await page.keyboard.press('Shift');
  await page.clock.runFor(899_000);
  await expect(toastOf(page, warning)).toBeHidden();
  await page.clock.runFor(1_500);
  await expect(toastOf(page, warning)).toBeVisible();
  await expect(page).toHaveURL('/app/home');
  await page.clock.runFor(3_000);
  await page.clock.resume();
  await expect(page).toHaveURL(/\/sign-in/);
  expect(await page.evaluate(() => localStorage.getItem('auth'))).toBeNull();
  await page.context().close();
});

test('sign-out ends the session here, in other tabs and on the server', async ({ browser }) => {
  const token = await signIn(person);
  const page = await pageOf(browser, { token });
  await page.goto('/app/home');
  const tab = await page.context().newPage();
  await tab.goto('/app/wallet');
  await expect(heading(tab, 'Wallet list')).toBeVisible();
  await page.getByRole('button', { name: /^Your account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/sign-in');
  await expect(tab).toHaveURL(/\/sign-in/);
  await expect(send(getUser, { token })).rejects.toThrow();
  await page.goBack();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.context().close();
});

test('a session that the server does not know: the page says so, and leads to sign-in and back again', {
  tag: '@proof',
}, async ({ browser }) => {
  const page = await pageOf(browser, { token: 'not-a-session-of-anybody' });
  await page.goto('/app/payee?keyword=pearl');
  await expect(page.locator('[data-toast="error"]').first()).toBeVisible();
  await expect(page).toHaveURL(/\/sign-in\?to=/);
  expect(await page.evaluate(() => localStorage.getItem('auth'))).toBeNull();
  // Signing in again leads back to the same page.
  await enter(page, person);
  await page.getByLabel('Verification code').fill(await person.inbox.code());
  await expect(page).toHaveURL('/app/payee?keyword=pearl');
  await page.context().close();
});

test('a session that is ended from another browser ends in its open tabs, with a message and without what was read', async ({
  browser,
}) => {
  const page = await pageOf(browser, { token: await signIn(person) });
  await page.goto('/app/wallet');
  await expect(page.locator('table').last().getByRole('row').filter({ hasText: 'USDT' })).toBeVisible();
  const tab = await page.context().newPage();
  await tab.goto('/app/home');
  await expect(heading(tab, 'Home')).toBeVisible();
  await send(endOtherSessions, { token: await signIn(person) });
  // Nothing is clicked: the stream of events finds out.
  for (const open of [page, tab]) {
    await expect(toastOf(open, 'Your session has ended, please sign in again')).toBeVisible();
    await expect(open).toHaveURL(/\/sign-in/);
    await expect(open.locator('table')).toHaveCount(0);
  }
  await page.context().close();
});

test('what was typed outlives a session that the server ended, for whoever typed it and for nobody else', async ({
  page,
}) => {
  const other = await signUpCompany();
  const label = page.getByLabel('Account label');
  async function signInAs(who: typeof person): Promise<void> {
    await enter(page, who);
    await page.getByLabel('Verification code').fill(await who.inbox.code());
    await expect(page).toHaveURL('/app/payee/add');
  }
  async function endSession(): Promise<void> {
    const token = await page.evaluate(() => localStorage.getItem('auth') ?? '');
    await send(logout, { token });
    await page.reload();
    await expect(page).toHaveURL(/\/sign-in\?to=/);
  }
  await page.goto('/app/payee/add');
  await expect(page).toHaveURL(/\/sign-in\?to=/);
  await signInAs(person);
  await label.fill('Pearl River Supplies');
  await endSession();
  await signInAs(person);
  await expect(label).toHaveValue('Pearl River Supplies');
  await endSession();
  await signInAs(other);
  await expect(label).toHaveValue('');
});

test('what the server refuses is said in the words of the specification', { tag: '@proof' }, async ({ browser }) => {
  const page = await pageOf(browser, { token: await signIn(person) });
  await page.goto('/app/wallet');
  await expect(heading(page, 'Wallet list')).toBeVisible();
  const refusal = (status: number, errors: string[], key: string) => ({
    status,
    json: { code: 1, data: null, errors, key, fields: {}, requestId: 'request-7' },
  });
  await page.route('**/web/crypto/wallets', (route) => route.fulfill(refusal(403, ['No permission'], 'noPermission')));
  await page.reload();
  await expect(page.getByText('No permission').first()).toBeVisible();
  await page.unroute('**/web/crypto/wallets');
  await page.route('**/web/crypto/wallets', (route) => route.abort());
  await page.reload();
  await expect(page.getByText('Network malfunction, please try again later').first()).toBeVisible();
  await page.unroute('**/web/crypto/wallets');
  // The list and the shares each say so, and each offers to try again.
  const retry = page.getByRole('button', { name: 'Try again' });
  await expect(retry).toHaveCount(2);
  const shares = page.locator('section').filter({ has: page.getByRole('heading', { name: /^Asset share/ }) });
  await shares.getByRole('button', { name: 'Try again' }).click();
  await expect(retry).toHaveCount(0);
  await expect(page.locator('table').last().getByRole('row').filter({ hasText: 'USDT' })).toBeVisible();
  await page.context().close();
});
