import { decideByCall, makeRule, pendingTask, person, switchReview } from '../fixtures/approval.ts';
import { fund, openCompany, savePayee } from '../fixtures/company.ts';
import { expectAccessible, expectNoSideways, settled } from '../fixtures/screen.ts';
import { hire } from '../fixtures/staff.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';
import { transferByCall } from '../fixtures/transfer.ts';

test.describe.configure({ timeout: 150_000 });

test('the to-do list at home: what waits for me, what I wait for and for whom; it empties itself', async ({
  browser,
}) => {
  const company = await openCompany();
  const mei = await hire(company, { firstName: 'Mei', lastName: 'Chan', role: 'approver' });
  const [payee] = await Promise.all([
    savePayee(company, { label: 'Pearl River Supplies' }),
    fund(company, { USDT: '500' }),
  ]);
  await makeRule(company, 'Every payment', [[person(mei.id)]]);
  await switchReview(company, true);
  const [mine, theirs] = [await pageOf(browser, company), await pageOf(browser, mei)];
  for (const page of [mine, theirs]) {
    await page.goto('/app/home');
    await expect(page.getByText('You’re all caught up')).toBeVisible();
    await expect(page.getByText('Nothing is waiting on others')).toBeVisible();
  }
  await settled(theirs);
  await expectAccessible(theirs, 'home with nothing to do');

  await transferByCall(company, { coin: 'USDT', payeeId: payee.id, amount: '120.5' });
  const forMe = theirs.getByRole('link', { name: /Transfer to Pearl River Supplies/ });
  await expect(forMe).toContainText(`From ${company.email}`);
  await expect(forMe).toContainText('120.5');
  const iWait = mine.getByRole('link', { name: /Transfer to Pearl River Supplies.*Waiting for/s });
  await expect(iWait).toContainText('Waiting for Mei Chan');
  await settled(theirs);
  await expectAccessible(theirs, 'home with something to do');
  await theirs.setViewportSize({ width: 390, height: 844 });
  await expectNoSideways(theirs, 'home with something to do at 390 px');
  await theirs.setViewportSize({ width: 1440, height: 900 });
  await iWait.click();
  await expect(mine).toHaveURL(/\/app\/i-initiated-approval\/[0-9a-f-]{36}$/);
  await expect(mine.getByRole('dialog').getByText('Waiting for Mei Chan')).toBeVisible();
  await mine.goto('/app/home');
  await expect(iWait).toBeVisible();

  await decideByCall(mei, [await pendingTask(mei)], 'approved');
  await expect(forMe).toHaveCount(0);
  await expect(theirs.getByText('You’re all caught up')).toBeVisible();
  await expect(mine.getByText('Nothing is waiting on others')).toBeVisible();
  await mine.context().close();
  await theirs.context().close();
});
