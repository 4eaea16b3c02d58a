import {
  addRiskPolicy,
  deleteRiskPolicy,
  editRiskPolicy,
  explainRisk,
  listIntercepts,
  listRiskPolicies,
  listRiskPolicyLogs,
  listRiskPolicyVersions,
  moveRiskPolicy,
  replayRiskPolicies,
  setRiskPolicyStatus,
} from '@causeway/contract/risk.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { together } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { testDatabase } from '../../testing/database.ts';
import { type MainApp, mainApp, type Tenant } from '../../testing/main-app.ts';
import { riskSubject } from '../../testing/risk.ts';
import { succeed } from '../../testing/succeed.ts';
import type { AssessedSubject } from './domain.ts';
import { assess, forget, type RiskVerdict } from './index.ts';

let world: MainApp;
let tenant: Tenant;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
beforeEach(async () => {
  tenant = await world.company();
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const large = {
  name: 'Large transfers',
  business: 'crypto_withdrawal',
  method: 'forbid',
  content: { dimension: 'crypto_quantity', coin: 'USDT', from: '1000', to: null },
  result: 'deny',
  window: 'day',
};

function add(policy: object = {}) {
  return world.ask(addRiskPolicy, { as: tenant.admin, body: { ...large, ...policy } });
}

async function names(query: Record<string, string> = {}): Promise<string[]> {
  const { data } = await world.ask(listRiskPolicies, { as: tenant.admin, query });
  return data.items.map(({ name, position }: { name: string; position: number }) => `${position} ${name}`);
}

function submit(subject: AssessedSubject): Promise<RiskVerdict> {
  return world.db.app.withCompany(tenant.id, (tx) => assess(tx, subject, 'submission'));
}

describe('the order', () => {
  test('takes policies at a position, moves them, closes up, and is listed page by page', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) ids.push((await add({ name })).data.id);
    expect((await add({ name: 'first', position: 1 })).data.position).toBe(1);
    expect(await names()).toEqual(['1 first', '2 a', '3 b', '4 c', '5 d']);
    const move = (id: string | undefined, position: number) =>
      world.ask(moveRiskPolicy, { as: tenant.admin, body: { id, position } });
    expect((await move(ids[3], 2)).data.position).toBe(2);
    expect((await move(ids[0], 99)).data.position).toBe(5);
    expect(await names()).toEqual(['1 first', '2 d', '3 b', '4 c', '5 a']);
    await world.ask(deleteRiskPolicy, { as: tenant.admin, body: { id: ids[1] } });
    expect(await names()).toEqual(['1 first', '2 d', '3 c', '4 a']);
    expect(await names({ keyword: 'FIR' })).toEqual(['1 first']);
    expect(await names({ active: 'false' })).toEqual([]);
    expect(await names({ business: 'payment' })).toEqual([]);
    expect(await move(ids[1], 1)).toMatchObject({ status: 404, key: 'riskPolicyNotFound' });
    for (let i = 0; i < 8; i++) await add({ name: `more ${i}` });
    const first = await world.ask(listRiskPolicies, { as: tenant.admin, query: { size: '10' } });
    expect(first.data).toMatchObject({ total: 12, totalExact: true });
    expect(await names({ size: '10', cursor: first.data.next! })).toEqual(['11 more 6', '12 more 7']);
    for (const cursor of [
      Buffer.from('["1"]').toString('base64url'),
      Buffer.from('[1.5]').toString('base64url'),
      Buffer.from('[1e300]').toString('base64url'),
    ]) {
      const answer = await world.ask(listRiskPolicies, { as: tenant.admin, query: { cursor } });
      expect(answer).toMatchObject({ status: 400, key: 'cursorInvalid' });
    }
  });

  test('holds when many are added at once', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => add({ name: `p${i}` })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { data } = await world.ask(listRiskPolicies, { as: tenant.admin });
    expect(data.items.map(({ position }: { position: number }) => position)).toEqual(
      Array.from({ length: 12 }, (_, i) => i + 1),
    );
  });
});

describe('a policy', () => {
  test.each([
    [{ business: 'payment', content: { dimension: 'chain', chains: ['ethereum'] } }, ['content.dimension']],
    [{ result: 'allow' }, ['result']],
    [{ name: ' ' }, ['name']],
    [{ window: undefined }, ['window']],
    [{ content: { ...large.content, to: '1000' } }, ['content.to']],
    [{ content: { ...large.content, from: '1.0000001' } }, ['content.from']],
    [{ content: { ...large.content, coin: 'DOGE' } }, ['content.coin']],
    [{ content: { dimension: 'chain', chains: ['ethereum', 'tron'] } }, ['content.chains']],
    [{ content: { dimension: 'chain', chains: [] } }, ['content.chains']],
    [{ business: 'payment', content: { dimension: 'payment_region', countries: ['XX'] } }, ['content.countries.0']],
    [{ business: 'payment', content: { dimension: 'fiat_currency', currencies: ['BTC'] } }, ['content.currencies']],
    [{ position: 0 }, ['position']],
  ])('with %j is refused at the field', async (wrong, fields) => {
    const answer = await add(wrong);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.fields)).toEqual(fields);
    for (const sentence of Object.values(answer.fields)) expect(sentence).toMatch(/\S/);
  });

  test('of each dimension is taken', async () => {
    const payment = { business: 'payment' };
    for (const policy of [
      { content: { dimension: 'chain', chains: ['ethereum'] } },
      { content: { dimension: 'coin', coins: ['USDT', 'ETH'] } },
      { content: { dimension: 'crypto_value', from: '0', to: '100.50' } },
      { content: { dimension: 'crypto_frequency', from: '3', to: null } },
      { ...payment, content: { dimension: 'fiat_currency', currencies: ['HKD'] } },
      { ...payment, content: { dimension: 'fiat_amount', currency: 'HKD', from: '1', to: null } },
      { ...payment, content: { dimension: 'fiat_frequency', from: '1', to: '2' } },
      { ...payment, content: { dimension: 'payment_region', countries: ['HK', 'SG'] } },
    ]) {
      const answer = await add(policy);
      expect(answer.data, answer.raw.body).toMatchObject(policy);
    }
  });

  test('takes another position together with what it says, in one change', async () => {
    const names = ['one', 'two', 'three'];
    for (const name of names) await add({ name });
    const listed = async () => (await succeed(world, listRiskPolicies, { as: tenant.admin })).data.items;
    const three = (await listed())[2]!;
    const edit = (version: number, more: object) =>
      succeed(world, editRiskPolicy, {
        as: tenant.admin,
        body: { ...large, id: three.id, version, name: 'three', ...more },
      });
    await edit(1, { position: 1 });
    expect((await listed()).map(({ name }: { name: string }) => name)).toEqual(['three', 'one', 'two']);
    // Without a position it keeps its place.
    expect((await edit(2, { name: 'first' })).data).toMatchObject({ position: 1, version: 3 });
    const { data: log } = await succeed(world, listRiskPolicyLogs, {
      as: tenant.admin,
      query: { policyId: three.id },
    });
    expect(
      log.items.map(({ action, after }: { action: string; after: { position: number } | null }) => [
        action,
        after?.position,
      ]),
    ).toEqual([
      ['edited', 1],
      ['edited', 1],
      ['added', 3],
    ]);
  });

  test('is edited from the version that was seen; every version and change is kept', async () => {
    const { data } = await add();
    const edit = (version: number, name: string) =>
      world.ask(editRiskPolicy, { as: tenant.admin, body: { ...large, id: data.id, version, name } });
    expect((await edit(1, 'two')).data).toMatchObject({ version: 2, name: 'two', position: 1 });
    expect(await edit(1, 'lost')).toMatchObject({ status: 409, key: 'riskPolicyChanged' });
    const both = await Promise.all([edit(2, 'x'), edit(2, 'y')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    await world.ask(setRiskPolicyStatus, { as: tenant.admin, body: { id: data.id, active: false } });
    await world.ask(setRiskPolicyStatus, { as: tenant.admin, body: { id: data.id, active: false } });
    await world.ask(deleteRiskPolicy, { as: tenant.admin, body: { id: data.id } });
    const { data: versions } = await world.ask(listRiskPolicyVersions, { as: tenant.admin, params: { id: data.id } });
    expect(versions.items.map(({ version }: { version: number }) => version)).toEqual([3, 2, 1]);
    const { data: log } = await world.ask(listRiskPolicyLogs, { as: tenant.admin, query: { policyId: data.id } });
    expect(log.items.map(({ action }: { action: string }) => action)).toEqual([
      'deleted',
      'deactivated',
      'edited',
      'edited',
      'added',
    ]);
    expect(log.items[3]).toMatchObject({ by: 'Ada Wong', before: { name: 'Large transfers' }, after: { name: 'two' } });
  });

  test('links its count to what it stopped', async () => {
    const { data } = await add();
    const [fits, tooMuch] = [riskSubject({ usd: 999.99 }), riskSubject({ usd: 0.01 })];
    expect((await submit(fits)).allowed).toBe(true);
    expect((await submit(tooMuch)).allowed).toBe(false);
    const { data: list } = await world.ask(listRiskPolicies, { as: tenant.admin });
    expect(list.items).toMatchObject([{ id: data.id, interceptCount: 1 }]);
    const { data: hits } = await world.ask(listIntercepts, { as: tenant.admin, params: { id: data.id } });
    expect(hits).toMatchObject({ total: 1, items: [{ reason: 'policy', quantity: '0.010000', moment: 'submission' }] });
    expect(hits.items[0]!.sentence).toBe('Stopped by the risk policy “Large transfers”.');
  });
});

describe('an explanation', () => {
  const explain = async (id: string, language = 'en-us') =>
    (await world.ask(explainRisk, { as: tenant.admin, params: { id }, headers: { 'accept-language': language } })).data;

  test('names every policy asked, what it saw and why it matched, by the policies as they were then', async () => {
    const { data: chain } = await add({
      name: 'Chains',
      content: { dimension: 'chain', chains: ['ethereum'] },
      method: 'allow_only',
    });
    await add({ name: 'Ether', content: { dimension: 'crypto_quantity', coin: 'ETH', from: '1', to: null } });
    const { data: limit } = await add();
    await submit(riskSubject({ usd: 600 }));
    const subject = riskSubject({ usd: 400 });
    await submit(subject);
    const before = await explain(subject.id);
    expect(before.judgements).toHaveLength(1);
    expect(before.judgements[0]).toMatchObject({ moment: 'submission', allowed: false, reason: 'policy' });
    const told = before.judgements[0]!.checks.map((check: Record<string, unknown>) => [
      check['name'],
      check['outcome'],
      check['saw'],
      check['why'],
    ]);
    expect(told).toEqual([
      ['Blacklist', 'passed', `Account ${subject.account}`, 'Not on the blacklist'],
      [
        'Whitelist',
        'passed',
        `Account ${subject.account}`,
        'Not on the whitelist; transfers to other accounts are allowed',
      ],
      ['Chains', 'passed', 'Chain: Ethereum', 'Within what this policy allows: Ethereum'],
      [
        'Ether',
        'notConcerned',
        '1,000.00 USDT today, including this transaction',
        'This policy applies to a different coin or currency: 1.00 ETH or more',
      ],
      [
        'Large transfers',
        'stopped',
        '1,000.00 USDT today, including this transaction',
        'Matches what this policy forbids: 1,000.00 USDT or more',
      ],
    ]);
    // Whatever happens to the policies later.
    await world.ask(editRiskPolicy, { as: tenant.admin, body: { ...large, id: limit.id, version: 1, name: 'Other' } });
    await world.ask(moveRiskPolicy, { as: tenant.admin, body: { id: limit.id, position: 1 } });
    await world.ask(deleteRiskPolicy, { as: tenant.admin, body: { id: chain.id } });
    expect(await explain(subject.id)).toEqual(before);
    expect((await explain(subject.id, 'zh-hk')).judgements[0]!.checks[4]!.saw).toBe('今日累計（連本筆）1,000.00 USDT');
    expect((await explain(subject.id, 'zh-cn')).judgements[0]!.sentence).toBe('被风控策略“Large transfers”拦截。');
  });

  test('of a transaction that was never judged is not there', async () => {
    const answer = await world.ask(explainRisk, { as: tenant.admin, params: { id: newId() } });
    expect(answer).toMatchObject({ status: 404, key: 'notFound' });
  });

  test('has a sentence for every dimension and finding in every language', async () => {
    const payment = { business: 'payment' };
    for (const policy of [
      { content: { dimension: 'coin', coins: ['ETH', 'USDC'] } },
      { content: { dimension: 'crypto_value', from: '5000', to: '6000' } },
      { content: { dimension: 'crypto_frequency', from: '9', to: '10' }, window: 'week' },
      { content: { dimension: 'crypto_value', from: '5000', to: null }, method: 'allow_only', result: 'allow' },
      { ...payment, content: { dimension: 'fiat_currency', currencies: ['HKD'] } },
      { ...payment, content: { dimension: 'fiat_amount', currency: 'USD', from: '9000', to: null }, window: 'month' },
      { ...payment, content: { dimension: 'fiat_frequency', from: '9', to: null } },
      { ...payment, content: { dimension: 'payment_region', countries: ['JP', 'SG'] } },
    ]) {
      await add(policy);
    }
    const coin = riskSubject();
    const fiat = { business: 'payment', coin: null, chainId: null, currency: 'USD', decimals: 2 } as const;
    const paid = riskSubject({
      ...fiat,
      quantityMinor: 5000n,
      region: 'HK',
      accountKind: 'bank_no',
      account: 'ABC12345',
    });
    await submit(coin);
    await submit(paid);
    const seen = [];
    for (const language of ['en-us', 'zh-hk', 'zh-cn']) {
      for (const { id } of [coin, paid]) {
        const { checks } = (await explain(id, language)).judgements[0]!;
        seen.push(...checks.map(({ saw, why }: { saw: string; why: string }) => `${saw} / ${why}`));
      }
    }
    expect(seen.length).toBe(3 * (2 + 4 + 2 + 4));
    expect(seen.filter((text) => /[{}]|undefined|risk\./.test(text))).toEqual([]);
    expect(seen).toContain(
      'Country or region: Hong Kong SAR China / Does not match what this policy forbids: Japan or Singapore',
    );
    expect(seen).toContain('本月累計（連本筆）50.00 USD / 不屬於此政策禁止的範圍：不少於 9,000.00 USD');
    expect(seen).toContain('本周累计（含本笔）1 笔 / 不属于该策略禁止的范围：不低于 9 笔，但低于 10 笔');
  });
});

describe('a replay', () => {
  const replay = async (policy: object | null) => {
    const answer = await world.ask(replayRiskPolicies, { as: tenant.admin, body: { policy } });
    expect(answer.status, answer.raw.body).toBe(200);
    return answer.data;
  };

  /** Makes a flow older, as if it had been sent then: only the superuser may. */
  async function age(id: string, days: number): Promise<void> {
    const client = new pg.Client({ connectionString: world.db.superuserUrl });
    await client.connect();
    await client.query(
      `update causeway.risk_flow set at = at - $1 * interval '1 day', day = day - $1::integer where transaction_id = $2`,
      [days, id],
    );
    await client.end();
  }

  test('says which of the last transactions a draft would stop, in windows without what it stops', async () => {
    const sent = [600, 300, 200, 99.99, 500].map((usd) => riskSubject({ usd }));
    for (const subject of sent) expect((await submit(subject)).allowed).toBe(true);
    const result = await replay(large);
    expect(result).toMatchObject({ judged: 5, stopped: 2, stoppedByDraft: 2 });
    // 600 + 300 fit; 200 does not and is left out of the sum, so that 99.99 fits exactly below.
    expect(result.items.map(({ transactionId }: { transactionId: string }) => transactionId)).toEqual([
      sent[2]?.id,
      sent[4]?.id,
    ]);
    expect(result.items[0]).toMatchObject({
      policyId: null,
      byDraft: true,
      quantity: '200.000000',
      sentence: '1,100.00 USDT today, including this transaction',
    });
    expect(await replay(null)).toMatchObject({ judged: 5, stopped: 0 });
  });

  test('leaves alone what is older than 90 days, but not what its windows held', async () => {
    const [old, within] = [riskSubject({ usd: 900 }), riskSubject({ usd: 900 })];
    await submit(old);
    await submit(within);
    await age(old.id, 91);
    await age(within.id, 89);
    expect(await replay(large)).toMatchObject({ judged: 1, stopped: 0 });
    const monthOf = (days: number) => new Date(Date.now() + 28_800_000 - days * 86_400_000).toISOString().slice(0, 7);
    const stopped = monthOf(91) === monthOf(89) ? 1 : 0;
    expect(await replay({ ...large, window: 'month' })).toMatchObject({ judged: 1, stopped });
  });

  test('gives back what was given back', async () => {
    const [gone, next] = [riskSubject({ usd: 900 }), riskSubject({ usd: 900 })];
    await submit(gone);
    await world.db.app.withCompany(tenant.id, (tx) => forget(tx, gone.id));
    await submit(next);
    expect(await replay(large)).toMatchObject({ judged: 2, stopped: 0 });
  });

  test('has what is given back and what is judged in their order, also within a millisecond', async () => {
    const gone = riskSubject();
    await submit(gone);
    const { rows } = await world.db.app.withCompany(tenant.id, async (tx) => {
      const asked = sql<{ at: string }>`select clock_timestamp()::text as at`.execute(tx);
      const [before] = await together([asked, forget(tx, gone.id)]);
      return sql<{ isBetween: boolean }>`
        select forgotten_at between ${before.rows[0]?.at}::timestamptz and clock_timestamp() as "isBetween" from risk_flow
        where company_id = company_id() and transaction_id = ${gone.id}`.execute(tx);
    });
    expect(rows).toEqual([{ isBetween: true }]);
  });

  test('of an edited policy puts the draft in its place, and of one before others asks it first', async () => {
    const { data: first } = await add({ content: { ...large.content, from: '100000' } });
    await add({ name: 'All', content: { dimension: 'coin', coins: ['USDC'] } });
    const subjects = [riskSubject({ usd: 1500 }), riskSubject({ usd: 10 })];
    for (const subject of subjects) await submit(subject);
    expect(await replay({ ...large, id: first.id })).toMatchObject({
      stopped: 1,
      items: [{ policyId: first.id, byDraft: true, transactionId: subjects[0]?.id }],
    });
    const exempting = {
      ...large,
      method: 'allow_only',
      result: 'allow',
      content: { dimension: 'coin', coins: ['USDT'] },
    };
    expect(await replay({ ...exempting, position: 1 })).toMatchObject({ stopped: 0 });
    expect(await replay({ ...large, id: first.id, content: { ...large.content, coin: 'ETH' } })).toMatchObject({
      stopped: 0,
    });
  });
});
