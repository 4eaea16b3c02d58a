import { randomInt } from 'node:crypto';
import { type Contest, type Contestant, contest } from './contest.ts';
import { type Decision, makeDecisions, type Side, submitTransfers } from './decision-world.ts';
import { transfer } from './http.ts';
import { Connection } from './http-client.ts';
import { type Party, pickRandom } from './posting-parties.ts';
import type { Line } from './report.ts';
import { startServer } from './server-process.ts';
import { costOf, hashPassword, makeSignIns } from './sign-in-world.ts';
import { closeAll, connections, migrateBefore, type Stage } from './stage.ts';
import { makeReady, type Ready, type Sender, seedSenders } from './transfer-world.ts';

/**
 * How long single calls take over HTTP, each in a contest of its own beside the one-call posting. With another checkout the same calls
 * are made to its server as well, on a database of its own in the same PostgreSQL.
 */

export interface CallSizes {
  rounds: number;
  /** Of a turn; a turn of bulk decisions is twice as long. */
  milliseconds: number;
  /** Decisions that are ready when a turn begins. */
  decisions: number;
  bulkDecisions: number;
  /** Members who sign in and read. */
  members: number;
}

const inFlight = 16;
const bulkSize = 50;

/** One call as the workers of one contestant make it. */
interface Caller {
  prepare?: () => Promise<void>;
  call(connection: Connection): Promise<void>;
}

/** A call that is measured; `on` sets up all that it needs on one side. */
interface Call {
  name: string;
  detail: string;
  on(side: CallSide): Promise<Caller>;
  milliseconds: number;
  warming?: number;
}

interface CallSide extends Side {
  name: 'before' | 'now';
  members: readonly Sender[];
  /** One of each member, pending, in the same order. */
  transferIds: readonly string[];
}

/** Measures the calls on the stage's server and, where `before` names a checkout, on that one's. */
export async function measureCalls(
  stage: Stage,
  oneCall: Party,
  { before, ...sizes }: CallSizes & { before: string | undefined },
): Promise<Line[]> {
  const closing: (() => Promise<void>)[] = [];
  try {
    const sides: CallSide[] = [];
    if (before !== undefined) {
      const database = await migrateBefore(stage, before);
      closing.unshift(() => database.close());
      const server = await startServer(database, before);
      closing.unshift(() => server.stop());
      sides.push(await seedSide('before', { database, server }, sizes));
    }
    const server = await startServer(stage);
    closing.unshift(() => server.stop());
    sides.push(await seedSide('now', { database: stage, server }, sizes));
    const lines: Line[] = [];
    for (const call of callsOf(sizes, await hashPassword())) {
      console.log(`  ${call.name} ...`);
      lines.push(...linesOf(call, await contestCall(stage, oneCall, call, { sides, rounds: sizes.rounds })));
    }
    return lines;
  } finally {
    for (const close of closing) await close();
  }
}

async function seedSide(name: CallSide['name'], side: Side, { members: count }: CallSizes): Promise<CallSide> {
  const members = await seedSenders(side.database, { companies: count, people: 1, reviews: true });
  return { ...side, name, members, transferIds: await submitTransfers(side, members) };
}

function callsOf({ decisions, bulkDecisions, milliseconds }: CallSizes, passwordHash: string): Call[] {
  return [
    {
      name: 'decision on one approval',
      detail: 'the last of its chain',
      on: (side) => deciding(side, { count: decisions, size: 1 }),
      milliseconds,
    },
    {
      name: `decision on ${bulkSize} approvals`,
      detail: 'each the last of its chain',
      on: (side) => deciding(side, { count: bulkDecisions, size: bulkSize }),
      milliseconds: 2 * milliseconds,
      warming: 1,
    },
    {
      name: 'sign-in',
      detail: `password step, argon2id ${costOf(passwordHash)}`,
      on: (side) => signingIn(side, passwordHash),
      milliseconds,
    },
    {
      name: 'transfer-out',
      detail: 'each of another company',
      // A submission takes half the time of a decision.
      on: (side) => sending(side, 2 * decisions),
      milliseconds,
    },
    { name: 'wallet list', detail: '', on: async (side) => reading(side, () => '/web/crypto/wallets'), milliseconds },
    {
      name: 'page of one transaction',
      detail: 'under review',
      on: async (side) => reading(side, (place) => `/web/crypto/transaction/${side.transferIds[place]}`),
      milliseconds,
    },
  ];
}

/** Each decision is of another company; companies whose tasks were decided get new ones before the next turn. */
async function deciding(side: CallSide, { count, size }: { count: number; size: number }): Promise<Caller> {
  let idle = await seedSenders(side.database, { companies: count, people: 1, reviews: true });
  const ready: Decision[] = [];
  return {
    async prepare() {
      ready.push(...(await makeDecisions(side, idle, size)));
      idle = [];
    },
    async call(connection) {
      const next = ready.pop();
      if (!next) throw new Error('more decisions than prepared; raise their number');
      idle.push(next.sender);
      const headers = { ...signedIn(next.sender.approver), ...json, 'idempotency-key': next.key };
      await succeed(connection, 'POST', '/web/trx/risk-approval', headers, next.body);
    },
  };
}

/** Each transfer is of another company; their codes are issued before the turn. */
async function sending({ database, server }: CallSide, companies: number): Promise<Caller> {
  const senders = await seedSenders(database, { companies, people: 1, reviews: false });
  let ready: Ready[] = [];
  return {
    async prepare() {
      ready = await makeReady(database, senders, server.appSecret);
    },
    async call(connection) {
      await transfer(connection, ready.pop());
    },
  };
}

/** Members take turns, so that those who sign in at the same moment are different ones. */
async function signingIn({ database, server, members }: CallSide, hash: string): Promise<Caller> {
  const bodies = await makeSignIns(database, server, { members, hash });
  let calls = 0;
  return {
    async call(connection) {
      const body = bodies[calls++ % bodies.length];
      await succeed(connection, 'POST', '/web/user/login', json, body);
    },
  };
}

/** Random members read; `pathOf` is given the member's place. */
function reading({ members }: CallSide, pathOf: (place: number) => string): Caller {
  return {
    async call(connection) {
      const place = randomInt(members.length);
      await succeed(connection, 'GET', pathOf(place), signedIn(members[place]));
    },
  };
}

const json = { 'content-type': 'application/json' };

function signedIn(member: { token: string } | undefined): Record<string, string> {
  return { authorization: `Bearer ${member?.token}` };
}

/** @throws Error unless the status is 200 */
async function succeed(connection: Connection, ...request: Parameters<Connection['request']>): Promise<void> {
  const { status, body } = await connection.request(...request);
  if (status !== 200) throw new Error(`${request[0]} ${request[1]} returned ${status}: ${body}`);
}

async function contestCall(
  stage: Stage,
  oneCall: Party,
  call: Call,
  { sides, rounds }: { sides: readonly CallSide[]; rounds: number },
): Promise<Contest> {
  const clients = await connections(stage.urlFor(oneCall.role), inFlight);
  const yardstick: Contestant = {
    name: 'one-call',
    operation: async (worker) => {
      const client = clients[worker];
      if (client) await oneCall.post(client, pickRandom);
      return 1;
    },
  };
  const players = [];
  for (const side of sides) players.push(contestantOf(side, await call.on(side), call.warming));
  // As autovacuum does: plans that were made for empty tables would be measured otherwise.
  const settle = async () => {
    for (const { database } of sides) await database.admin.query('vacuum analyze');
  };
  try {
    return await contest([yardstick, ...players], { inFlight, milliseconds: call.milliseconds }, rounds, settle);
  } finally {
    for (const player of players) player.close();
    await closeAll(clients);
  }
}

/** Opens its connections before each turn, because a server closes those that were idle during the turns of others. */
function contestantOf(side: CallSide, caller: Caller, warming?: number): Contestant & { close(): void } {
  let own: Connection[] = [];
  const close = () => {
    for (const connection of own) connection.close();
  };
  return {
    name: side.name,
    ...(warming === undefined ? {} : { warming }),
    close,
    async prepare() {
      await caller.prepare?.();
      close();
      own = await Promise.all(Array.from({ length: inFlight }, () => Connection.open(side.server.port)));
    },
    async operation(worker) {
      const connection = own[worker];
      if (connection) await caller.call(connection);
      return 1;
    },
  };
}

function linesOf(call: Call, result: Contest): Line[] {
  return (['p50', 'p99'] as const).flatMap((figure) => {
    const of = (name: string) => result.of(name)[figure];
    const what = `${call.name}, ${inFlight} in flight, ${figure}`;
    const detail = [call.detail, `one-call ${of('one-call').toFixed(1)} ms`, ...failuresOf(result)].filter(Boolean);
    const line = { what, goal: null, figure: of('now'), unit: 'ms', detail: detail.join(', ') };
    if (!result.standings.some(({ name }) => name === 'before')) return [line];
    const both = `before ${of('before').toFixed(1)}, now ${of('now').toFixed(1)} ms`;
    return [line, { ...line, figure: result.ratio('now', 'before', figure), unit: '× before', detail: both }];
  });
}

function failuresOf({ standings }: Contest): string[] {
  return standings.flatMap(({ name, rounds }) => {
    const failures = rounds.reduce((sum, round) => sum + round.failures, 0);
    return failures > 0 ? [`${failures} calls of ${name} failed`] : [];
  });
}
