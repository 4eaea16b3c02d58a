import type { AddressInfo } from 'node:net';
import { type SystemRole, systemRoleIds } from '@causeway/contract/permission.ts';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { LiveHub, startLive } from './live.ts';
import { streamLimits } from './live-stream.ts';

/** Streams of a real server over real connections: they end with their session, and there are only so many. */

let db: TestDatabase;
let world: MainApp;
let tenant: Tenant;
let base: string;
let live: { stop(): Promise<void> };
let owner: pg.Client;
beforeAll(async () => {
  db = await testDatabase();
  const hub = new LiveHub();
  world = await mainApp(db, undefined, { hub });
  tenant = await world.company();
  await world.app.listen({ host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(world.app.server.address() as AddressInfo).port}`;
  live = startLive(db.urlFor('causeway_app'), hub, pino({ level: 'silent' }));
  owner = new pg.Client({ connectionString: db.superuserUrl });
  await owner.connect();
  await vi.waitFor(
    async () => {
      const { rows } = await owner.query(
        `select 1 from pg_stat_activity where application_name = 'causeway-live' and query = 'listen causeway_session'`,
      );
      expect(rows).toHaveLength(1);
    },
    { timeout: 20_000 },
  );
});
afterAll(async () => {
  await live.stop();
  await owner.end();
  await world.close();
  await db.close();
});

/** An open stream; `ended` becomes the milliseconds since the epoch at which the server closed it. */
interface Open {
  ended: number | null;
}

async function open({ token }: Member): Promise<Open> {
  const response = await fetch(`${base}/web/events`, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  const stream: Open = { ended: null };
  const reader = response.body?.getReader();
  // The first bytes: from here on the server knows the stream.
  await reader?.read();
  const follow = async () => {
    while (!(await reader?.read())?.done);
  };
  void follow().finally(() => {
    stream.ended = Date.now();
  });
  return stream;
}

async function expectEndWithin(stream: Open, since: number, ms: number): Promise<void> {
  await vi.waitFor(() => expect(stream.ended).not.toBeNull(), { timeout: 20_000, interval: 5 });
  expect((stream.ended ?? 0) - since).toBeLessThan(ms);
}

/** A machine may be busy with something else for a while; a stream that lasts too long does so each time. */
const busy = { retry: 2 };

describe('a stream ends within a second', busy, () => {
  let member: Member;
  let stream: Open;
  beforeEach(async () => {
    member = await world.member(tenant, 'viewer');
    stream = await open(member);
  });

  const inCompany = (statement: string) => owner.query(statement, [member.session.userId]);

  test.each([
    ['its session is ended', 'update causeway.session set ended_at = now() where user_id = $1'],
    ['its member is disabled', 'update causeway.member set disabled_at = now() where id = $1'],
    ['its member has another role', `update causeway.member set role_id = '${roleId('finance')}' where id = $1`],
  ])('of the moment in which %s; a colleague’s goes on', async (_what, statement) => {
    const colleague = await open(await world.member(tenant, 'viewer'));
    await inCompany(statement);
    await expectEndWithin(stream, Date.now(), 1000);
    expect(colleague.ended).toBeNull();
  });

  test('of signing out, through the call', async () => {
    await world.app.inject({
      method: 'POST',
      url: '/web/user/logout',
      headers: { authorization: `Bearer ${member.token}` },
    });
    await expectEndWithin(stream, Date.now(), 1000);
  });
});

test(
  'a stream ends within a second of the moment in which its session runs out, and activity puts that off',
  busy,
  async () => {
    const member = await world.member(tenant, 'viewer');
    const setIdle = (left: string) =>
      owner.query(
        `update causeway.session set last_active_at = now() - interval '17 minutes' + $2::interval where user_id = $1`,
        [member.session.userId, left],
      );
    await setIdle('700 milliseconds');
    const since = Date.now();
    const kept = await open(member);
    await setIdle('2500 milliseconds');
    await vi.waitFor(() => expect(kept.ended).not.toBeNull(), { timeout: 20_000, interval: 5 });
    const lasted = (kept.ended ?? 0) - since;
    expect(lasted).toBeGreaterThan(2000);
    expect(lasted).toBeLessThan(4000);
  },
);

test('one stream too many of a session ends the oldest', async () => {
  const member = await world.member(tenant, 'viewer');
  const streams: Open[] = [];
  for (let i = 0; i < streamLimits.session; i++) streams.push(await open(member));
  expect(streams.every(({ ended }) => ended === null)).toBe(true);
  streams.push(await open(member));
  await vi.waitFor(() => expect(streams[0]?.ended).not.toBeNull(), { timeout: 20_000 });
  expect(streams.slice(1).every(({ ended }) => ended === null)).toBe(true);
});

test('a member’s sessions share a limit; another member’s streams are not touched', async () => {
  const member = await world.member(tenant, 'viewer');
  const colleague = await open(await world.member(tenant, 'viewer'));
  const streams: Open[] = [];
  const perSession = streamLimits.session;
  for (let i = 0; i <= streamLimits.member / perSession; i++) {
    const as = i === 0 ? member : await anotherSession(member);
    for (let j = 0; j < perSession; j++) streams.push(await open(as));
  }
  const surplus = streams.length - streamLimits.member;
  await vi.waitFor(() => expect(streams.slice(0, surplus).every(({ ended }) => ended !== null)).toBe(true), {
    timeout: 20_000,
  });
  expect(streams.slice(surplus).every(({ ended }) => ended === null)).toBe(true);
  expect(colleague.ended).toBeNull();
});

async function anotherSession(member: Member): Promise<Member> {
  const { newToken, sha256 } = await import('../crypto/secrets.ts');
  const token = newToken();
  await owner.query(
    `insert into causeway.session (company_id, id, user_id, token_sha256, expires_at, ip, user_agent)
     values ($1, gen_random_uuid(), $2, $3, now() + interval '1 day', '127.0.0.1', '')`,
    [member.session.companyId, member.session.userId, sha256(token)],
  );
  return { ...member, token };
}

function roleId(role: SystemRole): string {
  return systemRoleIds[role];
}
