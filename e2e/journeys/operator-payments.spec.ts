import { getTransaction } from '@causeway/contract/transactions.ts';
import { freshEmail, freshName, fund, openCompany, savePayee } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { operator } from '../fixtures/operator.ts';
import { activate, enterOperator, operatorPage } from '../fixtures/operator-console.ts';
import { expectAccessible, settled } from '../fixtures/screen.ts';
import { expect, test } from '../fixtures/test.ts';
import { transferByCall } from '../fixtures/transfer.ts';

test('a transfer of a company is found by hash and by amount, with its attempts and its postings', async ({
  browser,
}) => {
  test.slow();
  const email = freshEmail();
  const words = ['staff', 'add', '--name', 'Sue Support', '--email', email, '--role', 'support', '--json'];
  const name = freshName('Quarry');
  const [company, page, added] = await Promise.all([openCompany({ name }), operatorPage(browser), operator(...words)]);
  const [payee, who] = await Promise.all([
    savePayee(company, { label: 'Slate & Sons' }),
    activate(page, (JSON.parse(added) as { link: string }).link, email),
    fund(company, { USDT: '5000' }),
  ]);
  const amount = `1${email.replaceAll(/\D/g, '').slice(0, 2).padEnd(2, '7')}.345678`;
  const [id] = await Promise.all([
    transferByCall(company, { coin: 'USDT', payeeId: payee.id, amount }),
    enterOperator(page, who),
  ]);
  const sent = () => send(getTransaction, { token: company.token, params: { id } });
  await expect.poll(async () => (await sent()).stage, { timeout: 60_000 }).toBe('completed');
  const { hash } = await sent();

  await page.getByRole('link', { name: 'Transactions', exact: true }).click();
  await settled(page);
  await expectAccessible(page, 'transactions');
  const search = page.getByRole('main').getByRole('searchbox');
  await search.fill(hash ?? '');
  const row = page.getByRole('main').getByRole('row').filter({ hasText: name });
  await expect(row).toHaveCount(1);
  await expect(page.getByRole('main').getByText('Slate & Sons')).toBeVisible();
  await row.getByRole('link').first().click();

  // As the company sees it, and what is behind that.
  await expect(page.getByRole('list', { name: 'Timeline' })).toContainText('Completed');
  await expect(page.getByRole('heading', { name: /^Attempt 1/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /Accepted/ }).first()).toBeVisible();
  const settlement = page.getByRole('group', { name: 'Settlement' });
  await expect(settlement.getByRole('row', { name: /^Sum 0/ })).toBeVisible();
  await expect(settlement.getByRole('row', { name: /^On chain/ })).toContainText(`+${amount}`);
  await expect(page.getByRole('group', { name: 'Requests' }).getByText('transferOut')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'transaction');

  await page.goBack();
  await search.fill(amount);
  await expect(row).toHaveCount(1);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('main').getByText(name)).toBeVisible();
  await page.context().close();
});
