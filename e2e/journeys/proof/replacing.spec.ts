import { getTransaction, listTransactions } from '@causeway/contract/transactions.ts';
import { freshEmail, fund, openCompany, savePayee, walletOf } from '../../fixtures/company.ts';
import { send } from '../../fixtures/console-api.ts';
import { asOwner } from '../../fixtures/database.ts';
import { desk } from '../../fixtures/desk.ts';
import { activate, enterOperator, firstLink, operatorPage } from '../../fixtures/operator-console.ts';
import { expectAccessible, expectNoSideways, settled } from '../../fixtures/screen.ts';
import { expect, pageOf, test } from '../../fixtures/test.ts';
import { transferByCall } from '../../fixtures/transfer.ts';

test.describe.configure({ timeout: 180_000 });
test.afterEach(async () => {
  await desk.mining({ auto: true });
});

async function isSigned(id: string): Promise<boolean> {
  const { rowCount } = await asOwner((client) =>
    client.query('select from causeway.chain_send where payment_id = $1 and raw is not null', [id]),
  );
  return rowCount === 1;
}

test('a payment that a deep reorganisation made impossible is replaced by an empty transaction, and its hold returns', async ({
  browser,
}) => {
  const emails = [freshEmail(), freshEmail()] as const;
  const [company, ...links] = await Promise.all([
    openCompany({ name: `Lamma Cold Store ${Date.now()}` }),
    firstLink('Flo Operator', emails[0]),
    firstLink('Gus Operator', emails[1]),
  ]);
  const [flo, gus] = await Promise.all([operatorPage(browser), operatorPage(browser)]);
  const [floWho, gusWho] = await Promise.all([activate(flo, links[0], emails[0]), activate(gus, links[1], emails[1])]);
  await Promise.all([enterOperator(flo, floWho), enterOperator(gus, gusWho)]);
  const { height: before } = await desk.chain();
  const [payee] = await Promise.all([
    savePayee(company, { label: 'Pearl River Supplies', coin: 'ETH' }),
    fund(company, { ETH: '1' }),
  ]);

  await desk.mining({ auto: false });
  const id = await transferByCall(company, { coin: 'ETH', payeeId: payee.id, amount: '0.5' });
  const { token } = company;
  const transfer = () => send(getTransaction, { token, params: { id } });
  // Its address is given what the network fee takes first, which needs blocks.
  await expect
    .poll(
      async () => {
        await desk.mine(1);
        return isSigned(id);
      },
      { message: 'the transfer is signed', intervals: [500], timeout: 45_000 },
    )
    .toBe(true);
  // The block of the deposit goes, and with it what the transfer spends.
  await desk.reorganise((await desk.chain()).height - before);
  await desk.mining({ auto: true });
  await expect
    .poll(async () => (await walletOf(company, 'ETH')).frozen, { message: 'the deposit is taken back' })
    .toBe(true);

  await flo.goto(`/app/exceptions/transaction/${id}`);
  const panel = flo.getByRole('dialog', { name: 'Exception' });
  const choice = panel.getByRole('listitem').filter({ hasText: 'Replace by an empty transaction' });
  await expect(choice.getByRole('button', { name: 'Propose' })).toBeVisible();
  await choice.getByRole('button', { name: 'Propose' }).click();
  const dialog = flo.getByRole('dialog', { name: 'Replace by an empty transaction' });
  await expect(dialog.getByRole('row', { name: /0\.5 ETH to .*0 ETH to/ })).toBeVisible();
  await dialog.getByLabel('Reason').fill('Its deposit is gone for good; the company knows');
  await flo.setViewportSize({ width: 390, height: 844 });
  await settled(flo);
  await expectAccessible(flo, 'proposing an empty transaction');
  await expectNoSideways(flo, 'proposing an empty transaction');
  await dialog.getByRole('button', { name: 'Submit for confirmation' }).click();
  await expect(choice.getByRole('link', { name: 'Waits for confirmation' })).toBeVisible();

  await gus.goto(`/app/exceptions/transaction/${id}`);
  await gus.getByRole('link', { name: 'Waits for confirmation' }).click();
  const proposal = gus.getByRole('dialog').filter({ hasText: 'Its deposit is gone for good' });
  await proposal.getByRole('button', { name: 'Confirm' }).click();
  const confirmation = gus.getByRole('dialog', { name: 'Confirm this proposal' });
  await confirmation.getByLabel('Code from your authenticator').fill(gusWho.authenticator.code(1));
  await confirmation.getByRole('button', { name: 'Confirm' }).click();
  await expect(proposal.getByText('Done', { exact: true })).toBeVisible();

  await expect
    .poll(async () => (await transfer()).status, { message: 'the empty transaction is final', timeout: 60_000 })
    .toBe('failed');
  const { items } = await send(listTransactions, { token, query: {} });
  expect(items.map(({ type }) => type).sort()).toEqual(['chain_deposit', 'chain_withdraw', 'failed_refund']);
  expect(await walletOf(company, 'ETH')).toMatchObject({ available: expect.stringMatching(/^0(\.0+)?$/) });
  expect(await desk.balance('ETH', payee.address)).toBe('0');
  const page = await pageOf(browser, company);
  await page.goto(`/app/transaction/${id}`);
  await expect(
    page.getByRole('dialog').getByText('an empty transaction took its place', { exact: false }).first(),
  ).toBeVisible();
  await Promise.all([flo, gus, page].map((one) => one.context().close()));
});
