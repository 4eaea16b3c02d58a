import { getCryptoPayee } from '@causeway/contract/payees.ts';
import { addListEntry } from '@causeway/contract/risk-lists.ts';
import type { Page } from '@playwright/test';
import { openCompany, savePayee } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import type { Inbox } from '../fixtures/desk.ts';
import { expectAccessible, expectNoSideways, settled, toastOf } from '../fixtures/screen.ts';
import { hire } from '../fixtures/staff.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

test.describe.configure({ timeout: 180_000 });

/** Decides on the request whose panel is open; the dialog is left as the server's answer leaves it. */
async function decide(page: Page, inbox: Inbox, button: 'Approve' | 'Reject', reason?: string) {
  await page.locator('[data-panel]').getByRole('button', { name: button }).click();
  const dialog = page.getByRole('dialog', { name: `${button} this request` });
  if (reason !== undefined) await dialog.getByLabel('Reason for rejection').fill(reason);
  await dialog.getByRole('button', { name: 'Send code' }).click();
  await dialog.getByLabel('Verification code').fill(await inbox.code());
  await dialog.getByRole('button', { name: button, exact: true }).click();
  return dialog;
}

test('a new payee waits for a second person: rejected with a reason, added again and approved, stopped by the blacklist', async ({
  browser,
}) => {
  const company = await openCompany();
  const tom = await hire(company, { firstName: 'Tom', lastName: 'Ho', role: 'finance' });
  const mei = await hire(company, { firstName: 'Mei', lastName: 'Chan', role: 'approver' });
  const settings = await pageOf(browser, company);
  await settings.goto('/app/company-settings');
  await settings.getByRole('checkbox', { name: /New payees need approval/ }).check();
  await settings.getByRole('button', { name: 'Save' }).click();
  await expect(toastOf(settings, 'Setting successful')).toBeVisible();
  await settings.context().close();

  const page = await pageOf(browser, tom);
  const first = await savePayee(tom, { label: 'Harbour Cranes' });
  await page.goto(`/app/payee/${first.id}`);
  const panel = page.getByRole('dialog', { name: 'Harbour Cranes' });
  await expect(panel.getByText('Nothing can be sent to this payee before it is approved.')).toBeVisible();
  await expect(panel.getByText(/^Waiting for: any 1 of .*Mei Chan/)).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Edit' })).toHaveCount(0);
  await settled(page);
  await expectAccessible(page, 'a payee that waits');
  await page.goto(`/app/transfer-out?payee=${first.id}`);
  const payee = page.getByLabel('Payee', { exact: true });
  await expect(payee).toHaveValue('Harbour Cranes');
  await expect(payee).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('This payee is still waiting for approval.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.locator('[data-toast]', { hasText: 'Complete the transfer first' })).toBeVisible();

  const theirs = await pageOf(browser, mei);
  await theirs.goto('/app/home');
  await expect(theirs.getByRole('link', { name: /New payee: Harbour Cranes/ })).toContainText('From Tom Ho');
  const mail = await mei.inbox.next(
    ({ subject }) => subject === 'Payee waiting for your approval: Harbour Cranes on Ethereum',
  );
  const [link = ''] = /https?:\S+\/app\/pending-approval\/[\w-]+/.exec(mail.text) ?? [];
  await theirs.goto(new URL(link).pathname);
  const task = theirs.getByRole('dialog', { name: 'New payee: Harbour Cranes' });
  await expect(task.getByText('Ordinary account, no contract')).toBeVisible();
  await theirs.setViewportSize({ width: 390, height: 844 });
  await settled(theirs);
  await expectNoSideways(theirs, 'a new payee to approve at 390 px');
  await expectAccessible(theirs, 'a new payee to approve');
  await theirs.setViewportSize({ width: 1440, height: 900 });
  await decide(theirs, mei.inbox, 'Reject', 'We do not know this address');
  await expect(toastOf(theirs, 'Request rejected')).toBeVisible();
  await page.goto(`/app/payee/${first.id}`);
  await expect(panel.getByText('Reason: We do not know this address')).toBeVisible();
  await expect(panel.getByRole('link', { name: 'Transfer to this payee' })).toHaveCount(0);

  const again = await savePayee(tom, { label: 'Harbour Cranes Ltd', address: first.address });
  await theirs.goto('/app/pending-approval');
  await theirs.getByRole('link', { name: /New payee: Harbour Cranes Ltd/ }).click();
  const second = theirs.getByRole('dialog', { name: 'New payee: Harbour Cranes Ltd' });
  await expect(second.getByText('An approver rejected this address before: We do not know this address')).toBeVisible();
  await page.goto(`/app/payee/${again.id}`);
  const known = page.getByRole('dialog', { name: 'Harbour Cranes Ltd' });
  await expect(known.getByText('Waiting for approval').first()).toBeVisible();
  await decide(theirs, mei.inbox, 'Approve');
  await expect(toastOf(theirs, 'Request approved')).toBeVisible();
  // The open page of the member who added it shows it without a reload.
  await expect(known.getByText('Usable', { exact: true })).toBeVisible();
  await known.getByRole('link', { name: 'Transfer to this payee' }).click();
  await expect(payee).toHaveValue('Harbour Cranes Ltd');
  await expect(payee).not.toHaveAttribute('aria-invalid', 'true');
  await tom.inbox.next(({ subject }) => subject === 'Payee approved: Harbour Cranes Ltd on Ethereum');

  const third = await savePayee(tom, { label: 'Lantern Court' });
  const { approval } = await send(getCryptoPayee, { token: tom.token, params: { id: third.id } });
  await theirs.goto(`/app/pending-approval/${approval?.taskId}`);
  await expect(theirs.locator('[data-panel]').getByRole('button', { name: 'Approve' })).toBeVisible();
  await send(addListEntry, {
    token: company.token,
    body: { kind: 'black', payeeType: 'crypto_address', account: third.address, remark: 'Fraud' },
  });
  const dialog = await decide(theirs, mei.inbox, 'Approve');
  // The request has ended with it; what the approver tried is still answered where it was tried.
  await expect(dialog.locator('[data-failure]')).toContainText('The address is on the blacklist.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(theirs.locator('[data-panel]').getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await page.goto(`/app/payee/${third.id}`);
  await expect(page.getByRole('dialog').getByText('Reason: The address is on the blacklist.')).toBeVisible();
  await theirs.context().close();
  await page.context().close();
});
