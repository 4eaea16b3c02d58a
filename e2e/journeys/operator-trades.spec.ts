import { randomUUID } from 'node:crypto';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { confirmTrade, getTrade } from '@causeway/contract/trades.ts';
import { freshAddress, freshName, fund, openCompany, walletOf } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { asOwner } from '../fixtures/database.ts';
import { desk } from '../fixtures/desk.ts';
import { administratorPage } from '../fixtures/operator-console.ts';
import { expectAccessible, expectNoSideways, settled, toastOf } from '../fixtures/screen.ts';
import { expect, test } from '../fixtures/test.ts';

test.describe.configure({ timeout: 180_000 });

/** As a platform that has not accepted a message for a while leaves it. */
async function leaveUndelivered(tradeId: string): Promise<void> {
  await asOwner(async (client) => {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    await client.query(
      `update causeway.trade_message set delivered_at = null, attempts = 9, problem = 'status 503', next_at = now() + interval '1 hour',
        created_at = now() - interval '10 minutes' where trade_id = $1`,
      [tradeId],
    );
    await client.query('commit');
  });
}

test('an operator finds a trade whose message the platform has not accepted, reads both directions, and has it sent now', async ({
  browser,
}) => {
  const [ada, buyer] = await Promise.all([
    administratorPage(browser, 'Ada Trades'),
    openCompany({ name: freshName('Sham Shui Po Fabrics') }),
  ]);
  const { token } = buyer;
  await fund(buyer, { USDT: '500' });
  const { place } = await walletOf(buyer, 'USDT');
  const made = await desk.makeTrade({
    ...{ network: 'ethereum', currency: 'USDT', quantity: '300', actInHours: -1 },
    buyer: { name: buyer.name, address: '1 Queen’s Road, Hong Kong', wallet: place.address },
    seller: { name: 'Pearl Mills', address: '8 Renmin Road, Guangzhou', wallet: freshAddress() },
  });
  const stateOf = () => send(getTrade, { token, params: { id: made.id } });
  await expect.poll(async () => (await stateOf().catch(() => null))?.state ?? null).toBe('created');
  const content = { id: randomUUID(), tradeId: made.id, version: 1 };
  await send(sendUserCode, { token, body: { scenario: 'transaction', subject: { kind: 'trade', content } } });
  const proof = { codeMethod: 'email' as const, code: await buyer.inbox.code() };
  await send(confirmTrade, { token, body: { ...content, ...proof }, idempotencyKey: randomUUID() });
  await expect.poll(async () => (await stateOf()).messages[0]?.deliveredAt ?? null).not.toBeNull();
  await leaveUndelivered(made.id);

  await ada.goto('/app/trades');
  await expect(ada.getByRole('heading', { name: 'Frozen now' })).toBeVisible();
  await ada.getByRole('searchbox').fill(made.number);
  await expect(ada).toHaveURL(/search=/);
  const row = ada.getByRole('row', { name: new RegExp(made.number) });
  await expect(row).toContainText('Message not accepted');
  await expect(row).toContainText('Overdue');
  await settled(ada);
  await expectAccessible(ada, 'trades of all companies');
  await row.getByRole('link').first().click();
  await expect(ada.getByText('status 503')).toBeVisible();
  await ada.getByText('As it arrived').first().click();
  await expect(ada.getByText('"trade.updated"').first()).toBeVisible();
  await settled(ada);
  await expectAccessible(ada, 'a trade as the operator sees it');
  await ada.getByRole('button', { name: 'Send now' }).click();
  const asking = ada.getByRole('dialog', { name: 'Send the message now?' });
  await asking.getByLabel('Reason').fill('The platform is mended');
  await settled(ada);
  await expectAccessible(ada, 'sending a message to the platform now');
  await asking.getByRole('button', { name: 'Send now' }).click();
  await expect(toastOf(ada, 'The message is being sent')).toBeVisible();
  await expect(ada.getByText(/^Accepted, 10 attempts/)).toBeVisible({ timeout: 60_000 });
  const { received } = await desk.trades();
  expect(received.filter(({ tradeId }) => tradeId === made.id)).toMatchObject([{ type: 'trade.confirmed', times: 2 }]);

  await ada.setViewportSize({ width: 390, height: 844 });
  await expectNoSideways(ada, 'a trade as the operator sees it, on a phone');
  await ada.getByRole('link', { name: 'Guaranteed trades' }).first().click();
  await expect(ada.getByText(made.number).first()).toBeVisible();
  await expectNoSideways(ada, 'trades of all companies, on a phone');
});
