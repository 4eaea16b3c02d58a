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

const whole = (minor: number) => (minor / 100).toFixed(2);
const minorOf = (text: string) => Math.round(Number(text.replace(/[^\d.]/g, '')) * 100);

test('a debit that does not fit into what cards owe is refused; once it fits, two operators record it as paid to the issuer', async ({
  browser,
}) => {
  test.setTimeout(300_000);
  const emails = [freshEmail(), freshEmail()] as const;
  const name = freshName('Sai Wan Caterers');
  const [links, company] = await Promise.all([
    Promise.all([linkFor('Ivy Treasury', emails[0]), linkFor('Kim Treasury', emails[1])]),
    openCompany({ name }),
  ]);
  const [ivy, kim] = await Promise.all([operatorPage(browser), operatorPage(browser), payIn(company, 'HKD', '2000')]);
  const walletId = (await bankWallet(company, 'HKD')).id;
  const [ivyWho, kimWho, { issued }] = await Promise.all([
    activate(ivy, links[0], emails[0]),
    activate(kim, links[1], emails[1]),
    issueByCall({ token: company.token, walletId }, { name: 'Market runs' }),
  ]);
  const clear = async (amount: string) => {
    const { token } = await desk.cards.pay({ pan: issued.pan, amount });
    await desk.cards.actOn(token, 'clearLast');
  };
  await Promise.all([enterOperator(ivy, ivyWho), enterOperator(kim, kimWho), clear('240.50')]);

  // What is owed, and the companies it consists of.
  await ivy.getByRole('link', { name: 'Treasury', exact: true }).click();
  const place = ivy
    .getByRole('list', { name: 'Owed to the card issuer' })
    .getByRole('listitem')
    .filter({ has: ivy.getByText('Harbour Bank', { exact: true }) })
    .filter({ hasText: 'HKD' });
  await place.getByText(/^\d+ compan/).click();
  const share = place.getByRole('listitem').filter({ hasText: name });
  await expect(share).toContainText('240.50');
  await settled(ivy);
  await expectAccessible(ivy, 'what the issuer of cards is owed');
  const owed = minorOf((await place.getByTitle(/ HKD$/).first().getAttribute('title')) ?? '');

  // One dollar more than that is no settlement with the issuer, until a card owes it.
  const text = `Issuer ${name.slice(-6)}`;
  const { booking } = await desk.debit({
    ...{ bank: 'harbour', currency: 'HKD', amount: whole(owed + 100), text, creditor: 'Card issuer', endToEndId: text },
  });
  await ivy.getByRole('link', { name: 'Debits that wait for an explanation' }).click();
  const debit = ivy.getByRole('row').filter({ hasText: text });
  await expect(debit).toBeVisible();
  await debit.getByRole('link').first().click();
  await expect(ivy.getByText(/^It does not fit into what is owed in this currency/)).toBeVisible();
  await expect(ivy.getByRole('button', { name: 'Record as settled…' })).toHaveCount(0);
  await clear('1.00');
  await expect(ivy.getByRole('button', { name: 'Record as settled…' })).toBeVisible();
  await settled(ivy);
  await expectAccessible(ivy, 'a debit that may have paid the issuer of cards');

  // One proposes, and cannot confirm it; another does.
  await ivy.getByRole('button', { name: 'Record as settled…' }).click();
  const dialog = ivy.getByRole('dialog', { name: 'Record as settled with the card issuer' });
  await dialog.getByRole('button', { name: 'Submit for confirmation' }).click();
  await expect(dialog.getByText('required', { exact: false }).first()).toBeVisible();
  await dialog.getByLabel('Reason').fill('Issuer’s report of week 47');
  await settled(ivy);
  await expectAccessible(ivy, 'recording what was paid to the issuer of cards');
  await dialog.getByRole('button', { name: 'Submit for confirmation' }).click();
  await expect(toastOf(ivy, 'Submitted for confirmation')).toBeVisible();
  await ivy.getByRole('link', { name: 'Open the proposal' }).first().click();
  await expect(ivy.getByText('You proposed this.')).toBeVisible();
  await expect(ivy.getByRole('button', { name: 'Confirm', exact: true })).toHaveCount(0);

  await kim.goto('/app/confirmations?state=open&mine=decide');
  const act = /^Record .* HKD, Card issuer as settled with the card issuer$/;
  await kim.getByRole('link', { name: act }).first().click();
  const panel = kim.getByRole('dialog', { name: act });
  await expect(panel.getByRole('row', { name: /Taken by the bank.*Paid to the card issuer/ })).toBeVisible();
  await expect(panel.getByText('Issuer’s report of week 47')).toBeVisible();
  await settled(kim);
  await expectAccessible(kim, 'confirming what was paid to the issuer of cards');
  await panel.getByRole('button', { name: 'Confirm', exact: true }).click();
  const confirmation = kim.getByRole('dialog', { name: 'Confirm this proposal' });
  await confirmation.getByLabel('Code from your authenticator').fill(kimWho.authenticator.code(1));
  await confirmation.getByRole('button', { name: 'Confirm' }).click();

  await ivy.goBack();
  await expect(ivy.getByText('Settled with card issuer').first()).toBeVisible();
  const shares = ivy.getByRole('list', { name: /^Settled for/ });
  await expect(shares.getByRole('listitem').filter({ hasText: name })).toContainText('241.50');
  await settled(ivy);
  await expectAccessible(ivy, 'what a debit settled with the issuer of cards');
  await ivy.setViewportSize({ width: 390, height: 844 });
  await expectNoSideways(ivy, 'what a debit settled with the issuer of cards');

  // The bank takes it back by its own word: what it had settled is owed again, and someone has to pay again.
  await ivy.setViewportSize({ width: 1280, height: 900 });
  await desk.takeBack(booking);
  await expect(ivy.getByText(/^The bank took this settlement back/)).toBeVisible();
  await settled(ivy);
  await expectAccessible(ivy, 'a settlement that the bank took back');
  await ivy.getByRole('list', { name: 'Returned by the bank' }).getByRole('link').click();
  await expect(ivy.getByText('Returned by the bank').first()).toBeVisible();
  await ivy.goto('/app/treasury');
  await place.getByText(/^\d+ compan/).click();
  await expect(share).toContainText('241.50');
  await kim.goto('/app/home?kind=cardSettlementBack');
  await expect(kim.getByText(/^The bank took back .* that was settled with the card issuer/).first()).toBeVisible();
  await Promise.all([ivy, kim].map((page) => page.context().close()));
});

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

test('what the bank returns in part is owed again, and what was recorded wrongly is withdrawn', {
  tag: '@proof',
}, async ({ browser }) => {
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
