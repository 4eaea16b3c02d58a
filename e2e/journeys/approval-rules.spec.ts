import { getReviewSetting, listApprovals } from '@causeway/contract/approvals.ts';
import { addDepartment, setMemberStatus } from '@causeway/contract/organisation.ts';
import type { Locator } from '@playwright/test';
import { decideByCall, makeRule, pendingTask, person } from '../fixtures/approval.ts';
import { openCompany } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import {
  expectAccessible,
  expectNoSideways,
  expectOnTop,
  expectRefusalStays,
  find,
  settled,
  toastOf,
} from '../fixtures/screen.ts';
import { hire } from '../fixtures/staff.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

test.describe.configure({ timeout: 150_000 });

/** Adds an approver to the step, found by typing. */
async function name(step: Locator, who: string): Promise<void> {
  await find(step.getByLabel('Approver', { exact: true }), who, who);
}

test('rules are written, checked before they are saved, put in order, and switched on with a code', async ({
  browser,
}) => {
  const company = await openCompany();
  const mei = await hire(company, { firstName: 'Mei', lastName: 'Chan', role: 'approver' });
  const page = await pageOf(browser, company);
  await page.goto('/app/risk-setting');
  await expect(page.getByText('No approval rules yet')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'approval settings, empty');

  await page.getByRole('button', { name: 'Add rule' }).click();
  const form = page.getByRole('dialog', { name: 'Add approval rule' });
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByLabel('Rule name')).toBeFocused();
  await expect(form.getByLabel('Rule name')).toHaveAttribute('aria-invalid', 'true');
  await settled(page);
  await expectAccessible(page, 'adding a rule, with errors');
  await form.getByLabel('Rule name').fill('Small payments');
  await form.getByLabel('Upper bound (USD)').fill('1000');
  await name(form, 'Mei Chan');
  await expect(form.getByRole('button', { name: 'Remove Mei Chan' })).toBeVisible();
  await name(form, 'Mei Chan');
  await expect(toastOf(page, 'The approver already exists!')).toBeVisible();
  // Above the dialog, and said beside the field as well.
  await expectOnTop(toastOf(page, 'The approver already exists!'));
  await expect(form.getByText('The approver already exists!')).toBeVisible();
  await toastOf(page, 'The approver already exists!').getByRole('button', { name: 'Dismiss' }).click();
  await expect(toastOf(page, 'The approver already exists!')).toHaveCount(0);
  await expect(form).toBeVisible();
  await expect(form.getByText(/1,000\.00 US dollars or more/).first()).toBeVisible();
  await form.getByRole('button', { name: 'Add step' }).click();
  await name(form.getByRole('listitem').filter({ hasText: 'Step 2' }), 'Role: Administrator');
  await form.getByRole('button', { name: 'Move step 2 up' }).click();
  await expect(form.getByRole('listitem').filter({ hasText: 'Step 1' })).toContainText('Role: Administrator');
  await form.getByRole('button', { name: 'Remove step 1' }).click();
  await settled(page);
  await expectAccessible(page, 'adding a rule, with findings');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(toastOf(page, 'Added successfully')).toBeVisible();
  await expect(form).toBeHidden();

  await makeRule(company, 'Large payments', [[person(mei.id)]], { lower: '5000' });
  const rules = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Edit' }) });
  await expect(rules.nth(1)).toContainText('5,000.00 USD or more');
  await expect(rules.nth(0)).toContainText('0.00 ≤ value < 1,000.00 USD');
  const findings = page.getByRole('region', { name: 'Findings', exact: true });
  await expect(findings).toContainText(/1,000\.00 .*5,000\.00/);
  await page.getByRole('button', { name: 'Move Large payments up' }).click();
  await expect(toastOf(page, 'Setting successful')).toBeVisible();
  await expect(rules.nth(0)).toContainText('Large payments');

  await page.getByRole('button', { name: 'Edit Large payments' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit approval rule' });
  await expect(edit.getByLabel('No upper bound')).toBeChecked();
  await edit.getByLabel('Lower bound (USD)').fill('1000');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(toastOf(page, 'Edited successfully')).toBeVisible();
  await expect(findings).toContainText('No issues found: every transfer is covered by a rule and can be approved.');

  // For a department alone: whom that leaves without a rule is said by name, and is everyone again once it is taken out.
  await send(addDepartment, { token: company.token, body: { name: 'Treasury', parentId: null } });
  await page.getByRole('button', { name: 'Edit Large payments' }).click();
  await find(edit.getByLabel('Submitted by'), 'Treasury', 'Department: Treasury');
  await expect(edit.getByText(/No rule covers 1,000\.00 US dollars or more submitted by/)).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'a rule for a department');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit).toBeHidden();
  await expect(rules.filter({ hasText: 'Large payments' })).toContainText('Submitted by: Department: Treasury');
  await expect(findings).toContainText(/No rule covers 1,000\.00 US dollars or more submitted by/);
  await expect(findings).toContainText('“Large payments” currently applies to no one');
  await page.getByRole('button', { name: 'Edit Large payments' }).click();
  await edit.getByRole('button', { name: 'Remove Department: Treasury' }).click();
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(findings).toContainText('No issues found: every transfer is covered by a rule and can be approved.');

  await page.getByRole('button', { name: 'Delete Small payments' }).click();
  const deletion = page.getByRole('dialog', { name: 'Delete this rule' }).or(page.getByRole('alertdialog'));
  await expect(deletion).toContainText('0.00 ≤ value < 1,000.00 USD');
  await expectRefusalStays(deletion, 'Delete rule', '**/web/trx/review-setting**');
  // The log comes last here: the rule is then gone before the deletion is through, and is confirmed all the same.
  const gone = Promise.withResolvers<void>();
  await page.route('**/web/trx/review-setting/logs**', (route) => gone.promise.then(() => route.continue()));
  await deletion.getByRole('button', { name: 'Delete rule' }).click();
  await expect(rules).toHaveCount(1);
  gone.resolve();
  await expect(toastOf(page, 'Deleted successfully')).toBeVisible();
  await expect(page.getByText('Deleted the approval rule “Small payments”')).toBeVisible();

  await page.getByRole('button', { name: 'Switch review on' }).click();
  const question = page.getByRole('dialog', { name: 'Switch review on' });
  await expect(question).toContainText('No rule covers 0.00 to less than 1,000.00 US dollars.');
  await settled(page);
  await expectAccessible(page, 'switching review on');
  await question.getByRole('button', { name: 'Send code' }).click();
  await question.getByLabel('Verification code').fill(await company.inbox.code());
  await question.getByRole('button', { name: 'Switch review on' }).click();
  await expect(page.getByText('Each transfer is approved under the first rule')).toBeVisible();
  expect(await send(getReviewSetting, { token: company.token, query: {} })).toMatchObject({ enabled: true });

  await page.getByLabel('Requests expire after (days)').fill('0');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Requests expire after (days)')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Requests expire after (days)').fill('3');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await send(getReviewSetting, { token: company.token, query: {} })).expiryDays).toBe(3);

  await page.getByText('Show changes').first().click();
  await settled(page);
  await expectAccessible(page, 'approval settings, populated');
  await page.context().close();
});

test('with two administrators a change waits for the other, with what is and what would be', { tag: '@proof' }, async ({
  browser,
}) => {
  const company = await openCompany();
  const anna = await hire(company, { firstName: 'Anna', lastName: 'Wong', role: 'administrator' });
  const page = await pageOf(browser, company, { viewport: { width: 390, height: 844 }, hasTouch: true });
  await page.goto('/app/risk-setting');
  await expect(page.getByText(/a change takes effect once another administrator approves it/)).toBeVisible();
  await page.getByRole('button', { name: 'Add rule' }).click();
  const form = page.getByRole('dialog', { name: 'Add approval rule' });
  await form.getByLabel('Rule name').fill('Everything');
  await form.getByLabel('No upper bound').check();
  await name(form, 'Role: Administrator');
  await settled(page);
  await expectNoSideways(page, 'adding a rule at 390 px');
  await form.getByRole('button', { name: 'Submit for approval' }).click();
  await expect(toastOf(page, 'Change proposed. It takes effect once another person consents.')).toBeVisible();
  await expect(page.getByText('1 change awaits a second approver')).toBeVisible();
  await settled(page);
  await expectNoSideways(page, 'a proposed change at 390 px');
  await expectAccessible(page, 'a proposed change at 390 px');

  const task = await pendingTask(anna);
  const theirs = await pageOf(browser, anna);
  await theirs.goto(`/app/pending-approval/${task}`);
  const panel = theirs.getByRole('dialog');
  await expect(panel.getByRole('group', { name: 'Current' })).toContainText('None');
  await expect(panel.getByRole('group', { name: 'Proposed' })).toContainText('0.00 USD or more');
  await settled(theirs);
  await expectAccessible(theirs, 'a change of rules to decide on');
  await decideByCall(anna, [task], 'approved');
  await expect(page.getByRole('button', { name: 'Edit Everything' })).toBeVisible();
  await expect(page.getByText('1 change awaits a second approver')).toHaveCount(0);
  await theirs.context().close();
  await page.context().close();
});

test('the proposer takes a change back; removing the other administrator does not let one change rules alone', {
  tag: '@proof',
}, async ({ browser }) => {
  const company = await openCompany();
  const anna = await hire(company, { firstName: 'Anna', lastName: 'Wong', role: 'administrator' });
  await makeRule(company, 'Everything', [[person(anna.id)]]);
  const page = await pageOf(browser, company);
  await page.goto('/app/risk-setting');
  await page.getByRole('link', { name: 'New approval rule: Everything' }).click();
  const panel = page.getByRole('dialog', { name: 'New approval rule: Everything' });
  await panel.getByRole('button', { name: 'Withdraw' }).click();
  const question = page.getByRole('dialog', { name: 'Withdraw this proposed change' });
  await expect(question).toContainText('The change will not take effect');
  await settled(page);
  await expectAccessible(page, 'the question before a proposal is withdrawn');
  await question.getByRole('button', { name: 'Keep request' }).click();
  await panel.getByRole('button', { name: 'Withdraw' }).click();
  await question.getByRole('button', { name: 'Withdraw' }).click();
  await expect(toastOf(page, 'Proposed change withdrawn')).toBeVisible();
  await expect(panel.getByText('Withdrawn by the initiator').first()).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Withdraw' })).toHaveCount(0);
  const { items } = await send(listApprovals, { token: anna.token, query: { view: 'pending' } });
  expect(items).toEqual([]);

  await send(setMemberStatus, { token: company.token, body: { id: anna.id, enabled: false } });
  await anna.inbox.next(({ subject }) => subject === 'Anna Wong was disabled');
  await page.goto('/app/risk-setting');
  await expect(page.getByText(/A person who could change these rules was removed\. Until /)).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'approval settings after the other administrator was taken away');
  await page.getByRole('button', { name: 'Add rule' }).click();
  const form = page.getByRole('dialog', { name: 'Add approval rule' });
  await form.getByLabel('Rule name').fill('Mine alone');
  await form.getByLabel('No upper bound').check();
  await name(form, 'Role: Administrator');
  await form.getByRole('button', { name: 'Submit for approval' }).click();
  await expect(page.locator('[data-toast]').filter({ hasText: 'removed less than seven days ago' })).toBeVisible();
  const { rules } = await send(getReviewSetting, { token: company.token, query: {} });
  expect(rules).toEqual([]);
  await page.context().close();
});

test('a member without permission sees a message in place of the rules; one who may only view them sees no buttons', {
  tag: '@proof',
}, async ({ browser }) => {
  const company = await openCompany();
  const mei = await hire(company, { firstName: 'Mei', role: 'approver' });
  await makeRule(company, 'Everything', [[person(mei.id)]]);
  const viewer = await hire(company, { firstName: 'Vera', role: 'viewer' });
  const page = await pageOf(browser, viewer);
  await page.goto('/app/risk-setting');
  await expect(page.getByRole('alert').filter({ hasText: 'No permission' })).toBeVisible();
  await page.context().close();

  const theirs = await pageOf(browser, mei);
  await theirs.goto('/app/risk-setting');
  await expect(theirs.getByText('Everything', { exact: true }).first()).toBeVisible();
  await settled(theirs);
  await expect(theirs.getByRole('button', { name: /Add rule|Edit|Delete|Move|Switch review|Save/ })).toHaveCount(0);
  await expectAccessible(theirs, 'approval settings for an approver');
  await theirs.context().close();
});
