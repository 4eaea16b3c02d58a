import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { submitBatch } from '@causeway/contract/batch-runs.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { saveFilter } from '@causeway/contract/transactions.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createOpenSeal, createSeal } from '../../../platform/crypto/seal.ts';
import { type Database, openDatabase } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { checkOf, entriesOf, insertTestBatch, runContent } from '../../../testing/batches.ts';
import { chainFamilies } from '../../../testing/chain-families.ts';
import { credit } from '../../../testing/company.ts';
import { expectCompanyBooks, expectLedgerToAgree, walletBalances } from '../../../testing/company-books.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { type MainApp, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import { entered, type Gate, gateAt, keptOf, queuedOnly } from '../../../testing/queueing.ts';
import { succeed } from '../../../testing/succeed.ts';
import { payee, transferContent, transferRequest } from '../../../testing/valid-requests.ts';
import { createRunSubject, rowKindsByType } from '../index.ts';
import { createRunQueue, enterAll, type QueueParts } from './enter.ts';

/** What is kept of a run between its answer and its entering: only what the process sealed is entered, once, by whichever process comes first. */

const usdt = 1_000_000n;

let db: TestDatabase;
let world: MainApp;
let gate: Gate;
let key: JWK;
let otherDatabase: Database;
let other: MainApp;
/** What the loop of another process complained of. */
const log: string[] = [];
let parts: QueueParts;
beforeAll(async () => {
  db = await testDatabase();
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  key = { ...(await exportJWK(privateKey)), kid: 'first' };
  const options = { rowsAtOnce: 0, authorisationKey: { ...key } };
  world = await mainApp(db, undefined, options);
  otherDatabase = openDatabase(db.urlFor('causeway_app'), { poolSize: 4, applicationName: 'other' });
  other = await mainApp({ ...db, app: otherDatabase }, undefined, options);
  gate = await gateAt(db, 'payout_batch_entry');
  parts = {
    database: otherDatabase,
    seal: createSeal({ ...key }),
    openSeal: createOpenSeal({ ...key }),
    kinds: rowKindsByType(chainFamilies),
    subject: createRunSubject(chainFamilies),
    log: pino({ level: 'error' }, { write: (line: string) => log.push(line) }),
  };
});
afterAll(async () => {
  await expectLedgerToAgree(db);
  await gate.close();
  await other.close();
  await otherDatabase.close();
  await world.close();
  await db.close();
});
afterEach(() => expect([...world.complaints.splice(0), ...other.complaints.splice(0), ...log.splice(0)]).toEqual([]));

interface Submitted {
  tenant: Tenant;
  runId: string;
}

/** Submits a batch of so many rows of 3 USDT and a fee of 1 each. */
async function submitted(rows: number, runId = newId(), of?: Tenant): Promise<Submitted> {
  const tenant = of ?? (await world.company());
  await credit(db, tenant, 'USDT', 2000n * usdt);
  const row = { walletId: tenant.wallets.USDT, payeeId: await payee(world, tenant), amountMinor: 3n * usdt };
  const { id: batchId } = await insertTestBatch(db, tenant, Array(rows).fill(row));
  const { admin: as } = tenant;
  const content = { ...runContent(batchId, await checkOf(world, as, batchId)), id: runId };
  await succeed(world, sendUserCode, { as, body: { scenario: 'transaction', subject: { kind: 'batch', content } } });
  await gate.hold(tenant.id);
  await succeed(world, submitBatch, { as, body: { ...content, codeMethod: 'email', code: await world.takeCode() } });
  return { tenant, runId };
}

/** The same, whose rows could not be entered at once. */
async function failed(rows: number, runId?: string, of?: Tenant): Promise<Submitted> {
  const made = await submitted(rows, runId, of);
  await gate.refuse(made.tenant.id);
  await gate.release(made.tenant.id);
  await world.queue.settled();
  await gate.admit(made.tenant.id);
  expect(world.complaints.splice(0)).toEqual([expect.stringContaining('refused by the test')]);
  return made;
}

const kept = ({ tenant }: Submitted) => keptOf(gate, tenant.id);
const outbound = async ({ tenant }: Submitted) => (await walletBalances(db, tenant.id, tenant.wallets.USDT)).outbound;

interface Part {
  part: number;
  content: Buffer;
  seal: string | null;
}

const partsOf = ({ tenant, runId }: Submitted) =>
  gate.query<Part>(
    'select part, content, seal from payout_batch_queue where company_id = $1 and run_id = $2 order by part',
    [tenant.id, runId],
  );

async function replaceParts({ tenant, runId }: Submitted, given: readonly Part[]): Promise<void> {
  // Past the rule that what is held is given back by what deletes its rows.
  await gate.query(`set session_replication_role = 'replica'`);
  await gate.query('delete from payout_batch_queue where company_id = $1 and run_id = $2', [tenant.id, runId]);
  for (const { part, content, seal } of given) {
    await gate.query(
      'insert into payout_batch_queue (company_id, run_id, part, content, seal) values ($1, $2, $3, $4, $5)',
      [tenant.id, runId, part, content, seal],
    );
  }
  await gate.query(`set session_replication_role = 'origin'`);
}

describe('of a run in several parts', () => {
  let run: Submitted;
  /** Of another company, whose run has the same id. */
  let namesake: Submitted;
  let others: Submitted;
  let genuine: Part[];
  beforeAll(async () => {
    run = await failed(251);
    namesake = await failed(251, run.runId);
    others = await failed(251);
    genuine = await partsOf(run);
    expect(genuine.map(({ part }) => part)).toEqual([0, 1, 2]);
  });

  const flipped = (content: Buffer) => {
    const changed = Buffer.from(content);
    changed[changed.length - 20] = (changed[changed.length - 20] ?? 0) ^ 1;
    return changed;
  };
  const changing = (place: number, change: (part: Part) => Partial<Part>) =>
    genuine.map((part, at) => (at === place ? { ...part, ...change(part) } : part));
  const contentOf = (place: number) => present(genuine[place]).content;
  /** With a seal of one's own over the first part. */
  const sealed = (by: JWK, type: Parameters<typeof parts.seal>[0], content = contentOf(0)) =>
    changing(0, () => ({
      content,
      seal: createSeal({ ...by })(type, {
        companyId: run.tenant.id,
        runId: run.runId,
        sha256: createHash('sha256').update(content).digest('hex'),
      }),
    }));
  const asSealed = /are as they were sealed/;

  test.each<[string, RegExp, () => Promise<Part[]> | Part[]]>([
    ['the first part was changed', asSealed, () => changing(0, ({ content }) => ({ content: flipped(content) }))],
    ['rows were changed', asSealed, () => changing(2, ({ content }) => ({ content: flipped(content) }))],
    [
      'parts were exchanged',
      asSealed,
      () => [
        ...changing(1, () => ({ content: contentOf(2) })).slice(0, 2),
        { ...present(genuine[2]), content: contentOf(1) },
      ],
    ],
    ['a part is missing', /no part of run .* is missing/, () => genuine.slice(0, 2)],
    ['a part was added', /no part of run .* is missing/, () => [...genuine, { ...present(genuine[2]), part: 3 }]],
    ['it is the record of another run', asSealed, () => partsOf(others)],
    ['it is the record of another company’s run of this id', asSealed, () => partsOf(namesake)],
    ['it has no seal', asSealed, () => changing(0, () => ({ seal: '' }))],
    [
      'it was sealed with another key',
      asSealed,
      async () =>
        sealed(await exportJWK((await generateKeyPair('EdDSA', { extractable: true })).privateKey), 'causeway-queue'),
    ],
    ['it has a seal of another kind', asSealed, () => sealed(key, 'causeway-decision')],
    [
      'it is of another version of the software',
      /were kept by this version of the software/,
      () => sealed(key, 'causeway-queue', serialize({ ...(deserialize(contentOf(0)) as object), version: 2 })),
    ],
  ])('nothing is entered where %s, and the sum stays held', async (_, complaint, tampered) => {
    await replaceParts(run, await tampered());
    await expect(world.queue.enter(run.tenant.id)).rejects.toMatchObject({ key: 'unavailable' });
    expect(world.complaints.splice(0).join()).toMatch(complaint);
    expect(await kept(run)).toMatchObject({ entries: 0, payments: 0, seals: 0, postings: { 'batch.reserve': 1 } });
    expect(await outbound(run)).toBe(1004n * usdt);
    await replaceParts(run, genuine);
  });

  test('what was changed keeps no other company from its turn, and is entered when it is as it was', async () => {
    await replaceParts(run, genuine.slice(0, 2));
    await expect(enterAll(parts)).rejects.toThrow(`no part of run ${run.runId} is missing`);
    for (const one of [namesake, others]) expect(await kept(one)).toEqual(entered(251));
    expect(await kept(run)).toEqual(queuedOnly(2));
    await replaceParts(run, genuine);
    await enterAll(parts);
    for (const one of [run, namesake, others]) {
      expect(await kept(one)).toEqual(entered(251));
      expect(await outbound(one)).toBe(1004n * usdt);
      await expectCompanyBooks(db, one.tenant.id);
    }
  });

  test('a record that was entered and is put back enters nothing again', async () => {
    await replaceParts(run, genuine);
    await expect(enterAll(parts)).rejects.toThrow('duplicate key');
    expect(await kept(run)).toEqual(entered(251, 3));
    await replaceParts(run, []);
  });
});

test('the record of an earlier run enters nothing for a later one of the company', async () => {
  const earlier = await failed(2);
  const record = await partsOf(earlier);
  await enterAll(parts);
  const later = await failed(2, newId(), earlier.tenant);
  const genuine = await partsOf(later);
  await replaceParts(later, record);
  await expect(enterAll(parts)).rejects.toThrow('are as they were sealed');
  await replaceParts(later, genuine);
  await enterAll(parts);
  expect(await kept(later)).toMatchObject({ runs: 2, parts: 0, entries: 4, payments: 4 });
});

test('rows that could not be entered are entered in a later round, those of other companies in this one', async () => {
  const [first, second] = [await failed(2), await failed(2)];
  await gate.refuse(first.tenant.id);
  await expect(enterAll(parts)).rejects.toThrow('refused by the test');
  expect(await kept(first)).toEqual(queuedOnly(2));
  expect(await outbound(first)).toBe(8n * usdt);
  expect(await kept(second)).toEqual(entered(2));
  await enterAll(parts, AbortSignal.abort());
  await gate.admit(first.tenant.id);
  expect(await kept(first)).toEqual(queuedOnly(2));
  await enterAll(parts);
  expect(await kept(first)).toEqual(entered(2));
});

test('while they cannot be entered nothing decides without them; the next that asks enters them', async () => {
  const run = await failed(2);
  const { tenant } = run;
  await gate.refuse(tenant.id);
  const body = { id: newId(), name: 'Pending', filters: { status: 'pending' } };
  expect((await other.ask(saveFilter, { as: tenant.admin, body })).key).toBe('unavailable');
  expect(other.complaints.splice(0).join()).toContain('refused by the test');
  await gate.admit(tenant.id);
  const request = await transferRequest(other, tenant, await transferContent(other, tenant));
  expect((await other.ask(transferOut, request)).key).toBeNull();
  expect(await kept(run)).toMatchObject({ entries: 2, payments: 3, parts: 0 });
});

test('of two processes at once one enters them, and the other finds them entered', async () => {
  const run = await submitted(2);
  const { tenant, runId } = run;
  await gate.untilWaiting('insert into payout_batch_entry');
  const both = [other.queue.enter(tenant.id), enterAll(parts)];
  await gate.untilWaiting('from payout_batch_queue%for update', 2);
  await gate.release(tenant.id);
  await Promise.all([...both, world.queue.settled()]);
  expect(await kept(run)).toEqual(entered(2));
  expect((await entriesOf(db, tenant.id, runId)).map(({ stage }) => stage)).toEqual(['approved', 'approved']);
  await expectCompanyBooks(db, tenant.id);
});

test('a run that the first process fails to enter is entered by the one behind it', async () => {
  const run = await submitted(2);
  const { tenant } = run;
  await gate.untilWaiting('insert into payout_batch_entry');
  const behind = other.queue.enter(tenant.id);
  await gate.untilWaiting('from payout_batch_queue%for update');
  // Its connection is lost.
  await gate.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into payout_batch_entry%'`,
  );
  await gate.release(tenant.id);
  await behind;
  await world.queue.settled();
  world.complaints.splice(0);
  expect(await kept(run)).toEqual(entered(2));
  await expectCompanyBooks(db, tenant.id);
});

test('a database that is away gives nothing back, however late it is; once it is there the rows are entered', async () => {
  const run = await failed(2);
  const { id } = run.tenant;
  await gate.query(`update payout_batch_queue set created_at = created_at - interval '1 day' where company_id = $1`, [
    id,
  ]);
  let isAway = true;
  const back: Database = {
    ...otherDatabase,
    withCompany(...given) {
      if (!isAway) return otherDatabase.withCompany(...given);
      isAway = false;
      return Promise.reject(Object.assign(new Error('the database is away'), { code: 'ECONNREFUSED' }));
    },
  };
  const queue = createRunQueue({ ...parts, database: back });
  await expect(queue.enter(id)).rejects.toMatchObject({ key: 'unavailable' });
  expect(log.splice(0).join()).toContain('the database is away');
  expect(await kept(run)).toEqual(queuedOnly(2));
  await queue.enter(id);
  expect(await kept(run)).toEqual(entered(2));
});

test('a run that is accepted while its company’s rows are being looked for is entered, too', async () => {
  const looked = Promise.withResolvers<void>();
  const isOver = Promise.withResolvers<void>();
  const slow: Database = {
    ...otherDatabase,
    async withCompany(companyId, work, options) {
      const result = await otherDatabase.withCompany(companyId, work, options);
      looked.resolve();
      await isOver.promise;
      return result;
    },
  };
  const queue = createRunQueue({ ...parts, database: slow });
  const run = await failed(2);
  const { id } = run.tenant;
  const genuine = await partsOf(run);
  await replaceParts(run, []);
  const first = queue.enter(id);
  await looked.promise;
  await replaceParts(run, genuine);
  queue.wake(id);
  isOver.resolve();
  await first;
  await queue.settled();
  expect(await kept(run)).toEqual(entered(2));
});
