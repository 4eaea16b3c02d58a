import { addresses } from '../addresses.ts';
import { freshEmail } from '../fixtures/company.ts';
import { inboxOf } from '../fixtures/desk.ts';
import { operator } from '../fixtures/operator.ts';
import { activate, enterOperator, operatorPage } from '../fixtures/operator-console.ts';
import { choose, expectAccessible, settled, toastOf } from '../fixtures/screen.ts';
import { activationLink } from '../fixtures/staff.ts';
import { expect, test } from '../fixtures/test.ts';

/** Makes an administrator on the command line; returns the link that it prints once. */
async function firstLink(name: string, email: string): Promise<string> {
  const words = ['staff', 'add', '--name', name, '--email', email, '--role', 'administrator', '--json'];
  return (JSON.parse(await operator(...words)) as { link: string }).link;
}

test('two administrators take on a colleague: one proposes, the other confirms', async ({ browser }) => {
  test.slow();
  const emails = [freshEmail(), freshEmail()] as const;
  const links = await Promise.all([firstLink('Ada Operator', emails[0]), firstLink('Bo Operator', emails[1])]);
  const [ada, bo] = await Promise.all([operatorPage(browser), operatorPage(browser)]);
  const [adaWho, boWho] = await Promise.all([activate(ada, links[0], emails[0]), activate(bo, links[1], emails[1])]);
  await Promise.all([enterOperator(ada, adaWho), enterOperator(bo, boWho)]);
  await expectAccessible(ada, 'home');

  // Ada proposes; nothing happens before it is confirmed.
  const email = freshEmail();
  const inbox = inboxOf(email);
  const name = `Cai ${email.split('@')[0]}`;
  await ada.getByRole('link', { name: 'Staff' }).click();
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
  await ada.getByRole('link', { name: 'Confirmations' }).click();
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
  await expect(toastOf(bo, 'Confirmed and in effect')).toBeVisible();
  await expect(panel.getByText('Confirmed', { exact: true })).toBeVisible();

  // The colleague follows the link of the mail, and finds what the role allows.
  const cai = await operatorPage(browser);
  const caiWho = await activate(cai, await activationLink(inbox), email);
  await enterOperator(cai, caiWho);
  const menu = cai.getByRole('navigation', { name: 'Main menu' });
  await expect(menu.getByRole('link')).toHaveText([/^$|Causeway Operator/, 'Home', 'Confirmations', 'Staff']);
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
