import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fund, openCompany, savePayee, walletOf } from '../fixtures/company.ts';
import { desk } from '../fixtures/desk.ts';
import { find, heading } from '../fixtures/screen.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';
import { expectStage, fillTransfer, proveByMail, submitted } from '../fixtures/transfer.ts';

// Among the last by name: its tests are taken by workers that have nothing left.
test.describe.configure({ timeout: 150_000, mode: 'parallel' });

const invoice = {
  name: 'invoice 2026-11 “Pearl”.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n'),
};

test('a transfer leaves, is followed to its depth, and the payee holds exactly the amount', async ({ browser }) => {
  const company = await openCompany();
  const [payee] = await Promise.all([
    savePayee(company, { label: 'Pearl River Supplies' }),
    fund(company, { USDT: '5000' }),
  ]);
  const page = await pageOf(browser, company);
  await page.goto('/app/transfer-out');
  await expect(heading(page, 'Transfer out')).toBeVisible();
  await page.getByRole('button', { name: 'Review transfer' }).click();
  await expect(page.getByText('required', { exact: true }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.locator('[data-toast]', { hasText: 'Complete the transfer first' })).toBeVisible();

  await fillTransfer(page, { coin: 'USDT', payee: 'Pearl River Supplies', amount: '1' });
  await page.getByLabel('Notes').fill('November, first half');
  await expect(page.getByText('Transfer amount must be greater than 1.00 USDT').first()).toBeVisible();
  await page.getByLabel('Amount').fill('5000');
  await page.getByLabel('Notes').focus();
  await expect(page.getByText('Transfer amount must not exceed balance minus fee').first()).toBeVisible();
  await page.getByLabel('Amount').fill('1e5');
  await expect(page.getByLabel('Amount')).not.toHaveValue(/e/);

  const summary = page.locator('dl').filter({ hasText: 'Available afterwards' });
  await page.getByLabel('Amount').fill('1234.567891');
  await expect(summary).toContainText('1,234.567891');
  await expect(summary).toContainText('1,235.567891');
  await expect(summary).toContainText('3,764.432109');
  // Six confirmations and the block before them, of a second each.
  await expect(summary).toContainText('In about 7 seconds once sent');
  // A paper that arrives later would be another transfer, for which the code does not hold.
  const uploaded = page.waitForResponse((response) => response.url().endsWith('/web/file/upload'));
  await page.setInputFiles('input[type=file]', [
    invoice,
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('not allowed') },
  ]);
  await expect(page.getByText(/notes\.txt is not a supported type/)).toBeVisible();
  await expect(page.getByText(invoice.name).first()).toBeVisible();
  await (await uploaded).finished();

  await page.getByRole('button', { name: 'Send code' }).click();
  // The mail may be here before the page has its answer, upon which it empties the field.
  await expect(page.locator('[data-toast]', { hasText: 'Code sent to' })).toBeVisible();
  const code = await company.inbox.code();
  await page.getByLabel('Verification code').fill(code);
  await page.getByLabel('Amount').fill('1234.5');
  await expect(page.getByText(/the code is no longer valid/)).toBeVisible();
  await expect(page.getByLabel('Verification code')).toHaveValue('');
  // It was made for this very transfer, and holds for it again.
  await page.getByLabel('Amount').fill('1234.567891');
  await page.getByLabel('Verification code').fill(code);
  await page.getByRole('button', { name: 'Review transfer' }).click();
  const question = page.getByRole('dialog', { name: 'Send this transfer?' }).or(page.getByRole('alertdialog'));
  await expect(question).toContainText('November, first half');
  await expect(question).toContainText('Pearl River Supplies');
  await expect(question).toContainText(payee.address);
  await expect(question).toContainText('1,234.567891');
  await question.getByRole('button', { name: 'Go back' }).click();
  await expect(page.getByLabel('Amount')).toHaveValue('1234.567891');
  await page.getByRole('button', { name: 'Review transfer' }).click();
  await question.getByRole('button', { name: /^Send 1,234\.567891/ }).click();

  await expect(page.getByRole('heading', { name: submitted })).toBeVisible();
  await page.getByRole('link', { name: 'View transaction' }).click();
  await expectStage(page, 'Completed');
  const panel = page.getByRole('dialog');
  await expect(panel.getByText('November, first half')).toBeVisible();
  await expect(panel.getByText(invoice.name).first()).toBeVisible();
  const stages = panel.getByRole('list', { name: 'Timeline' }).getByRole('listitem');
  for (const stage of ['Submitted', 'No approval needed', 'Signed', 'Broadcast', 'Confirmed', 'Completed']) {
    await expect(stages.filter({ hasText: stage }).locator('time').first()).toBeVisible();
  }
  await expect(stages.filter({ hasText: 'Broadcast' })).toContainText(/0x[0-9a-f]{6}/);
  expect(await desk.balance('USDT', payee.address)).toBe('1234.567891');
  const wallet = await walletOf(company, 'USDT');
  const { outbound, available } = wallet;
  expect(Number(outbound)).toBe(0);
  expect(Number(available)).toBeLessThanOrEqual(5000 - 1234.567891);
  const mail = await company.inbox.next(
    (candidate) => candidate.text.includes('1,234.567891') || candidate.text.includes('1234.567891'),
  );
  expect(mail.language).toBe('en-US');

  const download = page.waitForEvent('download');
  await panel.getByRole('button', { name: `Download ${invoice.name}` }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe(invoice.name);
  expect(await readFile(await saved.path())).toEqual(invoice.buffer);
  await page.context().close();
});

test('everything there is can be sent, and not a unit more', { tag: '@proof' }, async ({ browser }) => {
  const company = await openCompany();
  const [payee] = await Promise.all([
    savePayee(company, { label: 'Kowloon Freight', coin: 'USDC' }),
    fund(company, { USDC: '321.123456' }),
  ]);
  const page = await pageOf(browser, company);
  await page.goto(`/app/transfer-out?payee=${payee.id}`);
  await expect(page.getByLabel('Payee')).toHaveValue('Kowloon Freight');
  await page.getByRole('button', { name: 'All', exact: true }).click();
  const amount = await page.getByLabel('Amount').inputValue();
  await expect(page.getByText('Available afterwards').locator('xpath=..')).toContainText(/afterwards0\.000000/);
  await proveByMail(page, company);
  await page.getByRole('button', { name: 'Review transfer' }).click();
  await page.getByRole('button', { name: /^Send [\d,.]+ USDC$/ }).click();
  await page.getByRole('link', { name: 'View transaction' }).click();
  await expectStage(page, 'Completed');
  expect(Number(await desk.balance('USDC', payee.address))).toBe(Number(amount));
  expect(Number((await walletOf(company, 'USDC')).quantity)).toBe(0);
  await page.context().close();
});

test('a lost answer is asked for again, and stays one transfer', async ({ browser }) => {
  const company = await openCompany();
  const [payee] = await Promise.all([
    savePayee(company, { label: 'Pearl River Supplies' }),
    fund(company, { USDT: '100' }),
  ]);
  const page = await pageOf(browser, company);
  await page.goto('/app/transfer-out');
  await fillTransfer(page, { coin: 'USDT', payee: 'Pearl River Supplies', amount: '20' });
  await proveByMail(page, company);
  // The request arrives, its answer does not.
  await page.route('**/web/crypto/transfer-out', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Review transfer' }).click();
  await page.getByRole('button', { name: /^Send 20/ }).click();
  await expect(page.getByText('Sending again is safe: it stays one transfer.', { exact: false })).toBeVisible();
  await page.unroute('**/web/crypto/transfer-out');
  await page.getByRole('button', { name: /^Send 20/ }).click();
  await expect(page.getByRole('heading', { name: submitted })).toBeVisible();
  await page.getByRole('link', { name: 'View transaction' }).click();
  await expectStage(page, 'Completed');
  expect(await desk.balance('USDT', payee.address)).toBe('20');

  // The same tab sends another: it is a transfer of its own.
  const first = page.url();
  await page.goBack();
  await page.getByRole('link', { name: 'Another transfer' }).click();
  await expect(page.getByLabel('Amount')).toHaveValue('');
  await fillTransfer(page, { coin: 'USDT', payee: 'Pearl River Supplies', amount: '5' });
  // A duplicated tab has a copy of the draft, its id with it.
  const [copy] = await Promise.all([page.waitForEvent('popup'), page.evaluate(() => void window.open(location.href))]);
  await expect(copy.getByLabel('Amount')).toHaveValue('5');
  await proveByMail(page, company);
  await page.getByRole('button', { name: 'Review transfer' }).click();
  await page.getByRole('button', { name: /^Send 5/ }).click();
  await page.getByRole('link', { name: 'View transaction' }).click();
  expect(page.url()).not.toBe(first);
  await expectStage(page, 'Completed');
  expect(await desk.balance('USDT', payee.address)).toBe('25');

  // What the copy says is another transfer: it is not taken for the one that was sent, and goes out under an id of its own.
  await copy.getByLabel('Amount').fill('7');
  await proveByMail(copy, company);
  await copy.getByRole('button', { name: 'Review transfer' }).click();
  await copy.getByRole('button', { name: /^Send 7/ }).click();
  await expect(copy.locator('[data-toast]').filter({ hasText: 'from a copy of this form' })).toBeVisible();
  await expect(copy.locator('[data-failure]')).toContainText('check it, then ask for a new code');
  await expect(copy.getByText('Something has changed since the code was sent', { exact: false })).toBeVisible();
  await expect(copy.getByLabel('Amount')).toHaveValue('7');
  await expect(copy.getByLabel('Verification code')).toHaveValue('');
  await copy.close();
  await page.context().close();
});

test('a wrong code sends nothing, and the form keeps what was typed', { tag: '@proof' }, async ({ browser }) => {
  const company = await openCompany();
  await Promise.all([savePayee(company, { label: 'Pearl River Supplies' }), fund(company, { USDT: '100' })]);
  const page = await pageOf(browser, company);
  await page.goto('/app/transfer-out');
  await fillTransfer(page, { coin: 'USDT', payee: 'Pearl River Supplies', amount: '20' });
  await page.getByRole('button', { name: 'Send code' }).click();
  const code = await company.inbox.code();
  await page.getByLabel('Verification code').fill(code === '000000' ? '000001' : '000000');
  await page.getByRole('button', { name: 'Review transfer' }).click();
  await page.getByRole('button', { name: /^Send 20/ }).click();
  await expect(page.getByLabel('Verification code')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Amount')).toHaveValue('20');
  expect((await walletOf(company, 'USDT')).available).toBe('100.000000');
  // What was wrong is not said over what went right.
  const wrong = page.locator('[data-toast="error"]');
  await expect(wrong).toBeVisible();
  await page.getByLabel('Verification code').fill(code);
  await page.getByRole('button', { name: 'Review transfer' }).click();
  await expect(wrong).toHaveCount(0, { timeout: 1_000 });
  await page.getByRole('button', { name: /^Send 20/ }).click();
  await expect(page.getByRole('heading', { name: submitted })).toBeVisible();
  await page.goto(`/app/transaction/${randomUUID()}`);
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Try again' })).toBeVisible();
  await page.context().close();
});

test('a large attachment shows how much of it has left, holds back the code, and can be given up', {
  tag: '@proof',
}, async ({ browser }) => {
  const company = await openCompany();
  const page = await pageOf(browser, company);
  await page.goto('/app/transfer-out');
  await expect(heading(page, 'Transfer out')).toBeVisible();
  const network = await page.context().newCDPSession(page);
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    // Half a minute for what follows, on a slow machine as well.
    uploadThroughput: 250_000,
  });
  const scan = { ...invoice, name: 'scan.pdf', buffer: Buffer.concat([invoice.buffer, Buffer.alloc(8_000_000, 32)]) };
  await page.setInputFiles('input[type=file]', [scan]);
  const bar = page.getByRole('progressbar', { name: 'scan.pdf' });
  await expect(bar).toHaveAttribute('aria-valuenow', /^[1-9]\d?$/);
  const sendCode = page.getByRole('button', { name: 'Send code' });
  await expect(sendCode).toBeDisabled();
  await expect(page.getByText('so ask for it once the file is there', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Review transfer' }).click();
  const wait = page.getByText('Wait until it is there, or cancel its upload.', { exact: false });
  await expect(wait).toBeVisible();
  await page.getByRole('button', { name: 'Cancel the upload of scan.pdf' }).click();
  await expect(bar).toBeHidden();
  await expect(page.getByText('scan.pdf')).toHaveCount(0);
  await expect(wait).toBeHidden();
  await expect(sendCode).toBeEnabled();

  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await page.setInputFiles('input[type=file]', [scan]);
  await expect(page.getByRole('button', { name: 'Remove scan.pdf' })).toBeVisible();
  await page.context().close();
});

test('a test goes first under an invoice and a category; the rest follows it, and the list finds both by a saved filter', async ({
  browser,
}) => {
  const company = await openCompany();
  await Promise.all([
    savePayee(company, { label: 'Pearl River Supplies' }),
    savePayee(company, { label: 'Kowloon Freight' }),
    fund(company, { USDT: '5000' }),
  ]);
  const page = await pageOf(browser, company);
  const panel = page.getByRole('dialog');
  const send = async (amount: string) => {
    await proveByMail(page, company);
    await page.getByRole('button', { name: 'Review transfer' }).click();
    await expect(page.getByRole('alertdialog').or(page.getByRole('dialog'))).toContainText('INV-2026/42');
    await page.getByRole('button', { name: new RegExp(`^Send ${amount}`) }).click();
    await expect(page.getByRole('heading', { name: submitted })).toBeVisible();
    await page.getByRole('link', { name: 'View transaction' }).click();
    await expectStage(page, 'Completed');
  };
  await page.goto('/app/transfer-out');
  await fillTransfer(page, { coin: 'USDT', payee: 'Pearl River Supplies', amount: '' });
  await page.getByLabel('Amount').fill('1.250,50');
  await expect(page.getByText('This amount could be read in two ways.', { exact: false })).toBeVisible();
  await page.getByLabel('Amount').fill('1,250.50');
  await expect(page.getByLabel('Amount')).toHaveValue('1250.50');
  await page.getByRole('button', { name: 'Send 2.00 USDT first' }).click();
  await expect(page.getByLabel('Amount')).toHaveValue('2');
  // Another payee is not tested by it.
  const isTest = page.getByText('This is a test transfer.', { exact: false });
  await expect(isTest).toBeVisible();
  await find(page.getByLabel('Payee'), 'Kowlo', 'Kowloon Freight');
  await expect(isTest).toHaveCount(0);
  await find(page.getByLabel('Payee'), 'Pearl', 'Pearl River Supplies');
  await expect(isTest).toHaveCount(0);
  await page.getByLabel('Amount').fill('1250.50');
  await page.getByRole('button', { name: 'Send 2.00 USDT first' }).click();
  await page.getByLabel('Invoice number').fill('INV-2026/42');
  await page.getByLabel('Category').fill('Freight');
  await send('2\\.00 USDT');

  await panel.getByRole('link', { name: 'Send the rest: 1,248.50 USDT' }).click();
  await expect(page.getByLabel('Amount')).toHaveValue('1248.5');
  await expect(page.getByLabel('Payee')).toHaveValue('Pearl River Supplies');
  await expect(page.getByLabel('Invoice number')).toHaveValue('INV-2026/42');
  await send('1,248\\.50 USDT');
  await panel.getByRole('link', { name: 'View the test transfer' }).click();
  await expect(panel.getByText('has been submitted', { exact: false })).toBeVisible();

  await panel.getByRole('link', { name: 'Repeat this transfer' }).click();
  await expect(page.getByLabel('Amount')).toHaveValue('2');
  await expect(page.getByLabel('Category')).toHaveValue('Freight');
  await expect(page.getByLabel('Invoice number')).toHaveValue('');

  await page.goto('/app/transaction?amountMin=1.250%2C50');
  const least = page.getByLabel('Amount from');
  await expect(least).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('This amount could be read in two ways.', { exact: false })).toBeVisible();
  await least.fill('1,248.50');
  await expect(page).toHaveURL(/amountMin=1248\.50$/);
  await least.press('Enter');
  await expect(least).toHaveValue('1248.50');
  await expect(page.getByRole('table').getByRole('row').filter({ hasText: '1,248.50' })).toHaveCount(1);
  await expect(page.getByRole('table').getByRole('row').filter({ hasText: 'Pearl River Supplies' })).toHaveCount(1);
  await page.goto('/app/transaction?category=Freight&invoiceNumber=2026%2F42');
  const rows = page.getByRole('table').getByRole('row').filter({ hasText: 'Pearl River Supplies' });
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Saved filters' }).click();
  await panel.getByLabel('Name').fill('Freight of invoice 42');
  await panel.getByRole('button', { name: 'Save current filters' }).click();
  await page.goto('/app/transaction');
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Saved filters' }).click();
  await panel.getByRole('button', { name: 'Freight of invoice 42', exact: true }).click();
  await expect(page).toHaveURL(/category=Freight/);
  await page.getByRole('button', { name: 'Saved filters' }).click();
  await panel.getByRole('button', { name: 'Delete Freight of invoice 42' }).click();
  await expect(panel.getByText('You have not saved any filters yet.')).toBeVisible();
  await page.context().close();
});
