import type { Page } from '@playwright/test';
import { makeRule, pendingTask, person, switchReview } from '../fixtures/approval.ts';
import { fund, openCompany, savePayee } from '../fixtures/company.ts';
import { choose, expectAccessible, expectNoSideways, settled } from '../fixtures/screen.ts';
import { hire } from '../fixtures/staff.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

test.describe.configure({ timeout: 300_000 });

async function seen(page: Page, name: string): Promise<void> {
  await settled(page);
  await expectAccessible(page, name);
  await expectNoSideways(page, name);
}

/** The day and the minute that come next by the clock of Hong Kong. */
function nextMinute(): { weekday: string; time: string } {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: 'Asia/Hong_Kong', weekday: 'long', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  } as const).formatToParts(new Date(Date.now() + 90_000));
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return { weekday: part('weekday'), time: `${part('hour')}:${part('minute')}` };
}

test('a batch is saved as a template, its schedule makes the next one, which is submitted with a code and approved', async ({
  browser,
}) => {
  const company = await openCompany({ name: 'Tsuen Wan Textiles Limited' });
  const mei = await hire(company, { firstName: 'Mei', lastName: 'Chan', role: 'approver' });
  await Promise.all([savePayee(company, { label: 'Chan Siu Ming' }), fund(company, { USDT: '500' })]);
  await makeRule(company, 'Every payment', [[person(mei.id)]]);
  await switchReview(company, true);
  const page = await pageOf(browser, company);
  await page.goto('/app/storm/templates');
  await expect(page.getByText('No templates yet')).toBeVisible();
  await seen(page, 'templates-empty');
  await page.getByRole('link', { name: 'Batches', exact: true }).click();
  const content = 'payee,asset,amount,invoice\nChan Siu Ming,USDT,120.50,A-1\n';
  await page
    .getByLabel(/Drop a file here/)
    .setInputFiles({ name: 'payroll.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  await expect(page.getByRole('grid')).toBeVisible();
  await page.getByRole('button', { name: 'Save as template' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Payroll');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page).toHaveURL(/\/app\/storm\/templates\//);
  await expect(page.getByRole('grid')).toBeVisible();

  await page.getByRole('button', { name: 'Set a schedule' }).click();
  const { weekday, time } = nextMinute();
  await choose(page, 'Pay every', 'Week');
  await choose(page, 'Day of the week', weekday);
  await choose(page, 'On a weekend', 'Same day');
  await choose(page, 'Prepare the batch', 'On the pay day');
  await page.getByLabel('Time', { exact: true }).fill(time);
  await expect(page.getByText('Next pay days')).toBeVisible();
  await seen(page, 'template-schedule');
  await page.getByRole('button', { name: 'Save schedule' }).click();
  await expect(page.getByText('Scheduled', { exact: true })).toBeVisible();
  await seen(page, 'template');

  const made = page.getByRole('link', { name: /^Payroll \d{4}-/ });
  await expect(made).toBeVisible({ timeout: 150_000 });
  await page.goto('/app/storm');
  await expect(page.getByText(/is ready: 1 payment, to be paid on/)).toBeVisible();
  await seen(page, 'batches-ready');
  await page.getByRole('link', { name: 'Review and submit' }).click();
  await page.getByRole('link', { name: 'Check and submit' }).click();
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Verification code').fill(await company.inbox.code());
  await page.getByRole('button', { name: 'Submit one payment' }).click();
  await expect(page.getByText('Waits for approval by Mei Chan')).toBeVisible();

  const theirs = await pageOf(browser, mei);
  await theirs.goto(`/app/pending-approval?id=${await pendingTask(mei)}`);
  await theirs
    .getByRole('link', { name: /Payroll/ })
    .first()
    .click();
  await theirs.getByRole('button', { name: 'Approve', exact: true }).click();
  const dialog = theirs.getByRole('dialog').last();
  await dialog.getByRole('button', { name: 'Send code' }).click();
  await dialog.getByLabel('Verification code').fill(await mei.inbox.code());
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Waits for approval by Mei Chan')).toBeHidden();

  const phone = await pageOf(browser, company, { viewport: { width: 390, height: 844 }, language: 'zh-hk' });
  await phone.goto('/app/storm/templates');
  await expect(phone.getByRole('link', { name: 'Payroll' })).toBeVisible();
  await seen(phone, 'templates-phone');
  await phone.getByRole('link', { name: 'Payroll' }).click();
  await expect(phone.getByText(/^Payroll \d{4}-/)).toBeVisible();
  await seen(phone, 'template-phone');
});
