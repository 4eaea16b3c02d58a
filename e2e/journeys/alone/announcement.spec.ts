import { signIn, signUpCompany } from '../../fixtures/company.ts';
import { operator } from '../../fixtures/operator.ts';
import { settled, toastOf } from '../../fixtures/screen.ts';
import { expect, pageOf, test } from '../../fixtures/test.ts';

/** What the platform announces comes to every company, so no other journey may be counting notices. */
test('notices: filters, read one, read all; an announcement arrives by itself', async ({ browser }) => {
  const company = await signUpCompany();
  const page = await pageOf(browser, { token: await signIn(company) });
  await page.goto('/app/notice-center');
  await operator(
    ...['announcement', 'publish', '--en', 'Maintenance on Sunday', '--en', 'Transfers pause from 02:00 to 02:30.'],
    ...[
      '--hk',
      '星期日維護',
      '--hk',
      '轉帳於 02:00 至 02:30 暫停。',
      '--cn',
      '周日维护',
      '--cn',
      '转账于 02:00 至 02:30 暂停。',
    ],
  );
  const notice = page.getByRole('listitem').filter({ hasText: 'Maintenance on Sunday' });
  await expect(notice).toBeVisible();
  await expect(page.getByRole('link', { name: /^Notices, \d+ unread$/ })).toBeVisible();
  await page.getByRole('combobox', { name: 'Type', exact: true }).selectOption('System message');
  await expect(notice).toBeHidden();
  await page.getByRole('combobox', { name: 'Type', exact: true }).selectOption('Announcement');
  await page.getByPlaceholder('Search notices').fill('sunday');
  await expect(page).toHaveURL(/keyword=sunday/);
  await settled(page);
  await expect(notice).toBeVisible();
  await notice.getByRole('button', { name: /^Mark as read/ }).click();
  await expect(notice.getByRole('button', { name: /^Mark as read/ })).toBeHidden();
  await page.getByRole('combobox', { name: 'Read or unread', exact: true }).selectOption('Unread');
  await expect(notice).toBeHidden();
  await page.goto('/app/notice-center');
  await settled(page);
  const all = page.getByRole('button', { name: 'Mark all as read' });
  if (await all.isEnabled()) {
    await all.click();
    await expect(toastOf(page, 'All notices are marked as read')).toBeVisible();
  }
  await expect(page.getByText('No unread notices')).toBeVisible();
  await expect(all).toBeDisabled();
  await page.context().close();
});
