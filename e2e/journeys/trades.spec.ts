import { getTrade } from '@causeway/contract/trades.ts';
import type { Page } from '@playwright/test';
import { decideByCall, makeRule, pendingTask, person, switchReview } from '../fixtures/approval.ts';
import { textOf } from '../fixtures/catalogues.ts';
import { type Company, freshAddress, freshName, fund, openCompany, savePayee, walletOf } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { desk } from '../fixtures/desk.ts';
import { languagesRead } from '../fixtures/languages.ts';
import { option, search } from '../fixtures/palette.ts';
import { expectAccessible, expectNoSideways, settled, toastOf } from '../fixtures/screen.ts';
import { hire } from '../fixtures/staff.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

test.describe.configure({ timeout: 300_000, mode: 'parallel' });

const terms = { network: 'ethereum', currency: 'USDT', actInHours: 72 };

async function partyOf(company: Company) {
  const { place } = await walletOf(company, 'USDT');
  return { name: company.name, address: '1 Queen’s Road, Hong Kong', wallet: place.address };
}

/** Asks for a code in the dialog that is open and fills it in. */
async function prove(page: Page, company: Company): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Send code' }).click();
  await expect(page.locator('[data-toast]', { hasText: 'Code sent to' })).toBeVisible();
  await dialog.getByLabel('Verification code').fill(await company.inbox.code());
}

const stateOf = ({ token }: Pick<Company, 'token'>, id: string) => send(getTrade, { token, params: { id } });

test('a trade is confirmed with approval, shipped, inspected, paid in two parts and completed on both sides', async ({
  browser,
}) => {
  const [buyer, seller] = [
    await openCompany({ name: freshName('Tai Koo Imports') }),
    await openCompany({ name: freshName('Delta Textiles') }),
  ];
  await fund(buyer, { USDT: '2000' });
  const to = await partyOf(seller);
  await savePayee(buyer, { label: 'Delta Textiles', address: to.wallet });
  const mei = await hire(buyer, { firstName: 'Mei', lastName: 'Wong', role: 'approver' });
  await makeRule(buyer, 'Every payment', [[person(mei.id)]]);
  await switchReview(buyer, true);
  const approve = async () => decideByCall(mei, [await pendingTask(mei)], 'approved');

  const page = await pageOf(browser, buyer);
  await page.goto('/app/wallet');
  await page.getByRole('main').getByRole('link', { name: 'Guaranteed trade', exact: true }).click();
  await expect(page.getByText('No guaranteed trades')).toBeVisible();
  await expectAccessible(page, 'guaranteed trades, none yet');

  const milestones = [
    { name: 'Goods on board', amount: '400' },
    { name: 'Inspection passed', amount: '600' },
  ];
  const made = await desk.makeTrade({
    ...terms,
    quantity: '1000',
    buyer: await partyOf(buyer),
    seller: to,
    milestones,
  });
  // It appears without a reload, and leads to its page.
  await page.getByRole('link', { name: made.number }).first().click();
  await expect(page.getByText('you are the buyer')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'a trade to confirm');

  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  const confirming = page.getByRole('dialog', { name: 'Confirm guaranteed trade' });
  await expect(confirming.getByText('Mei Wong')).toBeVisible();
  await prove(page, buyer);
  await settled(page);
  await expectAccessible(page, 'confirming a trade');
  await confirming.getByRole('button', { name: 'Submit for approval' }).click();
  await expect(toastOf(page, `Trade ${made.number} waits for approval`)).toBeVisible();
  await expect(page.getByText('Confirmed, waits for approval')).toBeVisible();
  await approve();
  await expect(page.getByText('Amount frozen').first()).toBeVisible();
  // The platform has it, and both sides see what follows.
  await expect.poll(async () => (await desk.trades()).received.some(({ tradeId }) => tradeId === made.id)).toBe(true);
  const sold = await pageOf(browser, seller, { language: 'zh-cn' });
  await sold.goto(`/app/wallet/tradego/${made.id}`);
  await expect(sold.getByText(textOf('zh-cn', 'trades.state.in_progress')).first()).toBeVisible();
  await settled(sold);
  await expectAccessible(sold, 'the seller’s side of a trade');

  await desk.actOnTrade(made.id, { act: 'ship', billOfLading: 'MAEU-4711', actInHours: 72 });
  await expect(page.getByText('MAEU-4711').first()).toBeVisible();
  await expect(sold.getByText('MAEU-4711').first()).toBeVisible();
  await desk.actOnTrade(made.id, { act: 'milestone', milestone: 'm1', actInHours: 72 });
  await page.getByRole('button', { name: 'Pay Goods on board' }).click();
  const paying = page.getByRole('dialog', { name: 'Pay seller' });
  await expect(paying.getByText('400.00 USDT').first()).toBeVisible();
  await prove(page, buyer);
  await settled(page);
  await expectAccessible(page, 'paying a milestone');
  await paying.getByRole('button', { name: 'Submit for approval' }).click();
  await expect(toastOf(page, `Payment of 400.00 USDT for trade ${made.number} submitted`)).toBeVisible();
  await approve();
  await expect.poll(async () => (await stateOf(buyer, made.id)).paid, { timeout: 60_000 }).toBe('400.000000');

  await desk.actOnTrade(made.id, { act: 'inspect', actInHours: 72 });
  await page.goto('/app/home');
  await expect(page.getByRole('heading', { name: 'Guaranteed trades waiting for you' })).toBeVisible();
  await page
    .getByRole('link', { name: new RegExp(`^${made.number}`) })
    .first()
    .click();
  await page.getByRole('button', { name: 'Pay seller' }).click();
  const rest = page.getByRole('dialog', { name: 'Pay seller' });
  await rest.getByRole('textbox', { name: 'Amount' }).fill('600.01');
  await rest.getByRole('button', { name: 'Send code' }).click();
  await expect(rest.getByText('More than can still be paid')).toBeVisible();
  await rest.getByRole('button', { name: 'All' }).click();
  await prove(page, buyer);
  await rest.getByRole('button', { name: /Pay seller|Submit for approval/ }).click();
  await expect(toastOf(page, `Payment of 600.00 USDT for trade ${made.number} submitted`)).toBeVisible();
  await approve();
  await expect.poll(async () => (await stateOf(buyer, made.id)).state, { timeout: 60_000 }).toBe('success');
  await expect(page.getByText('Completed').first()).toBeVisible();
  // The seller sees the same at once, without a word of the platform.
  await expect(sold.getByText(textOf('zh-cn', 'trades.state.success')).first()).toBeVisible();
  const theirs = await stateOf(seller, made.id);
  const ours = await stateOf(buyer, made.id);
  expect(theirs).toMatchObject({ state: 'success', paid: '1000.000000', paying: '0.000000', hash: ours.hash });
  await desk.actOnTrade(made.id, { act: 'close' });

  // Its payment leads back to it, and the palette finds it by its number.
  await page.getByRole('link', { name: 'Goods on board' }).click();
  await page
    .getByRole('dialog')
    .getByRole('link', { name: `${made.number} · Goods on board` })
    .click();
  await expect(page).toHaveURL(new RegExp(`/app/wallet/tradego/${made.id}`));
  await page.getByRole('main').getByRole('link', { name: 'All guaranteed trades' }).click();
  await expect(page).toHaveURL(/\/app\/wallet\/tradego$/);
  await search(page, made.number);
  await expect(option(page, 'Guaranteed trade', new RegExp(made.number))).toContainText('1,000.00 USDT · Completed');
  await page.keyboard.press('Escape');

  await page.setViewportSize({ width: 390, height: 844 });
  for (const language of languagesRead) {
    const phone = await pageOf(browser, buyer, { language, viewport: { width: 390, height: 844 } });
    for (const path of ['/app/wallet/tradego', `/app/wallet/tradego/${made.id}`]) {
      await phone.goto(path);
      await expect(phone.getByText(made.number).first()).toBeVisible();
      await settled(phone);
      await expectAccessible(phone, `${path} in ${language}`);
      await expectNoSideways(phone, path);
    }
  }
});

test('a dispute stops payments and a refund comes back; what is too much is refused; forged and late events change nothing', async ({
  browser,
}) => {
  const buyer = await openCompany({ name: freshName('Kwun Tong Retail') });
  await fund(buyer, { USDT: '500' });
  const party = await partyOf(buyer);
  const outside = { name: 'Pearl Mills', address: '8 Renmin Road, Guangzhou', wallet: freshAddress() };
  const trade = (quantity: string) => desk.makeTrade({ ...terms, quantity, buyer: party, seller: outside });
  const [large, made] = [await trade('900'), await trade('300')];
  const page = await pageOf(browser, buyer);

  await page.goto(`/app/wallet/tradego/${large.id}`);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  const short = page.getByRole('dialog', { name: 'Confirm guaranteed trade' });
  await expect(short.getByText('Insufficient Balance')).toBeVisible();
  await expect(short.getByText('400.00 USDT are missing in the paying wallet.')).toBeVisible();
  await expect(short.getByRole('button', { name: /^Freeze/ })).toBeDisabled();
  await expect(short.getByRole('link', { name: 'Top up' })).toHaveAttribute('href', /coin=USDT&chain=ethereum/);
  await settled(page);
  await expectAccessible(page, 'a trade that the balance does not cover');
  await short.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Decline' }).click();
  await page
    .getByRole('dialog')
    .getByLabel(/^Reason/)
    .fill('Too expensive');
  await settled(page);
  await expectAccessible(page, 'declining a trade');
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await expect(toastOf(page, `Trade ${large.number} was declined`)).toBeVisible();
  await expect(page.getByText('Too expensive').first()).toBeVisible();

  await page.goto(`/app/wallet/tradego/${made.id}`);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await prove(page, buyer);
  await page.getByRole('dialog').getByRole('button', { name: 'Freeze 300.00 USDT' }).click();
  await expect(toastOf(page, `The amount of trade ${made.number} is frozen`)).toBeVisible();
  // The seller is no payee yet: the form of a new one is filled in.
  await page.getByRole('button', { name: 'Pay seller' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add as payee' }).click();
  await expect(page.getByRole('textbox', { name: 'Wallet address' })).toHaveValue(outside.wallet);
  await page.goto(`/app/wallet/tradego/${made.id}`);

  await page.getByRole('button', { name: 'Dispute' }).click();
  const disputing = page.getByRole('dialog', { name: 'Dispute guaranteed trade' });
  await disputing.getByRole('button', { name: 'Dispute' }).click();
  await expect(disputing.getByText('Enter a reason')).toBeVisible();
  await disputing.getByLabel('Reason').fill('Wrong goods');
  await settled(page);
  await expectAccessible(page, 'disputing a trade');
  await disputing.getByRole('button', { name: 'Dispute' }).click();
  await expect(page.getByText(/^This trade is in dispute/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pay seller' })).toHaveCount(0);
  // The platform answers with an event of its own, which would come between those below.
  const disputeAnswered = async () => {
    const { trades, events } = await desk.trades();
    const trade = trades.find(({ id }) => id === made.id);
    const said = events.find(({ tradeId, version }) => tradeId === made.id && version === trade?.version);
    return trade?.phase === 'disputed' && said?.lastStatus === '200';
  };
  await expect.poll(disputeAnswered).toBe(true);

  // Nothing that is not genuine or not in time changes the trade.
  const { events } = await desk.trades();
  const last = events.find(({ tradeId }) => tradeId === made.id);
  expect((await desk.sendTradeEvent(last?.id ?? '', 'forged')).status).toBe('401');
  expect((await desk.sendTradeEvent(last?.id ?? '', 'late')).status).toBe('401');
  expect((await desk.sendTradeEvent(last?.id ?? '', 'again')).status).toBe('200');
  await desk.actOnTrade(made.id, { act: 'settle' });
  await desk.actOnTrade(made.id, { act: 'refund', amount: '100' });
  await expect(page.getByText('Returned to what is available')).toBeVisible();
  await desk.actOnTrade(made.id, { act: 'contradict' });
  await expect(page.getByText(/^The platform contradicted what is settled, in: amount, payee/)).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'a trade with a contradiction');
  // One that overtakes another waits for it.
  await desk.actOnTrade(made.id, { act: 'inspect', hold: true });
  await desk.actOnTrade(made.id, { act: 'cancel' });
  await expect(page.getByText(/^An update of the platform is missing/)).toBeVisible();
  const held = (await desk.trades()).events.find(({ state, tradeId }) => state === 'held' && tradeId === made.id);
  await desk.sendTradeEvent(held?.id ?? '', 'again');
  await expect(page.getByText('Cancelled').first()).toBeVisible();
  const over = await stateOf(buyer, made.id);
  expect([over.state, over.frozen, over.available]).toEqual(['cancelled', '0.000000', '500.000000']);
  await expect
    .poll(async () =>
      (await desk.trades()).received.filter(({ tradeId }) => tradeId === made.id).map(({ type }) => type),
    )
    .toEqual(['trade.disputed', 'trade.confirmed']);
});
