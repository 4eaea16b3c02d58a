import { openCompany } from '../fixtures/company.ts';
import { inboxOf } from '../fixtures/desk.ts';
import { choose, expectAccessible, expectOnTop, heading, settled, toastOf } from '../fixtures/screen.ts';
import { activationLink, hire, inviteMember, openDepartment } from '../fixtures/staff.ts';
import { expect, pageOf, remembered, test } from '../fixtures/test.ts';

test('a member is added, mailed a link that serves once, sets a password, and signs in', async ({ browser }) => {
  const company = await openCompany();
  await openDepartment(company, 'Treasury');
  const page = await pageOf(browser, company);
  const email = `mei.ling.${Date.now()}@harbour.example`;
  await page.goto('/app/member-management');
  await page.getByRole('link', { name: 'Add member' }).click();
  await expect(page).toHaveURL('/app/member-management/add');
  const form = page.getByRole('dialog', { name: 'Add member' });
  await form.getByRole('button', { name: 'Add member' }).click();
  await expect(toastOf(page, 'Form validation failed')).toBeVisible();
  await expect(form.getByLabel('First name')).toBeFocused();
  await expect(form.getByText('required', { exact: true }).first()).toBeVisible();
  await form.getByLabel('First name').fill('Mei Ling');
  await form.getByLabel('Last name').fill('Chan');
  await form.getByLabel('Email', { exact: true }).fill('mei.ling');
  await choose(page, 'Role', 'Finance');
  await choose(page, 'Department', 'Treasury');
  await form.getByLabel('Mobile number').fill('123');
  await form.getByRole('button', { name: 'Add member' }).click();
  await expect(form.getByText('Please enter a valid email address')).toBeVisible();
  await expect(form.getByText('Please enter a valid mobile number')).toBeVisible();
  await page.reload();
  await expect(form.getByLabel('First name')).toHaveValue('Mei Ling');
  await form.getByLabel('Email', { exact: true }).fill(email);
  await form.getByLabel('Mobile number').fill('9123 4567');
  await form.getByRole('button', { name: 'Add member' }).click();
  await expect(toastOf(page, 'Added successfully')).toBeVisible();
  const panel = page.getByRole('dialog', { name: 'Mei Ling Chan' });
  await expect(panel.getByText('Invited', { exact: true })).toBeVisible();
  await expect(panel.getByText(/Link valid until/)).toBeVisible();

  const inbox = inboxOf(email);
  const first = await activationLink(inbox);
  await panel.getByRole('button', { name: 'Resend link' }).click();
  await page
    .getByRole('dialog', { name: 'Resend the activation link?' })
    .getByRole('button', { name: 'Resend link' })
    .click();
  // Adding the member said so too, in a toast that may still be there.
  const added = page.getByText('Added successfully', { exact: true });
  await expect(toastOf(page, `Link sent to ${email}`).filter({ hasNot: added })).toBeVisible();
  const second = await activationLink(inbox);

  const guest = await (await browser.newContext({ storageState: remembered({}) })).newPage();
  await guest.goto(first);
  await expect(heading(guest, 'This link is no longer valid')).toBeVisible();
  await expect(guest.getByText(/ask your company’s administrator to send a new link/)).toBeVisible();
  await expectAccessible(guest, 'a link that serves no longer');
  await guest.goto(second);
  await expect(heading(guest, 'Set your password')).toBeVisible();
  await expect(guest.getByText(`Harbour Lane Trading has opened an account for ${email}.`)).toBeVisible();
  await settled(guest);
  await expectAccessible(guest, 'the password of an activation');
  await guest.getByLabel('Password', { exact: true }).fill('harbour');
  await guest.getByRole('button', { name: 'Set password' }).click();
  await expect(toastOf(guest, 'Form validation failed')).toBeVisible();
  await guest.getByLabel('Password', { exact: true }).fill('Kelp-Lantern-26');
  await guest.getByLabel('Confirm password').fill('Harbour-2027');
  await guest.getByRole('button', { name: 'Set password' }).click();
  await expect(guest.getByText('The password entered do not match!')).toBeVisible();
  await guest.getByLabel('Confirm password').fill('Kelp-Lantern-26');
  await guest.getByRole('button', { name: 'Set password' }).click();
  await expect(heading(guest, 'Password set successfully')).toBeVisible();
  await guest.getByRole('link', { name: 'Sign in' }).click();
  await guest.getByLabel('Email').fill(email);
  await guest.getByLabel('Password', { exact: true }).fill('Kelp-Lantern-26');
  await guest.getByRole('button', { name: 'Access Your Account' }).click();
  await expect(heading(guest, 'Security verification')).toBeVisible();
  await guest.goto(second);
  await expect(heading(guest, 'This link is no longer valid')).toBeVisible();
  await guest.context().close();

  await expect(panel.getByText('Active', { exact: true })).toBeVisible();
  await page.context().close();
});

test('members are searched, filtered and shown; the address keeps it', { tag: '@proof' }, async ({ browser }) => {
  const company = await openCompany();
  const sales = await openDepartment(company, 'Sales');
  await hire(company, { firstName: 'Priya', lastName: 'Raghunathan', role: 'approver', departmentId: sales });
  await inviteMember(company, { firstName: 'Tom', lastName: 'O’Neill', role: 'finance', departmentId: sales });
  const page = await pageOf(browser, company);
  await page.goto('/app/member-management');
  await expect(page.getByRole('link', { name: /Priya Raghunathan/ })).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'members');
  await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption('Invited');
  await expect(page.getByRole('link', { name: /Tom O’Neill/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /Priya/ })).toHaveCount(0);
  await expect(page).toHaveURL(/status=invited/);
  await page.reload();
  await expect(page.getByRole('link', { name: /Tom O’Neill/ })).toBeVisible();
  await page.getByRole('button', { name: 'Clear 1 filter' }).click();
  await page.getByRole('combobox', { name: 'Department', exact: true }).selectOption('No department');
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Department', exact: true }).selectOption('Any');
  await page.getByPlaceholder('Name, email or mobile number').fill('no such name');
  await expect(page.getByText('No results for these filters')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'members, no match');
  await page.getByPlaceholder('Name, email or mobile number').fill('raghu');
  await page.getByRole('link', { name: /Priya Raghunathan/ }).click();
  const panel = page.getByRole('dialog', { name: 'Priya Raghunathan' });
  await expect(panel.getByLabel('Email', { exact: true })).toHaveAttribute('readonly');
  await settled(page);
  await expectAccessible(page, 'one member');
  await page.route('**/web/rbac/members?**', (route) => route.abort());
  await page.goto('/app/member-management?keyword=other');
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'members, error');
  await page.context().close();
});

test('a member is edited, disabled, enabled and deleted, and what that touches is said before', async ({ browser }) => {
  const company = await openCompany();
  const member = await hire(company, { firstName: 'Priya', role: 'approver' });
  const deputy = await hire(company, { firstName: 'Ines', role: 'approver' });
  const page = await pageOf(browser, company);
  await page.goto(`/app/member-management/${member.id}`);
  const panel = page.getByRole('dialog', { name: 'Priya' });
  await choose(page, 'Role', 'Viewer');
  await panel.getByRole('button', { name: 'Save', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Change the role?' });
  await expect(question).toContainText('No pending approvals involve this member.');
  await settled(page);
  await expectAccessible(page, 'changing a role');
  await question.getByRole('button', { name: 'Change role' }).click();
  await expect(toastOf(page, 'Edited successfully')).toBeVisible();

  await panel.getByRole('checkbox', { name: 'On leave' }).check();
  await panel.getByLabel('Deputy').click();
  // Neither the member nor the person who sends them on leave.
  await expect(page.getByRole('option')).toHaveText([/Ines/]);
  await page.getByRole('option', { name: /Ines/ }).click();
  await panel.getByRole('button', { name: 'Save leave' }).click();
  await expect(toastOf(page, 'Setting successful')).toBeVisible();

  // The member's own page is open meanwhile: disabling ends it.
  const theirs = await pageOf(browser, member);
  await theirs.goto('/app/home');
  await expect(heading(theirs, 'Home')).toBeVisible();
  await panel.getByRole('button', { name: 'Disable' }).click();
  const disabling = page.getByRole('dialog', { name: 'Disable this member?' });
  await expect(disabling).toContainText('No pending approvals');
  await disabling.getByRole('button', { name: 'Disable' }).click();
  await expect(panel.getByText('Disabled', { exact: true })).toBeVisible();
  await theirs.reload();
  await expect(theirs).toHaveURL(/\/sign-in/);
  await panel.getByRole('button', { name: 'Enable' }).click();
  await page.getByRole('dialog', { name: 'Enable this member?' }).getByRole('button', { name: 'Enable' }).click();
  await expect(panel.getByText('Active', { exact: true })).toBeVisible();
  await panel.getByRole('button', { name: 'Reset password' }).click();
  await page
    .getByRole('dialog', { name: 'Reset this member’s password?' })
    .getByRole('button', { name: 'Reset password' })
    .click();
  await expect(toastOf(page, `Password reset link sent to ${member.email}`)).toBeVisible();
  await theirs.goto(await activationLink(member.inbox));
  await expect(heading(theirs, 'Set a new password')).toBeVisible();
  await theirs.context().close();

  await page.goto(`/app/member-management/${deputy.id}`);
  const other = page.getByRole('dialog', { name: 'Ines' });
  await other.getByRole('button', { name: 'Delete' }).click();
  const deleting = page.getByRole('dialog', { name: 'Delete this member?' });
  await expect(deleting).toContainText('This member is the deputy of 1 member on leave');
  await settled(page);
  await expectAccessible(page, 'deleting a member');
  await deleting.getByRole('button', { name: 'Delete' }).click();
  await expect(toastOf(page, 'Deleted successfully')).toBeVisible();
  await expect(page).toHaveURL('/app/member-management');
  await expect(page.getByRole('link', { name: /Ines/ })).toHaveCount(0);
  await page.context().close();
});

test('the last administrator cannot be removed, and a member without permission sees a message in place of the list', {
  tag: '@proof',
}, async ({ browser }) => {
  const company = await openCompany();
  const viewer = await hire(company, { firstName: 'Vera', role: 'viewer' });
  const page = await pageOf(browser, company);
  await page.goto('/app/member-management');
  await page.getByRole('link', { name: new RegExp(company.email) }).click();
  const panel = page.getByRole('dialog', { name: company.email });
  await expect(panel.getByText('Last administrator')).toBeVisible();
  await panel.getByRole('button', { name: 'Delete' }).click();
  const deleting = page.getByRole('dialog', { name: 'Delete this member?' });
  await expect(deleting).toContainText('This is the company’s last active administrator.');
  await deleting.getByRole('button', { name: 'Delete' }).click();
  const refused = page.locator('[data-toast]').filter({ hasText: /administrator/ });
  await expect(refused).toBeVisible();
  await expectOnTop(refused);
  // The dialog says it too, for as long as it holds.
  await refused.getByRole('button', { name: 'Dismiss' }).click();
  await expect(refused).toHaveCount(0);
  await expect(deleting.locator('[data-failure]')).toContainText('administrator');
  await deleting.getByRole('button', { name: 'Cancel' }).click();
  await expect(deleting).toBeHidden();
  await panel.getByRole('button', { name: 'Delete' }).click();
  await expect(deleting).toBeVisible();
  await expect(deleting.locator('[data-failure]')).toHaveCount(0);
  await deleting.getByRole('button', { name: 'Cancel' }).click();
  await expect(panel).toBeVisible();

  await page.goto('/app/member-management/add');
  const form = page.getByRole('dialog', { name: 'Add member' });
  await form.getByLabel('First name').fill('Tom');
  await form.getByLabel('Email', { exact: true }).fill(company.email);
  await choose(page, 'Role', 'Viewer');
  await choose(page, 'Department', 'Head office');
  await form.getByLabel('Mobile number').fill('91234567');
  await form.getByRole('button', { name: 'Add member' }).click();
  await expect(form.getByLabel('Email', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await expect(form.getByText('This email address is already in use', { exact: false })).toBeVisible();
  await expect(form.getByLabel('First name')).toHaveValue('Tom');
  await page.context().close();

  const theirs = await pageOf(browser, viewer);
  await theirs.goto('/app/member-management');
  await expect(theirs.getByRole('alert').filter({ hasText: 'No permission' })).toBeVisible();
  await expect(theirs.getByRole('link', { name: 'Add member' })).toHaveCount(0);
  // A refused page offers nothing: neither a search nor filters, whose choices would say what may not be seen, nor an export.
  const offers = ['searchbox', 'combobox', 'button', 'table'] as const;
  for (const role of offers) await expect(theirs.getByRole('main').getByRole(role)).toHaveCount(0);
  await settled(theirs);
  await expectAccessible(theirs, 'members without permission');
  await theirs.goto('/app/audit-log');
  await expect(theirs.getByRole('alert').filter({ hasText: 'No permission' })).toBeVisible();
  for (const role of offers) await expect(theirs.getByRole('main').getByRole(role)).toHaveCount(0);
  await theirs.goto('/app/payee');
  await expect(theirs.getByText('No payees yet')).toBeVisible();
  await expect(theirs.getByRole('link', { name: 'Add payee' })).toHaveCount(0);
  await theirs.goto('/app/transfer-out');
  await expect(theirs.getByRole('alert').filter({ hasText: 'No permission' })).toBeVisible();
  await theirs.context().close();
});
