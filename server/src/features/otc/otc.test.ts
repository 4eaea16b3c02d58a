import { listAudit } from '@causeway/contract/audit.ts';
import { exchange, quoteExchange } from '@causeway/contract/exchange.ts';
import { listNotices } from '@causeway/contract/notices.ts';
import * as desks from '@causeway/contract/operator-otc.ts';
import * as calls from '@causeway/contract/otc.ts';
import { getTransaction } from '@causeway/contract/transactions.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { beginRestoreMode, endRestoreMode } from '../../platform/database/restore-mode.ts';
import { intentOf, quotedExchange } from '../../testing/exchange-requests.ts';
import { balancesOf, decide, moveExpiry, setPrice, transactionOf } from '../../testing/exchange-world.ts';
import { setLimit } from '../../testing/exchanges.ts';
import type { Member, Tenant } from '../../testing/main-app.ts';
import {
  acceptance,
  accepted,
  asked,
  asking,
  detailOf,
  lapseDue,
  type OtcWorld,
  otcWorld,
  passDeadline,
  quoted,
  tellAll,
  wealthy,
} from '../../testing/otc-world.ts';
import { succeed } from '../../testing/succeed.ts';
import { reviewOf } from '../../testing/transaction-requests.ts';
import { expiredQuotesSweep } from '../exchange/index.ts';
import { verifyLedger } from '../ledger/index.ts';
import { otcSources } from '../operator/otc/sources.ts';

const restoring = { cause: 'operator', reason: 'test', by: 'test' } as const;

let otc: OtcWorld;
let tenant: Tenant;
let finance: Member;

beforeAll(async () => {
  otc = await otcWorld();
});
beforeEach(async () => {
  await setLimit(otc.world.db, 'ETH', {});
  await setPrice(otc.world.db, 'ETH', '2500');
  tenant = await wealthy(otc.world);
  finance = await otc.world.member(tenant, 'finance');
});
afterEach(async () => {
  expect(otc.world.complaints.splice(0)).toEqual([]);
  expect(otc.desk.complaints.splice(0)).toEqual([]);
});
afterAll(async () => {
  const verified = await otc.world.db.operator.withoutCompany((tx) => verifyLedger(tx));
  expect(verified.mismatches).toEqual([]);
  await otc.close();
});

const ask = (body: object, as = finance) => otc.world.ask(calls.askOtc, { as, body });
const inRequest = <C extends typeof calls.counterOtc | typeof calls.noteOtc>(
  call: C,
  id: string,
  body: object = {},
  as = finance,
) => otc.world.ask(call, { as, params: { id }, body });
const atDesk = (id: string) => otc.desk.ask(desks.getDeskRequest, { as: otc.dealer, params: { id } });

describe('asking', () => {
  test('moves nothing, and stands in the company’s list and at the desk', async () => {
    const id = await asked(otc.world, tenant, finance, { note: 'For payroll' });
    expect(await detailOf(otc.world, finance, id)).toMatchObject({
      state: 'asked',
      version: 1,
      amount: '60000.000000',
      usd: '60000.00',
      sell: { asset: 'USDT' },
      buy: { asset: 'ETH' },
      quote: null,
      offer: null,
      exchange: null,
      messages: [{ seq: 1, side: 'company', author: 'Ada Wong', kind: 'asked', text: 'For payroll' }],
    });
    expect(await balancesOf(otc.world.db, tenant, 'USDT')).toMatchObject({ available: 100_000_000_000n, outbound: 0n });
    const { items } = (await succeed(otc.world, calls.listOtc, { as: finance, query: { open: 'true' } })).data;
    expect(items.map((item) => item.id)).toEqual([id]);
    const found = async (keyword: string) =>
      (await succeed(otc.world, calls.listOtc, { as: finance, query: { keyword } })).data.items.length;
    const hits = ['eth', 'USDT/ETH', 'usdt → eth', '60,000 USDT', 'Ada', id, '  ', '100%'].map(found);
    expect(await Promise.all(hits)).toEqual([1, 1, 1, 1, 1, 1, 1, 0]);
    expect(await found('usdc')).toBe(0);
    const shown = (await atDesk(id)).data;
    expect(shown).toMatchObject({ company: { name: 'Harbour Trading' }, mid: '0.0004', usual: '0.0004' });
    const causes = await otc.world.db.console.withoutCompany((tx) => otcSources[0]?.find(tx) ?? Promise.resolve([]));
    expect(causes.filter(({ subject }) => subject === id)).toMatchObject([
      { companyId: tenant.id, money: { asset: 'USDT', minor: 60_000_000_000n } },
    ]);
  });

  test('refuses what the desk does not quote', async () => {
    const refusal = async (given: Parameters<typeof asking>[1], body: object = {}) =>
      (await ask({ ...asking(tenant, given), ...body })).key;
    expect(await refusal({ amount: '49999.99' })).toBe('otcBelowMinimum');
    expect((await succeed(otc.world, calls.getOtcTerms, { as: finance })).data).toEqual({ minimumUsd: '50000.00' });
    expect(await refusal({}, { deadline: new Date(Date.now() + 60_000).toISOString() })).toBe('otcDeadline');
    expect(await refusal({}, { deadline: new Date(Date.now() + 8 * 86_400_000).toISOString() })).toBe('otcDeadline');
    expect(await refusal({ buy: 'USDT' })).toBe('exchangeSameWallet');
    expect(await refusal({ amount: '0' })).toBe('exchangeTooSmall');
    expect(await refusal({}, { sellWalletId: tenant.id })).toBe('walletNotFound');
    const body = asking(tenant);
    expect((await ask(body)).status).toBe(200);
    expect((await ask(body)).key).toBe('idTaken');
    await otc.world.db.operator.withoutCompany((tx) => beginRestoreMode(tx, restoring));
    expect(await refusal({})).toBe('quoteUnavailable');
    await otc.world.db.operator.withoutCompany((tx) => endRestoreMode(tx, { by: 'test', reason: 'test' }));
  });

  test('ends at so many open requests', async () => {
    for (let index = 0; index < calls.otcMostOpen; index++) await asked(otc.world, tenant, finance);
    expect((await ask(asking(tenant))).key).toBe('otcTooMany');
  });

  test('a viewer and an approver see requests and take no step', async () => {
    const id = await asked(otc.world, tenant, finance);
    for (const role of ['viewer', 'approver'] as const) {
      const as = await otc.world.member(tenant, role);
      expect((await detailOf(otc.world, as, id)).id).toBe(id);
      expect((await ask(asking(tenant), as)).key).toBe('noPermission');
      expect((await inRequest(calls.noteOtc, id, { text: 'x' }, as)).key).toBe('noPermission');
    }
  });
});

describe('accepting', () => {
  test('is an exchange at exactly the desk’s price, by any member who may exchange', async () => {
    const id = await asked(otc.world, tenant, finance);
    expect((await quoted(otc, id)).status).toBe(200);
    const { offer } = await detailOf(otc.world, finance, id);
    expect(offer).toMatchObject({
      rate: '0.000396825',
      sources: ['desk'],
      problem: null,
      spreadBasisPoints: 80,
      sell: { total: '60000.000000' },
      buy: { quantity: '23.809500000000000000' },
    });
    const done = await accepted(otc.world, tenant.admin, id);
    expect(done.stage).toBe('completed');
    expect((await balancesOf(otc.world.db, tenant, 'ETH')).available).toBe(23_809_500_000_000_000_000n);
    const detail = await detailOf(otc.world, finance, id);
    expect(detail).toMatchObject({
      state: 'accepted',
      offer: null,
      exchange: { id: done.id, status: 'completed', stage: 'completed' },
      quote: { remainingMs: 0 },
    });
    expect(detail.messages.at(-1)).toMatchObject({ seq: 3, side: 'company', author: 'Ada Wong', kind: 'accepted' });
    const { exchanged } = await transactionOf(otc.world, tenant, done.id);
    expect(exchanged).toMatchObject({ otcRequestId: id, sources: ['desk'], rate: '0.000396825' });
    const bought = (await succeed(otc.world, getTransaction, { as: finance, params: { id: done.boughtId ?? '' } }))
      .data;
    expect(bought.exchanged?.otcRequestId).toBe(id);
    const { items } = (await succeed(otc.world, listAudit, { as: tenant.admin })).data;
    const log = items.map(({ action }) => action);
    for (const action of ['otc.ask', 'otc.accept', 'exchange.submit']) expect(log).toContain(action);
  });

  test('holds although the position has no room any more and the market disagrees; a fixed bought amount too', async () => {
    const id = await asked(otc.world, tenant, finance, { fixed: 'buy', amount: '24' });
    expect((await quoted(otc, id, { rate: '0.0003968' })).status).toBe(200);
    const { offer } = await detailOf(otc.world, finance, id);
    expect(offer?.sell.total).toBe('60483.870968');
    await setLimit(otc.world.db, 'ETH', { mostShort: '0' });
    await setPrice(otc.world.db, 'ETH', '5000', 'disagreeing');
    const done = await accepted(otc.world, finance, id);
    expect(done.stage).toBe('completed');
    expect((await balancesOf(otc.world.db, tenant, 'USDT')).available).toBe(39_516_129_032n);
    await setPrice(otc.world.db, 'ETH', '2500');
    await setLimit(otc.world.db, 'ETH', {});
  });

  test('is bound to the quote: no other amount, no expired or replaced quote, no other company', async () => {
    const id = await asked(otc.world, tenant, finance);
    await quoted(otc, id);
    const request = await acceptance(otc.world, finance, id);
    const { amount: _, ...rest } = request.body;
    expect((await otc.world.ask(exchange, { ...request, body: { ...rest, amount: '59999' } })).key).toBe(
      'quoteOfAnother',
    );
    const stranger = await wealthy(otc.world);
    const theirs = { ...request.body, sellWalletId: stranger.wallets.USDT, buyWalletId: stranger.wallets.ETH };
    expect((await otc.world.ask(exchange, { as: stranger.admin, body: theirs })).key).toBe('quoteNotFound');
    await quoted(otc, id, { rate: '0.0003967' });
    expect((await otc.world.ask(exchange, request)).key).toBe('quoteNotFound');
    const next = await acceptance(otc.world, finance, id);
    await moveExpiry(otc.world.db, String(next.body['quoteId']), '-1 second');
    expect((await otc.world.ask(exchange, next)).key).toBe('quoteExpired');
    expect((await detailOf(otc.world, finance, id)).offer).toBeNull();
  });

  test('with approvals holds what is sold, and executes at the same quote while that holds', async () => {
    const approver = await otc.world.member(tenant, 'approver');
    await reviewOf(otc.world, tenant)(true);
    const id = await asked(otc.world, tenant, finance);
    await quoted(otc, id);
    const { id: exchangeId, stage } = await accepted(otc.world, finance, id);
    expect(stage).toBe('waiting_approval');
    expect((await detailOf(otc.world, finance, id)).exchange).toMatchObject({ stage: 'waiting_approval' });
    await setPrice(otc.world.db, 'ETH', '5000');
    expect((await decide(otc.world, approver)).status).toBe(200);
    await setPrice(otc.world.db, 'ETH', '2500');
    expect(await transactionOf(otc.world, tenant, exchangeId)).toMatchObject({
      stage: 'completed',
      exchanged: { actual: { sold: '60000.000000', bought: '23.809500000000000000' } },
    });
    expect(await balancesOf(otc.world.db, tenant, 'USDT')).toMatchObject({ available: 40_000_000_000n, outbound: 0n });
  });

  test('waits for no rate: the desk’s price is for now', async () => {
    const id = await asked(otc.world, tenant, finance);
    await quoted(otc, id);
    const { as, body } = await acceptance(otc.world, finance, id);
    const limit = { rate: '1', until: new Date(Date.now() + 3_600_000).toISOString() };
    expect((await otc.world.ask(exchange, { as, body: { ...body, limit } })).key).toBe('quoteOfAnother');
  });

  test('with approvals ends where the quote has run out before the last of them, and gives the hold back', async () => {
    const approver = await otc.world.member(tenant, 'approver');
    await reviewOf(otc.world, tenant)(true);
    const id = await asked(otc.world, tenant, finance);
    const { data } = await quoted(otc, id);
    const { id: exchangeId } = await accepted(otc.world, finance, id);
    await moveExpiry(otc.world.db, data.quoteId, '-1 second');
    expect((await decide(otc.world, approver)).status).toBe(200);
    const ended = await transactionOf(otc.world, tenant, exchangeId);
    expect([ended.stage, JSON.stringify(ended)]).toEqual(['refused', expect.stringContaining('had expired')]);
    expect(await balancesOf(otc.world.db, tenant, 'USDT')).toMatchObject({ available: 100_000_000_000n, outbound: 0n });
    expect((await detailOf(otc.world, finance, id)).exchange).toMatchObject({ status: 'failed', stage: 'refused' });
  });
});

describe('the company', () => {
  test('counters, which ends the quote; the desk quotes again, and nothing older can be accepted', async () => {
    const id = await asked(otc.world, tenant, finance);
    await quoted(otc, id);
    const old = await acceptance(otc.world, finance, id);
    const countered = (body: object) => inRequest(calls.counterOtc, id, { version: 2, text: '', ...body });
    expect((await countered({ version: 1, rate: '0.000399' })).key).toBe('otcChanged');
    expect((await countered({ wanted: '0' })).key).toBe('exchangeTooSmall');
    expect((await countered({ rate: '0' })).key).toBe('validationFailed');
    expect((await countered({ rate: '0.000399', wanted: '23.9' })).key).toBe('validationFailed');
    expect((await countered({ wanted: '23.9', text: 'Then we have a deal' })).status).toBe(200);
    expect((await otc.world.ask(exchange, old)).key).toBe('quoteNotFound');
    const detail = await detailOf(otc.world, finance, id);
    expect([detail.state, detail.quote]).toEqual(['asked', null]);
    expect(detail.messages.at(-1)).toMatchObject({ kind: 'countered', wanted: '23.900000000000000000' });
    await quoted(otc, id, { rate: '0.00039834' });
    expect((await accepted(otc.world, finance, id)).stage).toBe('completed');
    expect((await inRequest(calls.noteOtc, id, { text: 'Thanks' })).key).toBe('otcNotOpen');
  });

  test('withdraws a request of one’s own', async () => {
    const id = await asked(otc.world, tenant, finance);
    await quoted(otc, id);
    const request = await acceptance(otc.world, finance, id);
    expect((await otc.world.ask(calls.withdrawOtc, { as: tenant.admin, params: { id } })).key).toBe('otcNotOwn');
    expect((await otc.world.ask(calls.withdrawOtc, { as: finance, params: { id } })).status).toBe(200);
    expect((await otc.world.ask(calls.withdrawOtc, { as: finance, params: { id } })).key).toBe('otcNotOpen');
    expect((await otc.world.ask(exchange, request)).key).toBe('quoteNotFound');
    expect((await detailOf(otc.world, finance, id)).state).toBe('withdrawn');
  });

  test('never reads another company’s requests', async () => {
    const id = await asked(otc.world, tenant, finance);
    const other = await otc.world.company();
    const answer = await otc.world.ask(calls.getOtc, { as: other.admin, params: { id } });
    expect(answer.key).toBe('notFound');
    expect((await succeed(otc.world, calls.listOtc, { as: other.admin })).data.items).toEqual([]);
    expect((await otc.world.ask(calls.withdrawOtc, { as: other.admin, params: { id } })).key).toBe('notFound');
  });

  test('reads its requests as CSV', async () => {
    await asked(otc.world, tenant, finance);
    const { raw } = await otc.world.ask(calls.exportOtc, { as: finance });
    const [header, row] = raw.body.replace('\uFEFF', '').split('\r\n');
    expect(header).toMatch(/^Request,Requested at,Status,/);
    expect(row).toContain('Waiting for the desk');
    expect(row).toContain('60000.000000,USDT,60000.00');
  });
});

describe('room that the desk has promised', () => {
  const eth = 10n ** 18n;
  /** Leaves quotes room for so many ETH more, whatever was exchanged and promised before. */
  async function leaveRoom(whole: bigint): Promise<void> {
    const limit = 10n ** 24n;
    await setLimit(otc.world.db, 'ETH', { mostShort: String(limit) });
    const { rows } = await otc.world.db.app.withCompany(tenant.id, (tx) =>
      sql<{ give: bigint }>`select trunc(give) as give from exchange_quote_room('ETH')`.execute(tx),
    );
    await setLimit(otc.world.db, 'ETH', { mostShort: String(limit - (rows[0]?.give ?? 0n) + whole * eth) });
  }
  const buying = (coins: string) =>
    intentOf(tenant, 'USDT', 'ETH', { fixed: 'buy', amount: coins, bound: '100000.000000' });
  const quotable = async (coins: string) => {
    const { sell: sellWalletId, buy: buyWalletId, fixed, amount } = buying(coins);
    const body = { sellWalletId, buyWalletId, fixed, amount };
    return (await otc.world.ask(quoteExchange, { as: finance, body })).key;
  };

  test('is no room for an ordinary quote, nor for an exchange at one that was made before; what is withdrawn is free again', async () => {
    await leaveRoom(30n);
    expect(await quotable('7')).toBeNull();
    const before = await quotedExchange(otc.world, finance, buying('7'));
    const id = await asked(otc.world, tenant, finance);
    // 23.8095 of the 30.
    expect((await quoted(otc, id)).status).toBe(200);
    expect(await quotable('7')).toBe('quoteUnavailable');
    expect(await quotable('6')).toBeNull();
    expect((await otc.world.ask(exchange, before.request)).key).toBe('quoteUnavailable');
    expect((await otc.world.ask(calls.withdrawOtc, { as: finance, params: { id } })).status).toBe(200);
    expect(await quotable('7')).toBeNull();
    expect((await otc.world.ask(exchange, before.request)).status).toBe(200);
  });

  test('is counted once when it is accepted', async () => {
    await leaveRoom(30n);
    const id = await asked(otc.world, tenant, finance);
    await quoted(otc, id);
    await accepted(otc.world, finance, id);
    expect(await quotable('7')).toBe('quoteUnavailable');
    expect(await quotable('6')).toBeNull();
  });
});

describe('a request lapses', () => {
  test('after its deadline without an answer, and the requester gets a notice', async () => {
    const id = await asked(otc.world, tenant, finance);
    await lapseDue(otc.world.db);
    expect((await detailOf(otc.world, finance, id)).state).toBe('asked');
    await passDeadline(otc.world.db, id);
    expect((await quoted(otc, id)).key).toBe('otcNotOpen');
    await lapseDue(otc.world.db);
    const { state, messages } = await detailOf(otc.world, finance, id);
    expect([state, messages.at(-1)?.kind, messages.at(-1)?.side]).toEqual(['lapsed', 'lapsed', 'system']);
    await tellAll(otc.world.db);
    const { items } = (await succeed(otc.world, listNotices, { as: finance })).data;
    expect(items[0]?.title).toBe('Request lapsed: 60,000.00 USDT, USDT for ETH');
  });

  test('with its quote, which neither a member’s own quotes nor the sweep of expired ones remove before', async () => {
    const id = await asked(otc.world, tenant, finance);
    const { data } = await quoted(otc, id);
    const body = { sellWalletId: tenant.wallets.USDT, buyWalletId: tenant.wallets.ETH, fixed: 'sell', amount: '250' };
    for (let index = 0; index < 22; index++) await succeed(otc.world, quoteExchange, { as: finance, body });
    expect(await quotesOf(id)).toBe(1);
    await moveExpiry(otc.world.db, data.quoteId, '-2 days');
    await expiredQuotesSweep.run(otc.world.db.worker);
    expect(await quotesOf(id)).toBe(1);
    await passDeadline(otc.world.db, id);
    await lapseDue(otc.world.db);
    expect(await quotesOf(id)).toBe(0);
  });

  test('not while a quote holds, and then with it', async () => {
    const id = await asked(otc.world, tenant, finance);
    const { data } = await quoted(otc, id);
    await passDeadline(otc.world.db, id);
    await lapseDue(otc.world.db);
    expect((await detailOf(otc.world, finance, id)).state).toBe('quoted');
    await moveExpiry(otc.world.db, data.quoteId, '-1 second');
    await lapseDue(otc.world.db);
    expect((await detailOf(otc.world, finance, id)).state).toBe('lapsed');
    expect(await quotesOf(id)).toBe(0);
  });
});

/** How many quotes of a request there are. */
async function quotesOf(id: string): Promise<number> {
  const { rows } = await otc.world.db.app.withCompany(tenant.id, (tx) =>
    sql<{
      count: number;
    }>`select count(*) from exchange_quote where company_id = company_id() and otc_request_id = ${id}`.execute(tx),
  );
  return rows[0]?.count ?? 0;
}
