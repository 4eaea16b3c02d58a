import { addCryptoPayee } from '@causeway/contract/payees.ts';
import { getTrade } from '@causeway/contract/trades.ts';
import { textOf } from '../../fixtures/catalogues.ts';
import { type Company, freshName, openCompany, walletOf } from '../../fixtures/company.ts';
import { send } from '../../fixtures/console-api.ts';
import { desk } from '../../fixtures/desk.ts';
import { expectAccessible, expectNoSideways, settled } from '../../fixtures/screen.ts';
import { expect, pageOf, test } from '../../fixtures/test.ts';

test.describe.configure({ timeout: 300_000 });

const stateOf = ({ token }: Pick<Company, 'token'>, id: string) => send(getTrade, { token, params: { id } });

test('a trade in bitcoin is frozen and paid in two milestones, each at a network fee that is chosen, in traditional Chinese', async ({
  browser,
}) => {
  const language = 'zh-hk';
  const t = (id: string) => textOf(language, id);
  const buyer = await openCompany({ name: freshName('Tsing Yi Metals') });
  const { place } = await walletOf(buyer, 'BTC');
  const bitcoin = async () => (await walletOf(buyer, 'BTC')).available;
  await desk.bitcoin.pay([{ address: place.address ?? '', amount: '0.05' }], { feeRate: 5 });
  await expect
    .poll(
      async () => {
        await desk.bitcoin.mine(1);
        return bitcoin();
      },
      { intervals: [500], timeout: 60_000 },
    )
    .toBe('0.05000000');
  const wallet = 'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6';
  const body = { label: '珠江礦業', chain: 'bitcoin', coin: 'BTC', address: wallet };
  await send(addCryptoPayee, { token: buyer.token, body });
  const made = await desk.makeTrade({
    ...{ network: 'bitcoin', currency: 'BTC', quantity: '0.03', actInHours: 72 },
    buyer: { name: buyer.name, address: '1 Queen’s Road, Hong Kong', wallet: place.address },
    seller: { name: 'Pearl River Mining', address: '8 Renmin Road, Guangzhou', wallet },
    milestones: [
      { name: 'Loaded', amount: '0.01' },
      { name: 'Delivered', amount: '0.02' },
    ],
  });
  const page = await pageOf(browser, buyer, { language });
  await page.goto(`/app/wallet/tradego/${made.id}`);
  const proved = async () => {
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('ui.code.send') })
      .click();
    await page
      .getByRole('dialog')
      .getByRole('textbox', { name: t('transfers.form.code') })
      .fill(await buyer.inbox.code());
  };
  await page.getByRole('button', { name: t('trades.confirm'), exact: true }).click();
  await proved();
  await page.getByRole('dialog').getByRole('button', { name: /0\.03/ }).click();
  await expect(page.getByText(t('trades.step.frozen')).first()).toBeVisible();
  for (const [milestone, name, level] of [
    ['m1', 'Loaded', 'economy'],
    ['m2', 'Delivered', 'urgent'],
  ] as const) {
    await desk.actOnTrade(made.id, { act: 'milestone', milestone, actInHours: 72 });
    await page.getByRole('button', { name: new RegExp(name) }).click();
    const paying = page.getByRole('dialog', { name: t('trades.release.title') });
    await paying.getByRole('combobox', { name: t('trades.release.feeLevel') }).click();
    await page.getByRole('option', { name: new RegExp(t(`trades.release.level.${level}`)) }).click();
    await proved();
    await settled(page);
    await expectAccessible(page, `paying ${name} in bitcoin`);
    await expectNoSideways(page, `paying ${name} in bitcoin`);
    await paying.getByRole('button', { name: t('trades.release.submit') }).click();
    await expect(paying).toBeHidden();
  }
  await expect
    .poll(
      async () => {
        await desk.bitcoin.mine(1);
        return (await stateOf(buyer, made.id)).state;
      },
      { intervals: [1000], timeout: 90_000 },
    )
    .toBe('success');
  const over = await stateOf(buyer, made.id);
  expect([over.paid, over.frozen]).toEqual(['0.03000000', '0.00000000']);
  expect(Number(await bitcoin())).toBeLessThan(0.02);
});
