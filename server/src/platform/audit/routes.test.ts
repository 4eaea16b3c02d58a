import { randomBytes } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Caller, type SessionApp, sessionApp } from '../../testing/session-app.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { newId } from '../ids.ts';
import { type AskCheckpoint, auditJobs, createCheckpointSigner } from './checkpoint.ts';
import { type AuditEntry, audit } from './record.ts';
import { registerAuditRoutes } from './routes.ts';
import { sealBatch } from './sealing.ts';
import { verifyExport } from './verify.ts';

const log = pino({ level: 'silent' });
const path = '/web/audit';
const ada = newId();
const people = new Map([[ada, 'Ada Wong']]);
let db: TestDatabase;
let http: SessionApp;
let signerDatabase: Database;
let ask: AskCheckpoint;
let companyId: string;
let caller: Caller;

beforeAll(async () => {
  db = await testDatabase({ madeUpEvents: true });
  signerDatabase = openDatabase(db.urlFor('causeway_signer'), { poolSize: 2, applicationName: 'test-signer' });
  ask = createCheckpointSigner(signerDatabase, randomBytes(32));
  const names = { people: async () => people, companyName: async () => 'Harbour', others: async () => new Map() };
  http = await sessionApp(db.app, (app) => registerAuditRoutes(app, { names }));
});
afterAll(async () => {
  await http.close();
  await signerDatabase.close();
  await db.close();
});
beforeEach(() => {
  companyId = newId();
  caller = http.signIn(companyId);
});

const record = (entry: Partial<AuditEntry> = {}, at?: string) =>
  db.app.withCompany(companyId, async (tx) => {
    const id = await audit(tx, {
      actor: { kind: 'user', id: ada, ip: '10.0.0.1', requestId: 'r-1' },
      action: 'payees.add',
      subjectKind: 'payee',
      subjectId: newId(),
      detail: { label: 'Acme' },
      ...entry,
    });
    if (at !== undefined) await moveTo(id, at);
    return id;
  });
/** Events of other times cannot be written; a test about periods writes them past the guard. */
const moved: { id: string; at: string }[] = [];
const moveTo = async (id: string, at: string) => {
  moved.push({ id, at });
};
async function applyMoves() {
  const client = new pg.Client({ connectionString: db.superuserUrl });
  await client.connect();
  await client.query('set session_replication_role = replica');
  for (const { id, at } of moved.splice(0)) {
    await client.query('update causeway.audit_event set at = $1 where id = $2', [at, id]);
  }
  await client.end();
}
const sealAll = async () => {
  while ((await sealBatch(db.worker)) > 0);
};
const ids = async (query = '') =>
  (await caller.get(`${path}?${query}`)).data.items.map((item: { id: string }) => item.id);

const waiting = { timeout: 15_000, interval: 20 };

/** What the worker does while an export waits. */
async function answerExport(): Promise<void> {
  const eventId = await vi.waitFor(async () => {
    const payload = await db.worker.withCompany(companyId, async (tx) => {
      const { rows } = await sql<{ payload: { eventId: string } }>`
        delete from outbox where company_id = company_id() and name = 'audit.checkpointDue' returning payload`.execute(
        tx,
      );
      return rows[0]?.payload;
    });
    expect(payload).toBeDefined();
    return payload?.eventId;
  }, waiting);
  await sealAll();
  await auditJobs(ask)[0]?.run({ companyId, database: db.worker, log }, { eventId });
}

const exportLines = async (query = '') => {
  const [response] = await Promise.all([caller.inject({ url: `${path}/export?format=jsonl${query}` }), answerExport()]);
  return { response, lines: response.body.split('\n').slice(0, -1) };
};
const verify = async (lines: readonly string[]) => {
  const { publicKey } = (await caller.get(`${path}/key`)).data.keys[0]!;
  return verifyExport(
    (async function* () {
      yield* lines;
    })(),
    publicKey,
  );
};

describe('the list', () => {
  test('says who did what to whom in the reader’s language, with what changed and its seal', async () => {
    const sealed = await record({
      action: 'identity.setLanguage',
      subjectKind: 'member',
      subjectId: ada,
      detail: { language: { before: 'en_US', after: 'zh_HK' } },
    });
    await sealAll();
    const pending = await record();
    const { data } = await caller.get(path);
    expect(data).toMatchObject({ total: 2, totalExact: true, next: null });
    expect(data.items[0]).toMatchObject({
      id: pending,
      seal: null,
      what: 'Added a payee',
      subject: { kind: 'payee', kindName: 'Payee', name: 'Acme' },
      facts: [{ field: 'label', label: 'Label', value: 'Acme' }],
    });
    expect(data.items[1]).toMatchObject({
      id: sealed,
      actor: { kind: 'user', id: ada, name: 'Ada Wong' },
      what: 'Changed their language',
      subject: { kindName: 'Member', name: 'Ada Wong' },
      changes: [{ field: 'language', label: 'Language', before: 'English', after: 'Traditional Chinese' }],
      facts: [],
      ip: '10.0.0.1',
      requestId: 'r-1',
      seal: { seq: 1, previousHash: '0'.repeat(64) },
    });
    const hk = await caller.get(path, 'zh-hk');
    expect(hk.data.items.map((item: { what: string }) => item.what)).toEqual(['新增收款人', '更改語言']);
  });

  test('calls things as they were called then, and never by an id', async () => {
    const [parent, child, role] = [newId(), newId(), newId()];
    const change = (action: 'addDepartment' | 'editDepartment', subjectId: string, detail: Record<string, unknown>) =>
      record({ action: `organisation.${action}`, subjectKind: 'department', subjectId, detail });
    await change('addDepartment', parent, { after: { name: 'Treasury', parentId: null } });
    const before = await change('addDepartment', child, { after: { name: 'Payments', parentId: parent } });
    await change('editDepartment', parent, {
      name: 'Finance',
      before: { name: 'Treasury' },
      after: { name: 'Finance' },
    });
    const after = await change('editDepartment', child, { before: { parentId: newId() }, after: { parentId: parent } });
    await record({
      action: 'organisation.addRole',
      subjectKind: 'role',
      subjectId: role,
      detail: { after: { name: 'Clerk' } },
    });
    await record({
      action: 'organisation.deleteRole',
      subjectKind: 'role',
      subjectId: role,
      detail: { before: { name: 'Clerk' } },
    });
    const copied = await record({ action: 'organisation.copyRole', subjectKind: 'role', detail: { from: role } });
    const read = async (id: string) => (await caller.get(`${path}/event/${id}`)).data;
    expect((await read(before)).changes).toContainEqual(
      expect.objectContaining({ label: 'Parent department', before: null, after: 'Treasury' }),
    );
    expect(await read(after)).toMatchObject({
      subject: { name: 'Payments' },
      changes: [{ before: 'No longer known', after: 'Finance' }],
    });
    expect((await read(copied)).facts).toMatchObject([{ value: 'Clerk' }]);
    const other = http.signIn(newId());
    const elsewhere = await db.app.withCompany(other.session.companyId, (tx) =>
      audit(tx, {
        actor: { kind: 'system', id: 'test' },
        action: 'organisation.copyRole',
        subjectKind: 'role',
        subjectId: newId(),
        detail: { from: role },
      }),
    );
    expect((await other.get(`${path}/event/${elsewhere}`)).data.facts).toMatchObject([{ value: 'No longer known' }]);
  });

  test('is filtered by person, action, subject, time and keyword, and paged without doubles', async () => {
    const subject = newId();
    const first = await record({}, '2026-01-05T10:00:00Z');
    const second = await record({ action: 'payees.delete', subjectId: subject, detail: { label: 'Zeta' } });
    const third = await record({ actor: { kind: 'system', id: 'identity' }, action: 'identity.signInFailed' });
    await applyMoves();
    expect(await ids(`actor=${ada}`)).toEqual([second, first]);
    expect(await ids('actor=system')).toEqual([third]);
    expect(await ids('action=payees.delete')).toEqual([second]);
    expect(await ids(`subjectKind=payee&subjectId=${subject}`)).toEqual([second]);
    expect(await ids('to=2026-01-05T10:00:00.000Z')).toEqual([]);
    expect(await ids('to=0000-01-01T00:00:00Z')).toEqual([]);
    expect(await ids('from=0000-01-01T00:00:00Z&action=payees.delete')).toEqual([second]);
    expect(await ids('from=2026-01-05T10:00:00.000Z&to=2026-01-05T10:00:00.001Z')).toEqual([first]);
    expect(await ids('keyword=zETA')).toEqual([second]);
    expect(await ids('keyword=sign-in%20failed')).toEqual([third]);
    expect(await ids('keyword=ada%20w')).toEqual([second, first]);
    expect(await ids('keyword=nothing')).toEqual([]);
    for (let i = 0; i < 11; i++) await record();
    const page = (await caller.get(`${path}?size=10`)).data;
    const rest = (await caller.get(`${path}?size=10&cursor=${page.next}`)).data;
    expect(new Set([...page.items, ...rest.items].map((item: { id: string }) => item.id)).size).toBe(14);
    expect(rest.next).toBeNull();
    expect((await caller.get(`${path}?cursor=x`)).key).toBe('cursorInvalid');
  });

  test('shows one event with the checkpoint that covers it, and none of another company', async () => {
    const id = await record();
    expect((await caller.get(`${path}/event/${id}`)).data).toMatchObject({ id, seal: null, checkpoint: null });
    await sealAll();
    expect((await caller.get(`${path}/event/${id}`)).data).toMatchObject({ seal: { seq: 1 }, checkpoint: null });
    await record();
    await sealAll();
    await ask({ companyId, seq: 2 });
    expect((await caller.get(`${path}/event/${id}`)).data).toMatchObject({ seal: { seq: 1 }, checkpoint: { seq: 2 } });
    const stranger = http.signIn(newId());
    expect((await stranger.get(`${path}/event/${id}`)).key).toBe('notFound');
    expect((await stranger.get(path)).data.total).toBe(0);
  });

  test('can be filtered by what it offers', async () => {
    const { data } = await caller.get(`${path}/filters`);
    expect(data.actors).toEqual([
      { id: ada, name: 'Ada Wong' },
      { id: 'operator', name: 'Platform operator' },
      { id: 'system', name: 'System' },
    ]);
    expect(data.actions).toContainEqual({ action: 'payees.add', name: 'Added a payee' });
    expect(data.subjectKinds).toContainEqual({ kind: 'payee', name: 'Payee' });
  });
});

describe('the verifiable export', () => {
  test('of everything holds every event with its own, and verifies', async () => {
    for (let i = 0; i < 3; i++) await record({ detail: { label: `=P${i}`, note: '港" \u2028' } });
    const { response, lines } = await exportLines();
    expect(response.statusCode).toBe(200);
    expect(response.headers['x-total-rows']).toBe('4');
    expect(response.headers['content-disposition']).toMatch(/audit-log-.*\.jsonl/);
    expect(await verify(lines)).toMatchObject({ whole: true, company: companyId, fromSeq: 1, toSeq: 4 });
    const events = lines.map((line) => JSON.parse(line)).filter((line) => line.type === 'event');
    expect(events.at(-1).event).toMatchObject({ action: 'audit.export', actor: { id: caller.session.userId } });
    const changed = lines.map((line) => line.replace('=P1', '=P2'));
    expect(await verify(changed)).toMatchObject({ whole: false, seq: 2 });
  });

  test('of a period is a contiguous part, up to the checkpoint that covers it, over many batches', async () => {
    for (let i = 0; i < 700; i++) await record({}, i < 100 ? '2026-01-01T00:00:00Z' : '2026-02-01T00:00:00Z');
    await applyMoves();
    await sealAll();
    await ask({ companyId, seq: 650 });
    const { lines } = await exportLines('&from=2026-02-01T00:00:00.000Z');
    expect(await verify(lines)).toMatchObject({ whole: true, fromSeq: 101, toSeq: 701 });
    const { lines: older } = await exportLines('&to=2026-02-01T00:00:00.000Z');
    expect(await verify(older)).toMatchObject({ whole: true, fromSeq: 1, toSeq: 650 });
  });

  test('ends at its signature while the company goes on: what is sealed meanwhile is not part of it', async () => {
    await record();
    const exporting = caller.inject({ url: `${path}/export?format=jsonl` });
    await vi.waitFor(async () => expect(await ids('action=audit.export')).toHaveLength(1), waiting);
    await record({ detail: { label: 'meanwhile' } });
    await sealAll();
    await ask({ companyId, seq: 2 });
    const response = await exporting;
    expect(response.statusCode).toBe(200);
    const lines = response.body.split('\n').slice(0, -1);
    expect(await verify(lines)).toMatchObject({ whole: true, fromSeq: 1, toSeq: 2 });
  });

  test('is refused while nothing signs the log, and can be asked for again', async () => {
    const names = { people: async () => people, companyName: async () => 'Harbour', others: async () => new Map() };
    const impatient = await sessionApp(db.app, (app) => registerAuditRoutes(app, { names, signatureWithinMs: 50 }));
    const asking = impatient.signIn(companyId);
    await record();
    const answer = await asking.get(`${path}/export?format=jsonl`);
    expect(answer).toMatchObject({ status: 503, key: 'auditUnsigned' });
    await impatient.close();
    await answerExport();
    expect((await exportLines()).response.statusCode).toBe(200);
  });

  test('refuses filters that would tear links out, and a period of nothing', async () => {
    const refused = await caller.get(`${path}/export?format=jsonl&action=payees.add`);
    expect(refused).toMatchObject({ status: 400, key: 'auditRangeOnly' });
    const { response } = await exportLines('&to=2020-01-01T00:00:00.000Z');
    expect(response.json()).toMatchObject({ key: 'auditNothing' });
  });
});

describe('the CSV', () => {
  test('is the filtered list in the reader’s language, with formulas neutralised, and is recorded', async () => {
    await record({ detail: { label: '=HYPERLINK("x")', limit: { before: '1', after: '2' } } });
    await record({ action: 'payees.delete', detail: { label: 'Acme' } });
    const url = `${path}/export?format=csv&action=payees.add`;
    const response = await caller.inject({ url, headers: { 'accept-language': 'zh-cn' } });
    expect(response.headers['x-total-rows']).toBe('1');
    expect(response.body.startsWith('\ufeff时间（UTC）,操作人')).toBe(true);
    expect(response.body).toContain("'=HYPERLINK");
    expect(response.body).toContain('添加收款人');
    expect(response.body).not.toContain('删除收款人');
    expect(await ids('action=audit.export')).toHaveLength(1);
  });

  test('as CSV keeps the lines of a cell in the cell, and says what is new without what it was not', async () => {
    const detail = { before: { name: 'Ops' }, after: { name: 'Payments' }, reason: 'one\ntwo' };
    await record({ action: 'organisation.editDepartment', subjectKind: 'department', detail });
    const made = { after: { name: 'Treasury', parentId: null } };
    await record({ action: 'organisation.addDepartment', subjectKind: 'department', detail: made });
    const response = await caller.inject({ url: `${path}/export?format=csv&subjectKind=department` });
    const rows: string[][] = parse(response.body, { bom: true });
    expect(rows.map((row) => row.length)).toEqual([12, 12, 12]);
    expect(rows.map((row) => row[7])).toEqual(['Changes', 'Name: Treasury', 'Name: Ops → Payments\nReason: one\ntwo']);
  });
});
