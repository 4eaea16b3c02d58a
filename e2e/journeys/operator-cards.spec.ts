import { bankWallet, payIn } from '../fixtures/bank-payment.ts';
import { issueByCall } from '../fixtures/cards.ts';
import { freshEmail, freshName, openCompany } from '../fixtures/company.ts';
import { desk } from '../fixtures/desk.ts';
import { operator } from '../fixtures/operator.ts';
import { activate, enterOperator, operatorPage } from '../fixtures/operator-console.ts';
import { expectAccessible, expectNoSideways, settled, toastOf } from '../fixtures/screen.ts';
import { expect as soon, test } from '../fixtures/test.ts';

/** The bank's files are read by a worker that may have much to do. */
const expect = soon.configure({ timeout: 60_000 });

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
