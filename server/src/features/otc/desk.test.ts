import { quoteExchange } from '@causeway/contract/exchange.ts';
import { listNotices } from '@causeway/contract/notices.ts';
import { listOperatorAudit } from '@causeway/contract/operator-audit.ts';
import * as desks from '@causeway/contract/operator-otc.ts';
import * as calls from '@causeway/contract/otc.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { beginRestoreMode, endRestoreMode } from '../../platform/database/restore-mode.ts';
import { asSuperuser, setPrice } from '../../testing/exchange-world.ts';
import { setLimit } from '../../testing/exchanges.ts';
import type { Member, Tenant } from '../../testing/main-app.ts';
import { asked, asking, detailOf, type OtcWorld, otcWorld, quoted, tellAll, wealthy } from '../../testing/otc-world.ts';
import { succeed } from '../../testing/succeed.ts';
import { verifyLedger } from '../ledger/index.ts';

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
const reply = (call: typeof desks.declineDeskRequest | typeof desks.noteDeskRequest, id: string, version: number) =>
  otc.desk.ask(call, { as: otc.dealer, params: { id }, body: { version, text: 'The market is thin.' } });

describe('the desk', () => {
  test('sees what a rate comes to, in integers that never favour the company', async () => {
    await setLimit(otc.world.db, 'ETH', { mostShort: '25000000000000000000' });
    const id = await asked(otc.world, tenant, finance);
    const price = (rate: string) =>
      otc.desk.ask(desks.priceDeskRequest, { as: otc.dealer, params: { id }, query: { rate } });
    expect((await price('0.0003968')).data).toMatchObject({
      total: '60000.000000',
      fee: '0.000000',
      bought: '23.808000000000000000',
      spreadBasisPoints: '80.00',
      spread: '0.192000000000000000',
      spreadUsd: '480.00',
      usd: '60000.00',
      positions: [
        { asset: 'USDT', roomBefore: null, roomAfter: null },
        { asset: 'ETH', roomBefore: '25.000000000000000000', roomAfter: '1.192000000000000000' },
      ],
      problem: null,
    });
    expect((await price('0.0004001')).data.problem).toContain('better for the company');
    expect((await quoted(otc, id, { rate: '0.000400000000000001' })).key).toBe('otcRateAboveMid');
    await setLimit(otc.world.db, 'ETH', { mostShort: '20000000000000000000' });
    expect((await price('0.0003968')).data.problem).toContain('beyond its limit');
    expect((await quoted(otc, id)).key).toBe('otcBeyondLimit');
    await setLimit(otc.world.db, 'ETH', {});
    await setPrice(otc.world.db, 'ETH', '2500', 'stale');
    expect((await quoted(otc, id)).key).toBe('quoteUnavailable');
    expect((await atDesk(id)).data).toMatchObject({ mid: null, usual: null });
    await setPrice(otc.world.db, 'ETH', '2500');
    expect((await quoted(otc, id, { rate: '0.0004' })).status).toBe(200);
  });

  test('counts its other quotes that hold against the limits', async () => {
    await setLimit(otc.world.db, 'ETH', { mostShort: '100000000000000000000' });
    const sizes = ['100000', '100000', '100000'];
    const ids: string[] = [];
    for (const amount of sizes) ids.push(await asked(otc.world, tenant, finance, { amount }));
    const room = async (id: string) =>
      (await otc.desk.ask(desks.priceDeskRequest, { as: otc.dealer, params: { id }, query: { rate: '0.0004' } })).data
        .positions[1]?.roomBefore;
    const before = Number(await room(ids[0] ?? ''));
    expect((await quoted(otc, ids[0] ?? '', { rate: '0.0004' })).status).toBe(200);
    expect(Number(await room(ids[1] ?? ''))).toBe(before - 40);
    // A better quote for the same request takes the place of its first.
    expect(Number(await room(ids[0] ?? ''))).toBe(before);
    expect((await reply(desks.declineDeskRequest, ids[0] ?? '', 2)).status).toBe(200);
    expect(Number(await room(ids[1] ?? ''))).toBe(before);
    await setLimit(otc.world.db, 'ETH', {});
  });

  test('quotes nothing for a frozen company or wallet, in restore mode, or what has gone on', async () => {
    const id = await asked(otc.world, tenant, finance);
    const { version } = (await atDesk(id)).data;
    expect((await inRequest(calls.noteOtc, id, { text: 'Before noon, please' })).status).toBe(200);
    const stale = { version, rate: '0.0003968', minutes: 5, text: '' };
    const answer = await otc.desk.ask(desks.quoteDeskRequest, { as: otc.dealer, params: { id }, body: stale });
    expect(answer.key).toBe('otcChanged');
    await otc.world.db.operator.withoutCompany((tx) => beginRestoreMode(tx, restoring));
    expect((await quoted(otc, id)).key).toBe('quoteUnavailable');
    await otc.world.db.operator.withoutCompany((tx) => endRestoreMode(tx, { by: 'test', reason: 'test' }));
    await asSuperuser(otc.world.db, 'update causeway.wallet set frozen_at = now() where id = $1', [tenant.wallets.ETH]);
    expect((await quoted(otc, id)).key).toBe('otcCompanyFrozen');
    await asSuperuser(otc.world.db, 'update causeway.wallet set frozen_at = null where id = $1', [tenant.wallets.ETH]);
    expect((await quoted(otc, id)).status).toBe(200);
  });

  test('writes, declines with a reason, and both sides’ logs say so; the requester gets a notice', async () => {
    const id = await asked(otc.world, tenant, finance);
    expect((await reply(desks.noteDeskRequest, id, 1)).status).toBe(200);
    expect((await quoted(otc, id, { text: 'Good until noon' })).status).toBe(200);
    expect((await reply(desks.declineDeskRequest, id, 2)).key).toBe('otcChanged');
    expect((await reply(desks.declineDeskRequest, id, 3)).status).toBe(200);
    expect((await reply(desks.declineDeskRequest, id, 4)).key).toBe('otcNotOpen');
    expect((await quoted(otc, id)).key).toBe('otcNotOpen');
    const { state, quote, messages } = await detailOf(otc.world, finance, id);
    expect([state, quote]).toEqual(['declined', null]);
    expect(messages.map(({ side, author, kind, text }) => [side, author, kind, text])).toEqual([
      ['company', 'Ada Wong', 'asked', ''],
      ['desk', null, 'note', 'The market is thin.'],
      ['desk', null, 'quoted', 'Good until noon'],
      ['desk', null, 'declined', 'The market is thin.'],
    ]);
    expect((await atDesk(id)).data.messages[1]?.author).toBe(otc.dealer.name);
    await tellAll(otc.world.db);
    const told = (await succeed(otc.world, listNotices, { as: finance })).data.items;
    expect(told.map(({ title }) => title)).toEqual([
      'The desk has declined: 60,000.00 USDT, USDT for ETH',
      'The desk has quoted: 60,000.00 USDT, USDT for ETH',
      'A message from the desk: 60,000.00 USDT, USDT for ETH',
    ]);
    expect((await succeed(otc.world, listNotices, { as: tenant.admin })).data.items).toEqual([]);
    const operatorLog = await otc.desk.audited();
    for (const act of ['noteOtc', 'quoteOtc', 'declineOtc']) expect(operatorLog).toContain(`operator.${act}`);
  });

  test('sets from which worth on it is asked', async () => {
    const change = (usd: string) =>
      otc.desk.ask(desks.changeOtcMinimum, { as: otc.dealer, body: { usd, reason: 'Agreed with sales' } });
    expect((await change('50000')).key).toBe('nothingChanges');
    expect((await change('70000')).status).toBe(200);
    expect((await ask(asking(tenant))).key).toBe('otcBelowMinimum');
    const { minimum } = (await otc.desk.ask(desks.listDeskRequests, { as: otc.dealer })).data;
    expect(minimum).toMatchObject({ usd: '70000.00', change: { by: otc.dealer.name, reason: 'Agreed with sales' } });
    expect((await change('50000')).status).toBe(200);
    const admin = await otc.desk.operator('administrator');
    const { items } = (await otc.desk.ask(listOperatorAudit, { as: admin })).data;
    expect(items.map(({ action }) => action)).toContain('operator.setOtcMinimum');
  });

  test('a viewer of the operator sees and answers nothing', async () => {
    const id = await asked(otc.world, tenant, finance);
    const viewer = await otc.desk.operator('viewer');
    const body = { version: 1, rate: '0.0003968', minutes: 5, text: '' };
    expect((await otc.desk.ask(desks.getDeskRequest, { as: viewer, params: { id } })).status).toBe(200);
    expect((await otc.desk.ask(desks.quoteDeskRequest, { as: viewer, params: { id }, body })).key).toBe('noPermission');
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

describe('the database holds the rules by itself', () => {
  const asApp = (statement: ReturnType<typeof sql>) =>
    otc.world.db.app.withCompany(tenant.id, (tx) => statement.execute(tx));

  test('a company neither quotes, answers for the desk, nor accepts without an exchange', async () => {
    const id = await asked(otc.world, tenant, finance);
    const ordinary = (
      await succeed(otc.world, quoteExchange, {
        as: finance,
        body: { sellWalletId: tenant.wallets.USDT, buyWalletId: tenant.wallets.ETH, fixed: 'sell', amount: '60000' },
      })
    ).data;
    await expect(
      asApp(sql`update otc_request set state = 'quoted', quote_id = ${ordinary.id}, version = 2 where id = ${id}`),
    ).rejects.toMatchObject({ code: 'CW001' });
    await quoted(otc, id);
    for (const statement of [
      sql`update otc_request set state = 'asked', version = 9, quote_id = null where id = ${id}`,
      sql`update otc_request set state = 'declined', version = 3, quote_id = null where id = ${id}`,
      sql`update otc_request set version = 3, quote_id = ${ordinary.id} where id = ${id}`,
      // Its use by what is no exchange of the company.
      sql`update exchange_quote set used_by = ${tenant.id}, used_at = now() where otc_request_id = ${id}`,
    ]) {
      await expect(asApp(statement)).rejects.toMatchObject({ code: 'CW001' });
    }
    const forged = sql`insert into otc_message (company_id, request_id, seq, side, author_id, kind, text)
      values (company_id(), ${id}, 2, 'desk', ${tenant.id}, 'note', 'x')`;
    await expect(asApp(forged)).rejects.toMatchObject({ code: '42501' });
    await expect(asApp(sql`update otc_request set amount = 1 where id = ${id}`)).rejects.toMatchObject({
      code: '42501',
    });
    await expect(asApp(sql`delete from otc_message where request_id = ${id}`)).rejects.toMatchObject({ code: '42501' });
  });

  test('a broken console quotes neither above the middle rate, another amount, nor in the name of a viewer', async () => {
    const id = await asked(otc.world, tenant, finance);
    const viewer = await otc.desk.operator('viewer');
    const quote = (given: { by?: string; rate?: string; sold?: string; bought?: string; sellUsd?: string }) => {
      const { by = otc.dealer.id, rate = '0.0004', sold = '60000000000', bought = '24000000000000000000' } = given;
      return otc.world.db.console.withoutCompany((tx) =>
        sql<{ problem: string | null }>`
            select problem from otc_desk_quote(${id}, 1, ${by}, '', gen_random_uuid(), ${sold}::numeric, 0, ${bought}::numeric, ${rate}::numeric,
              0.0004, 0, 0, ${given.sellUsd ?? '1'}::numeric, 2500, '{desk}', now(), decode(repeat('00', 32), 'hex'), 5,
              array[gen_random_uuid(), gen_random_uuid()])`.execute(tx),
      );
    };
    expect((await quote({ rate: '0.000401' })).rows[0]?.problem).toBe('above');
    expect((await quote({ rate: '0.0008', sellUsd: '2' })).rows[0]?.problem).toBe('price');
    await expect(quote({ sold: '50000000000' })).rejects.toMatchObject({ code: 'CW001' });
    await expect(quote({ bought: '24000000000000000001' })).rejects.toMatchObject({ code: 'CW001' });
    await expect(quote({ by: viewer.id })).rejects.toMatchObject({ code: 'CW001' });
    expect((await quote({})).rows[0]?.problem).toBeNull();
    expect(await quotesOf(id)).toBe(1);
  });
});
