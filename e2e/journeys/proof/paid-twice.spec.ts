import { getTrade } from '@causeway/contract/trades.ts';
import { listTransactions } from '@causeway/contract/transactions.ts';
import type { Page } from '@playwright/test';
import { addresses } from '../../addresses.ts';
import {
  type Company,
  freshAddress,
  freshName,
  fund,
  openCompany,
  savePayee,
  walletOf,
} from '../../fixtures/company.ts';
import { send } from '../../fixtures/console-api.ts';
import { desk } from '../../fixtures/desk.ts';
import { administratorPage } from '../../fixtures/operator-console.ts';
import { expectAccessible, settled, toastOf } from '../../fixtures/screen.ts';
import { expect, pageOf, test } from '../../fixtures/test.ts';

/**
 * A run of its own on a fresh chain: it replaces some forty blocks, which disturbs every other journey, and of a chain with more than some hundred blocks anvil
 * no longer has what is needed to go back that far.
 */
test.describe.configure({ timeout: 300_000 });
test.afterEach(async () => {
  await desk.mining({ auto: true });
});

/** Stages of the company's payments, the newest first. */
async function stages({ token }: Company): Promise<string[]> {
  const { items } = await send(listTransactions, { token, query: {} });
  return items.filter(({ type }) => type === 'chain_withdraw').map(({ stage }) => stage);
}

/** Mines until the newest payment has come to its end, block by block: nothing else is in them. */
async function mineUntil(company: Company, end: string): Promise<void> {
  const look = async () => {
    await desk.mine(1);
    return (await stages(company))[0];
  };
  await expect.poll(look, { message: `the payment is ${end}`, intervals: [300], timeout: 60_000 }).toBe(end);
}

/** Who has transactions that a node has and no block. */
async function waiting(): Promise<string[]> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'txpool_content', params: [] });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(addresses.chain, { method: 'POST', headers, body });
  const { result } = (await answer.json()) as { result: { pending: Record<string, unknown> } };
  return Object.keys(result.pending).map((sender) => sender.toLowerCase());
}

/** Waits until a node has a payment of this sender that is in no block. What the gas tank advances for it is mined before. */
async function offered(address: string): Promise<void> {
  const look = async () => {
    const senders = await waiting();
    if (senders.includes(address.toLowerCase())) return true;
    if (senders.length > 0) await desk.mine(1);
    return false;
  };
  await expect.poll(look, { message: 'the payment is offered', intervals: [200], timeout: 60_000 }).toBe(true);
}

/** The newest payment reverts, since the chain has its sender's coins elsewhere for a block. @returns the height before that block */
async function revert(company: Company, address: string): Promise<number> {
  await offered(address);
  const { height } = await desk.chain();
  const held = BigInt(Math.round(Number(await desk.balance('USDT', address)) * 1e6));
  await desk.setBalance('USDT', address, 0n);
  await desk.mine(1);
  await desk.setBalance('USDT', address, held);
  await mineUntil(company, 'failed');
  return height;
}

async function prove(page: Page, { inbox }: Company): Promise<void> {
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Verification code').fill(await inbox.code());
}

async function paySeller(page: Page, company: Company, id: string): Promise<void> {
  await page.goto(`/app/wallet/tradego/${id}`);
  await page.getByRole('button', { name: 'Pay seller' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'All' }).click();
  await prove(page, company);
  await page.getByRole('dialog').getByRole('button', { name: 'Pay seller' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
}

test('payments that failed, and were made again, are made after all: company and operator see what was paid twice, and a person closes it', async ({
  browser,
}) => {
  const company = await openCompany({ name: freshName('Aberdeen Marine') });
  const { token } = company;
  const seller = freshAddress();
  await Promise.all([
    // Its own gas: other blocks take more of it than those in which payments reverted.
    fund(company, { USDT: '1000', ETH: '1' }),
    savePayee(company, { label: 'Pearl River Supplies' }),
    savePayee(company, { label: 'Pearl Mills', address: seller }),
  ]);
  const { address } = (await walletOf(company, 'USDT')).place;
  const made = await desk.makeTrade({
    ...{ network: 'ethereum', currency: 'USDT', quantity: '300', actInHours: 72 },
    buyer: { name: company.name, address: '1 Queen’s Road, Hong Kong', wallet: address },
    seller: { name: 'Pearl Mills', address: '8 Renmin Road, Guangzhou', wallet: seller },
  });
  const page = await pageOf(browser, company);
  await page.goto(`/app/wallet/tradego/${made.id}`);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await prove(page, company);
  await page.getByRole('dialog').getByRole('button', { name: 'Freeze 300.00 USDT' }).click();
  await expect(toastOf(page, `The amount of trade ${made.number} is frozen`)).toBeVisible();

  await desk.mining({ auto: false });
  await paySeller(page, company, made.id);
  const start = await revert(company, address);
  await expect(page.getByText('Payment to the seller not made').first()).toBeVisible();
  await page.goto('/app/storm');
  const content = 'payee,asset,amount,invoice\nPearl River Supplies,USDT,120.50,A-1';
  await page
    .getByLabel(/Drop a file here/)
    .setInputFiles({ name: 'november.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  await page.getByRole('link', { name: 'Check and submit' }).click();
  await prove(page, company);
  await page.getByRole('button', { name: 'Submit one payment' }).click();
  await expect.poll(async () => (await stages(company)).length).toBe(2);
  await revert(company, address);

  // Both are made again. The page of the first submission was open before: what it knew is no longer so.
  await page.getByRole('link', { name: 'Send one payment again' }).click();
  await prove(page, company);
  await page.getByRole('button', { name: 'Submit one payment' }).click();
  await expect.poll(async () => (await stages(company)).length).toBe(3);
  await mineUntil(company, 'completed');
  await paySeller(page, company, made.id);
  await mineUntil(company, 'completed');
  await expect.poll(async () => (await send(getTrade, { token, params: { id: made.id } })).state).toBe('success');

  // Other blocks, in which nothing reverts. The state after a block is kept as the next is begun, so that one more goes.
  const { height } = await desk.chain();
  await desk.reorganise(height - start + 1, true);
  const look = async () => {
    await desk.mine(1);
    return stages(company);
  };
  const all = ['completed', 'completed', 'completed', 'completed'];
  await expect.poll(look, { message: 'all four are made', intervals: [500], timeout: 90_000 }).toEqual(all);
  await desk.mining({ auto: true });

  await page.goto('/app/notice-center');
  await expect(page.getByText('Paid twice: 120.50 USDT to Pearl River Supplies').first()).toBeVisible();
  await page.getByText('Paid twice: 120.50 USDT to Pearl River Supplies').first().click();
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /november/ })
    .click();
  await expect(page.getByText('One row was paid twice. Ask the payee for the amount back.')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'a row that was paid twice');
  await page.goto(`/app/wallet/tradego/${made.id}`);
  await expect(page.getByText('300.00 USDT too much was paid to the seller')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'a trade that was paid twice');

  const ada = await administratorPage(browser, 'Ada Twice');
  const kinds = ada.getByRole('navigation', { name: 'Open items by kind' });
  for (const [kind, title, leads] of [
    ['Row of a batch paid twice', 'Row 1 of the batch “november” was paid twice', 'Open the payment'],
    ['Guaranteed trade paid twice', `300.00 USDT too much was paid for trade ${made.number}`, 'Open the trade'],
  ] as const) {
    await ada.goto('/app/home');
    await kinds.getByRole('link', { name: new RegExp(kind) }).click({ timeout: 60_000 });
    await ada.getByRole('row').filter({ hasText: company.name }).getByRole('link').first().click();
    const panel = ada.getByRole('dialog', { name: title });
    await expect(panel.getByRole('link', { name: leads })).toBeVisible();
    await settled(ada);
    await expectAccessible(ada, kind);
    await panel.getByRole('button', { name: 'Resolve', exact: true }).click();
    const asked = ada.getByRole('dialog', { name: 'Resolve this item' });
    await asked.getByLabel('Reason').fill('The payee returns it on Monday');
    await asked.getByRole('button', { name: 'Resolve' }).click();
    await expect(panel.getByText('this item is resolved', { exact: false })).toBeVisible();
  }
  await ada.goto('/app/audit-log');
  await ada.getByRole('searchbox').fill('The payee returns it on Monday');
  await expect(ada).toHaveURL(/keyword=/);
  const acts = ada.getByRole('main').getByRole('link', { name: /Resolved an item of the queue/ });
  await expect(acts).toHaveCount(2);
  await Promise.all([page, ada].map((one) => one.context().close()));
});
