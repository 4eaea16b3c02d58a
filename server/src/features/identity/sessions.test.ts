import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newToken, sha256 } from '../../platform/crypto/secrets.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Session } from '../../platform/session.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { authenticateWith } from './service/session.ts';

/** Sessions of several requests, looked up together. */

let db: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  db = await testDatabase();
  owner = new pg.Client({ connectionString: db.superuserUrl });
  await owner.connect();
  // Companies of these tests have no rows of their own.
  await owner.query('set session_replication_role = replica; set search_path = causeway');
  for (const kind of kinds) await insertSession(kind);
});
afterAll(async () => {
  await owner.end();
  await db.close();
});

/** Whether it holds, and whether an active call moves its idle minutes on. */
interface Kind {
  name: string;
  token: string;
  idle?: string;
  expires?: string;
  ended?: boolean;
  disabled?: boolean;
  role?: 'active' | 'inactive';
  holds: boolean;
  isDue: boolean;
}

const kind = (name: string, [holds, isDue]: [boolean, boolean], rest: Partial<Kind> = {}): Kind => ({
  name,
  token: newToken(),
  holds,
  isDue,
  ...rest,
});
const kinds = [
  kind('fresh', [true, false]),
  kind('fresh of a custom role', [true, false], { role: 'active' }),
  kind('quiet for a minute', [true, true], { idle: '1 minute' }),
  kind('quiet for 14 minutes, of a role that was switched off', [true, true], { idle: '14 minutes', role: 'inactive' }),
  // As late as the page may report: 15 minutes after a movement that came just after a report.
  kind('quiet for 15 minutes and the time between reports', [true, true], { idle: '16 minutes 58 seconds' }),
  kind('idle', [false, false], { idle: '17 minutes' }),
  kind('expired', [false, false], { idle: '1 minute', expires: '-1 second' }),
  kind('ended', [false, false], { idle: '1 minute', ended: true }),
  kind('of a disabled member', [false, false], { idle: '1 minute', disabled: true }),
];
const unknown = newToken();

async function insertSession({ name, token, idle = '0', expires = '1 hour', ended, disabled, role }: Kind) {
  const [companyId, userId, roleId] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  await owner.query(
    `insert into member (company_id, id, identifier, email, language, first_name, last_name, role_id, disabled_at)
    values ($1, $2, $3, 'a@example.com', 'en_US', $3, '', $4, case when $5 then now() end)`,
    [companyId, userId, name, role ? roleId : '00000000-0000-7000-8000-000000000002', disabled ?? false],
  );
  if (role) {
    await owner.query(
      `insert into role (company_id, id, name, permissions, active) values ($1, $2, 'Own', array['setting.manage'], $3)`,
      [companyId, roleId, role === 'active'],
    );
  }
  await owner.query(
    `insert into session (company_id, id, user_id, token_sha256, last_active_at, expires_at, ended_at, ip, user_agent)
    values ($1, gen_random_uuid(), $2, $3, now() - $4::interval, now() + $5::interval, case when $6 then now() end, '', '')`,
    [companyId, userId, sha256(token), idle, expires, ended ?? false],
  );
}

/** Runs `work` and counts its statements on the pool. */
async function counting<T>(work: (database: Database) => Promise<T>): Promise<{ answer: T; statements: number }> {
  let statements = 0;
  const pool = new Proxy(db.app.pool, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name);
      return (query: pg.QueryConfig) => {
        statements += 1;
        return target.query(query);
      };
    },
  });
  return { answer: await work({ ...db.app, pool }), statements };
}

type Ask = { token: string; active: boolean };

async function activeSince(): Promise<number[]> {
  const tokens = kinds.map(({ token }) => sha256(token));
  const { rows } = await owner.query<{ seconds: number }>(
    `select extract(epoch from now() - s.last_active_at)::integer as seconds
    from unnest($1::bytea[]) with ordinality as r (token, place) join session s on s.token_sha256 = r.token order by place`,
    [tokens],
  );
  return rows.map(({ seconds }) => seconds);
}

/** Puts every session's idle minutes back, asks, and gives the sessions and which of them were moved on. */
async function asking(work: (authenticate: (ask: Ask) => Promise<Session | null>) => Promise<(Session | null)[]>) {
  for (const { token, idle = '0' } of kinds) {
    await owner.query('update session set last_active_at = now() - $2::interval where token_sha256 = $1', [
      sha256(token),
      idle,
    ]);
  }
  const { answer, statements } = await counting((database) => {
    const authenticate = authenticateWith(database);
    return work(({ token, active }) => authenticate(token, active));
  });
  const seconds = await activeSince();
  const moved = kinds.flatMap(({ name, idle }, place) =>
    idle !== undefined && (seconds[place] ?? 0) < 30 ? [name] : [],
  );
  return { sessions: answer, statements, moved };
}

test('requests that wait are answered by one statement as each would be alone', async () => {
  const ask = fc.record({
    token: fc.constantFrom(...kinds.map(({ token }) => token), unknown),
    active: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(ask, { minLength: 1, maxLength: 20 }), async (asks) => {
      const together = await asking((authenticate) => Promise.all(asks.map(authenticate)));
      const alone = await asking(async (authenticate) => {
        const sessions = [];
        for (const one of asks) sessions.push(await authenticate(one));
        return sessions;
      });
      expect([together.statements, alone.statements]).toEqual([1, asks.length]);
      expect(together.sessions).toEqual(alone.sessions);
      expect(together.moved).toEqual(alone.moved);
      const kindOf = ({ token }: Ask) => kinds.find((one) => one.token === token);
      expect(together.sessions.map((session) => session?.userName.trim() ?? null)).toEqual(
        asks.map((one) => (kindOf(one)?.holds ? kindOf(one)?.name : null)),
      );
      const due = kinds.filter((one) => one.isDue && asks.some(({ token, active }) => active && token === one.token));
      expect(together.moved).toEqual(due.map(({ name }) => name));
    }),
    { numRuns: 40 },
  );
});

test('a role gives its permissions while it is on', async () => {
  const { sessions } = await asking((authenticate) =>
    Promise.all(kinds.map(({ token }) => authenticate({ token, active: false }))),
  );
  const has = kinds.map((one, place) => [one.name, sessions[place]?.permissions.includes('setting.manage')]);
  expect(Object.fromEntries(has)).toMatchObject({
    'fresh of a custom role': true,
    'quiet for 14 minutes, of a role that was switched off': false,
  });
});

test('a thousand requests at once are few statements, and all are answered', async () => {
  const { sessions, statements } = await asking((authenticate) =>
    Promise.all(
      Array.from({ length: 1000 }, (_, i) =>
        authenticate({ token: kinds[i % kinds.length]?.token ?? '', active: true }),
      ),
    ),
  );
  expect(sessions.filter((session) => session !== null)).toHaveLength(
    Math.round((1000 * kinds.filter(({ holds }) => holds).length) / kinds.length),
  );
  expect(statements).toBe(Math.ceil(1000 / 64));
});

test('an active call does not wait for a session that another transaction holds', async () => {
  const [fresh, held] = [kinds[0], kinds[2]];
  await asking(async () => []);
  await owner.query('begin');
  await owner.query('select from session where token_sha256 = $1 for update', [sha256(held?.token ?? '')]);
  const authenticate = authenticateWith(db.app);
  const sessions = await Promise.all([fresh, held].map((one) => authenticate(one?.token ?? '', true)));
  await owner.query('rollback');
  expect(sessions.map((session) => session?.userName.trim())).toEqual([fresh?.name, held?.name]);
});

test('when the database fails, every request of the group fails, and the next ones are answered', async () => {
  let isDown = true;
  const pool = new Proxy(db.app.pool, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name);
      return (query: pg.QueryConfig) => (isDown ? Promise.reject(new Error('down')) : target.query(query));
    },
  });
  const authenticate = authenticateWith({ ...db.app, pool });
  const token = kinds[0]?.token ?? '';
  const failed = await Promise.allSettled([authenticate(token, true), authenticate(unknown, true)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isDown = false;
  expect(await authenticate(token, true)).not.toBeNull();
});
