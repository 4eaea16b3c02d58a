import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { createTransport } from 'nodemailer';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { freePort } from './free-port.ts';
import { startPostgres } from './postgres.ts';
import { identify, isProcessIdentity } from './process-identity.ts';
import { PORTS } from './settings.ts';

const PERSON = '0x00000000000000000000000000000000000A11cE';

type Started = { process: ChildProcess; output: () => string };

let dir: string;
let dataDir: string;
let env: NodeJS.ProcessEnv;
const started: Started[] = [];
/** The sandbox that runs when a test begins: one for all, since a first start is most of what these tests cost. */
let run: Started;
let hasTraces = false;
/** `npm run proof` tries every damage and every way to end; `npm test` a part of them. */
const isProof = process.env['PROOF_ROUNDS'] !== undefined;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'causeway-test-'));
  await chmod(dir, 0o711);
  dataDir = join(dir, 'data');
  env = { ...process.env, CAUSEWAY_DATA_DIR: dataDir };
  for (const { variable } of Object.values(PORTS)) env[variable] = String(await freePort());
});

beforeEach(async () => {
  run = started.findLast((one) => isAlive(one) && isReady(one)) ?? (await startUntilReady());
  if (!hasTraces) await leaveTraces();
  hasTraces = true;
});

afterAll(async () => {
  for (const { process } of started.filter(isAlive)) {
    process.kill('SIGTERM');
    await once(process, 'exit');
  }
  await rm(dir, { recursive: true, force: true });
});

function isReady({ output }: Started): boolean {
  return output().includes('Ctrl-C stops everything.');
}

function isAlive({ process }: Started): boolean {
  return process.exitCode === null && process.signalCode === null;
}

function start(): Started {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const begun = { process: child, output: () => output };
  started.push(begun);
  return begun;
}

async function startUntilReady(): Promise<Started> {
  const begun = start();
  await vi.waitFor(() => expect(!isAlive(begun) || isReady(begun), begun.output()).toBe(true), {
    timeout: 180_000,
    interval: 50,
  });
  if (!isAlive(begun)) throw new Error(begun.output());
  return begun;
}

async function startInVain(): Promise<string> {
  const begun = start();
  const [code] = await once(begun.process, 'exit');
  expect(code).toBe(1);
  return begun.output().trim();
}

/** The processes the supervisor and the chain have noted as theirs, as long as they run. */
async function processes(): Promise<number[]> {
  const noted: unknown[] = [
    ...JSON.parse(await readFile(join(dataDir, 'processes.json'), 'utf8')),
    JSON.parse(await readFile(join(dataDir, 'chain', 'anvil.json'), 'utf8')),
  ];
  const running = await Promise.all(
    noted.filter(isProcessIdentity).map(async (one) => ({ one, now: await identify(one.pid) })),
  );
  return running.filter(({ one, now }) => one.startedAt === now?.startedAt).map(({ one }) => one.pid);
}

const desk = (): string => `http://127.0.0.1:${env['CAUSEWAY_PORT_DESK']}`;

async function leaveTraces(): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ coin: 'USDT', address: PERSON, amount: '42' });
  await fetch(`${desk()}/api/faucet`, { method: 'POST', headers, body });
  await fetch(`${desk()}/api/mine`, { method: 'POST', headers, body: JSON.stringify({ blocks: 1 }) });
  const transport = createTransport(`smtp://127.0.0.1:${env['CAUSEWAY_PORT_MAIL']}`);
  await transport.sendMail({ from: 'a@example.com', to: 'trace@example.com', subject: 'trace', text: 'trace' });
  transport.close();
  await query('CREATE TABLE trace AS SELECT 42 AS n');
}

async function expectTraces(): Promise<void> {
  const balance = await fetch(`${desk()}/api/balance?coin=USDT&address=${PERSON}`);
  expect(await balance.json()).toMatchObject({ balance: '42' });
  expect(await (await fetch(`${desk()}/api/mails?to=trace`)).json()).toHaveLength(1);
  expect(await query('SELECT n FROM trace')).toEqual([{ n: 42 }]);
}

async function query(sql: string): Promise<unknown[]> {
  const { DATABASE_OWNER_URL } = parseEnv(await readFile(join(dataDir, 'causeway.env'), 'utf8'));
  const client = new pg.Client({ connectionString: DATABASE_OWNER_URL });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Changes the sandbox's database while the sandbox is down. */
async function changeDatabase(sql: string): Promise<void> {
  const postgres = await startPostgres({ dir: join(dataDir, 'database') });
  const client = new pg.Client({ connectionString: postgres.urlFor('causeway') });
  await client.connect();
  await client.query(sql).finally(() => client.end());
  await postgres.stop();
}

/** Ctrl-C: it ends with 0, and nothing of it goes on. */
async function interrupt(one: Started): Promise<void> {
  const before = await processes();
  expect(before.length).toBeGreaterThan(4);
  one.process.kill('SIGINT');
  const [code] = await once(one.process, 'exit');
  expect(code).toBe(0);
  expect(await Promise.all(before.map(identify))).toEqual(before.map(() => undefined));
}

test.runIf(isProof)(
  'after Ctrl-C, and after kill -9 of everything, the next start finds all data and the same secrets',
  {
    timeout: 480_000,
  },
  async () => {
    let second = run;
    for (const name of ['demo', 'approver', 'viewer']) expect(second.output()).toContain(`${name}@causeway.example / `);
    // What the two operators of the treasury agreed on, once.
    const terms = 'SELECT basis_points FROM causeway.exchange_terms ORDER BY from_usd_cents';
    const agreed = [{ basis_points: 25 }, { basis_points: 15 }];
    expect(await query(terms)).toEqual(agreed);
    const limits = `SELECT asset_id FROM causeway.exchange_limit WHERE asset_id IN ('ETH', 'HKD') AND most_long > 0 ORDER BY asset_id`;
    expect(await query(limits)).toEqual([{ asset_id: 'ETH' }, { asset_id: 'HKD' }]);
    const secrets = await readFile(join(dataDir, 'causeway.env'), 'utf8');
    if (isProof) {
      await interrupt(second);
      second = await startUntilReady();
      await expectTraces();
    }
    const victims = await processes();
    for (const pid of victims) process.kill(pid, 'SIGKILL');
    second.process.kill('SIGKILL');
    await once(second.process, 'exit');

    const third = await startUntilReady();
    await expectTraces();
    if (isProof) {
      third.process.kill('SIGKILL');
      await once(third.process, 'exit');
      // Now its children live on without it: they are ended, and the sandbox starts all the same.
      await startUntilReady();
      await expectTraces();
    }
    expect(await readFile(join(dataDir, 'causeway.env'), 'utf8')).toBe(secrets);
    expect(await query(terms)).toEqual(agreed);
  },
);

test('whatever dies is started again', { timeout: 480_000 }, async () => {
  const before = await processes();
  for (const pid of before) process.kill(pid, 'SIGKILL');
  await vi.waitFor(
    async () => {
      const now = await processes();
      expect(now.filter((pid) => before.includes(pid))).toEqual([]);
      expect(now).toHaveLength(before.length);
      const services = await (await fetch(`${desk()}/api/services`)).json();
      expect(services).not.toContainEqual(expect.objectContaining({ up: false }));
    },
    { timeout: 60_000, interval: 100 },
  );
  await expectTraces();
  expect(run.output()).toMatch(/The worker ended unexpectedly \(SIGKILL\); starting it again\./);
});

test('a second start, a taken port and a damaged database are refused in one sentence', {
  timeout: 480_000,
}, async () => {
  const again = await startInVain();
  expect(again).toMatch(/^A sandbox is already running on .*\(process \d+\).*\.$/);
  expect(again).toContain(dataDir);

  env = { ...env, CAUSEWAY_DATA_DIR: join(dir, 'other') };
  expect(await startInVain()).toMatch(
    /^Port \d+, wanted for .*, is taken by another program: .* CAUSEWAY_PORT_\w+=<port>\.$/,
  );

  env = { ...env, CAUSEWAY_DATA_DIR: dataDir };
  await interrupt(run);
  const journal = join(dataDir, 'chain', 'segment-0.log');
  const whole = await readFile(journal);
  await writeFile(journal, Buffer.concat([Buffer.from('x'), whole.subarray(1)]));
  expect(await startInVain()).toMatch(/^The journal .*segment-0\.log is damaged at byte 0\. .*sandbox:reset.*$/m);
  await writeFile(journal, whole);

  // Anything else would go on with keys and blocks to which the data do not belong.
  const damages: [file: string, content: string | null, said: string][] = [
    ['causeway.env', '', 'The key store .*keystore.json is there, but its passphrase is not in .*causeway.env'],
    ['keystore.json', '{', 'The file .*keystore.json is damaged'],
    ['keystore.json', null, 'The key store .*keystore.json, .*, is missing'],
    ['chain/genesis.json', '{', 'The file .*genesis.json is damaged'],
    ['chain/genesis.json', null, 'The local chain in .* is damaged: its file genesis.json is missing'],
  ];
  for (const [name, content, said] of damages.filter((_, index) => isProof || index === 0)) {
    const file = join(dataDir, name);
    const before = await readFile(file);
    if (content === null) await rm(file);
    else await writeFile(file, content);
    expect(await startInVain()).toMatch(new RegExp(`^${said}.* To start afresh, .*sandbox:reset.*$`, 'm'));
    await writeFile(file, before);
  }

  if (isProof) {
    expect(await readdir(join(dataDir, 'database'))).toContain('cluster');
    const control = join(dataDir, 'database', 'cluster', 'global', 'pg_control');
    const sound = await readFile(control);
    await truncate(control, 10);
    expect(await startInVain()).toMatch(/^The database in .*cluster cannot be started: .*sandbox:reset.*$/m);
    await writeFile(control, sound);
  }

  const first = '(SELECT min(name) FROM causeway_migration.done)';
  await changeDatabase(`UPDATE causeway_migration.done SET sha256 = 'x' || sha256 WHERE name = ${first}`);
  expect(await startInVain()).toMatch(
    /^The database belongs to another version of Causeway: migration 0001_\w+\.sql has changed since it ran\. To start afresh, .*sandbox:reset.*$/m,
  );
  await changeDatabase(`UPDATE causeway_migration.done SET sha256 = substr(sha256, 2) WHERE name = ${first}`);

  if (!isProof) return;
  const listener = createServer();
  const port = Number(env['CAUSEWAY_PORT_MAIL']);
  await new Promise<void>((resolve) => listener.listen(port, '127.0.0.1', resolve));
  expect(await startInVain()).toMatch(
    new RegExp(`^Port ${port}, wanted for the mail inbox, .*CAUSEWAY_PORT_MAIL=<port>\\.$`),
  );
  listener.close();
});
