import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { audit } from '../../../platform/audit/record.ts';
import type { Database } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { createLog } from '../../../platform/process/log.ts';
import { openTestCompany, type TestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { signedInOperator } from '../../../testing/operators.ts';
import { present } from '../../../testing/present.ts';
import { nilCompany } from '../../identity/index.ts';
import { type ActHandler, actJobs } from './jobs.ts';
import { type Act, insertAct } from './store.ts';

/** What two operators agreed on is done once by the worker, wherever it is killed. */

let db: TestDatabase;
let company: TestCompany;
let superuser: pg.Client;
let people: { one: string; two: string };
const rounds = Number(process.env['PROOF_ROUNDS'] ?? 8);
const kind = 'deficit.writeOff';
const log = createLog('test', 'silent');

beforeAll(async () => {
  db = await testDatabase();
  superuser = new pg.Client({ connectionString: db.superuserUrl });
  await superuser.connect();
  await superuser.query('set search_path = causeway');
  company = await openTestCompany(db);
  const [one, two] = [await signedInOperator(db, 'treasury'), await signedInOperator(db, 'support')];
  people = { one: one.session.userId, two: two.session.userId };
});
afterAll(async () => {
  await superuser.end();
  await db.close();
});

async function proposal(state: 'open' | 'confirmed', input: object = {}): Promise<Act> {
  const proposalId = newId();
  const decided = state === 'confirmed';
  await superuser.query(
    `insert into operator_proposal (id, kind, subject_kind, subject_id, input, before, reason, proposed_by, expires_at, state,
       decided_by, decided_at)
     values ($1, $2, 'wallet', $3, $4, '{}', 'agreed', $5, now() + interval '7 days', $6, $7, $8)`,
    [
      proposalId,
      kind,
      company.wallets.USDT,
      JSON.stringify(input),
      people.one,
      state,
      decided ? people.two : null,
      decided ? new Date() : null,
    ],
  );
  return {
    proposalId,
    kind,
    companyId: company.id,
    subjectId: company.wallets.USDT,
    subjectName: 'USDT',
    input: { ...input },
    before: {},
    reason: 'agreed',
    proposedBy: people.one,
    confirmedBy: people.two,
  };
}

async function confirmed(): Promise<Act> {
  const act = await proposal('confirmed');
  await db.console.withoutCompany((tx) => insertAct(tx as never, act));
  return act;
}

/** What `perform` does in these tests: a row in the company's log that can be counted. */
const doing = (more: Partial<ActHandler> = {}): ActHandler => ({
  async perform(tx, act) {
    await audit(tx, {
      actor: { kind: 'operator', id: act.confirmedBy },
      action: 'operator.writeOffDeficit',
      subjectKind: 'wallet',
      subjectId: act.subjectId,
      detail: { amount: `of ${act.proposalId}`, reason: act.reason },
    });
    return { made: act.proposalId };
  },
  ...more,
});

function run({ proposalId }: Act, handler: ActHandler, database: Database = db.worker): Promise<void> {
  const [job] = actJobs({ [kind]: handler });
  return present(job).run({ companyId: nilCompany, database, log }, { proposalId });
}

async function rowOf({ proposalId }: Act) {
  const { rows } = await superuser.query<{ state: string; refusal: string | null; result: object; done: number }>(
    `select state, refusal, result, (select count(*)::int from audit_event where company_id = $2
       and action = 'operator.writeOffDeficit' and detail ->> 'amount' = 'of ' || $1) as done
     from operator_act where proposal_id = $1::uuid`,
    [proposalId, company.id],
  );
  return present(rows[0]);
}

async function logged({ proposalId }: Act): Promise<string[]> {
  const { rows } = await superuser.query<{ action: string }>(
    'select action from audit_event where company_id = $1 and subject_id = $2 order by id',
    [nilCompany, proposalId],
  );
  return rows.map(({ action }) => action);
}

let act: Act;
beforeEach(async () => {
  act = await confirmed();
});

test('is done once by several workers at the same time, and its end logged once', async () => {
  for (let round = 0; round < rounds; round += 1) {
    act = await confirmed();
    await Promise.all([run(act, doing()), run(act, doing()), run(act, doing())]);
    expect(await rowOf(act)).toMatchObject({ state: 'done', done: 1, result: { made: act.proposalId } });
    expect(await logged(act)).toEqual(['proposal.done']);
  }
});

const killed = new Error('killed');
const dies = () => Promise.reject(killed);

describe('a worker that is killed', () => {
  test('before or while it asks the outside world has done nothing, and the next one does it', async () => {
    await expect(run(act, doing({ prepare: dies }))).rejects.toBe(killed);
    expect(await rowOf(act)).toMatchObject({ state: 'pending', done: 0 });
    await run(act, doing());
    expect(await rowOf(act)).toMatchObject({ state: 'done', done: 1 });
  });

  test('in the middle of the act’s transaction leaves nothing of it', async () => {
    const handler = doing();
    const half: ActHandler = {
      async perform(tx, one, prepared) {
        await handler.perform(tx, one, prepared);
        throw killed;
      },
    };
    await expect(run(act, half)).rejects.toBe(killed);
    expect(await rowOf(act)).toMatchObject({ state: 'pending', done: 0 });
    await run(act, handler);
    expect(await rowOf(act)).toMatchObject({ state: 'done', done: 1 });
  });

  test('after the act and before its line in the log does it no second time, and logs it', async () => {
    const dying: Database = {
      ...db.worker,
      withCompany: (id, work, ...more) => (id === nilCompany ? dies() : db.worker.withCompany(id, work, ...more)),
    };
    await expect(run(act, doing(), dying)).rejects.toBe(killed);
    expect(await rowOf(act)).toMatchObject({ state: 'done', done: 1 });
    expect(await logged(act)).toEqual([]);
    await run(act, doing({ perform: () => Promise.reject(new Error('done twice')) }));
    expect(await logged(act)).toEqual(['proposal.done']);
    await run(act, doing());
    expect(await logged(act)).toEqual(['proposal.done']);
  });
});

test('a rule that says no refuses it for good; what the handler asked and wrote before is not done', async () => {
  const handler = doing();
  const refusing: ActHandler = {
    async perform(tx, one, prepared) {
      await handler.perform(tx, one, prepared);
      throw new DomainError('exceptionNotPossible', { reason: 'changed' });
    },
  };
  await run(act, refusing);
  await run(act, doing());
  expect(await rowOf(act)).toMatchObject({ state: 'refused', refusal: 'exceptionNotPossible', done: 0 });
  expect(await logged(act)).toEqual(['proposal.refused']);
});

test('a refusal that comes while another worker has done it changes nothing', async () => {
  const late: ActHandler = {
    async prepare() {
      await run(act, doing());
      throw new DomainError('exceptionNotPossible', { reason: 'changed' });
    },
    perform: () => Promise.resolve({}),
  };
  await run(act, late);
  expect(await rowOf(act)).toMatchObject({ state: 'done', done: 1 });
  expect(await logged(act)).toEqual(['proposal.done']);
});

describe('the database takes an act only', () => {
  const insert = (one: Act) => db.console.withoutCompany((tx) => insertAct(tx as never, one));

  test('for a proposal that was confirmed', async () => {
    await expect(insert(await proposal('open'))).rejects.toThrow('carries out a confirmed proposal');
    await expect(insert({ ...act, proposalId: newId() })).rejects.toThrow();
  });

  test.each<[what: string, change: Partial<Act>]>([
    ['another subject', { subjectId: newId() }],
    ['another input', { input: { amount: '1000' } }],
    ['other facts', { before: { owedMinor: '1' } }],
    ['another kind', { kind: 'payment.release' }],
  ])('as it was confirmed, not with %s', async (_what, change) => {
    const one = await proposal('confirmed');
    await expect(insert({ ...one, ...change })).rejects.toThrow('carries out a confirmed proposal');
    await insert(one);
  });

  test('of two people', async () => {
    const one = await proposal('confirmed');
    await expect(insert({ ...one, confirmedBy: one.proposedBy })).rejects.toThrow();
  });

  test('once, and ends it once', async () => {
    await expect(insert(act)).rejects.toThrow();
    await run(act, doing());
    const again = (statement: string) =>
      db.worker.withoutCompany((tx) => sql.raw(`${statement} where proposal_id = '${act.proposalId}'`).execute(tx));
    await expect(again(`update operator_act set state = 'pending', ended_at = null`)).rejects.toThrow('ends once');
    await expect(again(`update operator_act set result = '{}'`)).rejects.toThrow('ends once');
    await expect(again(`update operator_act set input = '{}'`)).rejects.toThrow('permission denied');
    await expect(again('delete from operator_act')).rejects.toThrow('permission denied');
  });

  test('from the console, which cannot end it', async () => {
    const one = await proposal('confirmed');
    await expect(db.worker.withoutCompany((tx) => insertAct(tx as never, one))).rejects.toThrow('permission denied');
    for (const statement of [`update operator_act set state = 'done', ended_at = now()`, 'delete from operator_act']) {
      await expect(db.console.withoutCompany((tx) => sql.raw(statement).execute(tx))).rejects.toThrow(
        'permission denied',
      );
    }
  });
});
