import { getCompanySettings, listDepartments } from '@causeway/contract/organisation.ts';
import type { Locator, Page } from '@playwright/test';
import { type Company, openCompany } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { choose, expectAccessible, settled, toastOf } from '../fixtures/screen.ts';
import { hire, openDepartment } from '../fixtures/staff.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

/** The departments as the server has them: "Finance(Treasury Tax) Sales". */
async function tree({ token }: Pick<Company, 'token'>): Promise<string> {
  const { items } = await send(listDepartments, { token });
  const written = (parentId: string | null): string =>
    items
      .filter((department) => department.parentId === parentId)
      .sort((a, b) => a.position - b.position)
      .map(({ id, name }) => {
        const under = written(id);
        return under === '' ? name : `${name}(${under})`;
      })
      .join(' ');
  return written(null);
}

function line(page: Page, name: string): Locator {
  return page.getByRole('treeitem', { name: new RegExp(`^${name}`) });
}

test('departments are made, renamed and deleted; one in use is kept, with the reason', async ({ browser }) => {
  const company = await openCompany();
  const page = await pageOf(browser, company);
  await page.goto('/app/structure-management');
  await expect(page.getByText('No departments yet')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'no departments');
  await page.getByRole('button', { name: 'Add department' }).first().click();
  const adding = page.getByRole('dialog', { name: 'Add department' });
  await expect(adding.getByLabel('Department name')).toBeFocused();
  await adding.getByRole('button', { name: 'Save' }).click();
  await expect(adding.getByText('required', { exact: true })).toBeVisible();
  await expect(adding.getByLabel('Department name')).toBeFocused();
  await settled(page);
  await expectAccessible(page, 'adding a department, with an error');
  await adding.getByLabel('Department name').fill('Finance');
  await page.keyboard.press('Enter');
  await expect(toastOf(page, 'Added successfully')).toBeVisible();
  await expect(line(page, 'Finance')).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: 'Add sub-department' }).click();
  await adding.getByLabel('Department name').fill('Treasury');
  await adding.getByRole('button', { name: 'Save' }).click();
  await expect(line(page, 'Treasury')).toHaveAttribute('aria-level', '2');
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('Department name').fill('Treasury and liquidity');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toastOf(page, 'Edited successfully')).toBeVisible();
  await expect(line(page, 'Treasury and liquidity')).toBeVisible();
  await page.reload();
  await expect(line(page, 'Treasury and liquidity')).toHaveAttribute('aria-selected', 'true');

  await line(page, 'Finance').click();
  await page.getByRole('button', { name: 'Delete' }).click();
  const inUse = page.getByRole('dialog', { name: 'This department is in use' });
  await expect(inUse).toContainText('it has 0 members and 1 sub-department');
  await inUse.getByRole('button', { name: 'Close' }).last().click();
  await line(page, 'Treasury and liquidity').click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete this department?' }).getByRole('button', { name: 'Delete' }).click();
  await expect(toastOf(page, 'Deleted successfully')).toBeVisible();
  await expect(line(page, 'Treasury and liquidity')).toHaveCount(0);
  expect(await tree(company)).toBe('Finance');
  await page.context().close();
});

test('a department is moved by keys alone, with all that is under it', { tag: '@proof' }, async ({ browser }) => {
  const company = await openCompany();
  const finance = await openDepartment(company, 'Finance');
  await openDepartment(company, 'Treasury', finance);
  await openDepartment(company, 'Sales');
  await openDepartment(company, 'Legal');
  const page = await pageOf(browser, company);
  await page.goto('/app/structure-management');
  await settled(page);
  await expectAccessible(page, 'departments');
  await line(page, 'Finance').focus();
  await page.keyboard.press('End');
  await expect(line(page, 'Legal')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(line(page, 'Legal')).toHaveAttribute('aria-selected', 'true');
  const move = page.getByRole('button', { name: 'Move', exact: true });
  await move.focus();
  await page.keyboard.press('Enter');
  const moving = page.getByRole('dialog', { name: 'Move “Legal” to…' });
  const parent = moving.getByRole('combobox', { name: 'Parent department' });
  await expect(parent).toBeFocused();
  // Esc closes first the list, then the dialog, and changes nothing.
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('option')).toHaveCount(0);
  await expect(parent).toHaveValue('None (top level)');
  await page.keyboard.press('Escape');
  await expect(moving).toBeHidden();
  await expect(page.getByRole('button', { name: 'Move', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(parent).toBeFocused();
  await settled(page);
  await expectAccessible(page, 'moving a department');
  await parent.fill('Fin');
  await page.getByRole('option', { name: 'Finance', exact: true }).click();
  const place = moving.getByRole('combobox', { name: 'Position' });
  await expect(place).toContainText('After Treasury');
  await place.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: 'First' }).click();
  await moving.getByRole('button', { name: 'Move here' }).focus();
  await page.keyboard.press('Enter');
  await expect(toastOf(page, 'Edited successfully')).toBeVisible();
  await expect(moving).toBeHidden();
  expect(await tree(company)).toBe('Finance(Legal Treasury) Sales');
  await expect(line(page, 'Legal')).toHaveAttribute('aria-level', '2');
  // Under itself, and under what is under it, nothing can go.
  await line(page, 'Finance').click();
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  const under = page.getByRole('dialog', { name: 'Move “Finance” to…' });
  await under.getByRole('button', { name: 'Show all options' }).first().click();
  await expect(page.getByRole('option')).toHaveText(['None (top level)', 'Sales']);
  await page.getByRole('option', { name: 'Sales' }).click();
  await under.getByRole('button', { name: 'Move here' }).click();
  await expect.poll(() => tree(company)).toBe('Sales(Finance(Legal Treasury))');
  await page.context().close();
});

test('only members without a department are added; they are taken out again', { tag: '@proof' }, async ({
  browser,
}) => {
  const company = await openCompany();
  const finance = await openDepartment(company, 'Finance');
  await openDepartment(company, 'Sales');
  await hire(company, { firstName: 'Priya', departmentId: finance });
  const page = await pageOf(browser, company);
  await page.goto('/app/structure-management');
  await line(page, 'Sales').click();
  await expect(page.getByText('No members yet')).toBeVisible();
  await page.getByRole('button', { name: 'Add members' }).first().click();
  const adding = page.getByRole('dialog', { name: 'Add members to Sales' });
  await expect(adding.getByRole('checkbox')).toHaveCount(1);
  await settled(page);
  await expectAccessible(page, 'adding members');
  await adding.getByRole('checkbox', { name: new RegExp(company.email) }).check();
  await adding.getByRole('button', { name: 'Add 1 member' }).click();
  await expect(toastOf(page, 'Added successfully')).toBeVisible();
  await page.getByRole('button', { name: 'Add members' }).click();
  await expect(adding.getByText('All members have a department')).toBeVisible();
  await page.keyboard.press('Escape');
  const row = page.getByRole('row', { name: new RegExp(company.email) });
  await row.getByRole('checkbox').check();
  await settled(page);
  await expectAccessible(page, 'members of a department');
  await page.getByRole('button', { name: 'Remove' }).click();
  const removing = page.getByRole('dialog', { name: 'Remove 1 member from the department?' });
  await expect(removing).toContainText(company.email);
  await removing.getByRole('button', { name: 'Remove' }).click();
  await expect(toastOf(page, '1 member removed from the department')).toBeVisible();
  await page.getByRole('button', { name: /^No department/ }).click();
  await expect(page.getByRole('link', { name: new RegExp(company.email) })).toBeVisible();
  await page.route('**/web/rbac/departments', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await page.context().close();
});

test('the company’s time zone and whom codes go to are set', async ({ browser }) => {
  const company = await openCompany();
  const page = await pageOf(browser, company);
  await page.goto('/app/home');
  await page.getByRole('link', { name: 'Company settings' }).click();
  await expect(page).toHaveURL('/app/company-settings');
  // Where the settings were before.
  await page.goto('/app/structure-management?tab=company');
  await expect(page).toHaveURL('/app/company-settings');
  const zone = page.getByLabel('Company time zone');
  await expect(zone).toHaveValue('Asia/Hong Kong');
  await settled(page);
  await expectAccessible(page, 'company settings');
  await zone.fill('Singapore');
  await page.getByRole('option', { name: /Asia\/Singapore/ }).click();
  await choose(page, 'Base currency', 'HKD · Hong Kong Dollar');
  await page.getByRole('radio', { name: 'An administrator' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toastOf(page, 'Setting successful')).toBeVisible();
  const { token } = company;
  expect(await send(getCompanySettings, { token })).toMatchObject({
    timeZone: 'Asia/Singapore',
    codeRecipient: 'administrator',
    baseCurrency: 'HKD',
    waitingHours: 24,
    forbidOwnApprovers: false,
    approveNewPayees: false,
  });
  await page.context().close();
});

test('departments without permission', { tag: '@proof' }, async ({ browser }) => {
  const company = await openCompany();
  const finance = await openDepartment(company, 'Finance');
  const viewer = await hire(company, { firstName: 'Vera', departmentId: finance });
  const theirs = await pageOf(browser, viewer);
  await theirs.goto('/app/structure-management');
  await expect(theirs.getByRole('alert').filter({ hasText: 'No permission' })).toBeVisible();
  await expect(theirs.getByRole('link', { name: 'Company settings' })).toHaveCount(0);
  await theirs.goto('/app/company-settings');
  await expect(theirs.getByRole('alert').filter({ hasText: 'No permission' })).toBeVisible();
  await theirs.context().close();
});
