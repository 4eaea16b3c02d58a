import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { addresses } from '../addresses.ts';
import { signUpCompany } from '../fixtures/company.ts';
import { languagesRead } from '../fixtures/languages.ts';
import { virtualAuthenticator } from '../fixtures/passkey.ts';
import { copied, expectAccessible, expectNoSideways, heading, settled, toastOf } from '../fixtures/screen.ts';
import { expect, test } from '../fixtures/test.ts';

/** A secret as an authenticator takes it (RFC 4648, base 32). */
const secretShape = /^[A-Z2-7]{16,}$/;

type Person = Awaited<ReturnType<typeof signUpCompany>>;

async function firstStep(page: Page, person: Person): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Access Your Account' }).click();
}

async function signInByMail(page: Page, person: Person): Promise<void> {
  await firstStep(page, person);
  await page.getByLabel('Verification code').fill(await person.inbox.code());
  await expect(page).toHaveURL('/app/home');
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Your account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
}

/** Proves by a code from the mail and the password, in the dialog that is open. */
async function proveByMail(page: Page, person: Person): Promise<void> {
  const form = page.getByRole('form', { name: 'Confirm it’s you' });
  await form.getByLabel('Current password').fill(person.password);
  await form.getByRole('button', { name: 'Send code' }).click();
  await form.getByLabel('Verification code').fill(await person.inbox.code());
  await form.getByRole('button').last().click();
}

async function addPasskey(page: Page, person: Person, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await proveByMail(page, person);
  await page.getByRole('textbox', { name: 'Passkey name' }).fill(name);
  await page.getByRole('button', { name: 'Create passkey' }).click();
}

test('a passkey is added under a proof, signs in, is renamed and removed', async ({ page }) => {
  const person = await signUpCompany();
  await virtualAuthenticator(page);
  await signInByMail(page, person);
  await page.goto('/app/account');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const form = page.getByRole('form', { name: 'Confirm it’s you' });
  await form.getByLabel('Current password').fill('Wrong-Password-1');
  await form.getByRole('button', { name: 'Send code' }).click();
  await form.getByLabel('Verification code').fill(await person.inbox.code());
  await form.getByRole('button', { name: 'Continue' }).click();
  await expect(form.getByText('The current password is incorrect')).toBeVisible();
  // The code was not used up, and the typed text is kept.
  await form.getByLabel('Current password').fill(person.password);
  await expectAccessible(page, 'the proof');
  await form.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('textbox', { name: 'Passkey name' }).fill('Office laptop');
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await expect(toastOf(page, 'Passkey added')).toBeVisible();
  const list = page.getByRole('list', { name: 'Passkeys' });
  await expect(list.getByText('Office laptop')).toBeVisible();
  expect((await person.inbox.next(({ subject }) => subject.includes('passkey'))).subject).toBe(
    'A passkey was added to your Causeway account',
  );

  await signOut(page);
  await firstStep(page, person);
  await expect(heading(page, 'Security verification')).toBeVisible();
  await expectAccessible(page, 'the verification step with a passkey');
  await page.getByLabel(/^Skip verification/).check();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL('/app/home');
  await signOut(page);
  await firstStep(page, person);
  await expect(page).toHaveURL('/app/home');

  await page.goto('/app/account');
  await list.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Passkey name' }).fill('公司手提電腦');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(list.getByText('公司手提電腦')).toBeVisible();
  await list.getByRole('button', { name: 'Remove 公司手提電腦' }).click();
  await proveByMail(page, person);
  await expect(toastOf(page, 'Passkey removed')).toBeVisible();
  await expect(list).toBeHidden();
});

test('a passkey dialog that is closed costs nothing; a passkey that may be copied is refused', {
  tag: '@proof',
}, async ({ page }) => {
  const person = await signUpCompany();
  const authenticator = await virtualAuthenticator(page);
  await signInByMail(page, person);
  await page.goto('/app/account');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await proveByMail(page, person);
  await page.getByRole('textbox', { name: 'Passkey name' }).fill('Key');
  await authenticator.agree(false);
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await expect(toastOf(page, 'The passkey was not used. Try again, or use a code')).toBeVisible();
  await authenticator.agree(true);
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await expect(toastOf(page, 'Passkey added')).toBeVisible();

  await signOut(page);
  await firstStep(page, person);
  await authenticator.countBack();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.locator('[data-toast="error"]')).toContainText('may have been copied');
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Verification code').fill(await person.inbox.code());
  await expect(page).toHaveURL('/app/home');
  await page.goto('/app/account');
  await expect(page.getByText('Its signature counter went backwards')).toBeVisible();
  await expectAccessible(page, 'a suspected passkey');
});

test('recovery codes come with the authenticator, sign in once each, unbind it, and are renewed', {
  tag: '@proof',
}, async ({ page, context }) => {
  await context.grantPermissions(['clipboard-write']);
  const person = await signUpCompany();
  await signInByMail(page, person);
  await page.goto('/app/account');
  await page.getByRole('button', { name: 'Set up an authenticator' }).click();
  await page.getByRole('button', { name: 'Copy key' }).click();
  const secret = await copied(page, secretShape);
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const binding = page.getByRole('form', { name: 'Authenticator' });
  await binding.getByLabel('Code from the authenticator').fill(totp.generate());
  await binding.getByLabel('Current password').fill(person.password);
  await binding.getByRole('button', { name: 'Set up', exact: true }).click();

  const dialog = page.getByRole('dialog', { name: 'Your recovery codes' });
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  await expectAccessible(page, 'the recovery codes');
  const codes = await dialog.getByRole('listitem').allTextContents();
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  expect(await copied(page, /-/)).toBe(codes.join('\n'));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('causeway-recovery-codes.txt');
  const file = await readFile(await download.path(), 'utf8');
  expect(file).toContain(person.email);
  for (const code of codes) expect(file).toContain(code);
  // Esc does not lose them.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'I have saved these codes' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('10 of 10 remaining')).toBeVisible();

  await signOut(page);
  await firstStep(page, person);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByRole('textbox', { name: 'Recovery code' }).fill('AAAA-AAAA-AAAA-AAAA');
  await page.getByRole('button', { name: 'Verify and sign in' }).click();
  await expect(page.getByText('This recovery code is incorrect or has already been used').first()).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Recovery code' })).toHaveValue('AAAA-AAAA-AAAA-AAAA');
  await page.getByRole('textbox', { name: 'Recovery code' }).fill((codes[0] ?? '').toLowerCase());
  await page.getByRole('button', { name: 'Verify and sign in' }).click();
  await expect(page).toHaveURL('/app/home');
  await page.goto('/app/account');
  await expect(page.getByText('9 of 10 remaining')).toBeVisible();

  await page.getByRole('button', { name: 'Generate new codes' }).click();
  const proof = page.getByRole('form', { name: 'Confirm it’s you' });
  await proof.getByText('Recovery code', { exact: true }).first().click();
  await proof.getByRole('textbox', { name: 'Recovery code' }).fill(codes[1] ?? '');
  await proof.getByRole('button', { name: 'Generate new codes' }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  const renewed = await dialog.getByRole('listitem').allTextContents();
  expect(renewed).not.toContain(codes[2]);
  await dialog.getByRole('button', { name: 'I have saved these codes' }).click();

  await page.getByRole('button', { name: 'Replace' }).click();
  await proof.getByText('Recovery code', { exact: true }).first().click();
  await proof.getByRole('textbox', { name: 'Recovery code' }).fill(codes[2] ?? '');
  await proof.getByRole('button', { name: 'Remove and continue' }).click();
  await expect(proof.getByText('This recovery code is incorrect or has already been used')).toBeVisible();
  await proof.getByRole('textbox', { name: 'Recovery code' }).fill(renewed[0] ?? '');
  await proof.getByRole('button', { name: 'Remove and continue' }).click();
  await expect(toastOf(page, 'Authenticator removed')).toBeVisible();
  // The way goes on to the next one, which has another secret.
  await page.getByRole('button', { name: 'Copy key' }).click();
  expect(await copied(page, secretShape)).not.toBe(secret);
});

test('a session elsewhere is seen and ended, and a browser asked for verification again', async ({ page, browser }) => {
  const person = await signUpCompany();
  const elsewhere = await (await browser.newContext()).newPage();
  await signInByMail(elsewhere, person);
  await firstStep(page, person);
  await page.getByLabel(/^Skip verification/).check();
  await page.getByLabel('Verification code').fill(await person.inbox.code());
  await expect(page).toHaveURL('/app/home');
  await page.goto('/app/account');
  const sessions = page.getByRole('list', { name: 'Active sessions' });
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await expect(sessions.getByRole('listitem').first()).toContainText('This session');
  await expect(sessions.getByRole('listitem').first()).toContainText('Chrome · Linux');
  await sessions.getByRole('button', { name: 'Sign out Chrome · Linux' }).click();
  await expectAccessible(page, 'ending a session');
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(toastOf(page, 'Signed out')).toBeVisible();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  await elsewhere.goto('/app/wallet');
  await expect(elsewhere).toHaveURL(/\/sign-in/);
  await elsewhere.context().close();

  const browsers = page.getByRole('list', { name: 'Trusted browsers' });
  await browsers.getByRole('button', { name: /^Remove Chrome/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(toastOf(page, 'Trusted browser removed')).toBeVisible();
  await expect(browsers).toBeHidden();
  await signOut(page);
  await firstStep(page, person);
  await expect(heading(page, 'Security verification')).toBeVisible();
});

test('the name is changed by the keyboard, in any script and without digits', { tag: '@proof' }, async ({ page }) => {
  const person = await signUpCompany();
  await signInByMail(page, person);
  await page.goto('/app/account');
  await page.getByRole('button', { name: 'Edit', exact: true }).press('Enter');
  await expect(page.getByRole('textbox', { name: 'First name' })).toBeFocused();
  await page.keyboard.type('Ada2');
  await page.keyboard.press('Tab');
  await page.keyboard.type('陳');
  await page.keyboard.press('Enter');
  await expect(
    page.getByText('A name may contain only letters, spaces, hyphens, apostrophes and periods'),
  ).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'First name' })).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await expect(toastOf(page, 'Saved successfully')).toBeVisible();
  await expect(page.getByText('Ada 陳')).toBeVisible();
});

test('the page with all that may stand on it fits a phone, in each language', { tag: '@proof' }, async ({
  browser,
}) => {
  const person = await signUpCompany();
  const page = await (
    await browser.newContext({ baseURL: addresses.console, viewport: { width: 390, height: 844 } })
  ).newPage();
  await virtualAuthenticator(page);
  await firstStep(page, person);
  await page.getByLabel(/^Skip verification/).check();
  await page.getByLabel('Verification code').fill(await person.inbox.code());
  await expect(page).toHaveURL('/app/home');
  await page.goto('/app/account');
  await addPasskey(page, person, 'A telephone with a rather long name');
  await expect(toastOf(page, 'Passkey added')).toBeVisible();
  for (const language of languagesRead) {
    await page.evaluate((value) => localStorage.setItem('language', value), language);
    await page.reload();
    await settled(page);
    await expect(page.getByText('A telephone with a rather long name')).toBeVisible();
    await expectNoSideways(page, `the account in ${language}`);
    await expectAccessible(page, `the account in ${language}`);
  }
  await page.context().close();
});
