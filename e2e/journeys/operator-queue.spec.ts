import { type Company, fund, openCompany } from '../fixtures/company.ts';
import { asOwner } from '../fixtures/database.ts';
import { administratorPage } from '../fixtures/operator-console.ts';
import { expectAccessible, settled, toastOf } from '../fixtures/screen.ts';
import { expect, test } from '../fixtures/test.ts';

/** Marks the company's deposit as a reorganisation of the chain leaves it. */
async function reverseDeposit({ email }: Company): Promise<void> {
  await asOwner(async (client) => {
    const { rows } = await client.query<{ id: string }>(
      'select company_id as id from causeway.email_directory where email = $1',
      [email],
    );
    await client.query('begin');
    // The owner is held by no fence where it is a superuser.
    await client.query("select set_config('causeway.company_id', $1, true)", [rows[0]?.id]);
    await client.query(
      "update causeway.transaction set status = 'failed', stage = 'reversed' where direction = 'in' and company_id = causeway.company_id()",
    );
    await client.query('commit');
  });
}

test('an operator finds an open item, takes it, comments, resolves it and reopens it', async ({ browser }) => {
  test.slow();
  const name = `Ebb ${Date.now()}`;
  const [ada, company] = await Promise.all([administratorPage(browser, 'Ada Queue'), openCompany({ name })]);
  await fund(company, { USDT: '25' });
  await reverseDeposit(company);

  // The figure appears without a reload, and leads to its rows.
  const figure = ada
    .getByRole('navigation', { name: 'Open items by kind' })
    .getByRole('link', { name: /Deposit reversed/ });
  await expect(figure).toBeVisible({ timeout: 45_000 });
  await settled(ada);
  await expectAccessible(ada, 'home');
  await figure.click();
  await expect(ada).toHaveURL(/kind=depositReorganised/);
  await expect(figure).toHaveAttribute('aria-current', 'true');
  await ada.getByRole('searchbox').fill(name);
  const row = ada.getByRole('row', { name: new RegExp(name) });
  await expect(row).toContainText('Not taken');
  await row.getByRole('link').first().click();

  const panel = ada.getByRole('dialog', { name: /reversed after it was credited/ });
  await expect(panel.getByRole('link', { name, exact: true })).toBeVisible();
  await settled(ada);
  await expectAccessible(ada, 'item');
  await ada.keyboard.press('t');
  await expect(toastOf(ada, 'This item is now yours')).toBeVisible();
  await expect(panel.getByText('Ada Queue took it')).toBeVisible();
  await ada.keyboard.press('c');
  await expect(panel.getByRole('textbox', { name: 'Comment' })).toBeFocused();
  await panel.getByRole('textbox', { name: 'Comment' }).fill('Called the company');
  await panel.getByRole('button', { name: 'Add comment' }).click();
  await expect(panel.getByRole('list', { name: 'History' }).getByText('Called the company')).toBeVisible();
  await expect(panel.getByRole('textbox', { name: 'Comment' })).toHaveValue('');

  await panel.getByRole('button', { name: 'Resolve', exact: true }).click();
  const asked = ada.getByRole('dialog', { name: 'Resolve this item' });
  await asked.getByLabel('Reason').fill('The company knows');
  await expectAccessible(ada, 'resolution');
  await asked.getByRole('button', { name: 'Resolve' }).click();
  await expect(panel.getByText('this item is resolved', { exact: false })).toBeVisible();
  await expect(panel.getByText('The company knows')).toBeVisible();
  // While it closes, the key is the question's.
  await expect(asked).toBeHidden();
  await ada.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(ada.getByText('No results for these filters')).toBeVisible();
  await ada
    .getByRole('navigation', { name: 'Open and resolved items' })
    .getByRole('link', { name: 'Resolved' })
    .click();
  await row.getByRole('link').first().click();
  await panel.getByRole('button', { name: 'Reopen' }).click();
  const reopening = ada.getByRole('dialog', { name: 'Reopen this item' });
  await reopening.getByLabel('Reason').fill('They called back');
  await reopening.getByRole('button', { name: 'Reopen' }).click();
  await expect(panel.getByRole('button', { name: 'Give back' })).toBeVisible();
  await panel.getByRole('button', { name: 'Resolve', exact: true }).click();
  await asked.getByLabel('Reason').fill('Settled');
  await asked.getByRole('button', { name: 'Resolve' }).click();
  await expect(panel.getByText('Settled')).toBeVisible();
  await ada.context().close();
});
