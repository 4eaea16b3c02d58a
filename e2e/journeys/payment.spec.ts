import { readFile } from 'node:fs/promises';
import { editBankPayee } from '@causeway/contract/bank-payees.ts';
import type { Page } from '@playwright/test';
import { decideByCall, makeRule, pendingTask, person, switchReview } from '../fixtures/approval.ts';
import { bankWallet, hongKongAccount, payIn, saveHongKongPayee, settleAtBank } from '../fixtures/bank-payment.ts';
import { textOf } from '../fixtures/catalogues.ts';
import { type Company, openCompany } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { desk } from '../fixtures/desk.ts';
import { languagesRead } from '../fixtures/languages.ts';
import { pdfOf } from '../fixtures/papers.ts';
import { textOfPdf } from '../fixtures/pdf.ts';
import { copied, expectAccessible, expectNoSideways, find, settled } from '../fixtures/screen.ts';
import { hire } from '../fixtures/staff.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

test.describe.configure({ timeout: 240_000 });

/** Whom and how much, on a form that is open; ends at the last step. */
async function fill(page: Page, { payee, amount, remittance }: { payee: string; amount: string; remittance: string }) {
  await find(page.getByLabel('Payee', { exact: true }), payee.slice(0, 6), payee);
  await expect(page.getByText('808', { exact: false }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Next: amount' }).click();
  await page.getByLabel('Amount').fill(amount);
  await page.getByLabel('Remittance text').fill(remittance);
}

/** Asks for the code by mail and fills it in. */
async function prove(page: Page, company: Company): Promise<void> {
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.locator('[data-toast]', { hasText: 'Code sent to' })).toBeVisible();
  await page.getByLabel('Verification code').fill(await company.inbox.code());
}

/** Proves and pays; ends on the success page. @returns the payment's id */
async function confirm(page: Page, company: Company): Promise<string> {
  await prove(page, company);
  await page.getByRole('button', { name: 'Confirm and pay' }).click();
  await expect(page.getByRole('heading', { name: /^Payment (submitted|completed)$/ })).toBeVisible();
  return idOf(page);
}

function idOf(page: Page): string {
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

test('a payment with a voucher goes to the bank, is paid, and can be followed to its end', async ({ browser }) => {
  const company = await openCompany({ name: 'Pearl River Trading Limited' });
  await saveHongKongPayee(company, 'Harbour rent', 'Harbour Supplies Limited');
  await payIn(company, 'HKD', '50000');
  const page = await pageOf(browser, company, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto('/app/payment');
  await page.getByRole('button', { name: 'Next: amount' }).click();
  await expect(page.getByText('required', { exact: true }).first()).toBeVisible();
  await fill(page, { payee: 'Harbour rent', amount: '60000', remittance: 'Rent “November”' });
  await page.getByRole('button', { name: 'Next: check' }).click();
  await expect(page.getByText('The amount must not exceed the balance minus the fee')).toBeVisible();
  await page.getByLabel('Amount').fill('1250.50');
  await page.setInputFiles('input[type=file]', [pdfOf('invoice.pdf', 'Invoice 7')]);
  await expect(page.getByRole('button', { name: /Remove invoice\.pdf/ })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Amount')).toHaveValue('1250.50');
  await page.getByRole('button', { name: 'Next: check' }).click();
  await expect(page.getByRole('heading', { name: 'Check before the money leaves' })).toBeFocused();
  await page.goBack();
  await expect(page.getByLabel('Remittance text')).toHaveValue('Rent “November”');
  await page.goForward();
  await expect(page.getByText('Harbour Supplies Limited').first()).toBeVisible();
  await expect(page.getByText('invoice.pdf')).toBeVisible();
  const id = await confirm(page, company);
  const uetr = await settleAtBank(company, id);
  await expect(page.getByRole('heading', { name: 'Payment completed' })).toBeVisible({ timeout: 90_000 });
  await page.getByRole('link', { name: 'View transaction' }).click();
  const panel = page.getByRole('dialog');
  await expect(panel.getByText('Bank instructed').first()).toBeVisible();
  await expect(
    panel
      .getByText('Accepted, being paid')
      .or(panel.getByText('Checked and accepted'))
      .or(panel.getByText('Format checked'))
      .first(),
  ).toBeVisible();
  await panel.getByRole('button', { name: 'Copy UETR' }).click();
  expect(await copied(page, /^[0-9a-f-]{36}$/)).toBe(uetr);
  await settled(page);
  await expectAccessible(page, 'panel of a payment');
  const saving = page.waitForEvent('download');
  await panel.getByRole('button', { name: 'Receipt' }).click();
  const text = await textOfPdf(new Uint8Array(await readFile(await (await saving).path())).buffer);
  for (const part of [uetr, 'Harbour Supplies Limited', 'Bank charges', 'Rent “November”']) {
    expect(text).toContain(part);
  }
  await page.context().close();
});

test('a payment that the bank refuses fails with its reason, and the money is back', { tag: '@proof' }, async ({
  browser,
}) => {
  const company = await openCompany({ name: 'Pearl River Trading Limited' });
  const payee = await saveHongKongPayee(company, 'Harbour rent', 'Harbour Supplies Limited');
  await payIn(company, 'HKD', '5000');
  const page = await pageOf(browser, company);
  await payee.closeAccount();
  await page.goto('/app/payment');
  await fill(page, { payee: 'Harbour rent', amount: '1000', remittance: 'Rent' });
  await page.getByRole('button', { name: 'Next: check' }).click();
  await confirm(page, company);
  await expect(page.getByRole('heading', { name: 'The payment was not made' })).toBeVisible({ timeout: 90_000 });
  await expect(page.getByText('The payee’s account is closed').first()).toBeVisible();
  await page.getByRole('link', { name: 'View transaction' }).click();
  const panel = page.getByRole('dialog');
  await expect(panel.getByText('The payee’s account is closed', { exact: false }).first()).toBeVisible();
  await expect(panel.getByText('AC04', { exact: false }).first()).toBeVisible();
  await panel.getByRole('link', { name: /refund/i }).click();
  await expect(panel.getByText('Refund', { exact: false }).first()).toBeVisible();
  expect((await bankWallet(company, 'HKD')).available).toBe('5000.00');
  await page.context().close();
});

test('a payment that comes back after it was paid points to its refund', async ({ browser }) => {
  const company = await openCompany({ name: 'Pearl River Trading Limited' });
  await saveHongKongPayee(company, 'Harbour rent', 'Harbour Supplies Limited');
  await payIn(company, 'HKD', '5000');
  const page = await pageOf(browser, company, {});
  await page.goto('/app/transfer-out');
  await page.goto(`/app/transfer-out/bank?wallet=${(await bankWallet(company, 'HKD')).id}`);
  await fill(page, { payee: 'Harbour rent', amount: '1000', remittance: '' });
  await page.getByRole('button', { name: 'Next: check' }).click();
  const uetr = await settleAtBank(company, await confirm(page, company));
  await expect(page.getByRole('heading', { name: 'Payment completed' })).toBeVisible({ timeout: 90_000 });
  await page.getByRole('link', { name: 'View transaction' }).click();
  const panel = page.getByRole('dialog');
  const payment = await desk.payment(uetr);
  await desk.actOn(payment?.id ?? '', 'return', 'AC04');
  await expect(panel.getByText('Returned', { exact: false }).first()).toBeVisible({ timeout: 90_000 });
  const inTheBanksWords = panel.getByText('The bank’s code and words: AC04 · Account is closed');
  await expect(inTheBanksWords).toBeVisible();
  await panel.getByRole('link', { name: /refund/i }).click();
  await expect(panel.getByRole('link', { name: /refunded/i })).toBeVisible();
  await expect(panel.getByText('Why the money came back: The payee’s account is closed')).toBeVisible();
  await expect(inTheBanksWords).toBeVisible();
  await page.context().close();
});

test('a payment to an account that was changed waits for its approver, who sees old beside new', {
  tag: '@proof',
}, async ({ browser }) => {
  const company = await openCompany({ name: 'Pearl River Trading Limited' });
  const mei = await hire(company, { firstName: 'Mei', lastName: 'Chan', role: 'approver' });
  const { id, account } = await saveHongKongPayee(company, 'Harbour rent', 'Harbour Supplies Limited');
  await payIn(company, 'HKD', '5000');
  await send(editBankPayee, {
    token: company.token,
    body: { ...hongKongAccount('Harbour Supplies Limited', '808999888777'), id, versionId: account.id },
  });
  await makeRule(company, 'Every payment', [[person(mei.id)]]);
  await switchReview(company, true);
  const page = await pageOf(browser, company);
  await page.goto(`/app/payment?payee=${id}`);
  await expect(page.getByText('The account was changed.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Next: amount' }).click();
  await page.getByLabel('Amount').fill('1000');
  await page.getByRole('button', { name: 'Next: check' }).click();
  await expect(page.getByText(account.account).first()).toBeVisible();
  await expect(page.getByText('Approval is needed before the money leaves')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'check of a payment to a changed account');
  await prove(page, company);
  await page.getByRole('button', { name: 'Submit for approval' }).click();
  await expect(page.getByRole('heading', { name: 'Payment submitted for approval' })).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'a payment that waits for approval');

  const task = await pendingTask(mei);
  const theirs = await pageOf(browser, mei, { viewport: { width: 390, height: 844 } });
  await theirs.goto('/app/pending-approval');
  await expect(theirs.getByText('Account changed')).toBeVisible();
  await theirs.goto(`/app/pending-approval/${task}`);
  const panel = theirs.getByRole('dialog');
  await expect(panel.getByText('Account before')).toBeVisible();
  await expect(panel.getByText(account.account)).toBeVisible();
  await expect(panel.getByText('808999888777').filter({ visible: true }).first()).toBeVisible();
  await settled(theirs);
  await expectAccessible(theirs, 'an application for a payment');
  await expectNoSideways(theirs, 'an application for a payment');
  await decideByCall(mei, [task], 'approved');
  await settleAtBank(company, idOf(page));
  await expect(page.getByRole('heading', { name: 'Payment completed' })).toBeVisible({ timeout: 90_000 });
  await page.goto('/app/transaction');
  await expect(page.getByRole('row').filter({ hasText: 'Harbour rent' })).toContainText('Account changed');
  await Promise.all([page.context().close(), theirs.context().close()]);
});

test('its steps fit a phone and can be read by everybody, in each language', { tag: '@proof' }, async ({ browser }) => {
  const company = await openCompany({ name: 'Pearl River Trading Limited' });
  const payee = await saveHongKongPayee(company, 'Harbour rent', 'Harbour Supplies Limited');
  await payIn(company, 'HKD', '5000');
  for (const language of languagesRead) {
    const page = await pageOf(browser, company, { language, viewport: { width: 390, height: 844 } });
    const t = (id: string) => textOf(language, id);
    await page.goto(`/app/payment?payee=${payee.id}`);
    for (const step of ['payee', 'pay', 'check'] as const) {
      await expect(page.getByRole('heading', { name: t(`payments.title.${step}`) })).toBeVisible();
      if (step === 'pay') await page.getByRole('textbox', { name: t('payments.form.amount') }).fill('100');
      await settled(page);
      await expectAccessible(page, `payment, ${step}, ${language}`);
      await expectNoSideways(page, `payment, ${step}, ${language}`);
      const next = { payee: 'payments.to.pay', pay: 'payments.to.check', check: null }[step];
      if (next !== null) await page.getByRole('button', { name: t(next) }).click();
    }
    await page.context().close();
  }
});
