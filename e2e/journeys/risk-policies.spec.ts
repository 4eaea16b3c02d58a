import { addDepartment } from '@causeway/contract/organisation.ts';
import { addRiskPolicy, listRiskPolicies } from '@causeway/contract/risk.ts';
import { type Company, fund, openCompany, savePayee } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { choose, expectAccessible, expectNoSideways, find, settled, toastOf } from '../fixtures/screen.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';
import { fillTransfer, transferByCall } from '../fixtures/transfer.ts';

test.describe.configure({ timeout: 240_000 });

/** A policy that stops what is worth more than `from` US dollars in a day. */
function valuePolicy({ token }: Company, name: string, from: string) {
  const content = { dimension: 'crypto_value', from, to: null } as const;
  const body = {
    name,
    business: 'crypto_withdrawal',
    method: 'forbid',
    result: 'deny',
    window: 'day',
    content,
  } as const;
  return send(addRiskPolicy, { token, body });
}

const namesOf = async ({ token }: Company) => (await send(listRiskPolicies, { token })).items.map(({ name }) => name);

test('a policy says what it does, is replayed over 90 days, then saved; what it stops is shown with the reason', async ({
  browser,
}) => {
  const company = await openCompany();
  await fund(company, { USDT: '5000' });
  const payee = await savePayee(company, { label: 'Pearl River Supplies' });
  const passed = await transferByCall(company, { coin: 'USDT', amount: '120', payeeId: payee.id });
  const page = await pageOf(browser, company);
  await page.goto('/app/risk-setting/policy');
  await expect(page.getByText('No policies yet')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'no policies');
  await page.getByRole('link', { name: 'Add policy' }).first().click();
  const form = page.getByRole('dialog', { name: 'Add policy' });
  await form.getByRole('button', { name: 'Replay the last 90 days' }).click();
  await expect(toastOf(page, 'Form validation failed')).toBeVisible();
  await expect(form.getByLabel('Policy name')).toBeFocused();
  await settled(page);
  await expectAccessible(page, 'a policy with errors');
  await form.getByLabel('Policy name').fill('Nothing large');
  await choose(page, 'Restriction type', 'Crypto quantity');
  await choose(page, 'Coin', 'USDT');
  await form.getByLabel('From').fill('100');
  await expect(
    form.getByText(
      'Crypto withdrawals are stopped when the total for the day, including this transaction, is 100 USDT or more.',
    ),
  ).toBeVisible();
  await form.getByRole('button', { name: 'Replay the last 90 days' }).click();
  await expect(form.getByText('This policy would have stopped 1 of 1 transaction.')).toBeVisible();
  const listed = form.getByRole('list', { name: 'Transactions that would have been stopped' });
  await expect(listed.getByRole('link')).toHaveAttribute('href', `/app/transaction/${passed}`);
  await settled(page);
  await expectAccessible(page, 'a replay');
  await form.getByLabel('From').fill('1000');
  await expect(form.getByText('The policy has changed since the last replay. Run it again.')).toBeVisible();
  await form.getByRole('button', { name: 'Replay the last 90 days' }).click();
  await expect(form.getByText('This policy would have stopped 0 of 1 transaction.')).toBeVisible();
  await form.getByRole('button', { name: 'Save policy' }).click();
  await expect(toastOf(page, 'Added successfully')).toBeVisible();

  await expect(transferByCall(company, { coin: 'USDT', amount: '1500', payeeId: payee.id })).rejects.toThrow(
    'Stopped by the risk policy “Nothing large”.',
  );
  await page.reload();
  await page.getByRole('link', { name: '1 stopped' }).click();
  const panel = page.getByRole('dialog', { name: 'Nothing large' });
  await expect(panel.getByText('Refused at submission')).toBeVisible();
  await expect(panel.getByText(/1,500/).first()).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'a policy and what it stopped');
  await panel.getByRole('tab', { name: 'Versions' }).click();
  await expect(panel.getByText('Version 1 · Nothing large')).toBeVisible();

  // Those who run the policies get a notice, which leads to the explanation.
  await company.inbox.next(({ subject }) => subject === 'Stopped: 1,500.00 USDT to Pearl River Supplies');
  await page.goto('/app/notice-center');
  await page.getByText('Stopped: 1,500.00 USDT to Pearl River Supplies').first().click();
  const stopped = page.getByRole('dialog', { name: 'Stopped transfer' });
  await expect(stopped.getByRole('list', { name: 'Checks, in order' })).toContainText('Nothing large');
  await settled(page);
  await expectAccessible(page, 'the explanation of a stopped transfer');

  // A member who types such a transfer sees it before a code is asked for.
  await page.goto('/app/transfer-out');
  await fillTransfer(page, { coin: 'USDT', payee: 'Pearl River Supplies', amount: '1500' });
  await expect(page.getByRole('status').filter({ hasText: 'This cannot be sent' }).last()).toContainText(
    'Stopped by the risk policy “Nothing large”.',
  );
  await expect(page.getByRole('button', { name: 'Cannot be sent' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Send code' })).toHaveCount(0);
  await settled(page);
  await expectAccessible(page, 'a transfer that would be stopped');
  // Once, wherever there is room for it.
  const said = page.getByText('Stopped by the risk policy “Nothing large”.').and(page.locator(':visible'));
  await expect(said).toHaveCount(1);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(said).toHaveCount(1);
  await expectNoSideways(page, 'a transfer that would be stopped at 390 px');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByLabel('Amount').fill('15');
  await expect(page.getByRole('button', { name: 'Send code' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Review transfer' })).toBeEnabled();

  // Only Treasury may send: said in words, replayed by where the initiator belonged, and seen before a code is asked for.
  await send(addDepartment, { token: company.token, body: { name: 'Treasury', parentId: null } });
  await page.goto('/app/risk-setting/policy/add');
  await form.getByLabel('Policy name').fill('Treasury alone');
  await choose(page, 'Restriction type', 'Initiator’s department');
  await find(form.getByLabel('Departments'), 'Treasury', 'Treasury');
  await form.getByRole('radio', { name: 'Allow only' }).check();
  await expect(
    form.getByText('Crypto withdrawals are stopped unless the initiator is in Treasury or a department below.'),
  ).toBeVisible();
  await form.getByRole('button', { name: 'Replay the last 90 days' }).click();
  await expect(form.getByText('This policy would have stopped 1 of 1 transaction.')).toBeVisible();
  await expect(form.getByText('Initiator’s department: none')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'a policy about a department');
  await form.getByRole('button', { name: 'Save policy' }).click();
  await expect(toastOf(page, 'Added successfully')).toBeVisible();
  await page.goto('/app/transfer-out');
  await fillTransfer(page, { coin: 'USDT', payee: 'Pearl River Supplies', amount: '15' });
  await expect(page.getByRole('status').filter({ hasText: 'This cannot be sent' }).last()).toContainText(
    'Stopped by the risk policy “Treasury alone”.',
  );

  await page.goto(`/app/transaction/${passed}`);
  const transaction = page.getByRole('dialog');
  await expect(transaction.getByRole('heading', { name: 'Risk check' })).toBeVisible();
  await expect(transaction.getByText('Passed').first()).toBeVisible();
  await expect(transaction.getByText('Not on the blacklist').first()).toBeVisible();
  await page.context().close();
});

test('policies are moved, switched off, changed and deleted; the log tells it', { tag: '@proof' }, async ({
  browser,
}) => {
  const company = await openCompany();
  await valuePolicy(company, 'First', '1000');
  const second = await valuePolicy(company, 'Second', '5000');
  const page = await pageOf(browser, company);
  await page.goto('/app/risk-setting/policy');
  const list = page.getByRole('list', { name: 'Policy settings' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await settled(page);
  await expectAccessible(page, 'policies');
  await list.getByRole('button', { name: 'Move Second up' }).focus();
  await page.keyboard.press('Enter');
  await expect(toastOf(page, 'Order changed')).toBeVisible();
  await expect(list.getByRole('listitem').first()).toContainText('Second');
  expect(await namesOf(company)).toEqual(['Second', 'First']);
  await list.getByRole('listitem').first().dragTo(list.getByRole('listitem').last());
  await expect(list.getByRole('listitem').first()).toContainText('First');
  expect(await namesOf(company)).toEqual(['First', 'Second']);

  await list.getByRole('checkbox', { name: 'Active Second' }).click();
  await expect(toastOf(page, 'Setting successful')).toBeVisible();
  await expect(list.getByText('Inactive')).toBeVisible();
  await list.getByRole('link', { name: 'Edit Second' }).click();
  const form = page.getByRole('dialog', { name: 'Edit policy' });
  await expect(form.getByLabel('From')).toHaveValue('5000');
  await form.getByLabel('From').fill('7500');
  await expect(form.getByLabel('Position')).toContainText('Last, after all others');
  await choose(page, 'Position', 'First, before First');
  await form.getByRole('button', { name: 'Replay the last 90 days' }).click();
  await form.getByRole('button', { name: 'Save policy' }).click();
  await expect(toastOf(page, 'Edited successfully')).toBeVisible();
  expect(await namesOf(company)).toEqual(['Second', 'First']);
  await page.goto(`/app/risk-setting/policy/${second.id}?view=log`);
  const panel = page.getByRole('dialog', { name: 'Second' });
  await expect(panel.getByText('Switched off')).toBeVisible();
  await expect(panel.getByText(/7,500 USD or more/).last()).toBeVisible();
  await page.keyboard.press('Escape');
  await list.getByRole('button', { name: 'Delete Second' }).click();
  const asking = page.getByRole('dialog', { name: 'Delete this policy?' });
  await expect(asking).toContainText('Second');
  await settled(page);
  await expectAccessible(page, 'deleting a policy');
  await asking.getByRole('button', { name: 'Delete' }).click();
  await expect(toastOf(page, 'Deleted successfully')).toBeVisible();
  expect(await namesOf(company)).toEqual(['First']);
  await page.setViewportSize({ width: 390, height: 844 });
  await settled(page);
  await expectNoSideways(page, 'the policies on a phone');
  await page.context().close();
});

test('the four tabs of risk settings have addresses of their own', async ({ browser }) => {
  const company = await openCompany();
  const page = await pageOf(browser, company);
  await page.goto('/app/risk-setting');
  await expect(page.getByRole('tab', { name: 'Approval settings', selected: true })).toBeVisible();
  await settled(page);
  for (const [name, path] of [
    ['Policy settings', 'policy'],
    ['Whitelist', 'whitelist'],
    ['Blacklist', 'blacklist'],
  ] as const) {
    await page.getByRole('tab', { name }).click();
    await expect(page).toHaveURL(new RegExp(`/app/risk-setting/${path}$`));
  }
  await page.goBack();
  await expect(page.getByRole('tab', { name: 'Whitelist', selected: true })).toBeVisible();
  await page.context().close();
});
