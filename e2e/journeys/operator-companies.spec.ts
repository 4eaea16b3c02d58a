import { openCompany } from '../fixtures/company.ts';
import { administratorPage } from '../fixtures/operator-console.ts';
import { choose, expectAccessible, heading, settled, toastOf } from '../fixtures/screen.ts';
import { expect, test } from '../fixtures/test.ts';

const agreement = {
  name: 'Agreement.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF'),
};

test('an operator invites a company, opens its file, writes a note and keeps a document', async ({ browser }) => {
  test.slow();
  const name = `Lantau ${Date.now()}`;
  const [ada, company] = await Promise.all([administratorPage(browser, 'Ada Companies'), openCompany({ name })]);

  // A code is shown once; revoked, it says so.
  await ada.getByRole('link', { name: 'Companies', exact: true }).click();
  await settled(ada);
  await expectAccessible(ada, 'companies');
  await ada.getByRole('button', { name: 'Invite a company' }).click();
  const dialog = ada.getByRole('dialog', { name: 'Invite a company' });
  await dialog.getByLabel('For', { exact: true }).fill(`For ${name}`);
  await dialog.getByRole('button', { name: 'Create code' }).click();
  await expect(dialog.getByText(/^CW-/)).toBeVisible();
  await expectAccessible(ada, 'code');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await ada.getByRole('link', { name: 'Invitations', exact: true }).click();
  const invitation = ada.getByRole('row', { name: new RegExp(`For ${name}`) });
  await expect(invitation).toContainText('Open');
  await expect(ada.getByText(/^CW-/)).toBeHidden();
  await settled(ada);
  await expectAccessible(ada, 'invitations');
  await invitation.getByRole('button', { name: `Revoke the code for For ${name}` }).click();
  await ada
    .getByRole('dialog', { name: 'Revoke this invitation code' })
    .getByRole('button', { name: 'Revoke' })
    .click();
  await expect(invitation).toContainText('Revoked');

  const part = (of: string) =>
    ada.getByRole('navigation', { name: 'Parts of the company file' }).getByRole('link', { name: of });
  // The company is found by its administrator's address, from the palette too.
  await ada.getByRole('link', { name: 'Companies', exact: true }).click();
  await ada.getByRole('searchbox').fill(company.email);
  await ada.getByRole('link', { name }).click();
  await expect(heading(ada, 'Company file')).toBeVisible();
  await expect(ada.getByRole('heading', { name })).toBeVisible();
  await expect(ada.getByRole('region', { name: 'Wallets' }).getByText('USDT · Ethereum')).toBeVisible();
  for (const tab of ['Wallets', 'People', 'Activity and fees', 'Prices and limits', 'Controls', 'Notes', 'Documents']) {
    await part(tab).click();
    await settled(ada);
    await expectAccessible(ada, tab);
  }
  await part('People').click();
  await expect(ada.getByText(company.email)).toBeVisible();

  await part('Prices and limits').click();
  await expect(ada.getByRole('list', { name: 'USDT' })).toContainText(/Withdrawal fee · Ethereum/);
  await expect(ada.getByRole('link', { name: 'Change prices' })).toHaveAttribute('href', /prices\?companyId=/);

  await part('Notes').click();
  await ada.getByLabel('Note', { exact: true }).fill('Prefers to be called in the morning');
  await ada.getByRole('button', { name: 'Add note' }).click();
  await expect(toastOf(ada, 'Note added')).toBeVisible();
  await ada.reload();
  await expect(ada.getByText('Prefers to be called in the morning')).toBeVisible();

  await part('Documents').click();
  await choose(ada, 'Kind of document', 'Agreement');
  await ada.getByLabel('Files').locator('input').or(ada.locator('input[type=file]')).first().setInputFiles(agreement);
  await expect(toastOf(ada, 'Agreement.pdf added')).toBeVisible();
  const [download] = await Promise.all([
    ada.waitForEvent('download'),
    ada.getByRole('button', { name: 'Download Agreement.pdf' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Agreement.pdf');

  // The look and the download are in the operator's log.
  await ada.goto('/app/audit-log');
  await ada.getByRole('searchbox').fill(name);
  for (const said of [
    'Opened a company’s data',
    'Added a document about a company',
    'Downloaded a document about a company',
  ]) {
    await expect(
      ada
        .getByRole('main')
        .getByRole('link', { name: new RegExp(said) })
        .first(),
    ).toBeVisible();
  }
  await ada.context().close();
});
