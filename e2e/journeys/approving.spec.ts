import { setCompanySettings, setMemberStatus } from '@causeway/contract/organisation.ts';
import { getTransaction } from '@causeway/contract/transactions.ts';
import type { Page } from '@playwright/test';
import { decideByCall, makeRule, pendingTask, person, switchReview } from '../fixtures/approval.ts';
import { bindAuthenticator } from '../fixtures/authenticator.ts';
import { type Company, fund, openCompany, savePayee, walletOf } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { desk, type Inbox } from '../fixtures/desk.ts';
import { drop, pdfOf, pngOf } from '../fixtures/papers.ts';
import {
  expectAccessible,
  expectNoSideways,
  expectRefusalStays,
  openByKey,
  settled,
  tabTo,
  toastOf,
} from '../fixtures/screen.ts';
import { type Colleague, hire } from '../fixtures/staff.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';
import { expectStage, fillTransfer, proveByMail, transferByCall } from '../fixtures/transfer.ts';

test.describe.configure({ timeout: 180_000 });

interface Office {
  company: Company;
  mei: Colleague;
  payee: { id: string; address: string };
}

/** A company with funds, a payee, and an approver without whom nothing leaves. */
async function openOffice(codeRecipient: 'initiator' | 'administrator' = 'initiator'): Promise<Office> {
  const company = await openCompany();
  const mei = await hire(company, { firstName: 'Mei', lastName: 'Chan', role: 'approver' });
  const [payee] = await Promise.all([
    savePayee(company, { label: 'Pearl River Supplies' }),
    fund(company, { USDT: '5000' }),
  ]);
  await makeRule(company, 'Every payment', [[person(mei.id)]]);
  // Once review is on, another recipient of the codes is a change that waits.
  const settings = { timeZone: 'Asia/Hong_Kong', codeRecipient };
  await send(setCompanySettings, { token: company.token, body: settings });
  await switchReview(company, true);
  return { company, mei, payee };
}

function pay({ company, payee }: Office, amount: string): Promise<string> {
  return transferByCall(company, { coin: 'USDT', payeeId: payee.id, amount });
}

/** Asks for the code in the open dialog and fills it in. */
async function prove(page: Page, inbox: Inbox): Promise<void> {
  const dialog = page.getByRole('dialog').last();
  await dialog.getByRole('button', { name: 'Send code' }).click();
  await dialog.getByLabel('Verification code').fill(await inbox.code());
}

test('a transfer waits for its approver, who sees all of it, and leaves once approved', async ({ browser }) => {
  const office = await openOffice();
  const { company, mei, payee } = office;
  const theirs = await pageOf(browser, mei);
  await theirs.goto('/app/pending-approval');
  await expect(theirs.getByText('You’re all caught up')).toBeVisible();
  await settled(theirs);
  await expectAccessible(theirs, 'pending review, empty');

  const page = await pageOf(browser, company);
  await page.goto('/app/transfer-out');
  await fillTransfer(page, { coin: 'USDT', payee: 'Pearl River Supplies', amount: '1250.75' });
  await page.getByLabel('Notes').fill('Invoice 2026-11');
  const foreseen = page.getByRole('status').filter({ hasText: 'Approval is needed before the money leaves' });
  await expect(foreseen).toContainText('It will wait for Mei Chan.');
  await expect(foreseen).toContainText('By the approval rule “Every payment”');
  await proveByMail(page, company);
  await page.getByRole('button', { name: 'Review and submit for approval' }).click();
  await expect(page.getByRole('alertdialog').or(page.getByRole('dialog'))).toContainText('It will wait for Mei Chan.');
  await page.getByRole('button', { name: 'Submit for approval', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Transfer submitted for approval' })).toBeVisible();
  await expect(page.getByText('Waiting for Mei Chan', { exact: true })).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'a transfer submitted for approval');

  // The approver's open page shows it without a reload.
  await theirs
    .getByRole('link', { name: /Transfer to Pearl River Supplies/ })
    .first()
    .click();
  const panel = theirs.getByRole('dialog', { name: 'Transfer to Pearl River Supplies' });
  await expect(panel.getByText('Waiting for Mei Chan')).toBeVisible();
  await expect(panel.getByText('No previous payments to this account.')).toBeVisible();
  await expect(panel.getByText('Invoice 2026-11')).toBeVisible();
  await expect(panel.getByText('Every payment · version 1')).toBeVisible();
  await expect(panel.getByText('Balance after')).toBeVisible();
  await settled(theirs);
  await expectAccessible(theirs, 'an application');
  await panel.getByRole('button', { name: 'Approve' }).click();
  const dialog = theirs.getByRole('dialog', { name: 'Approve this request' });
  await expect(dialog).toContainText('1,250.75');
  // The panel is dimmed too: what lies over its button has a colour.
  const over = () =>
    theirs.locator('[data-panel] button', { hasText: /^Approve$/ }).evaluate((button) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      const found = document.elementFromPoint(left + width / 2, top + height / 2);
      return found === null || button.contains(found) ? null : getComputedStyle(found).backgroundColor;
    });
  await expect.poll(over).toMatch(/^rgba\(17, 21, 28, 0\.4\)$/);
  await expect(dialog).toContainText(payee.address);
  await settled(theirs);
  await expectAccessible(theirs, 'the audit dialog');
  await dialog.getByLabel('Comment (optional)').fill('Matches the invoice');
  await dialog.getByRole('button', { name: 'Send code' }).click();
  const code = await mei.inbox.code();
  await dialog.getByLabel('Verification code').fill(code === '000000' ? '000001' : '000000');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(dialog.getByLabel('Verification code')).toHaveAttribute('aria-invalid', 'true');
  await expect(dialog.getByLabel('Comment (optional)')).toHaveValue('Matches the invoice');
  await dialog.getByLabel('Verification code').fill(code);
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(toastOf(theirs, 'Request approved')).toBeVisible();
  await expect(panel.getByText('“Matches the invoice”')).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Approve' })).toHaveCount(0);

  await page.getByRole('link', { name: 'View transaction' }).click();
  await expectStage(page, 'Completed');
  expect(await desk.balance('USDT', payee.address)).toBe('1250.75');
  await page.getByRole('link', { name: 'Open its approval' }).click();
  await expect(page.getByRole('dialog').getByText('Mei Chan approved')).toBeVisible();
  await theirs.goto('/app/approved');
  await expect(theirs.getByRole('row', { name: /Transfer to Pearl River Supplies/ })).toContainText('Approved');
  await settled(theirs);
  await expectAccessible(theirs, 'completed applications');
  await theirs.context().close();
  await page.context().close();
});

test('by keyboard alone: from the list to a rejection, whose reason must be filled in', { tag: '@proof' }, async ({
  browser,
}) => {
  const office = await openOffice();
  const { company, mei } = office;
  const id = await pay(office, '300');
  const page = await pageOf(browser, mei);
  await page.goto('/app/pending-approval');
  const link = page.getByRole('link', { name: /Transfer to Pearl River Supplies/ }).first();
  await expect(link).toBeVisible();
  const keys = page.keyboard;
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await openByKey(page, '?', shortcuts);
  await expect(shortcuts).toContainText('Reject the open request');
  await keys.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await tabTo(link);
  await keys.press('Enter');
  await expect(page.getByText('Press A to approve or R to reject.')).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Reject this request' });
  // The dialog takes the focus; Enter in the code field submits.
  await openByKey(page, 'r', dialog);
  await expect(dialog.getByLabel('Reason for rejection')).toBeVisible();
  await tabTo(dialog.getByRole('button', { name: 'Reject', exact: true }));
  await keys.press('Enter');
  await expect(
    dialog.getByText('Reason for rejection must be filled in for review rejection', { exact: true }),
  ).toBeVisible();
  await expect(dialog.getByLabel('Reason for rejection')).toBeFocused();
  await settled(page);
  await expectAccessible(page, 'a rejection without a reason');
  await keys.type('The invoice is missing');
  await tabTo(dialog.getByRole('button', { name: 'Send code' }));
  await keys.press('Enter');
  const code = await mei.inbox.code();
  await tabTo(dialog.getByLabel('Verification code'), 'Shift+Tab');
  await keys.type(code);
  await keys.press('Enter');
  await expect(toastOf(page, 'Request rejected')).toBeVisible();
  await expect(page.getByRole('dialog').getByText('“The invoice is missing”')).toBeVisible();
  await keys.press('Escape');
  await expect(page.getByText('You’re all caught up')).toBeVisible();

  const { token } = company;
  await expect.poll(async () => (await send(getTransaction, { token, params: { id } })).status).toBe('failed');
  expect((await walletOf(company, 'USDT')).available).toBe('5000.000000');
  await page.context().close();
});

test('many at once with one code, at 390 px', async ({ browser }) => {
  const office = await openOffice();
  await pay(office, '100.25');
  await pay(office, '200.5');
  const page = await pageOf(browser, office.mei, { viewport: { width: 390, height: 844 }, hasTouch: true });
  await page.goto('/app/pending-approval');
  const ticks = page.getByRole('checkbox', { name: 'Select this row' });
  await expect(ticks).toHaveCount(2);
  await settled(page);
  await expectNoSideways(page, 'pending review at 390 px');
  await expectAccessible(page, 'pending review at 390 px');
  for (const tick of await ticks.all()) await tick.check();
  await page.getByRole('button', { name: 'Approve 2' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve 2 requests' });
  await expect(dialog).toContainText('300.75');
  await expect(dialog.getByText('Payees').locator('xpath=..')).toContainText('1');
  await settled(page);
  await expectNoSideways(page, 'approving many at 390 px');
  await expectAccessible(page, 'approving many at 390 px');
  await prove(page, office.mei.inbox);
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(toastOf(page, '2 requests approved')).toBeVisible();
  await expect(page.getByText('You’re all caught up')).toBeVisible();
  await page.context().close();
  await expect.poll(() => desk.balance('USDT', office.payee.address), { timeout: 60_000 }).toBe('300.75');
});

test('two steps one after the other; what its initiator withdraws is given back', { tag: '@proof' }, async ({
  browser,
}) => {
  const company = await openCompany();
  const mei = await hire(company, { firstName: 'Mei', lastName: 'Chan', role: 'approver' });
  const tom = await hire(company, { firstName: 'Tom', lastName: 'Ho', role: 'approver' });
  const [payee] = await Promise.all([savePayee(company, { label: 'Kowloon Freight' }), fund(company, { USDT: '900' })]);
  await makeRule(company, 'Two steps', [[person(mei.id)], [person(tom.id)]]);
  await switchReview(company, true);
  await pay({ company, mei, payee }, '400');
  const task = await pendingTask(mei);
  const theirs = await pageOf(browser, tom);
  await theirs.goto(`/app/pending-approval/${task}`);
  const early = theirs.getByRole('dialog');
  await expect(early.getByText('This request has not reached your step yet.')).toBeVisible();
  await expect(early.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await decideByCall(mei, [task], 'approved');
  await expect(early.getByRole('button', { name: 'Approve' })).toBeVisible();
  await expect(early.getByText('Waiting for Tom Ho')).toBeVisible();

  const page = await pageOf(browser, company);
  await page.goto(`/app/i-initiated-approval/${task}`);
  const own = page.getByRole('dialog', { name: 'Transfer to Kowloon Freight' });
  await expect(own.getByText('You initiated this request, so another person must decide.')).toBeVisible();
  await own.getByRole('button', { name: 'Withdraw' }).click();
  const question = page.getByText(
    'The transfer will be cancelled and the held amount released. This cannot be undone.',
  );
  await expect(question).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'withdrawing an application');
  const asked = page.getByRole('dialog').last();
  await expectRefusalStays(asked, 'Withdraw', '**/web/trx/risk-approval/withdraw');
  await asked.getByRole('button', { name: 'Withdraw' }).click();
  await expect(toastOf(page, 'Cancelled successfully')).toBeVisible();
  await expect(own.getByText(/^Withdrawn by the initiator/).first()).toBeVisible();
  await expect(early.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  expect((await walletOf(company, 'USDT')).available).toBe('900.000000');

  // Of an initiator who has left, an administrator ends it.
  const ann = await hire(company, { firstName: 'Ann', lastName: 'Lo', role: 'finance' });
  await transferByCall({ ...ann, name: company.name }, { coin: 'USDT', payeeId: payee.id, amount: '30' });
  const left = await pendingTask(mei);
  await send(setMemberStatus, { token: company.token, body: { id: ann.id, enabled: false } });
  await page.goto(`/app/approval/${left}`);
  await page.getByRole('button', { name: 'End transfer' }).click();
  const ending = page.getByRole('dialog', { name: 'End this transfer?' });
  await ending.getByLabel('Reason').fill('She has left the company');
  await expectRefusalStays(ending, 'End transfer', '**/web/trx/risk-approval/end');
  await expect(ending.getByLabel('Reason')).toHaveValue('She has left the company');
  await ending.getByRole('button', { name: 'End transfer' }).click();
  await expect(toastOf(page, 'Transfer ended')).toBeVisible();
  await theirs.context().close();
  await page.context().close();
});

test('papers dropped and chosen by keyboard; the code goes to the administrator; the approver looks at them and proves by authenticator', {
  tag: '@proof',
}, async ({ browser }) => {
  const office = await openOffice('administrator');
  const { company, mei } = office;
  const clerk = await hire(company, { firstName: 'Tom', lastName: 'Ho', role: 'finance' });
  const app = await bindAuthenticator(mei);

  const page = await pageOf(browser, clerk);
  await page.goto('/app/transfer-out');
  await fillTransfer(page, { coin: 'USDT', payee: 'Pearl River Supplies', amount: '120' });
  await drop(page.getByText('Drop files here or'), [pdfOf('invoice.pdf', 'Invoice 2026-11')]);
  await expect(page.getByRole('button', { name: 'Remove invoice.pdf' })).toBeVisible();
  await page.locator('input[type=file]').focus();
  // The test takes over the browser's dialogs in the same moment; a key pressed earlier would open one that it cannot see.
  await expect(async () => {
    const chooser = page.waitForEvent('filechooser', { timeout: 3_000 });
    await Promise.all([chooser, page.keyboard.press('Enter')]);
    await (await chooser).setFiles([pngOf('receipt.png', 600, 300)]);
  }).toPass();
  await expect(page.getByRole('button', { name: 'Remove receipt.png' })).toBeVisible();
  await expect(page.getByText('It goes to the administrators of your company', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(toastOf(page, 'Code sent to the administrators of your company')).toBeVisible();
  const mail = await company.inbox.next(({ codes }) => codes.length > 0);
  expect(mail.subject).toContain('confirms a transfer by Tom Ho');
  await page.getByLabel('Verification code').fill(mail.codes[0] ?? '');
  await page.getByRole('button', { name: 'Review and submit for approval' }).click();
  await page.getByRole('button', { name: 'Submit for approval', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Transfer submitted for approval' })).toBeVisible();
  await page.context().close();

  const theirs = await pageOf(browser, mei);
  await theirs.goto(`/app/pending-approval/${await pendingTask(mei)}`);
  const panel = theirs.getByRole('dialog', { name: 'Transfer to Pearl River Supplies' });
  await expect(panel.getByText('No list or policy stops it.')).toBeVisible();
  await panel.getByRole('button', { name: 'Preview receipt.png' }).click();
  const image = theirs.getByRole('img', { name: 'receipt.png' });
  await expect(image).toBeVisible();
  expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(600);
  await settled(theirs);
  await expectAccessible(theirs, 'the preview of an image');
  await theirs.keyboard.press('Escape');
  await panel.getByRole('button', { name: 'Preview invoice.pdf' }).click();
  await expect(theirs.locator('iframe[title="invoice.pdf"]')).toHaveAttribute('src', /^blob:/);
  await theirs.keyboard.press('Escape');
  await panel.getByRole('button', { name: 'Approve' }).click();
  const dialog = theirs.getByRole('dialog', { name: 'Approve this request' });
  await expect(dialog.getByLabel('Authenticator')).toBeChecked();
  await expect(dialog.getByRole('button', { name: 'Send code' })).toHaveCount(0);
  await dialog.getByLabel('Verification code').fill(app.code());
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(toastOf(theirs, 'Request approved')).toBeVisible();
  await expect(panel.getByText('Mei Chan approved')).toBeVisible();

  await pay(office, '10');
  await pay(office, '20');
  await theirs.goto('/app/pending-approval');
  const ticks = theirs.getByRole('checkbox', { name: 'Select this row' });
  await expect(ticks).toHaveCount(2);
  for (const tick of await ticks.all()) await tick.check();
  await theirs.getByRole('button', { name: 'Approve 2' }).click();
  const many = theirs.getByRole('dialog', { name: 'Approve 2 requests' });
  // The step of a moment ago counts once; the next one is taken already.
  await many.getByLabel('Verification code').fill(app.code(1));
  await many.getByRole('button', { name: 'Approve' }).click();
  await expect(toastOf(theirs, '2 requests approved')).toBeVisible();
  await theirs.context().close();
});

test('lists that cannot be read say why, and are there again on another try', { tag: '@proof' }, async ({
  browser,
}) => {
  const company = await openCompany();
  const page = await pageOf(browser, company);
  const list = /\/web\/trx\/risk-approval\?/;
  const refuse = (status: number, key: string) =>
    page.route(list, (route) =>
      route.fulfill({
        status,
        json: { code: status, data: null, errors: [key], key, fields: {}, requestId: 'request-of-the-test' },
      }),
    );
  const main = page.getByRole('main');
  const tryAgain = main.getByRole('button', { name: 'Try again' });

  await refuse(500, 'unknownException');
  await page.goto('/app/pending-approval');
  await expect(tryAgain).toBeVisible();
  await expect(main.getByText('request-of-the-test', { exact: false })).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'pending review after a failure of the server');
  await page.unroute(list);
  await tryAgain.click();
  await expect(page.getByText('You’re all caught up')).toBeVisible();

  await page.route(list, (route) => route.abort('internetdisconnected'));
  await page.goto('/app/approved');
  await expect(main.getByText('Network malfunction, please try again later')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'completed applications without a network');
  await page.unroute(list);
  // The page notices that the service is back; nothing has to be pressed.
  await expect(page.getByText('No completed requests yet')).toBeVisible();

  await refuse(403, 'noPermission');
  await page.goto('/app/i-initiated-approval');
  await expect(main.getByText('No permission', { exact: true })).toBeVisible();
  await expect(tryAgain).toHaveCount(0);
  await settled(page);
  await expectAccessible(page, 'applications of one’s own, refused');
  await page.context().close();
});
