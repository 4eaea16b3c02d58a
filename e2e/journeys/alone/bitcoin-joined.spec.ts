import { randomUUID } from 'node:crypto';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { addCryptoPayee } from '@causeway/contract/payees.ts';
import { listNetworkFees, transferOut } from '@causeway/contract/transfers.ts';
import { openCompany, walletOf, wallets } from '../../fixtures/company.ts';
import { send } from '../../fixtures/console-api.ts';
import { desk } from '../../fixtures/desk.ts';
import { administratorPage } from '../../fixtures/operator-console.ts';
import { expectAccessible } from '../../fixtures/screen.ts';
import { expect, pageOf, test } from '../../fixtures/test.ts';
import { expectStage } from '../../fixtures/transfer.ts';
import { holdWorker } from '../../fixtures/worker-process.ts';

test.describe.configure({ timeout: 240_000 });

test('payments of bitcoin that wait together go out in one transaction, which company and operator see', async ({
  browser,
}) => {
  const company = await openCompany();
  const { token } = company;
  const { id: walletId, place } = await walletOf(company, 'BTC');
  const bitcoinOf = async () => Number((await wallets(company)).find(({ asset }) => asset === 'BTC')?.available);
  const addresses = [
    'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
    'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6',
  ];
  await desk.bitcoin.setMining({ auto: false });
  let worker: ReturnType<typeof holdWorker> | null = null;
  try {
    await desk.bitcoin.pay([{ address: place.address ?? '', amount: '0.05' }], { feeRate: 5 });
    await desk.bitcoin.mine(3);
    await expect.poll(bitcoinOf).toBe(0.05);
    const submissions = [];
    for (const [index, address] of addresses.entries()) {
      const label = `Harbour supplier ${index + 1}`;
      const payee = await send(addCryptoPayee, { token, body: { label, chain: 'bitcoin', coin: 'BTC', address } });
      const amount = '0.01';
      const { items } = await send(listNetworkFees, { token, query: { walletId, payeeId: payee.id, amount } });
      const fee = items.find(({ level }) => level === 'economy')?.fee ?? '';
      const content = { id: randomUUID(), walletId, payeeId: payee.id, amount, attachmentIds: [] };
      await send(sendUserCode, { token, body: { scenario: 'transaction', subject: { kind: 'transfer', content } } });
      const code = await company.inbox.code();
      submissions.push({ ...content, fee, feeLevel: 'economy' as const, codeMethod: 'email' as const, code });
    }
    worker = holdWorker();
    for (const body of submissions) await send(transferOut, { token, body, idempotencyKey: randomUUID() });
    worker.release();
    worker = null;

    const [first, second] = submissions;
    const page = await pageOf(browser, company);
    await page.goto(`/app/transaction/${first?.id}`);
    await expectStage(page, 'Broadcast');
    const [waiting, ...more] = await desk.bitcoin.mempool();
    expect(more).toEqual([]);
    const panel = page.getByRole('dialog');
    await expect(panel.getByText('In one transaction with')).toBeVisible();
    await expectAccessible(page, 'a payment that shares its transaction');
    await panel.getByRole('button', { name: 'Speed up' }).click();
    const question = page.getByRole('alertdialog').or(page.getByRole('dialog', { name: 'Speed up this transfer?' }));
    await expect(question).toContainText('It makes this payment and another one of the company as before');
    await question.getByRole('button', { name: 'Speed up' }).click();
    await expect.poll(async () => (await desk.bitcoin.mempool()).map(({ txid }) => txid)).not.toContain(waiting?.txid);
    await panel.getByRole('link', { name: 'one other payment' }).click();
    await expect(page.getByRole('row', { name: /Harbour supplier/ })).toHaveCount(2);

    const [dearer] = await desk.bitcoin.mempool();
    await desk.bitcoin.mine(3);
    for (const one of submissions) {
      await page.goto(`/app/transaction/${one.id}`);
      await expectStage(page, 'Completed');
    }
    await expect.poll(bitcoinOf).toBeCloseTo(0.03 - Number(dearer?.fee), 8);

    const operators = await administratorPage(browser, 'Kwan Siu-fan');
    await operators.goto(`/app/payments/${second?.id}`);
    await expect(operators.getByText('Makes 2 payments').first()).toBeVisible();
    await expect(operators.getByRole('link', { name: first?.id ?? '' }).first()).toBeVisible();
    await expectAccessible(operators, 'the attempts of a payment that shares its transaction');
  } finally {
    worker?.release();
    await desk.bitcoin.setMining({ auto: true });
  }
});
