import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { newId } from '../ids.ts';
import { chainStart, linkHash } from './chain.ts';
import { type AskCheckpoint, checkpointCompany, checkpointJob, createCheckpointSigner } from './checkpoint.ts';
import { type AuditEntry, audit } from './record.ts';
import { sealBatch, startSealing } from './sealing.ts';
import { chainEvent, findCovering, findSeq, readSealed } from './store.ts';

const log = pino({ level: 'silent' });
let db: TestDatabase;
let signerDatabase: Database;
let signer: AskCheckpoint;
let company: string;
const secret = randomBytes(32);

beforeAll(async () => {
  db = await testDatabase({ madeUpEvents: true });
  signerDatabase = openDatabase(db.urlFor('causeway_signer'), { poolSize: 2, applicationName: 'test-signer' });
  signer = createCheckpointSigner(signerDatabase, secret);
});
afterAll(async () => {
  await signerDatabase.close();
  await db.close();
});
beforeEach(() => {
  company = newId();
});

const entry = (label: string): AuditEntry => ({
  actor: { kind: 'user', id: 'ada', ip: '10.0.0.1', requestId: 'r-1' },
  action: 'payees.add',
  subjectKind: 'payee',
  subjectId: label,
  detail: { label, limit: { before: '1', after: '2' }, list: [3, { b: null, a: true }] },
});
const record = (label = 'P', of = company) => db.app.withCompany(of, (tx) => audit(tx, entry(label)));
const sealAll = async () => {
  while ((await sealBatch(db.worker)) > 0);
};
const chainOf = (of = company) => db.worker.withoutCompany((tx) => readSealed(tx, of, 0, 100_000, 100_000));
const asSuperuser = async (statement: string) => {
  const client = new pg.Client({ connectionString: db.superuserUrl });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
};

/** Recomputes a chain here, and says where it ends. */
async function expectWhole(of = company): Promise<number> {
  let hash = chainStart;
  const events = await chainOf(of);
  for (const [i, event] of events.entries()) {
    expect(event.seq).toBe(i + 1);
    hash = linkHash(hash, chainEvent(event, event.seq));
    expect(event.hash.equals(hash)).toBe(true);
  }
  return events.length;
}

describe('sealing', () => {
  test('puts every event into its own company’s chain, once, in the order of being found', async () => {
    const other = newId();
    for (let i = 0; i < 7; i++) await record(`P${i}`, i % 3 === 0 ? other : company);
    await sealAll();
    expect(await expectWhole()).toBe(4);
    expect(await expectWhole(other)).toBe(3);
    expect((await chainOf()).map(({ subjectId }) => subjectId)).toEqual(['P1', 'P2', 'P4', 'P5']);
    await record('later');
    await sealAll();
    expect(await expectWhole()).toBe(5);
    expect(await sealBatch(db.worker)).toBe(0);
  });

  test('many sealers at once leave chains without gaps or doubles', async () => {
    const others = Array.from({ length: 4 }, () => newId());
    const writing = Promise.all(
      others.map(async (of) => {
        for (let i = 0; i < 60; i++) await record(`P${i}`, of);
      }),
    );
    const sealers = Array.from({ length: 4 }, () => startSealing(db.worker, log));
    await writing;
    await vi.waitFor(async () => expect((await chainOf(others.at(-1))).length).toBe(60), { timeout: 20_000 });
    await Promise.all(sealers.map((sealer) => sealer.stop()));
    await sealAll();
    for (const of of others) expect(await expectWhole(of)).toBe(60);
  });

  test('an event that is rolled back leaves nothing, and one that commits late is not missed', async () => {
    let finish: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let written: () => void = () => undefined;
    const isWritten = new Promise<void>((resolve) => {
      written = resolve;
    });
    const slow = db.app.withCompany(company, async (tx) => {
      await audit(tx, entry('slow'));
      written();
      await held;
    });
    await isWritten;
    await expect(
      db.app.withCompany(company, async (tx) => {
        await audit(tx, entry('never'));
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await record('quick');
    await sealAll();
    expect((await chainOf()).map(({ subjectId }) => subjectId)).toEqual(['quick']);
    finish();
    await slow;
    await sealAll();
    expect((await chainOf()).map(({ subjectId }) => subjectId)).toEqual(['quick', 'slow']);
    await expectWhole();
  });

  test('what is written past the program is sealed as well, and nobody can write or change a seal', async () => {
    await asSuperuser(`insert into causeway.audit_event (company_id, id, actor_kind, actor_id, action, subject_kind, subject_id)
      values ('${company}', '${newId()}', 'system', 'intruder', 'payees.add', 'payee', 'x')`);
    await sealAll();
    expect((await chainOf())[0]?.actorId).toBe('intruder');
    const seal = `insert into causeway.audit_seal (company_id, seq, event_id, hash) select company_id, 99, id, sha256('')
      from causeway.audit_event where company_id = '${company}'`;
    await expect(db.app.pool.query(seal)).rejects.toThrow(/permission denied/);
    for (const table of ['audit_event', 'audit_seal', 'audit_checkpoint', 'audit_key']) {
      await expect(asSuperuser(`delete from causeway.${table}`), table).rejects.toThrow(/append-only/);
      await expect(asSuperuser(`truncate causeway.${table} cascade`), table).rejects.toThrow(/append-only/);
    }
    await expect(
      db.worker.pool.query(`insert into causeway.audit_checkpoint values ('${company}', 1, sha256(''), '', '', '')`),
    ).rejects.toThrow(/permission denied/);
  });
});

describe('the signer', () => {
  const rewrite = (statement: string) =>
    asSuperuser(`set session_replication_role = replica; ${statement}; reset session_replication_role`);
  const signed = async (seq: number) => signer({ companyId: company, seq });
  const fill = async (count: number) => {
    for (let i = 0; i < count; i++) await record(`P${i}`);
    await sealAll();
  };

  test('signs the end of a chain that holds, the same place once, and none below it', async () => {
    await fill(5);
    expect(await signed(3)).toEqual({ signed: true });
    expect(await signed(5)).toEqual({ signed: true });
    expect(await signed(5)).toEqual({ signed: true });
    expect(await signed(4)).toEqual({ signed: false, refusal: 'behind' });
    expect(await signed(6)).toEqual({ signed: false, refusal: 'broken' });
    expect(await signed(6000)).toEqual({ signed: false, refusal: 'far' });
    const covering = await db.worker.withoutCompany((tx) => findCovering(tx, company, 4));
    expect(covering).toMatchObject({ seq: 5, hash: (await chainOf())[4]?.hash });
  });

  test('does not sign what was changed after it was sealed', async () => {
    await fill(4);
    await signed(2);
    await rewrite(`update causeway.audit_event set action = 'payees.delete' where company_id = '${company}'
      and subject_id = 'P3'`);
    expect(await signed(4)).toEqual({ signed: false, refusal: 'broken' });
  });

  test('does not sign a history computed anew, neither at the place it signed nor later', async () => {
    await fill(4);
    await signed(4);
    await rewrite(`update causeway.audit_event set action = 'payees.delete' where company_id = '${company}'
      and subject_id = 'P1'`);
    await resealAll();
    await expectWhole();
    expect(await signed(4)).toEqual({ signed: false, refusal: 'forked' });
    await fill(2);
    await expectWhole();
    expect(await signed(6)).toEqual({ signed: false, refusal: 'forked' });
    // Not even when the last signed link itself is put back: what follows must follow from it.
    const last = await db.worker.withoutCompany((tx) => findCovering(tx, company, 4));
    await rewrite(`update causeway.audit_seal set hash = '\\x${last?.hash.toString('hex')}'
      where company_id = '${company}' and seq = 4`);
    expect(await signed(6)).toEqual({ signed: false, refusal: 'broken' });
  });

  test('does not sign over a gap', async () => {
    await fill(3);
    await rewrite(`delete from causeway.audit_seal where company_id = '${company}' and seq = 2`);
    expect(await signed(3)).toEqual({ signed: false, refusal: 'broken' });
  });

  test('is asked in steps for a chain that is longer than it follows at once, and not again when it refuses', async () => {
    await fill(3);
    const asked: number[] = [];
    const shy: AskCheckpoint = async (request) => {
      asked.push(request.seq);
      return signer(request);
    };
    await checkpointCompany(db.worker, shy, company, log);
    await checkpointCompany(db.worker, shy, company, log);
    expect(asked).toEqual([3]);
    const id = await record('more');
    await sealAll();
    expect(await db.worker.withoutCompany((tx) => findSeq(tx, company, id))).toBe(4);
    const refusing: AskCheckpoint = async ({ seq }) => {
      asked.push(seq);
      return { signed: false, refusal: 'broken' };
    };
    await checkpointCompany(db.worker, refusing, company, log);
    expect(asked).toEqual([3, 4]);
  });

  test('is asked for all companies, also when it fails for the first of them', async () => {
    const [first, second] = [newId(), newId()].sort();
    await record('P', first);
    await record('P', second);
    await sealAll();
    const failing: AskCheckpoint = (request) =>
      request.companyId === first ? Promise.reject(new Error('the socket broke')) : signer(request);
    await checkpointJob(failing).run({ database: db.worker, log, signal: new AbortController().signal });
    const covering = await db.worker.withoutCompany((tx) => findCovering(tx, second ?? '', 1));
    expect(covering?.seq).toBe(1);
    expect(await db.worker.withoutCompany((tx) => findCovering(tx, first ?? '', 1))).toBeNull();
  });

  /** What an intruder with all rights could do: recompute every hash of the company's chain. */
  async function resealAll(): Promise<void> {
    let hash = chainStart;
    for (const event of await chainOf()) {
      hash = linkHash(hash, chainEvent(event, event.seq));
      await rewrite(`update causeway.audit_seal set hash = '\\x${hash.toString('hex')}'
        where company_id = '${company}' and seq = ${event.seq}`);
    }
    await rewrite(
      `update causeway.audit_chain set hash = '\\x${hash.toString('hex')}' where company_id = '${company}'`,
    );
  }
});
