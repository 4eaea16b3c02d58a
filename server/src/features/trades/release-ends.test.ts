import { decideApprovals, listApprovals } from '@causeway/contract/approvals.ts';
import { listNotices } from '@causeway/contract/notices.ts';
import { addCryptoPayee } from '@causeway/contract/payees.ts';
import { releaseTrade } from '@causeway/contract/trades.ts';
import { cancelTransfer, transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { decision } from '../../testing/approval-requests.ts';
import { credit } from '../../testing/company.ts';
import { expectLedgerToAgree, walletBalances } from '../../testing/company-books.ts';
import { present } from '../../testing/present.ts';
import { race } from '../../testing/race.ts';
import {
  failedRelease,
  reopenedRelease,
  sentRelease,
  settledRelease,
  tradeMessages,
} from '../../testing/seller-payments.ts';
import { succeed } from '../../testing/succeed.ts';
import {
  confirmed,
  escrowMismatches,
  figures,
  followLines,
  followReleases,
  released,
  releaseRequest,
  sendEvent,
  type TradeWorld,
  type Trading,
  tradeDetail,
  tradeWorld,
  trading,
  usdt,
} from '../../testing/trades.ts';
import { reviewOf } from '../../testing/transaction-requests.ts';
import { newPayee, transferContent, transferRequest } from '../../testing/valid-requests.ts';
import { openWebhook } from '../../testing/webhook-requests.ts';
import { releaseAll } from '../outgoing/index.ts';
import { lockTransactions } from '../transactions/index.ts';
import { verifyTrades } from './index.ts';

/** Payments to sellers that come to nothing after they were reported to the platform, and one that is made after all. */

let of: TradeWorld;
beforeAll(async () => {
  of = await tradeWorld();
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  await expectLedgerToAgree(of.db);
  expect((await of.db.operator.withoutCompany(verifyTrades)).mismatches).toEqual([]);
  await of.close();
});

const detail = ({ company, said }: Trading) => tradeDetail(of, company.admin, said.id);
const frozen = { available: '4000', escrow: '1000', outbound: '0' };

async function freezing(): Promise<Trading> {
  const trade = await trading(of);
  await confirmed(of, trade.company.admin, trade.said.id);
  return trade;
}

const bodies = (trade: Trading) => tradeMessages(of, trade);
const send = (trade: Trading, id: string) => sentRelease(of, trade, id);
const failed = (trade: Trading, id: string) => failedRelease(of, trade, id);
const settled = (trade: Trading, id: string) => settledRelease(of, trade, id);
const reopened = (trade: Trading, id: string) => reopenedRelease(of, trade, id);

/** Everything that a failure is, and that it can be paid again. */
async function expectFailure(trade: Trading, id: string, reason: string): Promise<void> {
  await followReleases(of);
  await followReleases(of);
  expect(await figures(of, trade.company)).toEqual(frozen);
  const after = await detail(trade);
  expect(after).toMatchObject({ state: 'in_progress', frozen: '1000.000000', paid: '0.000000', paying: '0.000000' });
  expect(after.timeline.slice(-2).map(({ step, amount }) => [step, amount])).toEqual([
    ['release_failed', '600.000000'],
    ['refrozen', '600.000000'],
  ]);
  expect(after.messages.map(({ type }) => type)).toEqual(['trade.confirmed', 'trade.released', 'trade.release_failed']);
  expect((await bodies(trade)).at(-1)).toMatchObject({
    type: 'trade.release_failed',
    data: {
      ...{ tradeId: trade.said.id, number: 3, transactionId: id, milestoneId: null },
      ...{ amount: '600.000000', reason, frozen: '1000.000000' },
    },
  });
  expect(await escrowMismatches(of, trade.company.id)).toEqual([]);
  await released(of, trade, '1000');
  expect((await figures(of, trade.company)).escrow).toBe('0');
}

describe('a payment to the seller that comes to nothing is reported, frozen again and can be made again', () => {
  test('rejected by an approver', async () => {
    const trade = await freezing();
    const approver = await of.world.member(trade.company, 'approver');
    await reviewOf(of.world, trade.company)(true);
    const id = await released(of, trade, '600');
    const { items } = (await succeed(of.world, listApprovals, { as: approver, query: { view: 'pending' } })).data;
    const request = await decision(of.world, approver, [present(items[0]).id], 'rejected');
    await succeed(of.world, decideApprovals, request);
    await expectFailure(trade, id, 'refused');
  });

  test('cancelled by its initiator', async () => {
    const trade = await freezing();
    const id = await released(of, trade, '600');
    await succeed(of.world, cancelTransfer, { as: trade.company.admin, body: { id } });
    await expectFailure(trade, id, 'cancelled');
  });

  test('failed on its chain', async () => {
    const trade = await freezing();
    const id = await released(of, trade, '600');
    await send(trade, id);
    await failed(trade, id);
    await expectFailure(trade, id, 'failed');
  });

  test('taken back by a reorganisation after it was final, and then failed; the reopening alone is no failure', async () => {
    const trade = await freezing();
    const id = await released(of, trade, '600');
    await send(trade, id);
    await settled(trade, id);
    await followReleases(of);
    expect(await detail(trade)).toMatchObject({ paid: '600.000000', frozen: '400.000000' });
    await reopened(trade, id);
    await followReleases(of);
    const open = await detail(trade);
    expect(open).toMatchObject({ state: 'in_progress', paid: '0.000000', paying: '600.000000' });
    expect(open.messages).toHaveLength(2);
    await failed(trade, id);
    await expectFailure(trade, id, 'failed');
  });
});

test('of a trade that is over nothing is frozen again, and the platform learns of it all the same', async () => {
  const trade = await freezing();
  const id = await released(of, trade, '600');
  await sendEvent(of, { ...trade.said, version: 2, status: 'cancelled', phase: 'closed' });
  await send(trade, id);
  await failed(trade, id);
  await followReleases(of);
  expect(await figures(of, trade.company)).toEqual({ available: '5000', escrow: '0', outbound: '0' });
  expect((await bodies(trade)).at(-1)).toMatchObject({ type: 'trade.release_failed', data: { frozen: '0.000000' } });
});

test('what was paid again or refunded meanwhile comes back to what is available', async () => {
  const trade = await freezing();
  const id = await released(of, trade, '600');
  await succeed(of.world, cancelTransfer, { as: trade.company.admin, body: { id } });
  // Before the job: 400 are still frozen for it.
  await released(of, trade, '900');
  await sendEvent(of, { ...trade.said, version: 2, status: 'in_progress', refunded: '40' });
  await followReleases(of);
  const { available, escrow, outbound } = await figures(of, trade.company);
  expect([available, escrow, outbound]).toEqual(['4039', '60', '901']);
  expect((await bodies(trade)).at(-1)).toMatchObject({ data: { amount: '600.000000', frozen: '60.000000' } });
});

/** Tries to pay most of the wallet to another payee. */
async function spend({ company }: Trading, amount = '4500'): Promise<{ status: number; key?: string | null }> {
  const sender = await of.world.member(company, 'finance');
  const content = { ...(await transferContent(of.world, company)), amount };
  return of.world.ask(transferOut, await transferRequest(of.world, company, content, sender));
}

test('what came back from a payment that failed cannot be spent before its trade has followed', async () => {
  for (const isSent of [false, true]) {
    const trade = await freezing();
    const id = await released(of, trade, '1000');
    if (isSent) {
      await send(trade, id);
      await failed(trade, id);
    } else await succeed(of.world, cancelTransfer, { as: trade.company.admin, body: { id } });
    expect(await figures(of, trade.company)).toEqual({ available: '4000', escrow: '1000', outbound: '0' });
    expect(await escrowMismatches(of, trade.company.id)).toEqual([]);
    expect(await spend(trade)).toMatchObject({ status: 409, key: 'amountAboveBalanceMinusFee' });
    await followReleases(of);
    expect(await figures(of, trade.company)).toEqual({ available: '4000', escrow: '1000', outbound: '0' });
    expect(await detail(trade)).toMatchObject({ frozen: '1000.000000', paying: '0.000000' });
  }
});

test('paying again at once, with too little available: the refusal asks to wait a moment, and the same request succeeds after that', async () => {
  const trade = await freezing();
  const { company } = trade;
  const id = await released(of, trade, '1000');
  await spend(trade, '3900');
  await succeed(of.world, cancelTransfer, { as: company.admin, body: { id } });
  const again = await releaseRequest(of, trade, '1000');
  expect(await of.world.ask(releaseTrade, again)).toMatchObject({ status: 409, key: 'tradePaymentEnding' });
  await followReleases(of);
  expect(await of.world.ask(releaseTrade, again)).toMatchObject({ status: 200 });
  // Followed, a failure explains no shortage any more.
  await succeed(of.world, cancelTransfer, { as: company.admin, body: { id: again.body.id } });
  await followReleases(of);
  await spend(trade, '98');
  const short = await releaseRequest(of, trade, '1000');
  expect(await of.world.ask(releaseTrade, short)).toMatchObject({ key: 'amountAboveBalanceMinusFee' });
});

test('of several payments that end together, each gives back where it took from', async () => {
  const trade = await freezing();
  const { company } = trade;
  const id = await released(of, trade, '600');
  await credit(of.db, company, 'USDC', 10n * usdt);
  const body = { ...newPayee(), coin: 'USDC' };
  const { id: payeeId } = (await succeed(of.world, addCryptoPayee, { as: company.admin, body })).data;
  const content = { id: newId(), walletId: company.wallets.USDC, payeeId, amount: '5', attachmentIds: [], notes: '' };
  const sender = await of.world.member(company, 'finance');
  const request = await transferRequest(of.world, company, content, sender);
  const other = (await succeed(of.world, transferOut, request)).data.id;
  const ended = await of.db.worker.withCompany(company.id, async (tx) =>
    releaseAll(tx, await lockTransactions(tx, [id, other]), ['approved'], {
      stage: 'refused',
      reason: 'stage.reason.stopped',
    }),
  );
  expect(ended).toHaveLength(2);
  expect(await figures(of, company)).toEqual({ available: '4000', escrow: '1000', outbound: '0' });
  expect(await walletBalances(of.db, company.id, company.wallets.USDC)).toMatchObject({ available: 10n * usdt });
});

test('of one that failed a second time, what is no longer available is not frozen again, and is paid out of what is available', async () => {
  const trade = await freezing();
  const { company } = trade;
  const id = await released(of, trade, '1000');
  await send(trade, id);
  await failed(trade, id);
  await followReleases(of);
  await settled(trade, id);
  await followReleases(of);
  await reopened(trade, id);
  expect(await spend(trade)).toMatchObject({ status: 200 });
  await followReleases(of);
  expect(await figures(of, company)).toEqual({ available: '0', escrow: '499', outbound: '4501' });
  expect((await bodies(trade)).at(-1)).toMatchObject({ data: { amount: '1000.000000', frozen: '499.000000' } });
  await credit(of.db, company, 'USDT', 502n * usdt);
  await released(of, trade, '1000');
  expect(await figures(of, company)).toEqual({ available: '0', escrow: '0', outbound: '5502' });
});

test('one that failed and was made before its trade has followed is reported as both, and what came back for it is available', async () => {
  const trade = await freezing();
  const id = await released(of, trade, '600');
  await send(trade, id);
  await failed(trade, id);
  await settled(trade, id);
  expect(await escrowMismatches(of, trade.company.id)).toEqual([]);
  await followReleases(of);
  await followReleases(of);
  expect(await figures(of, trade.company)).toEqual({ available: '3999', escrow: '400', outbound: '0' });
  const after = await detail(trade);
  expect(after).toMatchObject({ paid: '600.000000', frozen: '400.000000' });
  expect(after.timeline.slice(-3).map(({ step, amount }) => [step, amount])).toEqual([
    ['release_failed', '600.000000'],
    ['returned', '600.000000'],
    ['release_paid', '600.000000'],
  ]);
  expect((await bodies(trade)).slice(2)).toMatchObject([
    { type: 'trade.release_failed', data: { reason: 'failed', frozen: '400.000000' } },
    { type: 'trade.release_paid', data: { frozen: '400.000000' } },
  ]);
});

test('one that was made after all is reported, and what was frozen again for it comes back; failed once more, it is frozen once more', async () => {
  const trade = await freezing();
  const id = await released(of, trade, '600');
  await send(trade, id);
  await failed(trade, id);
  await followReleases(of);
  expect(await figures(of, trade.company)).toEqual(frozen);
  await settled(trade, id);
  await followReleases(of);
  expect(await figures(of, trade.company)).toEqual({ available: '3999', escrow: '400', outbound: '0' });
  expect(await detail(trade)).toMatchObject({ paid: '600.000000', frozen: '400.000000' });
  expect((await bodies(trade)).at(-1)).toMatchObject({ type: 'trade.release_paid', data: { frozen: '400.000000' } });
  await reopened(trade, id);
  await followReleases(of);
  expect(await figures(of, trade.company)).toEqual(frozen);
  expect((await detail(trade)).messages.map(({ type }) => type).slice(2)).toEqual([
    'trade.release_failed',
    'trade.release_paid',
    'trade.release_failed',
  ]);
});

test('what has been paid again and no rail has begun is stopped when the first payment was made after all, also while it waits for approval', async () => {
  for (const isReviewed of [false, true]) {
    const trade = await freezing();
    const id = await released(of, trade, '1000');
    await send(trade, id);
    await failed(trade, id);
    await followReleases(of);
    if (isReviewed) {
      await of.world.member(trade.company, 'approver');
      await reviewOf(of.world, trade.company)(true);
    }
    const again = await released(of, trade, '1000');
    await settled(trade, id);
    await followReleases(of);
    await followReleases(of);
    const { releases, state, frozen: left } = await detail(trade);
    expect(releases.map(({ transactionId, stage }) => [transactionId, stage])).toEqual([
      [id, 'completed'],
      [again, 'refused'],
    ]);
    expect([state, left]).toEqual(['success', '0.000000']);
    expect(await figures(of, trade.company)).toEqual({ available: '3999', escrow: '0', outbound: '0' });
  }
});

test('what the trade still needs is not stopped when a payment that had failed was made after all', async () => {
  const trade = await freezing();
  const id = await released(of, trade, '600');
  await send(trade, id);
  await failed(trade, id);
  await followReleases(of);
  const again = await released(of, trade, '300');
  await settled(trade, id);
  await followReleases(of);
  const { releases } = await detail(trade);
  expect(releases.map(({ transactionId, stage }) => [transactionId, stage])).toEqual([
    [id, 'completed'],
    [again, 'approved'],
  ]);
  expect(await figures(of, trade.company)).toEqual({ available: '3998', escrow: '100', outbound: '301' });
});

test('those who can act are notified of it, and the company’s systems get its webhook with the payment that it is about', async () => {
  const trade = await freezing();
  const { company, said } = trade;
  await openWebhook(of.world, company);
  const id = await released(of, trade, '600');
  await succeed(of.world, cancelTransfer, { as: company.admin, body: { id } });
  await followReleases(of);
  await followLines(of);
  const { items } = (await succeed(of.world, listNotices, { as: company.admin })).data;
  expect(items.map(({ title }) => title)).toContain(`Payment not made: guaranteed trade ${said.number}`);
  const { rows } = await of.db.app.withCompany(company.id, (tx) =>
    sql<{ body: string; transactionId: string | null }>`
      select body, transaction_id as "transactionId" from webhook_event
      where company_id = company_id() and type = 'trade.release_failed'`.execute(tx),
  );
  expect(rows.map(({ transactionId }) => transactionId)).toEqual([id]);
  expect(JSON.parse(present(rows[0]).body).data).toMatchObject({ amount: '600.000000', frozen: '1000.000000' });
});

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 4);
test(
  'of freezing again, paying again and the platform’s cancelling, each finds what the others left',
  async () => {
    for (let round = 0; round < rounds; round++) {
      const trade = await freezing();
      const { company } = trade;
      const id = await released(of, trade, '1000');
      await succeed(of.world, cancelTransfer, { as: company.admin, body: { id } });
      const again = await releaseRequest(of, trade, '1000');
      const [, [paid]] = await race(
        of.db,
        round,
        () => followReleases(of),
        () =>
          Promise.all([
            of.world.ask(releaseTrade, again),
            round % 2 === 1
              ? sendEvent(of, { ...trade.said, version: 2, status: 'cancelled', phase: 'closed' })
              : undefined,
          ]),
      );
      const after = await figures(of, company);
      if (paid.status === 200) expect(after).toEqual({ available: '3999', escrow: '0', outbound: '1001' });
      else {
        expect(paid.key).toBe('tradeNotFrozen');
        expect(after).toEqual({ available: '5000', escrow: '0', outbound: '0' });
      }
      expect(await escrowMismatches(of, company.id)).toEqual([]);
    }
  },
  Math.max(60_000, rounds * 20_000),
);
