import { systemRoleIds } from '@causeway/contract/permission.ts';
import { makeRule, role, switchReview } from '../fixtures/approval.ts';
import { openCompany } from '../fixtures/company.ts';
import { expectAccessible, expectNoSideways, settled, toastOf } from '../fixtures/screen.ts';
import { hire, inviteMember } from '../fixtures/staff.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

test.describe.configure({ timeout: 150_000 });

test('one administrator’s new approver waits: said before, shown where it will be, and stopped by an approver from the mail', async ({
  browser,
}) => {
  const company = await openCompany();
  const mei = await hire(company, { firstName: 'Mei', lastName: 'Chan', role: 'approver' });
  await makeRule(company, 'Every payment', [[role(systemRoleIds.approver)]]);
  await switchReview(company, true);

  const page = await pageOf(browser, company);
  await page.goto('/app/member-management/add');
  const form = page.getByRole('dialog');
  await expect(form.getByText(/permissions or transfer limits take effect on .+ unless stopped/)).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'adding a member who would wait');

  const tom = await inviteMember(company, { firstName: 'Tom', lastName: 'Ho', role: 'approver' });
  await page.goto('/app/member-management');
  const banner = page.getByRole('status').filter({ hasText: 'New member: Tom Ho' });
  await expect(banner).toContainText('unless it is stopped');
  await expect(page.getByRole('link', { name: new RegExp(tom.email) })).toHaveCount(0);
  await settled(page);
  await expectAccessible(page, 'members with a pending change');
  await page.setViewportSize({ width: 390, height: 844 });
  await settled(page);
  await expectNoSideways(page, 'members with a pending change at 390 px');

  const mail = await mei.inbox.next(({ subject }) => subject.startsWith('Takes effect soon unless stopped: '));
  // A new company's time zone is Hong Kong's.
  expect(mail.text).toMatch(/takes effect on \w{3} \d+, \d{4}, \d\d:\d\d \(GMT\+8\) unless/);
  const [link = ''] = /https?:\S+\/app\/pending-approval\/[\w-]+/.exec(mail.text) ?? [];
  const theirs = await pageOf(browser, mei);
  await theirs.goto(new URL(link).pathname);
  // An approver does not manage rules: the link leads to the list that they may read.
  await expect(theirs).toHaveURL(/\/app\/pending-approval\//);
  const panel = theirs.getByRole('dialog', { name: 'New member: Tom Ho' });
  await expect(panel.getByRole('group', { name: 'Proposed' })).toContainText('Role: Approver');
  await settled(theirs);
  await expectAccessible(theirs, 'a change that can be stopped');
  await panel.getByRole('button', { name: 'Stop' }).click();
  const question = theirs.getByRole('dialog', { name: 'Stop this change?' });
  await question.getByRole('button', { name: 'Stop' }).click();
  await expect(toastOf(theirs, 'Change stopped')).toBeVisible();
  await expect(panel.getByText('Ended by Mei Chan')).toBeVisible();
  await expect(banner).toHaveCount(0);
  await theirs.context().close();
  await page.context().close();
});
