import type { Page } from '@playwright/test';
import { freshAddress, freshEmail, fund, openCompany, savePayee } from '../fixtures/company.ts';
import { desk } from '../fixtures/desk.ts';
import { operator } from '../fixtures/operator.ts';
import { activate, enterOperator, operatorPage } from '../fixtures/operator-console.ts';
import { choose, expectAccessible, settled } from '../fixtures/screen.ts';
import { expect, test } from '../fixtures/test.ts';
import { transferByCall } from '../fixtures/transfer.ts';

async function linkFor(name: string, email: string): Promise<string> {
  const words = ['staff', 'add', '--name', name, '--email', email, '--role', 'treasury', '--json'];
  return (JSON.parse(await operator(...words)) as { link: string }).link;
}

test('two operators collect fees down to the chain, and see how the installation is', async ({ browser }) => {
  test.setTimeout(180_000);
  const emails = [freshEmail(), freshEmail()] as const;
  const [links, company] = await Promise.all([
    Promise.all([linkFor('Tess Treasury', emails[0]), linkFor('Uma Treasury', emails[1])]),
    openCompany({ name: 'Fee Harbour' }),
  ]);
  const payee = await savePayee(company, { label: 'Pearl River Supplies', coin: 'USDC' });
  await fund(company, { USDC: '100' });
  await transferByCall(company, { coin: 'USDC', amount: '20', payeeId: payee.id });

  const [tess, uma] = await Promise.all([operatorPage(browser), operatorPage(browser)]);
  const tessWho = await activate(tess, links[0], emails[0]);
  const umaWho = await activate(uma, links[1], emails[1]);
  await Promise.all([enterOperator(tess, tessWho), enterOperator(uma, umaWho)]);

  // The gas tank: what it holds and where it is filled.
  await tess.getByRole('link', { name: 'Treasury', exact: true }).click();
  await expect(tess.getByRole('heading', { name: /^Gas tank/ }).first()).toBeVisible();
  await expect(tess.getByText('Spent in 7 days').first()).toBeVisible();
  await tess.getByRole('button', { name: 'Show QR code' }).first().click();
  await expect(tess.getByRole('img', { name: /^QR code/ })).toBeVisible();
  await settled(tess);
  await expectAccessible(tess, 'treasury');

  // Bitcoin has no gas tank: what blocks cost, and the outputs of every company against the ledger.
  await expect(tess.getByRole('heading', { name: 'Network fees · Bitcoin' })).toBeVisible();
  await expect(tess.getByText(/There is no gas tank here/)).toBeVisible();
  await tess.getByRole('link', { name: 'Unspent outputs' }).first().click();
  await expect(tess.getByRole('row', { name: /Treasury/ })).toBeVisible();
  await settled(tess);
  await expectAccessible(tess, 'unspent outputs');
  await tess.getByRole('row', { name: /Treasury/ }).click();
  await expect(tess.getByText('By the ledger')).toBeVisible();
  await settled(tess);
  await expectAccessible(tess, 'outputs of the treasury');
  await tess.goto('/app/treasury');

  // An address of the book is agreed on by two.
  const address = freshAddress();
  const label = `Cold wallet ${address.slice(2, 8)}`;
  await tess.getByRole('button', { name: 'Add address' }).click();
  const form = tess.getByRole('dialog', { name: 'Add a treasury address' });
  await choose(tess, 'Chain', 'Ethereum');
  await form.getByLabel('Address', { exact: true }).fill(address);
  await form.getByLabel('Address again').fill(freshAddress());
  await form.getByLabel('Name').fill(label);
  await form.getByLabel('Reason').fill('New custodian');
  await form.getByRole('button', { name: 'Submit for confirmation' }).click();
  await expect(form.getByText('The two addresses are not the same')).toBeVisible();
  await form.getByLabel('Address again').fill(address);
  await expectAccessible(tess, 'address');
  await form.getByRole('button', { name: 'Submit for confirmation' }).click();
  await tess.getByRole('link', { name: 'Open the proposal' }).click();
  await expect(tess.getByText('You proposed this.')).toBeVisible();

  await confirm(uma, new RegExp(label), umaWho.authenticator.code(1));

  // The fee of the transfer lies at the company's address once it is final. Now it is Uma who proposes: a code serves once.
  await uma.goto('/app/treasury');
  await expect(uma.getByRole('region', { name: 'Treasury addresses' }).getByText(label)).toBeVisible();
  const row = uma.getByRole('region', { name: 'Fees' }).getByRole('row', { name: /USDC/ });
  await expect(row).toBeVisible({ timeout: 60_000 });
  await row.getByRole('button', { name: 'Collect…' }).click();
  const collect = uma.getByRole('dialog', { name: /^Collect USDC fees/ });
  await choose(uma, 'To', new RegExp(label));
  await collect.getByLabel('Reason').fill('Month end');
  await expectAccessible(uma, 'collect');
  await collect.getByRole('button', { name: 'Submit for confirmation' }).click();
  await expect(row.getByRole('link', { name: 'Waiting for confirmation' })).toBeVisible();
  await confirm(tess, /^Collect .* USDC of fees/, tessWho.authenticator.code(1));

  // Down to the chain: the address holds it, and each payment is shown to its end.
  await tess.goto('/app/treasury/payments');
  const paid = tess.getByRole('row', { name: new RegExp(`Fee Harbour.*${label}`) });
  await expect(paid.getByText('Completed')).toBeVisible({ timeout: 90_000 });
  expect(Number(await desk.balance('USDC', address))).toBeGreaterThanOrEqual(1);
  await settled(tess);
  await expectAccessible(tess, 'collected fees');

  // Health: every process reports, and the worker says how everything is.
  await tess.getByRole('link', { name: 'Health', exact: true }).click();
  const processes = tess.getByRole('region', { name: 'Processes' });
  for (const name of ['main', 'worker', 'signer', 'operator-main']) {
    await expect(processes.getByRole('row', { name: new RegExp(`^${name} `) }).first()).toBeVisible();
  }
  await tess.getByRole('button', { name: /^Show all/ }).click({ timeout: 60_000 });
  await expect(tess.getByRole('region', { name: 'Checks' }).getByText('database', { exact: true })).toBeVisible();
  await tess.getByRole('button', { name: 'Largest tables' }).click();
  await expect(tess.getByRole('region', { name: 'Largest tables' }).getByRole('row').nth(5)).toBeVisible();
  await settled(tess);
  await expectAccessible(tess, 'health');
  await Promise.all([tess, uma].map((page) => page.context().close()));
});

/** Confirms the newest open proposal of this name. */
async function confirm(page: Page, name: RegExp, code: string): Promise<void> {
  await page.goto('/app/confirmations?state=open&mine=decide');
  await page.getByRole('link', { name }).first().click();
  const panel = page.getByRole('dialog', { name });
  await expect(panel.getByRole('row').first()).toBeVisible();
  await panel.getByRole('button', { name: 'Confirm', exact: true }).click();
  const confirmation = page.getByRole('dialog', { name: 'Confirm this proposal' });
  await confirmation.getByLabel('Code from your authenticator').fill(code);
  await confirmation.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.locator('[data-toast]', { hasText: 'Confirmed' })).toBeVisible();
}
