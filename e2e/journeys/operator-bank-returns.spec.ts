import type { Page } from '@playwright/test';
import { bankWallet, payIn } from '../fixtures/bank-payment.ts';
import { issueByCall } from '../fixtures/cards.ts';
import { freshEmail, freshName, openCompany } from '../fixtures/company.ts';
import { desk } from '../fixtures/desk.ts';
import { operator } from '../fixtures/operator.ts';
import { activate, enterOperator, type Operator, operatorPage } from '../fixtures/operator-console.ts';
import { expectAccessible, expectNoSideways, settled, toastOf } from '../fixtures/screen.ts';
import { expect as soon, test } from '../fixtures/test.ts';

/** The bank's files are read by a worker that may have much to do. */
const expect = soon.configure({ timeout: 60_000 });
/** The installation's own account in Hong Kong dollars at Harbour Bank. */
const collecting = '998001000000344';

async function linkFor(name: string, email: string): Promise<string> {
  const words = ['staff', 'add', '--name', name, '--email', email, '--role', 'treasury', '--json'];
  return (JSON.parse(await operator(...words)) as { link: string }).link;
}

/** Submits the open dialog with a reason. */
async function submit(page: Page, name: string, reason: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name });
  await dialog.getByLabel('Reason').fill(reason);
  await settled(page);
  await expectAccessible(page, name);
  await dialog.getByRole('button', { name: 'Submit for confirmation' }).click();
  await expect(toastOf(page, 'Submitted for confirmation').first()).toBeVisible();
}

let lastCode = '';

/** Another operator confirms what is called so, each time with a code of the authenticator that was not used. */
async function confirm(page: Page, { authenticator }: Operator, name: RegExp, row: RegExp): Promise<void> {
  await page.goto('/app/confirmations?state=open&mine=decide');
  await page.getByRole('link', { name }).first().click();
  const panel = page.getByRole('dialog', { name });
  await expect(panel.getByRole('row', { name: row })).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'confirming a record of a bank’s booking');
  await panel.getByRole('button', { name: 'Confirm', exact: true }).click();
  const confirmation = page.getByRole('dialog', { name: 'Confirm this proposal' });
  await expect.poll(() => authenticator.code(1)).not.toBe(lastCode);
  lastCode = authenticator.code(1);
  await confirmation.getByLabel('Code from your authenticator').fill(lastCode);
  await confirmation.getByRole('button', { name: 'Confirm' }).click();
  await expect(confirmation).toBeHidden();
}

test('what the bank returns in part is owed again, and what was recorded wrongly is withdrawn', async ({ browser }) => {
  test.setTimeout(240_000);
  const emails = [freshEmail(), freshEmail()] as const;
  const name = freshName('Peng Chau Kilns');
  const [links, company] = await Promise.all([
    Promise.all([linkFor('Ada Treasury', emails[0]), linkFor('Bea Treasury', emails[1])]),
    openCompany({ name }),
  ]);
  const [ada, bea] = await Promise.all([operatorPage(browser), operatorPage(browser), payIn(company, 'HKD', '900')]);
  const [adaWho, beaWho] = await Promise.all([activate(ada, links[0], emails[0]), activate(bea, links[1], emails[1])]);
  await Promise.all([enterOperator(ada, adaWho), enterOperator(bea, beaWho)]);

  const { issued } = await issueByCall(
    { token: company.token, walletId: (await bankWallet(company, 'HKD')).id },
    { name: 'Kiln wood' },
  );
  const { token } = await desk.cards.pay({ pan: issued.pan, amount: '25.00' });
  await desk.cards.actOn(token, 'clearLast');

  const text = `Rent ${name.slice(-6)}`;
  await desk.debit({ bank: 'harbour', currency: 'HKD', amount: '10.00', text, creditor: 'Landlord', endToEndId: text });
  await ada.goto('/app/banks/moneys?state=charged');
  const debit = ada.getByRole('row').filter({ hasText: text });
  await expect(debit).toBeVisible();
  await debit.getByRole('link').first().click();
  const page = new URL(ada.url()).pathname;
  await ada.getByRole('button', { name: 'Record as settled…' }).click();
  await submit(ada, 'Record as settled with the card issuer', 'Issuer’s report of week 48');
  await confirm(
    bea,
    beaWho,
    /^Record 10\.00 HKD, Landlord as settled with the card issuer$/,
    /Paid to the card issuer/,
  );
  await expect(ada.getByText('Settled with card issuer').first()).toBeVisible();
  await expect(ada.getByRole('button', { name: 'Withdraw record…' })).toBeVisible();

  // A part of it comes back, and the bank does not say of what.
  const payer = `Landlord ${name.slice(-6)}`;
  await desk.payIn({
    bank: 'harbour',
    to: collecting,
    currency: 'HKD',
    amount: '4.00',
    payer: { name: payer },
    text: 'Overpaid',
  });
  await ada.goto('/app/banks/moneys?state=suspense');
  const held = ada.getByRole('row', { name: new RegExp(payer) });
  await expect(held).toBeVisible();
  await held.getByRole('link').first().click();
  const back = new URL(ada.url()).pathname;
  const mayBe = ada
    .getByRole('list', { name: 'Bookings that may have been returned' })
    .getByRole('listitem')
    .filter({ hasText: text });
  await settled(ada);
  await expectAccessible(ada, 'what a credit may be a return of');
  await mayBe.getByRole('button', { name: 'Record as returned…' }).click();
  await submit(ada, 'Record what the bank returned', 'The landlord sent 4.00 back');
  await confirm(bea, beaWho, /^Record that the bank took back 4\.00 HKD/, /Returned of it.*0\.00 HKD.*4\.00 HKD/);
  await expect(ada.getByText(/^By this booking the bank returned what was settled with the card issuer/)).toBeVisible();
  await settled(ada);
  await expectAccessible(ada, 'a booking by which the bank returned a part');
  await ada.setViewportSize({ width: 390, height: 844 });
  await expectNoSideways(ada, 'a booking by which the bank returned a part');
  await ada.setViewportSize({ width: 1280, height: 900 });

  // The debit cannot be withdrawn before the return is.
  await ada.goto(page);
  await expect(ada.getByRole('list', { name: 'Returned by the bank' }).getByRole('link')).toHaveAttribute('href', back);
  await expect(
    ada.getByText(/^The record cannot be withdrawn as long as the bank has returned some of it/),
  ).toBeVisible();
  await settled(ada);
  await expectAccessible(ada, 'a debit of which the bank returned a part');
  await ada.setViewportSize({ width: 390, height: 844 });
  await expectNoSideways(ada, 'a debit of which the bank returned a part');
  await ada.setViewportSize({ width: 1280, height: 900 });
  for (const [at, named, row, state] of [
    [back, /^Withdraw what was recorded of 4\.00 HKD/, /In suspense/, 'In suspense'],
    [page, /^Withdraw what was recorded of 10\.00 HKD/, /Taken by the bank/, 'Charged by the bank'],
  ] as const) {
    await ada.goto(at);
    await ada.getByRole('button', { name: 'Withdraw record…' }).click();
    await submit(ada, 'Withdraw the record', 'It was the rent');
    await expect(ada.getByText('It is proposed to withdraw this record.')).toBeVisible();
    await confirm(bea, beaWho, named, row);
    await expect(ada.getByText(state).first()).toBeVisible();
    await expect(ada.getByRole('button', { name: 'Withdraw record…' })).toHaveCount(0);
  }
  await Promise.all([ada, bea].map((each) => each.context().close()));
});
