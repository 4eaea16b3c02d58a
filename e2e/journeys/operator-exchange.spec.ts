import { randomUUID } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import { type Company, freshEmail, openCompany, walletOf } from '../fixtures/company.ts';
import { asOwner } from '../fixtures/database.ts';
import { operator } from '../fixtures/operator.ts';
import { activate, enterOperator, type Operator, operatorPage } from '../fixtures/operator-console.ts';
import { choose, expectAccessible, expectNoSideways, settled, toastOf } from '../fixtures/screen.ts';
import { expect, test } from '../fixtures/test.ts';

/** An administrator at the operator's console, signed in. */
async function administrator(browser: Browser, name: string): Promise<{ page: Page; who: Operator }> {
  const email = freshEmail();
  const words = ['staff', 'add', '--name', name, '--email', email, '--role', 'administrator', '--json'];
  const { link } = JSON.parse(await operator(...words)) as { link: string };
  const page = await operatorPage(browser);
  const who = await activate(page, link, email);
  await enterOperator(page, who);
  return { page, who };
}

/** Confirms the proposal that a colleague's page shows. */
async function confirmAt(url: string, { page, who }: { page: Page; who: Operator }): Promise<void> {
  await page.goto(url);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm this proposal' });
  await dialog.getByLabel('Code from your authenticator').fill(who.authenticator.code(1));
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(toastOf(page, 'Confirmed')).toBeVisible();
}

/** The company has sold two ETH to the platform, as the HTTP process writes it. */
async function sellTwoEth(company: Company): Promise<void> {
  const [eth, usdt] = await Promise.all([walletOf(company, 'ETH'), walletOf(company, 'USDT')]);
  const [id, bought, quote] = [randomUUID(), randomUUID(), randomUUID()];
  await asOwner(async (client) => {
    const { rows } = await client.query('select company_id from causeway.wallet where id = $1', [eth.id]);
    const companyId = rows[0].company_id;
    await client.query('begin');
    await client.query(
      `insert into causeway.exchange_quote (company_id, id, member_id, sell_wallet_id, buy_wallet_id, sell_asset, buy_asset, fixed, sold, fee, bought, mid,
        rate, spread_bp, fee_bp, sell_usd, buy_usd, sources, rated_at, digest, expires_at)
      values ($1, $2, $2, $3, $4, 'ETH', 'USDT', 'sell', 2e18, 0, 6790e6, 3400, 3395, 15, 0, 3400, 1, '{test}', now(), decode(repeat('00', 32), 'hex'), now())`,
      [companyId, quote, eth.id, usdt.id],
    );
    await client.query(
      `insert into causeway.exchange (company_id, transaction_id, sell_wallet_id, buy_wallet_id, sell_asset, buy_asset, fixed, sold, fee, bought, bound,
        submitted_quote_id, executed_quote_id, executed_sold, executed_fee, executed_bought, bought_transaction_id, executed_at)
      values ($1, $2, $3, $4, 'ETH', 'USDT', 'sell', 2e18, 0, 6790e6, 6790e6, $5, $5, 2e18, 0, 6790e6, $6, now())`,
      [companyId, id, eth.id, usdt.id, quote, bought],
    );
    await client.query(
      `insert into causeway.transaction (company_id, id, type, status, stage, direction, wallet_id, chain_id, coin, quantity, fee, notes, created_at, stage_at,
        completed_at)
      values ($1, $2, 'crypto_exchange_out', 'completed', 'completed', 'out', $3, 'ethereum', 'ETH', 2e18, 0, '', now(), now(), now())`,
      [companyId, id, eth.id],
    );
    await client.query('commit');
  });
}

test('two operators set limits, the platform hedges at the venue, and an addition to a spread is agreed on', async ({
  browser,
}) => {
  test.setTimeout(240_000);
  const [company, ada, bo] = await Promise.all([
    openCompany({ name: 'Hedge Harbour' }),
    administrator(browser, 'Ada Hedges'),
    administrator(browser, 'Bo Hedges'),
  ]);
  const { page } = ada;
  await page.getByRole('link', { name: 'Position and hedging' }).click();
  const venues = page.getByRole('region', { name: 'Venues' });
  await expect(venues.getByRole('row', { name: /kraken.*Answers/ })).toBeVisible({ timeout: 90_000 });
  await settled(page);
  await expectAccessible(page, 'position');

  // To begin hedging takes two.
  await page.getByRole('row', { name: /^ETH/ }).getByRole('button', { name: 'Change limits' }).click();
  const dialog = page.getByRole('dialog', { name: 'Limits of the position in ETH' });
  await dialog.getByLabel('Most long').fill('5');
  await dialog.getByLabel('Hedged from').fill('1');
  await dialog.getByLabel('Hedged back to').fill('0');
  await dialog.getByLabel('Reason').fill('As the committee agreed');
  await expectAccessible(page, 'limits');
  await dialog.getByRole('button', { name: 'Set limits' }).click();
  await expect(page).toHaveURL(/\/app\/confirmations\/[0-9a-f-]{36}/);
  await expect(page.getByRole('row', { name: /Most long.*300\.00 ETH.*5\.00 ETH/ })).toBeVisible();
  await confirmAt(page.url(), bo);

  // What a company sells is sold on, and the position is back.
  await sellTwoEth(company);
  await page.goto('/app/exchange/hedges?asset=ETH');
  const order = page.getByRole('row', { name: /Sell ETH.*Done/ }).first();
  await expect(order).toBeVisible({ timeout: 90_000 });
  await settled(page);
  await expectAccessible(page, 'hedge orders');
  await order.getByRole('link').first().click();
  const panel = page.getByRole('dialog', { name: 'Sell ETH · kraken' });
  await expect(panel.getByRole('list', { name: 'Fills' }).getByRole('listitem').first()).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'hedge order');
  await page.goto('/app/exchange');
  await expect(page.getByRole('row', { name: /^ETH.*Within limits/ })).toBeVisible();

  // What is added to a spread.
  await bo.page.goto('/app/exchange/terms');
  await bo.page.getByRole('button', { name: 'Propose an addition' }).click();
  const terms = bo.page.getByRole('dialog', { name: 'Propose an addition' });
  await choose(bo.page, 'Sold by the company', 'ETH');
  await terms.getByLabel('From a size of').fill('100000');
  await terms.getByLabel('On top of the spread').fill('7');
  await terms.getByLabel('Reason').fill('Large tickets');
  await expectAccessible(bo.page, 'addition to a spread');
  await terms.getByRole('button', { name: 'Submit for confirmation' }).click();
  await expect(bo.page).toHaveURL(/\/app\/confirmations\/[0-9a-f-]{36}/);
  await confirmAt(bo.page.url(), ada);
  await page.goto('/app/exchange/terms');
  await expect(page.getByRole('row', { name: /ETH → Any.*7 bp.*In force/ })).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'additions to spreads');

  for (const path of ['/app/exchange', '/app/exchange/hedges', '/app/exchange/terms']) {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(path);
    await settled(page);
    await expectNoSideways(page, path);
  }
  await Promise.all([ada, bo].map((one) => one.page.context().close()));
});
