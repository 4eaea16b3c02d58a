import { decideApprovals, listApprovals, withdrawApproval } from '@causeway/contract/approvals.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { confirmTrade, declineTrade, disputeTrade, listTrades, releaseTrade } from '@causeway/contract/trades.ts';
import { getTransaction } from '@causeway/contract/transactions.ts';
import { cancelTransfer } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { decision } from '../../testing/approval-requests.ts';
import { credit, randomAddress } from '../../testing/company.ts';
import { expectLedgerToAgree } from '../../testing/company-books.ts';
import type { Member } from '../../testing/main-app.ts';
import { present } from '../../testing/present.ts';
import { succeed } from '../../testing/succeed.ts';
import {
  asSuperuser,
  confirmation,
  confirmed,
  escrowMismatches,
  figures,
  followReleases,
  released,
  releaseRequest,
  saidOf,
  sendEvent,
  type TradeWorld,
  type Trading,
  tradeDetail,
  tradeWorld,
  trading,
  usdt,
} from '../../testing/trades.ts';
import { reviewOf } from '../../testing/transaction-requests.ts';
import { expireAndRemindJob } from '../approvals/index.ts';
import { tradeSubject } from './service/subject.ts';

/** A trade from its confirmation to its end, through the calls of the buyer. */

let of: TradeWorld;
beforeAll(async () => {
  of = await tradeWorld();
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  await expectLedgerToAgree(of.db);
  await of.close();
});

const detail = ({ company, said }: Trading) => tradeDetail(of, company.admin, said.id);
const whole = { available: '5000', escrow: '0', outbound: '0' };
const frozen = { available: '4000', escrow: '1000', outbound: '0' };

describe('a confirmation', () => {
  test('freezes the amount at once where nothing is reviewed, and is to be confirmed to the platform', async () => {
    const { company, said, ...rest } = await trading(of);
    const before = await tradeDetail(of, company.admin, said.id);
    expect(before).toMatchObject({ state: 'created', actor: 'buyer', recipient: { id: rest.payeeId, usable: true } });
    const { id, state, approvalTaskId } = await confirmed(of, company.admin, said.id);
    expect([state, approvalTaskId]).toEqual(['in_progress', null]);
    expect(await figures(of, company)).toEqual(frozen);
    const after = await detail({ company, said, ...rest });
    expect(after).toMatchObject({ state: 'in_progress', frozen: '1000.000000', actor: 'seller' });
    expect(after.messages.map(({ type, deliveredAt }) => [type, deliveredAt])).toEqual([['trade.confirmed', null]]);
    const { rows } = await of.db.app.withCompany(company.id, (tx) =>
      sql<{ body: string }>`select body from trade_message where company_id = company_id()`.execute(tx),
    );
    expect(JSON.parse(present(rows[0]).body)).toMatchObject({
      type: 'trade.confirmed',
      data: { tradeId: said.id, number: 1, version: 1, confirmationId: id },
    });
    const { data } = await succeed(of.world, listTrades, { as: company.admin, query: { state: 'in_progress' } });
    expect(data.summary.frozen).toEqual([{ asset: 'USDT', decimals: 6, amount: '1000.000000' }]);
    expect(data.items.map((item) => item.id)).toEqual([said.id]);
  });

  test('is refused where less is available: Insufficient Balance', async () => {
    const trade = await trading(of, { quantity: '5000.000001' });
    const answer = await of.world.ask(confirmTrade, await confirmation(of, trade.company.admin, trade.said.id));
    expect(answer).toMatchObject({ key: 'insufficientBalance' });
    expect(await figures(of, trade.company)).toEqual(whole);
  });

  test('happens once: the same again returns the first answer, and another one is refused', async () => {
    const { company, said } = await trading(of);
    const request = { ...(await confirmation(of, company.admin, said.id)), headers: { 'idempotency-key': newId() } };
    const another = await confirmation(of, company.admin, said.id);
    const first = await succeed(of.world, confirmTrade, request);
    expect((await succeed(of.world, confirmTrade, request)).data).toEqual(first.data);
    expect(await of.world.ask(confirmTrade, another)).toMatchObject({ key: 'tradeNotConfirmable' });
    expect(await figures(of, company)).toEqual(frozen);
  });

  test('is of the version that was seen, and its code is of nothing else', async () => {
    const { company, said } = await trading(of);
    const seen = await confirmation(of, company.admin, said.id);
    await sendEvent(of, { ...said, version: 2, quantity: '1500' });
    expect(await of.world.ask(confirmTrade, seen)).toMatchObject({ key: 'tradeChanged' });
    const body = { ...seen.body, version: 2 };
    expect(await of.world.ask(confirmTrade, { ...seen, body })).toMatchObject({ key: 'transferCodeMismatch' });
    expect(await figures(of, company)).toEqual(whole);
  });

  test('has an id of its own for good, and is the buyer’s alone', async () => {
    const seller = await of.world.company('Delta Textiles');
    const { company, said } = await trading(of, {}, seller.address);
    const { id } = await confirmed(of, company.admin, said.id);
    const other = saidOf(company.address, randomAddress());
    await sendEvent(of, other);
    const content = { id, tradeId: other.id, version: 1 };
    const subject = { kind: 'trade', content };
    await succeed(of.world, sendUserCode, { as: company.admin, body: { scenario: 'transaction', subject } });
    const proof = { codeMethod: 'email', code: await of.world.takeCode() };
    const again = await of.world.ask(confirmTrade, { as: company.admin, body: { ...content, ...proof } });
    expect(again).toMatchObject({ key: 'idTaken' });
    const theirs = { as: seller.admin, body: { ...content, id: newId(), tradeId: said.id, ...proof } };
    expect(await of.world.ask(confirmTrade, theirs)).toMatchObject({ key: 'tradeNotBuyer' });
    const missing = { as: company.admin, body: { ...content, tradeId: newId(), ...proof } };
    expect(await of.world.ask(confirmTrade, missing)).toMatchObject({ key: 'tradeNotFound' });
  });

  test('is refused while the wallet or the company is frozen', async () => {
    const { company, said } = await trading(of);
    const request = await confirmation(of, company.admin, said.id);
    const set = (table: string, isOn: boolean) =>
      asSuperuser(
        of,
        `update causeway.${table} set frozen_at = ${isOn ? 'now()' : 'null'} where company_id = '${company.id}'`,
      );
    await set('wallet', true);
    expect(await of.world.ask(confirmTrade, request)).toMatchObject({ key: 'walletFrozen' });
    await set('wallet', false);
    await set('company', true);
    expect(await of.world.ask(confirmTrade, request)).toMatchObject({ key: 'companyFrozen' });
    await set('company', false);
    await succeed(of.world, confirmTrade, request);
  });

  test('a member who may not send may look, and neither confirm nor decline', async () => {
    const { company, said } = await trading(of);
    const viewer = await of.world.member(company, 'viewer');
    expect(await tradeDetail(of, viewer, said.id)).toMatchObject({ id: said.id });
    const body = { id: newId(), tradeId: said.id, version: 1, codeMethod: 'email', code: '123456' };
    expect(await of.world.ask(confirmTrade, { as: viewer, body })).toMatchObject({ key: 'noPermission' });
    const no = { as: viewer, body: { id: said.id, reason: '' } };
    expect(await of.world.ask(declineTrade, no)).toMatchObject({ key: 'noPermission' });
  });

  test('a trade that is declined is over, and the platform is informed', async () => {
    const trade = await trading(of);
    const { company, said } = trade;
    await succeed(of.world, declineTrade, { as: company.admin, body: { id: said.id, reason: 'Price too high' } });
    expect(await detail(trade)).toMatchObject({ state: 'cancelled', actor: null });
    expect((await detail(trade)).messages.map(({ type }) => type)).toEqual(['trade.declined']);
    const again = { as: company.admin, body: { id: said.id, reason: '' } };
    expect(await of.world.ask(declineTrade, again)).toMatchObject({ key: 'tradeNotConfirmable' });
  });
});

/** A trade whose confirmation waits for this approver. */
async function reviewed(): Promise<Trading & { approver: Member; taskId: string }> {
  const trade = await trading(of);
  const approver = await of.world.member(trade.company, 'approver');
  await reviewOf(of.world, trade.company)(true);
  const { approvalTaskId, state } = await confirmed(of, trade.company.admin, trade.said.id);
  expect(state).toBe('created');
  return { ...trade, approver, taskId: present(approvalTaskId) };
}

describe('where what leaves is reviewed', () => {
  test('the amount is held until the approval, which confirms it to the platform', async () => {
    const { approver, taskId, ...trade } = await reviewed();
    expect(await figures(of, trade.company)).toEqual(frozen);
    expect(await detail(trade)).toMatchObject({ state: 'created', actor: 'approvers', messages: [] });
    const { items } = (await succeed(of.world, listApprovals, { as: approver, query: { view: 'pending' } })).data;
    expect(items).toMatchObject([{ id: taskId, kind: 'trade', name: `Guaranteed trade ${trade.said.number}` }]);
    await succeed(of.world, decideApprovals, await decision(of.world, approver, [taskId], 'approved'));
    expect(await detail(trade)).toMatchObject({ state: 'in_progress', approvalTaskId: taskId });
    expect((await detail(trade)).messages.map(({ type }) => type)).toEqual(['trade.confirmed']);
    expect(await figures(of, trade.company)).toEqual(frozen);
  });

  test('a rejection gives it back, and the trade can be confirmed again', async () => {
    const { approver, taskId, ...trade } = await reviewed();
    await succeed(of.world, decideApprovals, await decision(of.world, approver, [taskId], 'rejected'));
    expect(await figures(of, trade.company)).toEqual(whole);
    expect(await detail(trade)).toMatchObject({ state: 'created', actor: 'buyer', messages: [] });
    const again = present((await confirmed(of, trade.company.admin, trade.said.id)).approvalTaskId);
    await succeed(of.world, decideApprovals, await decision(of.world, approver, [again], 'approved'));
    expect(await detail(trade)).toMatchObject({ state: 'in_progress' });
    expect(await escrowMismatches(of, trade.company.id)).toEqual([]);
  });

  test('its initiator takes it back', async () => {
    const { taskId, company, said } = await reviewed();
    await succeed(of.world, withdrawApproval, { as: company.admin, body: { id: taskId } });
    expect(await figures(of, company)).toEqual(whole);
    expect((await tradeDetail(of, company.admin, said.id)).timeline.at(-1)).toMatchObject({ step: 'withdrawn' });
  });

  test('the worker ends what is not approved in time, and the amount is available again', async () => {
    const { taskId, company, said } = await reviewed();
    await asSuperuser(of, `update causeway.approval_task set expires_at = now() where id = '${taskId}'`);
    const subjects = new Map([[tradeSubject.kind, tradeSubject]]);
    const log = pino({ level: 'silent' });
    const signal = new AbortController().signal;
    await expireAndRemindJob(subjects).run({ database: of.db.worker, log, signal } as never);
    expect(await figures(of, company)).toEqual(whole);
    expect(await tradeDetail(of, company.admin, said.id)).toMatchObject({ state: 'created', actor: 'buyer' });
  });

  test('the platform cancels meanwhile: the task ends, and nothing can be approved', async () => {
    const { approver, taskId, company, said } = await reviewed();
    await sendEvent(of, { ...said, version: 2, status: 'cancelled', phase: 'closed' });
    expect(await figures(of, company)).toEqual(whole);
    expect(await tradeDetail(of, company.admin, said.id)).toMatchObject({ state: 'cancelled', messages: [] });
    const { items } = (await succeed(of.world, listApprovals, { as: approver, query: { view: 'pending' } })).data;
    expect(items.filter(({ id }) => id === taskId)).toEqual([]);
  });

  test('the platform cancels while it is being confirmed: the task that was opened meanwhile ends too', async () => {
    const { company, said } = await trading(of);
    const approver = await of.world.member(company, 'approver');
    await reviewOf(of.world, company)(true);
    const request = await confirmation(of, company.admin, said.id);
    const superuser = new pg.Pool({ connectionString: of.db.superuserUrl, max: 2 });
    const holder = await superuser.connect();
    const waiting = (count: number) => {
      const query = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return expect.poll(async () => (await superuser.query(query)).rowCount).toBe(count);
    };
    let answers: Promise<{ status: number }[]>;
    try {
      await holder.query('begin');
      await holder.query('select from causeway.trade where id = $1 for update', [said.id]);
      // Both have read that nothing is confirmed, and wait for the trade one behind the other.
      const confirming = of.world.ask(confirmTrade, request);
      await waiting(1);
      const cancelling = sendEvent(of, { ...said, version: 2, status: 'cancelled', phase: 'closed' });
      answers = Promise.all([confirming, cancelling]);
      await waiting(2);
      await holder.query('commit');
    } finally {
      holder.release(true);
      await superuser.end();
    }
    expect((await answers).map(({ status }) => status)).toEqual([200, 200]);
    expect(await tradeDetail(of, company.admin, said.id)).toMatchObject({ state: 'cancelled', frozen: '0.000000' });
    expect(await figures(of, company)).toEqual(whole);
    const { items } = (await succeed(of.world, listApprovals, { as: approver, query: { view: 'pending' } })).data;
    expect(items).toEqual([]);
  });
});

/** A trade whose amount is frozen. */
async function freezing(also: Parameters<typeof trading>[1] = {}): Promise<Trading> {
  const trade = await trading(of, also);
  await confirmed(of, trade.company.admin, trade.said.id);
  return trade;
}

async function complete(companyId: string, id: string, status: 'completed' | 'failed'): Promise<void> {
  await asSuperuser(
    of,
    `update causeway.transaction set stage = '${status}', status = '${status}' where company_id = '${companyId}' and id = '${id}'`,
  );
}

describe('a payment to the seller', () => {
  test('is a transfer to the seller’s address, out of escrow; the trade is over once it is final', async () => {
    const trade = await freezing();
    const id = await released(of, trade, '1000');
    expect(await figures(of, trade.company)).toEqual({ available: '3999', escrow: '0', outbound: '1001' });
    const sent = (await succeed(of.world, getTransaction, { as: trade.company.admin, params: { id } })).data;
    expect(sent).toMatchObject({ type: 'chain_withdraw', stage: 'approved', invoiceNumber: trade.said.number });
    expect(await detail(trade)).toMatchObject({ state: 'in_progress', frozen: '0.000000', paying: '1000.000000' });
    await complete(trade.company.id, id, 'completed');
    expect(await detail(trade)).toMatchObject({ state: 'success', paid: '1000.000000', actor: null });
    expect((await detail(trade)).messages.map(({ type }) => type)).toEqual(['trade.confirmed', 'trade.released']);
  });

  test('of a milestone: once, when it is reached, and of its amount', async () => {
    const milestones = [
      { id: 'm1', name: 'Shipped', amount: '400', reached: true },
      { id: 'm2', name: 'Inspected', amount: '600', reached: false },
    ];
    const trade = await freezing({ milestones });
    const refused = async (amount: string, milestone: string) =>
      of.world.ask(releaseTrade, await releaseRequest(of, trade, amount, milestone));
    expect(await refused('500', 'm1')).toMatchObject({ key: 'tradeMilestone' });
    expect(await refused('600', 'm2')).toMatchObject({ key: 'tradeMilestone' });
    const id = await released(of, trade, '400', 'm1');
    expect(await refused('400', 'm1')).toMatchObject({ key: 'tradeMilestone' });
    expect((await detail(trade)).milestones.map((each) => each.released)).toEqual([true, false]);
    expect(await figures(of, trade.company)).toEqual({ available: '3999', escrow: '600', outbound: '401' });
    // Once its payment came to nothing it can be paid again.
    await succeed(of.world, cancelTransfer, { as: trade.company.admin, body: { id } });
    expect((await detail(trade)).milestones.map((each) => each.released)).toEqual([false, false]);
    await released(of, trade, '400', 'm1');
    expect((await detail(trade)).milestones.map((each) => each.released)).toEqual([true, false]);
  });

  test('never more than the rest of the trade, none in a dispute, and none of a trade that is not frozen', async () => {
    const trade = await freezing();
    const { company, said } = trade;
    const ask = async (amount: string) => of.world.ask(releaseTrade, await releaseRequest(of, trade, amount));
    expect(await ask('1000.000001')).toMatchObject({ key: 'tradeAmountTooHigh' });
    const dispute = { as: company.admin, body: { id: said.id, reason: 'Wrong goods' } };
    await succeed(of.world, disputeTrade, dispute);
    expect(await of.world.ask(disputeTrade, dispute)).toMatchObject({ key: 'tradeDisputed' });
    expect(await ask('100')).toMatchObject({ key: 'tradeDisputed' });
    await sendEvent(of, { ...said, version: 2, phase: 'inspected', refunded: '250' });
    expect(await ask('751')).toMatchObject({ key: 'tradeAmountTooHigh' });
    await released(of, trade, '750');
    const open = await trading(of);
    const early = await of.world.ask(releaseTrade, await releaseRequest(of, open, '10'));
    expect(early).toMatchObject({ key: 'tradeNotFrozen' });
    const nothing = { as: open.company.admin, body: { id: open.said.id, reason: 'No' } };
    expect(await of.world.ask(disputeTrade, nothing)).toMatchObject({ key: 'tradeNotFrozen' });
    // All of it is on its way: no dispute holds it back any more.
    const late = { as: company.admin, body: { id: said.id, reason: 'Too late' } };
    expect(await of.world.ask(disputeTrade, late)).toMatchObject({ key: 'tradeNotFrozen' });
  });

  test('goes to a payee of the company alone', async () => {
    const trade = await freezing();
    const request = await releaseRequest(of, trade, '1000');
    await asSuperuser(
      of,
      `update causeway.crypto_payee set deleted_at = now() where company_id = '${trade.company.id}'`,
    );
    expect(await of.world.ask(releaseTrade, request)).toMatchObject({ key: 'tradePayeeMissing' });
    expect(await figures(of, trade.company)).toEqual(frozen);
  });

  test('with a wrong code moves nothing, although the try is counted', async () => {
    const trade = await freezing();
    const request = await releaseRequest(of, trade, '1000');
    const body = { ...request.body, code: '000000' };
    expect(await of.world.ask(releaseTrade, { ...request, body })).toMatchObject({ key: 'codeWrong' });
    expect(await figures(of, trade.company)).toEqual(frozen);
    expect((await detail(trade)).releases).toEqual([]);
    await succeed(of.world, releaseTrade, request);
  });

  test('that is cancelled goes back to escrow, and can be made again', async () => {
    const trade = await freezing();
    const id = await released(of, trade, '1000');
    await succeed(of.world, cancelTransfer, { as: trade.company.admin, body: { id } });
    expect(await figures(of, trade.company)).toEqual(frozen);
    expect(await detail(trade)).toMatchObject({ state: 'in_progress', paying: '0.000000', can: { release: true } });
    await followReleases(of);
    await released(of, trade, '1000');
    expect(await figures(of, trade.company)).toEqual({ available: '3999', escrow: '0', outbound: '1001' });
    expect(await escrowMismatches(of, trade.company.id)).toEqual([]);
  });

  test('a cancelled trade gives back what was not paid', async () => {
    const trade = await freezing();
    await released(of, trade, '400');
    await sendEvent(of, { ...trade.said, version: 2, status: 'cancelled', phase: 'closed' });
    expect(await figures(of, trade.company)).toEqual({ available: '4599', escrow: '0', outbound: '401' });
    expect(await detail(trade)).toMatchObject({ state: 'cancelled', frozen: '0.000000' });
    const late = await of.world.ask(releaseTrade, await releaseRequest(of, trade, '600'));
    expect(late).toMatchObject({ key: 'tradeNotFrozen' });
  });

  test('the fee is on top, out of what is available', async () => {
    const trade = await freezing({ quantity: '5000' });
    const answer = await of.world.ask(releaseTrade, await releaseRequest(of, trade, '5000'));
    expect(answer).toMatchObject({ key: 'amountAboveBalanceMinusFee' });
    await credit(of.db, trade.company, 'USDT', 1n * usdt);
    await released(of, trade, '5000');
    expect(await figures(of, trade.company)).toEqual({ available: '0', escrow: '0', outbound: '5001' });
  });
});
