import { randomUUID } from 'node:crypto';
import { sendUserCode } from '@causeway/contract/identity.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { addCryptoPayee } from '@causeway/contract/payees.ts';
import { listNetworkFees, transferOut } from '@causeway/contract/transfers.ts';
import type { Page } from '@playwright/test';
import { textOf, wrongTexts } from '../fixtures/catalogues.ts';
import { fund, openCompany, walletOf, wallets } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { desk } from '../fixtures/desk.ts';
import { choose, expectAccessible, expectNoSideways, heading, settled } from '../fixtures/screen.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';
import { expectStage, fillTransfer, proveByMail } from '../fixtures/transfer.ts';

test.describe.configure({ timeout: 180_000 });

/** An address of no company (Taproot, regtest). */
const payeeAddress = 'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6';

test('bitcoin comes in before a block has it, and leaves at a fee that was chosen and then raised, in simplified Chinese', async ({
  browser,
}) => {
  const language = 'zh-cn';
  const t = (id: string) => textOf(language, id);
  const company = await openCompany();
  const wallet = await walletOf(company, 'BTC');
  const page = await pageOf(browser, company, { language });
  await page.goto('/app/wallet/recharge?coin=BTC&chain=bitcoin');
  const shown = page.locator('[data-address]');
  await expect(shown).toHaveText(/^bcrt1q/);
  const address = await shown.innerText();
  expect(address).toBe(wallet.place.address);
  await expectRead(page, language, 'recharge of bitcoin');

  await desk.bitcoin.setMining({ auto: false });
  try {
    // Its payer may still replace it, and pays little.
    const deposit = await desk.bitcoin.pay([{ address, amount: '0.05' }], { feeRate: 1, isReplaceable: true });
    await expect(page.getByText('0.05').first()).toBeVisible();
    // The next deposit gets another address; the earlier one stays known.
    await expect(shown).not.toHaveText(address);
    await page.goto(`/app/transaction?keyword=${deposit}`);
    await page.getByRole('row', { name: /BTC/ }).first().click();
    const panel = page.getByRole('dialog');
    await expect(panel.getByText(t('transactions.panel.replaceable'))).toBeVisible();
    await expectRead(page, language, 'a deposit that waits for a block');
    await desk.bitcoin.mine(3);
    await expect
      .poll(async () => (await wallets(company)).find(({ asset }) => asset === 'BTC')?.available)
      .toBe('0.05000000');

    await send(addCryptoPayee, {
      token: company.token,
      body: { label: '珠江矿业', chain: 'bitcoin', coin: 'BTC', address: payeeAddress },
    });
    await page.goto('/app/transfer-out');
    await expect(heading(page, t('app.title.transferOut'))).toBeVisible();
    await fillTransfer(page, { coin: 'BTC', payee: '珠江矿业', amount: '0.02' }, language);
    await page.getByRole('radio', { name: new RegExp(t('transfers.fee.economy')) }).check();
    await expectRead(page, language, 'a transfer of bitcoin');
    await proveByMail(page, company, language);
    await page.getByRole('button', { name: t('transfers.form.submit') }).click();
    const question = page.getByRole('dialog').or(page.getByRole('alertdialog'));
    await expect(question).toContainText(t('transfers.confirm.title'));
    await expect(question).toContainText(payeeAddress);
    await question.getByRole('button', { name: /0\.02/ }).click();
    await page.getByRole('link', { name: t('transfers.success.view') }).click();
    await expectStage(page, t('transactions.stage.broadcast'), language);
    const [first] = await desk.bitcoin.mempool();

    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('transfers.speedUp'), exact: true })
      .click();
    const raising = page.getByRole('alertdialog').or(page.getByRole('dialog', { name: t('transfers.speedUp.title') }));
    await expect(raising.getByText(t('transfers.speedUp.newFee'))).toBeVisible();
    await expectRead(page, language, 'raising the fee of a transfer');
    await raising.getByRole('button', { name: t('transfers.speedUp'), exact: true }).click();
    await expect.poll(async () => (await desk.bitcoin.mempool()).map(({ txid }) => txid)).not.toContain(first?.txid);
    const [second] = await desk.bitcoin.mempool();
    expect(Number(second?.feeRate)).toBeGreaterThan(Number(first?.feeRate));
    await desk.bitcoin.mine(3);
    await expectStage(page, t('transactions.stage.completed'), language);
    expect(await desk.bitcoin.balance(payeeAddress)).toMatchObject({ confirmed: expect.stringMatching(/^0\.02/) });
    const left = (await wallets(company)).find(({ asset }) => asset === 'BTC');
    expect(Number(left?.available)).toBeCloseTo(0.03 - Number(second?.fee), 8);
  } finally {
    await desk.bitcoin.setMining({ auto: true });
  }
});

test('a deposit that pays too little is accelerated, and both are taken into a block, in traditional Chinese at 390 px', async ({
  browser,
}) => {
  const language = 'zh-hk';
  const t = (id: string) => textOf(language, id);
  const company = await openCompany();
  const { place } = await walletOf(company, 'BTC');
  const bitcoinOf = async () => (await wallets(company)).find(({ asset }) => asset === 'BTC')?.available;
  await desk.bitcoin.setMining({ auto: false });
  try {
    await desk.bitcoin.pay([{ address: place.address ?? '', amount: '0.01' }], { feeRate: 5 });
    await desk.bitcoin.mine(3);
    await expect.poll(bitcoinOf).toBe('0.01000000');
    const { address } = (await walletOf(company, 'BTC')).place;
    const deposit = await desk.bitcoin.pay([{ address: address ?? '', amount: '0.05' }], { feeRate: 1 });
    const page = await pageOf(browser, company, { language, viewport: { width: 390, height: 844 }, hasTouch: true });
    await page.goto(`/app/transaction?keyword=${deposit}`);
    await page
      .getByRole('link', { name: new RegExp(t('transactions.type.chain_deposit')) })
      .first()
      .click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('button', { name: t('transfers.accelerate'), exact: true }).click();
    const question = page
      .getByRole('alertdialog')
      .or(page.getByRole('dialog', { name: t('transfers.accelerate.title') }));
    await question.getByRole('radio', { name: new RegExp(t('transfers.fee.urgent')) }).check();
    await expect(question.getByText(t('transfers.accelerate.worth'))).toBeVisible();
    await expectRead(page, language, 'the acceleration of a deposit');
    await expectNoSideways(page, 'the acceleration of a deposit at 390 px');
    await question.getByRole('button', { name: t('transfers.accelerate'), exact: true }).click();
    await expect.poll(async () => (await desk.bitcoin.mempool()).length).toBe(2);
    const child = (await desk.bitcoin.mempool()).find(({ txid }) => txid !== deposit);
    await expect(panel.getByRole('button', { name: t('transfers.accelerate'), exact: true })).toBeHidden();
    await panel.getByRole('link', { name: t('transactions.panel.related') }).click();
    await expect(page.getByRole('heading', { name: t('transactions.type.chain_accelerate') })).toBeVisible();
    await expectStage(page, t('transactions.stage.broadcast'), language);
    await expectRead(page, language, 'an acceleration');
    await desk.bitcoin.mine(3);
    await expectStage(page, t('transactions.stage.completed'), language);
    await expect.poll(async () => Number(await bitcoinOf())).toBeCloseTo(0.06 - Number(child?.fee), 8);
  } finally {
    await desk.bitcoin.setMining({ auto: true });
  }
});

/** Nothing of another language, and axe finds nothing. */
async function expectRead(page: Page, language: Locale, what: string): Promise<void> {
  await settled(page);
  expect(await wrongTexts(page, language), `texts of ${what}`).toEqual([]);
  await expectAccessible(page, what);
}

test('bitcoin that was bought leaves once the treasury has settled it', { tag: '@proof' }, async ({ browser }) => {
  const company = await openCompany();
  await fund(company, { USDT: '5000' });
  const page = await pageOf(browser, company);
  await page.goto('/app/wallet/exchange');
  await choose(page, 'From wallet', /^USDT · /);
  await choose(page, 'To wallet', /^BTC · /);
  await page.getByLabel('You sell').fill('2,000');
  await expect(page.getByText('You receive at least')).toBeVisible();
  await proveByMail(page, company);
  await page.getByRole('button', { name: 'Exchange', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Exchange 2,000/ })
    .click();
  await expect(page.getByRole('heading', { name: 'Exchanged' })).toBeVisible();

  const bitcoinOf = async () => Number((await wallets(company)).find(({ asset }) => asset === 'BTC')?.available);
  const bought = await bitcoinOf();
  const { token } = company;
  const body = {
    label: 'Victoria Harbour Ltd',
    chain: 'bitcoin',
    coin: 'BTC',
    address: 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
  };
  const payee = await send(addCryptoPayee, { token, body });
  const { id: walletId } = await walletOf(company, 'BTC');
  const amount = '0.01';
  const { items } = await send(listNetworkFees, { token, query: { walletId, payeeId: payee.id, amount } });
  const urgent = items.find(({ level }) => level === 'urgent');
  const content = { id: randomUUID(), walletId, payeeId: payee.id, amount, attachmentIds: [] };
  await send(sendUserCode, { token, body: { scenario: 'transaction', subject: { kind: 'transfer', content } } });
  const code = await company.inbox.code();
  const before = Number((await desk.bitcoin.balance(payee.address)).confirmed);
  await send(transferOut, {
    token,
    body: { ...content, fee: urgent?.fee ?? '', feeLevel: 'urgent', codeMethod: 'email', code },
    idempotencyKey: randomUUID(),
  });
  await page.goto(`/app/transaction/${content.id}`);
  await expectStage(page, 'Completed');
  expect(Number((await desk.bitcoin.balance(payee.address)).confirmed) - before).toBeCloseTo(0.01, 8);
  // What the treasury sent is no deposit.
  expect(await bitcoinOf()).toBeCloseTo(bought - 0.01 - Number(urgent?.fee), 8);
});
