import { listCryptoPayees } from '@causeway/contract/payees.ts';
import { addListEntry, getRiskSetting } from '@causeway/contract/risk-lists.ts';
import { freshAddress, openCompany, savePayee } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { expectAccessible, expectNoSideways, settled, toastOf } from '../fixtures/screen.ts';
import { hire } from '../fixtures/staff.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

test('an account goes on the whitelist with its limits, is changed and taken off; the log tells it', async ({
  browser,
}) => {
  const company = await openCompany();
  const address = freshAddress();
  const page = await pageOf(browser, company);
  await page.goto('/app/risk-setting/whitelist');
  await expect(page.getByText('The whitelist is empty')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'an empty whitelist');
  await page.getByRole('button', { name: 'Add entry' }).first().click();
  const form = page.getByRole('dialog', { name: 'Add to the whitelist' });
  await expect(form.getByRole('radio', { name: 'Wallet address' })).toBeFocused();
  await form.getByRole('button', { name: 'Add entry' }).click();
  await expect(toastOf(page, 'Form validation failed')).toBeVisible();
  await expect(form.getByLabel('Wallet address').last()).toBeFocused();
  await settled(page);
  await expectAccessible(page, 'adding to the whitelist, with errors');
  await form.getByRole('textbox', { name: 'Wallet address' }).fill(address);
  await expect(form.getByText('The address is valid')).toBeVisible();
  await form.getByRole('textbox', { name: 'Remark' }).fill('Pearl River Supplies');
  await form.getByLabel('Single limit').fill('1000');
  await form.getByLabel('Daily limit').fill('500');
  await form.getByLabel('Cumulative limit').fill('20000');
  await form.getByRole('button', { name: 'Add entry' }).click();
  await expect(form.getByText('The daily limit must be at least the single-transaction limit')).toBeVisible();
  await form.getByLabel('Daily limit').fill('5000');
  await form.getByRole('button', { name: 'Add entry' }).click();
  await expect(toastOf(page, 'Added successfully')).toBeVisible();

  const row = page.getByRole('row', { name: /Pearl River Supplies/ });
  await expect(row).toContainText('5,000');
  await expect(row).toContainText('In use');
  await settled(page);
  await expectAccessible(page, 'a populated whitelist');
  await row.getByRole('button', { name: /^Edit/ }).click();
  const editing = page.getByRole('dialog', { name: 'Edit entry' });
  await editing.getByLabel('Daily limit').fill('8000');
  await editing.getByRole('button', { name: 'Save' }).click();
  await expect(toastOf(page, 'Edited successfully')).toBeVisible();
  await expect(row).toContainText('8,000');

  await row.getByRole('button', { name: `Delete ${address}` }).click();
  const asking = page.getByRole('dialog', { name: 'Remove this account from the whitelist?' });
  await expect(asking).toContainText(address);
  await expect(asking).toContainText('its limits no longer apply');
  await settled(page);
  await expectAccessible(page, 'taking an account off the whitelist');
  await asking.getByRole('button', { name: 'Delete' }).click();
  await expect(toastOf(page, 'Deleted successfully')).toBeVisible();
  await expect(row).toContainText('Deleted');
  await page.getByLabel('Status').selectOption('in_use');
  await expect(page.getByText('No results for these filters')).toBeVisible();
  await page.getByRole('link', { name: 'Log', exact: true }).click();
  const log = page.getByRole('dialog', { name: 'Whitelist log' });
  await expect(log.getByText('Daily limit: 5,000.00 USD → 8,000.00 USD')).toBeVisible();
  await expect(log.getByText('Deleted', { exact: true })).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'the log of the whitelist');
  await page.context().close();
});

test('a blacklisted payee is unusable at once, and usable again when it is taken off', async ({ browser }) => {
  const company = await openCompany();
  const { token } = company;
  const payee = await savePayee(company, { label: 'Doubtful Metals' });
  const page = await pageOf(browser, company);
  await page.goto('/app/risk-setting/blacklist');
  await page.getByRole('button', { name: 'Add entry' }).first().click();
  const form = page.getByRole('dialog', { name: 'Add to the blacklist' });
  await expect(form).toContainText('Payees with this account become unusable immediately');
  await form.getByRole('textbox', { name: 'Wallet address' }).fill(payee.address);
  await expect(form.getByText('saved in your address book as “Doubtful Metals”')).toBeVisible();
  await form.getByRole('button', { name: 'Add entry' }).click();
  await expect(toastOf(page, 'Added successfully')).toBeVisible();
  const statusOf = async () =>
    (await send(listCryptoPayees, { token })).items.find(({ id }) => id === payee.id)?.status;
  expect(await statusOf()).toBe('unusable');
  await page.getByRole('button', { name: `Delete ${payee.address}` }).click();
  const asking = page.getByRole('dialog', { name: 'Remove this account from the blacklist?' });
  await expect(asking).toContainText('payees with it become usable');
  await asking.getByRole('button', { name: 'Delete' }).click();
  await expect(toastOf(page, 'Deleted successfully')).toBeVisible();
  expect(await statusOf()).toBe('usable');
  await page.context().close();
});

test('a CSV file is tried first, its errors shown in place, then imported whole', async ({ browser }) => {
  const company = await openCompany();
  const page = await pageOf(browser, company);
  await page.goto('/app/risk-setting/whitelist/import');
  const panel = page.getByRole('dialog', { name: 'Import to the whitelist' });
  const saved = page.waitForEvent('download');
  await panel.getByRole('button', { name: 'Download template' }).click();
  expect((await saved).suggestedFilename()).toBe('whitelist-template.csv');
  const head = 'Payee type,Account,Remark,Single limit (USD),Daily limit (USD),Cumulative limit (USD)';
  const file = (rows: string[]) => ({
    name: 'list.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from([head, ...rows, ''].join('\r\n')),
  });
  const good = `Wallet address,${freshAddress()},Rent,100,500,2000`;
  const chooser = panel.locator('input[type="file"]');
  await chooser.setInputFiles(file([good, 'Bank account,12,Too short,100,500,2000']));
  await expect(panel.getByText('1 row has errors; 1 row is valid', { exact: false })).toBeVisible();
  await expect(panel.getByText('A bank account number must have 6 to 35 letters and digits.')).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Import 1 row' })).toBeDisabled();
  await settled(page);
  await expectAccessible(page, 'a dry run with errors');
  await chooser.setInputFiles(file([good, 'Bank account,012345678901,Office,100,500,2000']));
  await panel.getByRole('button', { name: 'Import 2 rows' }).click();
  await expect(toastOf(page, 'Added successfully')).toBeVisible();
  await expect(page.getByRole('row', { name: /Rent/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /012345678901/ })).toBeVisible();
  await page.context().close();
});

test('sending to whitelisted accounts only is confirmed before it holds; a viewer changes nothing', {
  tag: '@proof',
}, async ({ browser }) => {
  const company = await openCompany();
  const { token } = company;
  const limits = { single: '1000', daily: '5000', cumulative: '20000' };
  const entry = { kind: 'white', payeeType: 'crypto_address', account: freshAddress(), remark: 'Rent' } as const;
  await send(addListEntry, { token, body: { ...entry, limits } });
  const page = await pageOf(browser, company, { viewport: { width: 390, height: 844 } });
  await page.goto('/app/risk-setting/whitelist');
  await page.getByRole('button', { name: 'Allow whitelisted accounts only' }).click();
  const asking = page.getByRole('dialog', { name: 'Allow whitelisted accounts only?' });
  await expect(asking).toContainText('are stopped, pending ones included');
  await asking.getByRole('button', { name: 'Allow whitelisted accounts only' }).click();
  await expect(toastOf(page, 'Setting successful')).toBeVisible();
  await expect(page.getByText('Transfers are limited to whitelisted accounts')).toBeVisible();
  expect((await send(getRiskSetting, { token })).onlyWhitelisted).toBe(true);
  await settled(page);
  await expectAccessible(page, 'the whitelist on a phone');
  await expectNoSideways(page, 'the whitelist on a phone');

  const viewer = await hire(company, { firstName: 'Priya', role: 'viewer' });
  const theirs = await pageOf(browser, viewer);
  await theirs.goto('/app/risk-setting/whitelist');
  await expect(theirs.getByRole('row', { name: /Rent/ }).or(theirs.getByText('No permission'))).toBeVisible();
  await expect(theirs.getByRole('button', { name: 'Add entry' })).toHaveCount(0);
  await theirs.context().close();
  await page.context().close();
});
