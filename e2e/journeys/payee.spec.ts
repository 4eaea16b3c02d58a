import { FORWARDER, TOKENS } from '@causeway/sandbox/tokens.ts';
import { freshAddress, openCompany, savePayee } from '../fixtures/company.ts';
import { choose, heading, toastOf } from '../fixtures/screen.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

/** The same address with the case of one letter turned: EIP-55 notices. */
function misspelt(address: string): string {
  const at = address.slice(2).search(/[a-zA-Z]/) + 2;
  const letter = address[at] ?? '';
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return address.slice(0, at) + other + address.slice(at + 1);
}

test('a payee is added, found, shown and deleted', async ({ browser }) => {
  const company = await openCompany();
  const page = await pageOf(browser, company);
  const address = freshAddress();
  await page.goto('/app/payee');
  await expect(page.getByText('No payees yet')).toBeVisible();
  await page.getByRole('link', { name: 'Add payee' }).first().click();
  await expect(page).toHaveURL('/app/payee/add');
  await page.getByRole('button', { name: 'Save payee' }).click();
  await expect(toastOf(page, 'Form validation failed')).toBeVisible();
  await page.getByLabel('Account label').fill('Pe');
  await page.getByLabel('Wallet address').focus();
  await expect(page.getByText('The account label must be at least 3 characters')).toBeVisible();
  await page.getByLabel('Account label').fill('Pearl River Supplies');
  await choose(page, 'Chain', 'Ethereum');
  await choose(page, 'Coin', 'USDT');
  await page.getByLabel('Wallet address').fill(misspelt(address));
  await page.getByLabel('Remark').fill('Invoices of each quarter');
  await page.getByRole('button', { name: 'Save payee' }).click();
  await expect(page.getByLabel('Wallet address')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText(/checksum/i).first()).toBeVisible();
  await expect(page.getByLabel('Account label')).toHaveValue('Pearl River Supplies');
  await expect(page.getByLabel('Remark')).toHaveValue('Invoices of each quarter');
  await page.reload();
  await expect(page.getByLabel('Account label')).toHaveValue('Pearl River Supplies');
  await expect(page.getByLabel('Wallet address')).toHaveValue(misspelt(address));

  await page.getByLabel('Wallet address').fill(address.toLowerCase());
  await page.getByLabel('Remark').focus();
  await expect(page.getByLabel('Wallet address')).toHaveValue(address);
  await expect(page.getByText('Valid address on Ethereum')).toBeVisible();
  await page.getByRole('button', { name: 'Save payee' }).click();
  await expect(toastOf(page, 'Added successfully')).toBeVisible();
  const panel = page.getByRole('dialog', { name: 'Pearl River Supplies' });
  await expect(panel.getByText(address)).toBeVisible();
  await expect(panel.getByText('Invoices of each quarter')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/app/payee');
  await expect(panel).toBeHidden();
  await page.getByPlaceholder('Label, address or remark').fill('nobody');
  await expect(page.getByText('No results for these filters')).toBeVisible();
  await page.getByPlaceholder('Label, address or remark').fill('quarter');
  await page.getByRole('link', { name: 'Pearl River Supplies' }).click();

  await panel.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Edit payee' });
  await form.getByLabel('Account label').fill('');
  await form.getByRole('button', { name: 'Save payee' }).click();
  await expect(form.getByText('required', { exact: true })).toBeVisible();
  await form.getByLabel('Account label').fill('Pearl River Ltd');
  await form.getByLabel('Remark').fill('Invoices of each month');
  await form.getByRole('button', { name: 'Save payee' }).click();
  await expect(toastOf(page, 'Payee updated')).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'Pearl River Ltd' }).getByText('Invoices of each month')).toBeVisible();
  const edited = page.getByRole('dialog', { name: 'Pearl River Ltd' });

  await edited.getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: 'Delete this payee?' }).or(page.getByRole('alertdialog'));
  await expect(question).toContainText(address);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(edited).toBeVisible();
  await edited.getByRole('button', { name: 'Delete' }).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(toastOf(page, 'Deleted successfully')).toBeVisible();
  await page.goto('/app/payee');
  await expect(page.getByText('No payees yet')).toBeVisible();
  await page.context().close();
});

test('an address that looks like a known one is pointed out, and must be compared', async ({ browser }) => {
  const company = await openCompany();
  const known = await savePayee(company, { label: 'Pearl River Supplies' });
  const body = known.address.slice(2).toLowerCase();
  const alike = `0x${body.slice(0, 6)}${[...body.slice(6, -6)].reverse().join('')}${body.slice(-6)}`;
  const page = await pageOf(browser, company);
  await page.goto('/app/payee/add?chain=ethereum&coin=USDT');
  await page.getByLabel('Account label').fill('Pearl River (new)');
  await page.getByLabel('Wallet address').fill(alike);
  await page.getByLabel('Remark').focus();
  const warning = page.getByRole('alert').filter({ hasText: 'This address looks like one you know' });
  await expect(warning).toContainText('Pearl River Supplies');
  await page.getByRole('button', { name: 'Save payee' }).click();
  await expect(page.getByText('Please compare the addresses and confirm').first()).toBeVisible();
  await warning.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Save payee' }).click();
  await expect(toastOf(page, 'Added successfully')).toBeVisible();

  await page.goto('/app/payee/add?chain=ethereum&coin=USDT');
  await page.getByLabel('Account label').fill('Pearl River again');
  await page.getByLabel('Wallet address').fill(known.address);
  await page.getByLabel('Remark').focus();
  await expect(page.getByText('This address is already in your address book for this coin.')).toBeVisible();
  await page.getByRole('button', { name: 'Save payee' }).click();
  await expect(page.getByLabel('Wallet address')).toHaveAttribute('aria-invalid', 'true');
  await expect(heading(page, 'Add payee')).toBeVisible();
  await page.context().close();
});

test('an address that keeps what it is sent is refused while it is typed, a contract is warned of', {
  tag: '@proof',
}, async ({ browser }) => {
  const company = await openCompany();
  const page = await pageOf(browser, company);
  await page.goto('/app/payee/add?chain=ethereum&coin=USDT');
  const address = page.getByLabel('Wallet address');
  await page.getByLabel('Account label').fill('Pearl River vault');
  const listed = TOKENS.find(({ coin }) => coin === 'USDC');
  for (const [typed, sentence] of [
    [listed?.address ?? '', 'This is the token’s own contract address'],
    ['0x000000000000000000000000000000000000dEaD', 'This is a system contract or burn address'],
  ] as const) {
    await address.fill(typed);
    await expect(page.getByText(sentence)).toBeVisible();
    await expect(address).toHaveAttribute('aria-invalid', 'true');
  }
  const fake = TOKENS.find(({ coin }) => coin === 'FAKE');
  await address.fill(fake?.address ?? '');
  await expect(page.getByText('This address is a token contract')).toBeVisible();
  await address.fill(FORWARDER);
  await expect(page.getByText('This address is a contract, possibly a smart wallet')).toBeVisible();
  await page.getByRole('button', { name: 'Save payee' }).click();
  await expect(toastOf(page, 'Added successfully')).toBeVisible();
  const panel = page.getByRole('dialog', { name: 'Pearl River vault' });
  await expect(panel.getByText('This address is a contract')).toBeVisible();
  await page.goto(`/app/transfer-out?payee=${page.url().split('/').at(-1)}`);
  await expect(page.getByLabel('Payee')).toHaveValue('Pearl River vault');
  await expect(page.getByText('This address is a contract')).toBeVisible();
  await page.context().close();
});
