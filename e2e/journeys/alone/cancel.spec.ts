import { fund, openCompany, savePayee, walletOf } from '../../fixtures/company.ts';
import { desk } from '../../fixtures/desk.ts';
import { expectRefusalStays, toastOf } from '../../fixtures/screen.ts';
import { expect, pageOf, test } from '../../fixtures/test.ts';
import { expectStage, fillTransfer, proveByMail } from '../../fixtures/transfer.ts';
import { holdWorker } from '../../fixtures/worker-process.ts';

test('a transfer is cancelled until it is handed to signing; amount and fee come back', async ({ browser }) => {
  const company = await openCompany();
  const [payee] = await Promise.all([
    savePayee(company, { label: 'Pearl River Supplies' }),
    fund(company, { USDT: '100' }),
  ]);
  const page = await pageOf(browser, company);
  await page.goto('/app/transfer-out');
  await fillTransfer(page, { coin: 'USDT', payee: 'Pearl River Supplies', amount: '40' });
  await proveByMail(page, company);
  let submitted = '';
  const worker = holdWorker();
  try {
    await page.getByRole('button', { name: 'Review transfer' }).click();
    await page.getByRole('button', { name: /^Send 40/ }).click();
    await expect(page.getByText('Until it is signed, you can cancel it on the transaction’s page.')).toBeVisible();
    expect(Number((await walletOf(company, 'USDT')).outbound)).toBeGreaterThanOrEqual(40);
    submitted = new URL(page.url()).pathname;
    await page.getByRole('link', { name: 'View transaction' }).click();
    await page.getByRole('button', { name: 'Cancel transfer' }).click();
    const question = page.getByRole('dialog', { name: 'Cancel this transfer?' }).or(page.getByRole('alertdialog'));
    await expect(question).toContainText(payee.address);
    await expectRefusalStays(question, 'Cancel transfer', '**/web/crypto/transfer-cancel');
    await question.getByRole('button', { name: 'Cancel transfer' }).click();
    await expect(toastOf(page, 'Cancelled successfully')).toBeVisible();
    await expectStage(page, 'Cancelled');
    await expect(page.getByRole('dialog').getByText('Cancelled', { exact: true }).first()).toBeVisible();
    expect(await walletOf(company, 'USDT')).toMatchObject({ available: '100.000000', outbound: '0.000000' });
  } finally {
    worker.release();
  }
  await page.getByRole('link', { name: 'See the refund' }).click();
  await expect(page.getByRole('dialog', { name: 'Transfer refund' })).toBeVisible();
  await expectStage(page, 'Refunded');
  // The page after the submission says what has become of it.
  await page.goto(submitted);
  await expect(page.getByRole('heading', { name: 'Transfer not completed' })).toBeVisible();
  await expect(page.getByText('40.00 USDT was not sent to Pearl River Supplies.')).toBeVisible();
  await expect(page.getByText('What happens next')).toHaveCount(0);
  // The worker goes on, finds it cancelled and sends nothing.
  await fund(company, { USDC: '5' });
  expect(await desk.balance('USDT', payee.address)).toBe('0');
  await page.context().close();
});
