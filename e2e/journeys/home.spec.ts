import { openCompany } from '../fixtures/company.ts';
import { copied, heading, toastOf } from '../fixtures/screen.ts';
import { expect, pageOf, signedInTest as test } from '../fixtures/test.ts';

test('home shows the total, its chart, the newest transactions and notices', async ({ page, company }) => {
  await page.goto('/');
  await expect(page).toHaveURL('/app/home');
  await expect(heading(page, 'Home')).toBeVisible();
  await expect(page.getByText('Total assets', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Change of the total' })).toBeVisible();
  await expect(page.getByRole('definition').first()).toHaveText(/^\+\d{2,3},\d{3}\.\d{2}USD$/);
  await page.getByRole('button', { name: '7 days' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: '7 days' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText(/\d{2},\d{3}\.\d{2}/).first()).toBeVisible();
  await expect(page.getByText('Recent transactions')).toBeVisible();
  await page.getByRole('listitem').filter({ hasText: 'Deposit' }).getByRole('link').first().click();
  await expect(page).toHaveURL(/\/app\/transaction\/[0-9a-f-]{36}/);
  await expect(page.getByRole('dialog', { name: 'On-chain deposit' })).toBeVisible();
  await page.goto('/app/home');
  await page.getByRole('link', { name: 'All notices' }).click();
  await expect(page).toHaveURL('/app/notice-center');
  expect(company.email).toContain('@');
});

test('a new company sees its first steps, until they are done or it does not want them', async ({ browser }) => {
  const company = await openCompany();
  const page = await pageOf(browser, company);
  await page.goto('/app/home');
  const steps = page.locator('section').filter({ has: page.getByRole('heading', { name: 'First steps' }) });
  await expect(steps.getByRole('link')).toHaveCount(7);
  await expect(page.getByText('The chart starts on the day after the first money has arrived.')).toBeVisible();
  await steps.getByRole('link', { name: 'Enter your name' }).click();
  await page.getByRole('region', { name: 'Profile' }).getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Wong');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await expect(toastOf(page, 'Saved successfully')).toBeVisible();
  await page.goto('/app/home');
  await expect(steps).toContainText('1 of 7 done');
  await steps.getByRole('button', { name: 'Hide' }).click();
  await expect(steps).toBeHidden();
  await page.reload();
  await expect(page.getByText('Total assets', { exact: true }).first()).toBeVisible();
  await expect(steps).toBeHidden();
  await page.goto('/app/payee');
  await page.getByRole('button', { name: /^Your account/ }).click();
  await page.getByRole('menuitem', { name: 'Show first steps' }).click();
  await expect(page).toHaveURL('/app/home');
  await expect(steps).toContainText('1 of 7 done');
  await page.getByRole('button', { name: /^Your account/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Security settings' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Show first steps' })).toHaveCount(0);
  await page.context().close();
});

test('an unknown address says so and leads home; every entry of the menu leads to a page', async ({ page }) => {
  for (const path of ['/app/nowhere', '/app/payee/no/where', '/nowhere']) {
    await page.goto(path);
    await expect(page).toHaveTitle('Page not found · Causeway');
    await expect(heading(page, 'Page not found')).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Main menu' })).toHaveCount(path.startsWith('/app') ? 1 : 0);
    await expect(page.getByText('The page may have moved or been deleted.')).toBeVisible();
    await page.getByRole('link', { name: 'Back to home' }).click();
    await expect(page).toHaveURL('/app/home');
  }
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  for (const link of await menu.getByRole('link').all()) {
    await link.click();
    await expect(link).toHaveAttribute('aria-current', 'page');
    await expect(heading(page, 'Page not found')).toBeHidden();
  }
});

test('the menu is 208 px wide, collapses, and remembers which groups are open; the header is 60 px high', async ({
  page,
}) => {
  await page.goto('/app/home');
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  expect((await menu.boundingBox())?.width).toBe(208);
  expect((await page.getByRole('banner').boundingBox())?.height).toBe(60);
  await menu.getByRole('button', { name: 'Approval' }).click();
  await expect(menu.getByRole('link', { name: 'Pending review' })).toBeHidden();
  await page.reload();
  await expect(menu.getByRole('link', { name: 'Wallet list' })).toBeVisible();
  await expect(menu.getByRole('link', { name: 'Pending review' })).toBeHidden();
  await menu.getByRole('button', { name: 'Collapse the menu' }).click();
  expect((await menu.boundingBox())?.width).toBeLessThan(80);
  await page.reload();
  await menu.getByRole('button', { name: 'Expand the menu' }).click();
  expect((await menu.boundingBox())?.width).toBe(208);
});

test('the account can be copied from the user menu', { tag: '@proof' }, async ({ page, context }) => {
  await context.grantPermissions(['clipboard-write']);
  await page.goto('/app/home');
  await page.getByRole('button', { name: /^Your account/ }).click();
  await page.getByRole('menuitem', { name: /Copy Account identifier/ }).click();
  await expect(toastOf(page, 'Copied successfully')).toBeVisible();
  await copied(page, /^.{4,}$/);
});
