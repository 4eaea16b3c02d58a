import { addresses } from '../addresses.ts';
import { freshEmail } from '../fixtures/company.ts';
import { inboxOf } from '../fixtures/desk.ts';
import { activateByHand, enterByHand, firstLink, operatorPage } from '../fixtures/operator-console.ts';
import { virtualAuthenticator } from '../fixtures/passkey.ts';
import { choose, enter, expectAccessible, heading, settled, toastOf } from '../fixtures/screen.ts';
import { activationLink } from '../fixtures/staff.ts';
import { expect, test } from '../fixtures/test.ts';

test('two administrators take on a colleague: one proposes, the other confirms', async ({ browser }) => {
  test.slow();
  const emails = [freshEmail(), freshEmail()] as const;
  const links = await Promise.all([firstLink('Ada Operator', emails[0]), firstLink('Bo Operator', emails[1])]);
  const [ada, bo] = await Promise.all([operatorPage(browser), operatorPage(browser)]);
  const [adaWho, boWho] = await Promise.all([
    activateByHand(ada, links[0], emails[0]),
    activateByHand(bo, links[1], emails[1]),
  ]);
  await Promise.all([enterByHand(ada, adaWho), enterByHand(bo, boWho)]);
  await expectAccessible(ada, 'home');

  // Ada proposes; nothing happens before it is confirmed.
  const email = freshEmail();
  const inbox = inboxOf(email);
  const name = `Cai ${email.split('@')[0]}`;
  await ada.getByRole('link', { name: 'Staff', exact: true }).click();
  await settled(ada);
  await expectAccessible(ada, 'staff');
  await ada.getByRole('button', { name: 'Invite a colleague' }).click();
  const invitation = ada.getByRole('dialog', { name: 'Invite a colleague' });
  await invitation.getByLabel('Name').fill(name);
  await invitation.getByLabel('Email').fill(email);
  await choose(ada, 'Role', 'Support');
  await invitation.getByLabel('Reason').fill('Joins the support desk on Monday');
  await expectAccessible(ada, 'invitation');
  await invitation.getByRole('button', { name: 'Submit for confirmation' }).click();
  await expect(toastOf(ada, 'Submitted for confirmation')).toBeVisible();
  await ada.getByRole('link', { name: 'Confirmations', exact: true }).click();
  await ada.getByRole('link', { name: new RegExp(name) }).click();
  await expect(ada.getByText('You proposed this.')).toBeVisible();
  await expect(ada.getByRole('button', { name: 'Confirm', exact: true })).toBeHidden();
  await settled(ada);
  await expectAccessible(ada, 'own proposal');

  // Bo sees it without a reload, and what would change.
  await bo
    .getByRole('main')
    .getByRole('link', { name: new RegExp(name) })
    .click();
  const panel = bo.getByRole('dialog', { name: new RegExp(name) });
  await expect(panel.getByText('Joins the support desk on Monday')).toBeVisible();
  await expect(panel.getByRole('row', { name: /Role.*Support/ })).toBeVisible();
  await bo.keyboard.press('a');
  const confirmation = bo.getByRole('dialog', { name: 'Confirm this proposal' });
  await confirmation.getByLabel('Code from your authenticator').fill(boWho.authenticator.code(1));
  await expectAccessible(bo, 'confirmation');
  await confirmation.getByRole('button', { name: 'Confirm' }).click();
  await expect(toastOf(bo, 'Confirmed')).toBeVisible();
  await expect(panel.getByText('Confirmed', { exact: true })).toBeVisible();

  // The colleague follows the link of the mail, and finds what the role allows.
  const cai = await operatorPage(browser);
  const caiWho = await activateByHand(cai, await activationLink(inbox), email);
  await enterByHand(cai, caiWho);
  const menu = cai.getByRole('navigation', { name: 'Main menu' });
  await expect(menu.getByRole('link')).toHaveText([
    /^$|Causeway Operator/,
    'Home',
    'Companies',
    'Transactions',
    'Guaranteed trades',
    'Exceptions',
    'Invitations',
    'Prices',
    'Chains and coins',
    'Announcements',
    'Treasury',
    'Position and hedging',
    'OTC desk',
    'Banks',
    'Solvency',
    'Confirmations',
    'Health',
    'Staff',
  ]);
  await cai.goto('/app/audit-log');
  await expect(cai.getByText('No permission')).toBeVisible();
  await cai.goto('/app/staff');
  await settled(cai);
  await expect(cai.getByRole('button', { name: 'Invite a colleague' })).toBeHidden();
  await cai.goto('/app/account');
  await settled(cai);
  await expectAccessible(cai, 'my account');

  // What is rejected changes nothing, and its proposer reads the reason.
  await ada.goto('/app/staff');
  await ada.getByRole('link', { name: new RegExp(name) }).click();
  await ada.getByRole('button', { name: 'Change role' }).click();
  const role = ada.getByRole('dialog', { name: `Change the role of ${name}` });
  await role.getByLabel('Compliance').check();
  await role.getByLabel('Reason').fill('Covers for a leave');
  await role.getByRole('button', { name: 'Submit for confirmation' }).click();
  await expect(ada.getByText('(proposed by Ada Operator)')).toBeVisible();
  await ada.getByRole('link', { name: 'View', exact: true }).click();
  await bo.goto('/app/home');
  await bo
    .getByRole('main')
    .getByRole('link', { name: new RegExp(name) })
    .click();
  await bo.getByRole('button', { name: 'Reject' }).click();
  const rejection = bo.getByRole('dialog', { name: 'Reject this proposal' });
  await rejection.getByLabel('Reason').fill('The leave was cancelled');
  await rejection.getByRole('button', { name: 'Reject' }).click();
  await expect(toastOf(bo, 'Rejected')).toBeVisible();
  await expect(ada.getByText('The leave was cancelled')).toBeVisible();

  // All of it is in the sealed log.
  await bo.goto('/app/audit-log');
  await bo.getByRole('searchbox').fill('The leave was cancelled');
  // The list is asked again a moment after the last key.
  await expect(bo).toHaveURL(/keyword=/);
  const entry = bo.getByRole('main').getByRole('link').filter({ hasText: 'proposal' }).first();
  await expect(entry).toBeVisible();
  await settled(bo);
  await expectAccessible(bo, 'audit log');
  await entry.click();
  await expect(bo.getByRole('dialog').getByText('The leave was cancelled')).toBeVisible();

  // The other console in the same browser knows nothing of this session, and the reverse.
  const company = await bo.context().newPage();
  await company.goto(`${addresses.console}/app/home`);
  await expect(company).toHaveURL(/\/sign-in/);
  await bo.reload();
  await expect(bo.getByRole('dialog').getByText('The leave was cancelled')).toBeVisible();
  await Promise.all([ada, bo, cai].map((page) => page.context().close()));
});

test('an operator adds a passkey and signs in with it in place of the code', { tag: '@proof' }, async ({ browser }) => {
  test.slow();
  const email = freshEmail();
  const page = await operatorPage(browser);
  const who = await activateByHand(page, await firstLink('Pat Operator', email), email);
  await enterByHand(page, who);
  const passkeys = await virtualAuthenticator(page);
  await page.goto('/app/account');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a passkey' });
  await adding.getByLabel('Current password').fill(who.password);
  await adding.getByLabel('Verification code').fill(who.authenticator.code(1));
  await adding.getByRole('button', { name: 'Continue' }).click();
  await adding.getByRole('textbox', { name: 'Passkey name' }).fill('Laptop of Pat');
  await adding.getByRole('button', { name: 'Create passkey' }).click();
  await expect(page.getByRole('main').getByText('Laptop of Pat')).toBeVisible();
  await page.getByRole('button', { name: 'Pat Operator' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();

  // What the person at the device does not confirm opens nothing.
  await enter(page, who);
  await passkeys.agree(false);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(toastOf(page, 'The passkey was not used. Try again, or use a code')).toBeVisible();
  await expectAccessible(page, 'second step with a passkey');
  await passkeys.agree(true);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(heading(page, 'Home')).toBeVisible();

  await page.goto('/app/account');
  await expect(page.getByRole('list', { name: 'Active sessions' })).toContainText(/Verified with\s*Passkey/);
  await page.context().close();
});
