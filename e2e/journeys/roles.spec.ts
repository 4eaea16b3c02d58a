import { listRoles } from '@causeway/contract/organisation.ts';
import { openCompany } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { expectAccessible, heading, settled, toastOf } from '../fixtures/screen.ts';
import { hire, makeRole } from '../fixtures/staff.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

test('a role is made of a name, an authority and permissions', async ({ browser }) => {
  const company = await openCompany();
  const page = await pageOf(browser, company);
  await page.goto('/app/role-management');
  await expect(page.getByText('System role', { exact: true })).toHaveCount(4);
  await settled(page);
  await expectAccessible(page, 'roles');
  await page.getByRole('link', { name: 'Add role' }).click();
  const form = page.getByRole('dialog', { name: 'Add role' });
  await form.getByRole('button', { name: 'Add role' }).click();
  await expect(toastOf(page, 'Form validation failed')).toBeVisible();
  await expect(form.getByLabel('Role name')).toBeFocused();
  await expect(form.getByText('required').nth(1)).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'adding a role, with errors');
  await form.getByLabel('Role name').fill('Payments desk');
  await form.getByLabel('Can approve transfers worth less than').fill('50000');

  const box = (name: string) => form.getByRole('checkbox', { name, exact: true });
  await box('Create and cancel own transfers and payments').check();
  const wallets = form.getByRole('checkbox', { name: /View wallets and balances/ });
  await expect(wallets).toBeChecked();
  await expect(wallets).toBeDisabled();
  await expect(form.getByText('Included with “Create and cancel own transfers and payments”').first()).toBeVisible();
  await expect(box('Payee')).toHaveJSProperty('indeterminate', true);
  await expect(form.getByText('4 permissions', { exact: true })).toBeVisible();
  await box('Approval').check();
  await expect(box('Approve and reject')).toBeChecked();
  await expect(form.getByText('6 permissions', { exact: true })).toBeVisible();
  await form.getByRole('button', { name: 'Add role' }).click();
  await expect(toastOf(page, 'Added successfully')).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'Payments desk' })).toBeVisible();
  const { token } = company;
  const made = (await send(listRoles, { token })).find(({ name }) => name === 'Payments desk');
  expect(made).toMatchObject({ quotaUsd: '50000.00', active: true });
  expect(made?.permissions).toHaveLength(6);
  await page.keyboard.press('Escape');
  const row = page.getByRole('row', { name: /Payments desk/ });
  await expect(row).toContainText('Less than 50,000.00 USD');
  await expect(row.getByRole('cell', { name: '6', exact: true })).toBeVisible();
  await page.context().close();
});

test('a change of a role takes effect with the next request of its holder', async ({ browser }) => {
  const company = await openCompany();
  const roleId = await makeRole(company, 'Desk', ['payee.manage', 'wallet.view', 'transaction.view', 'notice.view']);
  const holder = await hire(company, { firstName: 'Priya', role: roleId });
  const theirs = await pageOf(browser, holder);
  await theirs.goto('/app/payee');
  await expect(theirs.getByRole('link', { name: 'Add payee' }).first()).toBeVisible();

  const page = await pageOf(browser, company);
  await page.goto(`/app/role-management/${roleId}`);
  const panel = page.getByRole('dialog', { name: 'Desk' });
  await expect(panel.getByText('Takes effect from the next action of 1 member')).toBeVisible();
  await panel.getByRole('checkbox', { name: 'Manage payees', exact: true }).uncheck();
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect(toastOf(page, 'Edited successfully')).toBeVisible();
  await expect(theirs.getByRole('link', { name: 'Add payee' })).toHaveCount(0);
  await theirs.goto('/app/payee/add');
  await expect(theirs.getByRole('alert').filter({ hasText: 'No permission' })).toBeVisible();

  await panel.getByRole('checkbox', { name: /^Active/ }).uncheck();
  await expect(
    panel.getByText('1 member has this role and will lose all permissions from their next action.'),
  ).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'a role about to be switched off');
  // The toast of the first change may still be there; what counts is what the server knows.
  await panel.getByRole('button', { name: 'Save' }).click();
  const { token } = company;
  const isActive = async () => (await send(listRoles, { token })).find(({ id }) => id === roleId)?.active;
  await expect.poll(isActive).toBe(false);
  await theirs.goto('/app/payee');
  await expect(theirs.getByRole('alert').filter({ hasText: 'No permission' })).toBeVisible();
  await theirs.context().close();
  await page.context().close();
});

test('the list follows roles added elsewhere; a panel opened by its address gives the focus to the page', {
  tag: '@proof',
}, async ({ browser }) => {
  const company = await openCompany();
  const desk = await makeRole(company, 'Desk', ['notice.view']);
  const page = await pageOf(browser, company);
  const closed = async (path: string) => {
    await page.goto(`/app/role-management/${path}`);
    await expect(page.getByRole('dialog')).toBeVisible();
    await settled(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  };
  await closed(desk);
  await expect(page.getByRole('link', { name: 'Desk' })).toBeFocused();
  await closed('add');
  await expect(page.getByRole('link', { name: 'Add role' })).toBeFocused();
  await closed('01939d2e-5f6a-7000-8000-000000000001');
  await expect(heading(page, 'Roles')).toBeFocused();

  await page.goto('/app/role-management');
  await settled(page);
  await makeRole(company, 'Night desk', ['notice.view']);
  await expect(page.getByRole('row', { name: /Night desk/ })).toBeVisible();
  await page.context().close();
});

test('a system role is read and copied; a role in use is kept, with the reason', { tag: '@proof' }, async ({
  browser,
}) => {
  const company = await openCompany();
  const page = await pageOf(browser, company);
  await page.goto('/app/role-management');
  await page.getByRole('link', { name: /Approver/ }).click();
  const system = page.getByRole('dialog', { name: 'Approver' });
  await expect(system.getByText('System roles are built in and cannot be changed.', { exact: false })).toBeVisible();
  await expect(system.getByRole('checkbox', { name: 'Approve and reject' })).toBeDisabled();
  await expect(system.getByRole('button', { name: 'Delete' })).toHaveCount(0);
  await settled(page);
  await expectAccessible(page, 'a system role');
  await system.getByRole('button', { name: 'Copy' }).click();
  const copying = page.getByRole('dialog', { name: 'Copy “Approver”' });
  await copying.getByLabel('Role name').fill('Second approver');
  await settled(page);
  await expectAccessible(page, 'copying a role');
  await copying.getByRole('button', { name: 'Copy' }).click();
  await expect(toastOf(page, 'Copied successfully')).toBeVisible();
  const copy = page.getByRole('dialog', { name: 'Second approver' });
  await expect(copy.getByRole('checkbox', { name: 'Approve and reject' })).toBeChecked();
  const { token } = company;
  const roleId = (await send(listRoles, { token })).find(({ name }) => name === 'Second approver')?.id ?? '';
  const holder = await hire(company, { firstName: 'Priya', role: roleId });
  await expect(copy.getByRole('link', { name: '1', exact: true })).toBeVisible();
  await copy.getByRole('button', { name: 'Delete' }).click();
  const inUse = page.getByRole('dialog', { name: 'This role is in use' });
  await expect(inUse).toContainText('“Second approver” cannot be deleted: 1 member has this role.');
  await inUse.getByRole('button', { name: 'Close' }).last().click();
  await copy.getByRole('link', { name: '1', exact: true }).click();
  await expect(heading(page, 'Members')).toBeVisible();
  await expect(page.getByRole('link', { name: /Priya/ })).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(2);

  const spare = await makeRole(company, 'Spare', ['notice.view']);
  await page.goto(`/app/role-management/${spare}`);
  await page.getByRole('dialog', { name: 'Spare' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete this role?' }).getByRole('button', { name: 'Delete' }).click();
  await expect(toastOf(page, 'Deleted successfully')).toBeVisible();
  await expect(page.getByRole('row', { name: /Spare/ })).toHaveCount(0);

  const theirs = await pageOf(browser, holder);
  await theirs.goto('/app/role-management');
  await expect(theirs.getByRole('alert').filter({ hasText: 'No permission' })).toBeVisible();
  await theirs.context().close();
  await page.context().close();
});
