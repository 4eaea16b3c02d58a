import type { PolicyDefinition } from '@causeway/contract/risk.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Tx, together } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { chainFamilies } from '../../../testing/chain-families.ts';
import { randomAddress } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { type Decision, inOneBatch, oneByOne, openForJudging } from '../../../testing/judging.ts';
import { enact, forbidding, listAddress, riskManager, riskSubject } from '../../../testing/risk.ts';
import { type AssessedSubject, judge } from '../domain.ts';
import { type InputsJson, inputsFromJson } from '../store/inputs.ts';
import { rulesetsOf } from '../store/rulesets.ts';
import { forget } from './assess.ts';
import { explain } from './explain.ts';
import { type Judged, openJudging } from './judging.ts';
import { addEntry, setSetting } from './lists.ts';
import { addPolicy } from './policies.ts';
import { replay } from './replay.ts';

const runs = Number(process.env['PROOF_ROUNDS'] ?? 8);

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

/** A company as a run makes it twice: with the same ids of policies, entries and transactions. */
interface Company {
  policies: readonly (PolicyDefinition & { id: string })[];
  entries: readonly { id: string; account: number; limits: [number, number, number] | null }[];
  onlyWhitelisted: boolean;
}

interface Sent {
  company: number;
  id: number;
  account: number;
  asset: 'USDT' | 'ETH' | 'USD';
  quantity: number;
  usd: number;
}

const accounts = Array.from({ length: 5 }, () => randomAddress());
/** Not in the order in which they are used: what orders records is their time. */
const ids = Array.from({ length: 24 }, () => crypto.randomUUID());
const decimals = { USDT: 6, ETH: 18, USD: 2 };

function judgedOf({ company, id, account, asset, quantity, usd }: Sent, companyIds: readonly string[]): Judged {
  const isPayment = asset === 'USD';
  return {
    companyId: companyIds[company % companyIds.length] ?? '',
    ...riskSubject({
      id: ids[id] ?? '',
      account: accounts[account] ?? '',
      business: isPayment ? 'payment' : 'crypto_withdrawal',
      chainId: isPayment ? null : 'ethereum',
      coin: isPayment ? null : asset,
      currency: isPayment ? asset : null,
      decimals: decimals[asset],
      quantityMinor: BigInt(quantity) * 10n ** BigInt(decimals[asset]),
      valueUsdCents: BigInt(usd * 100),
      initiatorId: ids[0] ?? '',
    }),
  };
}

const sent: fc.Arbitrary<Sent> = fc.record({
  company: fc.constantFrom(0, 0, 1, 2),
  id: fc.nat(ids.length - 1),
  account: fc.nat(accounts.length - 1),
  asset: fc.constantFrom('USDT', 'USDT', 'ETH', 'USD'),
  quantity: fc.integer({ min: 1, max: 4 }),
  usd: fc.integer({ min: 1, max: 4 }),
});

const range = fc
  .tuple(fc.integer({ min: 2, max: 7 }), fc.option(fc.integer({ min: 1, max: 5 })))
  .map(([from, more]) => ({ from: String(from), to: more === null ? null : String(from + more) }));
const content: fc.Arbitrary<PolicyDefinition['content']> = fc.oneof(
  range.map((ends) => ({ dimension: 'crypto_value' as const, ...ends })),
  range.map((ends) => ({ dimension: 'crypto_frequency' as const, ...ends })),
  range.map((ends) => ({ dimension: 'fiat_frequency' as const, ...ends })),
  fc
    .tuple(fc.constantFrom('USDT', 'ETH'), range)
    .map(([coin, ends]) => ({ dimension: 'crypto_quantity' as const, coin, ...ends })),
);
const company: fc.Arbitrary<Company> = fc.record({
  policies: fc.array(
    fc
      .tuple(content, fc.constantFrom('day' as const, 'week' as const, 'month' as const), fc.boolean())
      .map(([what, window, exempts]) => ({
        id: newId(),
        name: `Policy on ${what.dimension}`,
        business: what.dimension === 'fiat_frequency' ? ('payment' as const) : ('crypto_withdrawal' as const),
        method: exempts ? ('allow_only' as const) : ('forbid' as const),
        result: exempts ? ('allow' as const) : ('deny' as const),
        content: what,
        window,
      })),
    { minLength: 1, maxLength: 2 },
  ),
  entries: fc
    .uniqueArray(fc.record({ account: fc.nat(accounts.length - 1), limits: fc.option(limitsUpTo(), { freq: 4 }) }), {
      selector: ({ account }) => account,
      maxLength: 3,
    })
    .map((entries) => entries.map((entry) => ({ id: newId(), ...entry }))),
  onlyWhitelisted: fc.nat(7).map((n) => n === 0),
});

function limitsUpTo(): fc.Arbitrary<[number, number, number]> {
  const more = fc.integer({ min: 0, max: 5 });
  return fc
    .tuple(fc.integer({ min: 3, max: 5 }), more, more)
    .map(([single, daily, all]) => [single, single + daily, single + daily + all]);
}

async function found({ policies, entries, onlyWhitelisted }: Company): Promise<string> {
  const companyId = newId();
  const manager = riskManager(companyId);
  await db.app.withCompany(companyId, async (tx) => {
    for (const policy of policies) await addPolicy(tx, manager, policy);
    for (const { id, account, limits } of entries) {
      const common = { id, payeeType: 'crypto_address' as const, account: accounts[account] ?? '' };
      const [single, daily, cumulative] = (limits ?? []).map(String);
      if (single === undefined || daily === undefined || cumulative === undefined) {
        await addEntry(tx, manager, chainFamilies, { kind: 'black', ...common });
      } else {
        await addEntry(tx, manager, chainFamilies, { kind: 'white', ...common, limits: { single, daily, cumulative } });
      }
    }
    if (onlyWhitelisted) await setSetting(tx, manager, { onlyWhitelisted });
  });
  return companyId;
}

/** All that risk has on record of a company, but for times, the ids of judgements and the company's own. */
async function recordsOf(tx: Tx) {
  const rowsOf = async (query: ReturnType<typeof sql>) => (await query.execute(tx)).rows;
  return {
    assessments: await rowsOf(sql`
      select transaction_id, moment, allowed, reason, subject_id, subject_name, ruleset_version, inputs
      from risk_assessment where company_id = company_id() order by at, id`),
    assessmentsById: await rowsOf(sql`
      select transaction_id from risk_assessment where company_id = company_id() order by id`),
    flows: await rowsOf(sql`
      select transaction_id, day::text, business, chain_id, coin, currency, region, account_kind, account, quantity, decimals,
        value_cents, initiator_id, entry_id, forgotten_at is null as counts
      from risk_flow where company_id = company_id() order by at, transaction_id`),
    usage: await rowsOf(sql`
      select business, day::text, asset, transactions, quantity, value_cents from risk_usage
      where company_id = company_id() order by business, day, asset`),
    entryUsage: await rowsOf(sql`
      select entry_id, day::text, value_cents from risk_list_usage where company_id = company_id() order by entry_id, day`),
    entries: await rowsOf(sql`
      select id, counted_cents, hit_count from risk_list_entry where company_id = company_id() order by id`),
    policies: await rowsOf(sql`
      select id, intercept_count from risk_policy where company_id = company_id() order by id`),
    hits: await rowsOf(sql`
      select l.subject_kind, l.subject_id, l.list_kind, a.transaction_id, a.moment, l.at = a.at as "isAtOnce"
      from risk_log l join risk_assessment a on a.company_id = l.company_id and a.id = l.assessment_id
      where l.company_id = company_id() and l.type = 'hit' order by l.at, l.id`),
  };
}

/** Each recorded verdict is the one that its record gives again, and no two of a company were made at the same time. */
async function expectReproduced(tx: Tx): Promise<void> {
  const { rows } = await sql<{ inputs: InputsJson; version: number; judgement: object; at: string }>`
    select inputs, ruleset_version as version, at::text, jsonb_build_object('allowed', allowed, 'reason', reason,
      'subjectId', subject_id, 'subjectName', subject_name) as judgement
    from risk_assessment where company_id = company_id()`.execute(tx);
  const rulesets = await rulesetsOf(
    tx,
    rows.map(({ version }) => ({ companyId: tx.companyId, version })),
  );
  rows.forEach(({ inputs, judgement }, i) => {
    const ruleset = rulesets[i];
    if (!ruleset) throw new Error('each judgement has its ruleset');
    expect(judge(ruleset, inputsFromJson(inputs))).toEqual(judgement);
  });
  expect(new Set(rows.map(({ at }) => at)).size).toBe(rows.length);
}

async function explanationsOf(tx: Tx) {
  const explanations = [];
  for (const id of ids) {
    const explanation = await explain(tx, id, 'en-us');
    const judgements = (explanation?.judgements ?? []).map(({ id: _, at: __, ...judgement }) => judgement);
    for (const { allowed, checks } of judgements) {
      expect(checks.some(({ outcome }) => outcome === 'stopped')).toBe(!allowed);
    }
    explanations.push(judgements);
  }
  return explanations;
}

test('a batch decides and records what one transaction each would', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(company, { minLength: 2, maxLength: 3 }),
      fc.array(fc.tuple(sent, fc.boolean()), { maxLength: 4 }),
      fc.array(sent, { minLength: 4, maxLength: 16, size: 'max' }),
      async (companies, past, batch) => {
        const worlds = [];
        for (const decideAll of [oneByOne, inOneBatch]) {
          const companyIds = await Promise.all(companies.map(found));
          for (const [each, isGivenBack] of past) {
            const { companyId, ...subject } = judgedOf(each, companyIds);
            const [decision] = await oneByOne(db, [{ companyId, ...subject }]);
            if (isGivenBack && decision !== 'idTaken') {
              await db.app.withCompany(companyId, (tx) => forget(tx, subject.id));
            }
          }
          const subjects = batch.map((each) => judgedOf(each, companyIds));
          const submitted = await decideAll(db, subjects);
          const decided = await decideAll(db, subjects, 'decision');
          const of = <T>(work: (tx: Tx) => Promise<T>) =>
            Promise.all(companyIds.map((companyId) => db.app.withCompany(companyId, work)));
          await of(expectReproduced);
          const replays = await of((tx) => replay(tx, riskManager(tx.companyId), { policy: null }));
          worlds.push({
            submitted,
            decided,
            records: await of(recordsOf),
            explanations: await of(explanationsOf),
            replayed: replays.map(({ judged, stopped }) => ({ judged, stopped })),
          });
        }
        const [alone, together] = worlds;
        expect(together).toEqual(alone);
        for (const { stopped } of together?.replayed ?? []) expect(stopped).toBe(0);
      },
    ),
    { numRuns: runs },
  );
});

describe('a batch of one company', () => {
  const usdt = (companyId: string, usd: number, given: Partial<AssessedSubject> = {}): Judged => ({
    companyId,
    ...riskSubject({ usd, ...given }),
  });
  const reasonsOf = (decisions: readonly Decision[]) =>
    decisions.map((decision) => (decision === 'idTaken' ? decision : decision.reason));

  test('is replayed in the order in which it was decided, whatever the ids', async () => {
    const companyId = newId();
    // Sums of 90, 160 and 200 pass by 100 to 149; in another order one would be stopped.
    await enact(db, companyId, forbidding({ dimension: 'crypto_value', from: '100', to: '150' }));
    const descending = Array.from({ length: 3 }, () => newId()).reverse();
    const subjects = [90, 70, 40].map((usd, i) => usdt(companyId, usd, { id: descending[i] ?? '' }));
    expect(reasonsOf(await inOneBatch(db, subjects))).toEqual([null, null, null]);
    const result = await db.app.withCompany(companyId, (tx) => replay(tx, riskManager(companyId), { policy: null }));
    expect(result).toMatchObject({ judged: 3, stopped: 0 });
  });

  test('adds up several hits on one policy and on one entry', async () => {
    const companyId = newId();
    const policyId = await enact(db, companyId, forbidding({ dimension: 'coin', coins: ['ETH'] }));
    const { account } = riskSubject();
    const entryId = await listAddress(db, companyId, account, null);
    const subjects = [
      usdt(companyId, 1, { coin: 'ETH' }),
      usdt(companyId, 1, { coin: 'ETH' }),
      ...[1, 2, 3].map((usd) => usdt(companyId, usd, { account })),
    ];
    await inOneBatch(db, subjects);
    const records = await db.app.withCompany(companyId, recordsOf);
    expect(records.policies).toEqual([{ id: policyId, intercept_count: 2 }]);
    expect(records.entries).toEqual([{ id: entryId, counted_cents: 0n, hit_count: 3 }]);
    expect(records.hits).toHaveLength(5);
  });

  test('takes an id once, also one whose count was given back, and decides the others', async () => {
    const companyId = newId();
    await enact(db, companyId, forbidding({ dimension: 'coin', coins: ['ETH'] }));
    const [first, gone] = [usdt(companyId, 1), usdt(companyId, 1)];
    await oneByOne(db, [gone]);
    await db.app.withCompany(companyId, (tx) => forget(tx, gone.id));
    const subjects = [
      first,
      usdt(companyId, 2, { id: first.id }),
      usdt(companyId, 2, { id: first.id, coin: 'ETH' }),
      usdt(companyId, 2, { id: gone.id }),
      usdt(companyId, 2, { id: gone.id, coin: 'ETH' }),
      usdt(companyId, 2),
    ];
    const reasons = reasonsOf(await inOneBatch(db, subjects));
    expect(reasons).toEqual([null, 'idTaken', 'idTaken', 'idTaken', 'policy', null]);
  });

  test('is judged by its own policies where another company has one of the same id', async () => {
    const [id, companyIds] = [newId(), [newId(), newId()] as const];
    await enact(db, companyIds[0], forbidding({ dimension: 'coin', coins: ['ETH'] }, { id }));
    await enact(db, companyIds[1], forbidding({ dimension: 'coin', coins: ['USDT'] }, { id }));
    const coins = ['USDT', 'ETH', 'ETH'];
    const subjects = companyIds.flatMap((each) => coins.map((coin) => usdt(each, 1, { coin })));
    expect(reasonsOf(await inOneBatch(db, subjects))).toEqual([null, 'policy', 'policy', 'policy', null, null]);
    const records = await Promise.all(companyIds.map((each) => db.app.withCompany(each, recordsOf)));
    expect(records.map(({ policies }) => policies)).toEqual([
      [{ id, intercept_count: 2 }],
      [{ id, intercept_count: 1 }],
    ]);
  });

  test('refuses to judge what was not read, and to note a judgement that another has overtaken', async () => {
    const companyId = newId();
    const [one, other] = [usdt(companyId, 1), usdt(companyId, 2)];
    await db.app.withCompanies([companyId], async (tx) => {
      const judging = await openForJudging(tx, [one, other]);
      expect(() => judging.weigh(usdt(companyId, 1))).toThrow('what is judged was read before');
      expect(() => judging.weigh({ ...one, companyId: newId() })).toThrow('what is judged was read before');
      expect(() => judging.weigh({ ...one, coin: 'ETH' })).toThrow('what is judged was read before');
      const [weighed, early] = [judging.weigh(one), judging.weigh(other)];
      judging.note(weighed);
      expect(() => judging.note(early)).toThrow('noted before the next one');
      judging.note(judging.weigh(other));
    });
  });

  test('does not count an id twice even when its lock was not taken', async () => {
    const companyId = newId();
    const subject = usdt(companyId, 1);
    const late = db.app.withCompanies([companyId], async (tx) => {
      const judging = await openJudging(tx, [subject], 'submission');
      judging.note(judging.weigh(subject));
      await oneByOne(db, [subject]);
      await together([...judging.write(tx)]);
    });
    await expect(late).rejects.toMatchObject({ key: 'idTaken' });
  });
});
