import { getTransaction } from '@causeway/contract/transactions.ts';
import { freshEmail, openCompany, walletOf } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { operator } from '../fixtures/operator.ts';
import { activate, enterOperator, operatorPage } from '../fixtures/operator-console.ts';
import { expectAccessible, expectNoSideways, settled, toastOf } from '../fixtures/screen.ts';
import { stuckPayment } from '../fixtures/stuck-payment.ts';
import { expect, test } from '../fixtures/test.ts';

test.describe.configure({ timeout: 180_000 });

async function staffLink(name: string, email: string): Promise<string> {
  const words = ['staff', 'add', '--name', name, '--email', email, '--role', 'support', '--json'];
  return (JSON.parse(await operator(...words)) as { link: string }).link;
}

test('one operator proposes to release a payment that cannot leave, another confirms, and the company has its money back', async ({
  browser,
}) => {
  const name = `Tai O Ferries ${Date.now()}`;
  const emails = [freshEmail(), freshEmail()] as const;
  const company = await openCompany({ name });
  const [id, ...links] = await Promise.all([
    stuckPayment(company),
    staffLink('Dee Operator', emails[0]),
    staffLink('Eli Operator', emails[1]),
  ]);
  const [dee, eli] = await Promise.all([operatorPage(browser), operatorPage(browser)]);
  const [deeWho, eliWho] = await Promise.all([
    activate(dee, links[0] ?? '', emails[0]),
    activate(eli, links[1] ?? '', emails[1]),
  ]);
  await Promise.all([enterOperator(dee, deeWho), enterOperator(eli, eliWho)]);

  await dee.getByRole('link', { name: 'Exceptions', exact: true }).click();
  const item = dee.getByRole('main').getByRole('link').filter({ hasText: name });
  await expect(item).toBeVisible();
  await settled(dee);
  await expectAccessible(dee, 'exceptions');
  await item.click();
  const panel = dee.getByRole('dialog', { name: 'Exception' });
  await expect(
    panel.getByText('Its wallet or company is frozen and nothing is signed yet.', { exact: false }).first(),
  ).toBeVisible();
  await settled(dee);
  await expectAccessible(dee, 'what can be done');
  await dee.setViewportSize({ width: 390, height: 844 });
  await expectNoSideways(dee, 'what can be done');
  const release = panel.getByRole('listitem').filter({ hasText: 'Release the hold' });
  await release.getByRole('button', { name: 'Propose' }).click();
  const dialog = dee.getByRole('dialog', { name: 'Release the hold' });
  await expect(dialog.getByRole('row', { name: /Stage.*Approved.*Failed/ })).toBeVisible();
  await expect(dialog.getByRole('row', { name: /available balance.*\+121 USDT/ })).toBeVisible();
  await dialog.getByRole('button', { name: 'Submit for confirmation' }).click();
  await expect(dialog.getByText('required', { exact: false }).first()).toBeVisible();
  await dialog.getByLabel('Reason').fill('The court order stands; the company asked for its money back');
  // A colleague has the same dialog open and is slower: it says so, and offers only to close.
  await eli.goto(`/app/exceptions/transaction/${id}`);
  const slower = eli.getByRole('dialog', { name: 'Release the hold' });
  await eli
    .getByRole('listitem')
    .filter({ hasText: 'Release the hold' })
    .getByRole('button', { name: 'Propose' })
    .click();
  await slower.getByLabel('Reason').fill('The company called');
  await expectAccessible(dee, 'proposing');
  await expectNoSideways(dee, 'proposing');
  await dialog.getByRole('button', { name: 'Submit for confirmation' }).click();
  await expect(toastOf(dee, 'Submitted for confirmation')).toBeVisible();
  await release.getByRole('link', { name: 'Waits for confirmation' }).click();
  await expect(dee.getByText('You proposed this.')).toBeVisible();
  await expect(slower.getByText('A colleague has proposed this in the meantime', { exact: false })).toBeVisible({
    timeout: 30_000,
  });
  await expect(slower.getByRole('button', { name: 'Submit for confirmation' })).toHaveCount(0);
  await expect(slower.getByLabel('Reason')).toHaveValue('The company called');
  await expectAccessible(eli, 'too late');
  await slower.getByRole('button', { name: 'Copy what you wrote' }).click();
  await slower.getByRole('button', { name: 'Close' }).last().click();
  await expect(slower).toBeHidden();

  await eli.goto('/app/exceptions');
  await eli.getByRole('list', { name: 'Proposed and under way' }).getByRole('link').filter({ hasText: name }).click();
  const proposal = eli.getByRole('dialog').filter({ hasText: 'The court order stands' });
  await proposal.getByRole('button', { name: 'Confirm' }).click();
  const confirmation = eli.getByRole('dialog', { name: 'Confirm this proposal' });
  await confirmation.getByLabel('Code from your authenticator').fill(eliWho.authenticator.code(1));
  await confirmation.getByRole('button', { name: 'Confirm' }).click();
  await expect(proposal.getByText('Done', { exact: true })).toBeVisible();

  const { token } = company;
  expect(await send(getTransaction, { token, params: { id } })).toMatchObject({ status: 'failed' });
  expect((await walletOf(company, 'USDT')).available).toMatch(/^500(\.0+)?$/);
  await dee.goto('/app/exceptions');
  await expect(dee.getByRole('main').getByText('Done', { exact: true }).first()).toBeVisible();
  await expect(dee.getByRole('main').getByText('Waits for confirmation')).toHaveCount(0);
  await Promise.all([dee, eli].map((page) => page.context().close()));
});
