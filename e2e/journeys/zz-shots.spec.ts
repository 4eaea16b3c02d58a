import { randomUUID } from 'node:crypto';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { addCryptoPayee } from '@causeway/contract/payees.ts';
import { listNetworkFees, transferOut } from '@causeway/contract/transfers.ts';
import { textOf } from '../fixtures/catalogues.ts';
import { openCompany, walletOf, wallets } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { desk } from '../fixtures/desk.ts';
import { administratorPage } from '../fixtures/operator-console.ts';
import { settled } from '../fixtures/screen.ts';
import { pageOf, test } from '../fixtures/test.ts';
import { fillTransfer } from '../fixtures/transfer.ts';

test.describe.configure({ timeout: 500_000 });
const out = '/tmp/btc-left/shots';
const payeeAddress = 'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6';

test('shots', async ({ browser }) => {
  const company = await openCompany();
  const { place, id: walletId } = await walletOf(company, 'BTC');
  await desk.bitcoin.setMining({ auto: false });
  try {
    await desk.bitcoin.pay([{ address: place.address ?? '', amount: '0.05' }], { feeRate: 5 });
    await desk.bitcoin.mine(3);
    for (let i = 0; i < 200; i++) {
      if ((await wallets(company)).find(({ asset }) => asset === 'BTC')?.available === '0.05000000') break;
      await new Promise((r) => setTimeout(r, 300));
    }
    const { token } = company;
    const payee = await send(addCryptoPayee, { token, body: { label: '珠江礦業', chain: 'bitcoin', coin: 'BTC', address: payeeAddress } });
    const amount = '0.01';
    const { items } = await send(listNetworkFees, { token, query: { walletId, payeeId: payee.id, amount } });
    const economy = items.find(({ level }) => level === 'economy');
    const content = { id: randomUUID(), walletId, payeeId: payee.id, amount, attachmentIds: [] };
    await send(sendUserCode, { token, body: { scenario: 'transaction', subject: { kind: 'transfer', content } } });
    const code = await company.inbox.code();
    await send(transferOut, { token, body: { ...content, fee: economy?.fee ?? '', feeLevel: 'economy', codeMethod: 'email', code }, idempotencyKey: randomUUID() });
    const { address } = (await walletOf(company, 'BTC')).place;
    const deposit = await desk.bitcoin.pay([{ address: address ?? '', amount: '0.03' }], { feeRate: 1, isReplaceable: true });
    await new Promise((r) => setTimeout(r, 8000));
    const shot = async (page: import('@playwright/test').Page, name: string, full = true) => {
      await settled(page).catch(() => undefined);
      await page.screenshot({ path: `${out}/${name}.png`, fullPage: full });
    };
    const op = await administratorPage(browser, 'Ada Operator');
    for (const language of ['zh-cn'] as const) {
      const t = (id: string) => textOf(language, id);
      for (const width of [390]) {
        const tag = `${language}-${width}`;
        const viewport = { width, height: width === 390 ? 844 : 900 };
        const page = await pageOf(browser, company, { language, viewport });
        const step = async (name: string, work: () => Promise<void>) => {
          try { await work(); await shot(page, `${tag}-${name}`); } catch (error) { console.log(tag, name, String(error).slice(0, 300)); await shot(page, `${tag}-${name}-FAILED`).catch(() => undefined); }
        };
        await step('recharge', async () => { await page.goto('/app/wallet/recharge?coin=BTC&chain=bitcoin'); await page.locator('[data-address]').waitFor(); });
        await step('deposit', async () => {
          await page.goto(`/app/transaction?keyword=${deposit}`);
          await page.getByRole('link', { name: new RegExp(t('transactions.type.chain_deposit')) }).first().click({ timeout: 20000 });
          await page.getByRole('button', { name: t('transfers.accelerate'), exact: true }).waitFor({ timeout: 20000 });
        });
        await step('accelerate', async () => {
          await page.getByRole('button', { name: t('transfers.accelerate'), exact: true }).click();
          await page.getByRole('radio', { name: new RegExp(t('transfers.fee.urgent')) }).check({ timeout: 15000 });
        });
        await step('transfer', async () => {
          await page.goto('/app/transfer-out');
          await fillTransfer(page, { coin: 'BTC', payee: '珠江礦業', amount: '0.02' }, language);
          await page.getByRole('radio', { name: new RegExp(t('transfers.fee.economy')) }).check({ timeout: 15000 });
        });
        await step('raise', async () => {
          await page.goto(`/app/transaction/${content.id}`);
          await page.getByRole('dialog').getByRole('button', { name: t('transfers.speedUp'), exact: true }).click({ timeout: 20000 });
          await page.getByText(t('transfers.speedUp.newFee')).waitFor();
        });
        await page.context().close();
        await op.setViewportSize(viewport);
        await op.evaluate((value) => localStorage.setItem('language', value), language);
        const ostep = async (name: string, work: () => Promise<void>) => {
          try { await work(); await shot(op, `${tag}-op-${name}`); } catch (error) { console.log(tag, 'op', name, String(error).slice(0, 300)); await shot(op, `${tag}-op-${name}-FAILED`).catch(() => undefined); }
        };
        await ostep('treasury', async () => { await op.goto('/app/treasury'); await op.getByText('sat/vB').first().waitFor({ timeout: 20000 }); });
        await ostep('outputs', async () => { await op.getByRole('link', { name: t('ops.title.outputs') }).first().click({ timeout: 5000 }); await op.getByText('Harbour').first().waitFor({ timeout: 10000 }); });
        await ostep('outputs-company', async () => { await op.getByText('Harbour').first().click(); await new Promise((r) => setTimeout(r, 2500)); });
        await ostep('payment', async () => { await op.goto(`/app/payments/${content.id}`); await op.getByText('sat/vB').first().waitFor({ timeout: 20000 }); });
        await ostep('empty', async () => {
          await op.getByText(t('ops.act.payment.replaceEmpty.title')).first().click({ timeout: 8000 });
          await new Promise((r) => setTimeout(r, 2000));
        });
        await ostep('health', async () => { await op.goto('/app/health'); await op.getByText(/Bitcoin/).first().waitFor({ timeout: 20000 }); });
        await ostep('payments', async () => { await op.goto('/app/payments?coin=BTC'); await op.getByText(/0\.01000000/).first().waitFor({ timeout: 20000 }); });
      }
    }
  } finally {
    await desk.bitcoin.setMining({ auto: true });
  }
});
