import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../../platform/process/log.ts';
import { dayStatement, notification } from '../../../testing/bank-intake.ts';
import { openTestBank } from '../../../testing/banks.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { type TestSftp, testSftp } from '../../../testing/sftp-server.ts';
import { fetchMessages, filesGateway, type OrderFolder, type TransferDesk } from '../index.ts';

/** Files fetched from a real SFTP server: each is stored once, whole, before it is moved. */

const log = createLog('test', 'silent');
let db: TestDatabase;
let bank: TestSftp;
beforeAll(async () => {
  db = await testDatabase();
  await openTestBank(db);
});
afterAll(() => db.close());
beforeEach(async () => {
  bank = await testSftp();
});
afterEach(() => bank.close());

const fetchAll = () => fetchMessages({ database: db.worker, log }, filesGateway(bank.connection));
const write = (name: string, content: string) => writeFileSync(join(bank.folder, 'in', name), content);
const inFolder = (name: string) => readdirSync(join(bank.folder, name)).sort();
async function stored(name: string): Promise<{ state: string; content: string }[]> {
  const { rows } = await db.worker.withoutCompany((tx) =>
    sql<{ state: string; content: Buffer | null }>`
      select m.state, (select string_agg(p.content, ''::bytea order by p.number) from bank_message_part p where p.message_id = m.id) as content
      from bank_message m where m.name = ${name} order by m.id`.execute(tx),
  );
  return rows.map(({ state, content }) => ({ state, content: content?.toString() ?? '' }));
}
async function connection() {
  const { rows } = await db.console.withoutCompany((tx) =>
    sql<{ problem: string | null; detail: string | null }>`select problem, detail from bank_connection_state`.execute(
      tx,
    ),
  );
  return rows[0];
}

test('a file is stored as it is and moved; one that the bank still writes stays', async () => {
  const content = dayStatement([]);
  write('a.xml', content);
  write('b.xml.tmp', content.slice(0, 40));
  expect(await fetchAll()).toBe(1);
  expect(await stored('a.xml')).toEqual([{ state: 'received', content }]);
  expect(inFolder('in')).toEqual(['b.xml.tmp', 'done']);
  expect(inFolder('in/done')).toEqual(['a.xml']);
  expect(await connection()).toEqual({ problem: null, detail: null });
});

test('the same content again is no message, another content under the same name is one', async () => {
  const content = notification([]);
  write('n.xml', content);
  await fetchAll();
  write('n.xml', content);
  expect(await fetchAll()).toBe(0);
  write('n.xml', `${content}\n`);
  expect(await fetchAll()).toBe(1);
  expect(await stored('n.xml')).toHaveLength(2);
  expect(inFolder('in/done')).toEqual(['n.xml', 'n.xml.2', 'n.xml.3']);
});

const long = `${dayStatement([])}${' '.repeat(200_000)}`;

test.each([
  ['break', 'unreachable'],
  ['silence', 'unreachable'],
  ['end', 'brokenOff'],
] as const)('a file whose reading ends half-way (%s) is fetched whole the next time', async (how, problem) => {
  const name = `${how}.xml`;
  const content = long.replace('S-', `S-${how}-`);
  write(name, content);
  bank.failAfter(50_000, how);
  await fetchAll();
  expect(await stored(name)).toEqual([]);
  expect(inFolder('in')).toEqual([name]);
  expect(await connection()).toMatchObject({ problem });
  bank.failAfter(Number.MAX_SAFE_INTEGER, 'end');
  expect(await fetchAll()).toBe(1);
  expect((await stored(name))[0]?.content).toBe(content);
  expect(await connection()).toMatchObject({ problem: null });
});

test('a server with another host key is refused, and nothing is fetched', async () => {
  write('k.xml', dayStatement([]));
  bank.changeHostKey();
  expect(await fetchAll()).toBe(0);
  expect(await connection()).toMatchObject({ problem: 'hostKeyChanged', detail: expect.stringMatching(/^SHA256:/) });
  expect(await stored('k.xml')).toEqual([]);
});

test('a file beyond the limit stays and is reported; the others are fetched', async () => {
  bank.connection.maxFileBytes = 5000;
  write('a-large.xml', long);
  write('b-small.xml', dayStatement([]));
  expect(await fetchAll()).toBe(1);
  expect(inFolder('in')).toEqual(['a-large.xml', 'done']);
  expect(await connection()).toEqual({ problem: 'fileTooLarge', detail: 'a-large.xml' });
});

test('a file that cannot be moved is stored once, and moved when it can be', async () => {
  write('m.xml', dayStatement([]));
  bank.refuseRenames(true);
  await fetchAll();
  expect(await connection()).toMatchObject({ problem: 'notMoved' });
  await fetchAll();
  bank.refuseRenames(false);
  expect(await fetchAll()).toBe(0);
  expect(await stored('m.xml')).toHaveLength(1);
  expect(existsSync(join(bank.folder, 'in/done/m.xml'))).toBe(true);
});

test('an order that the bank does not take holds up nothing that it has for us', async () => {
  write('o.xml', notification([]));
  bank.failNext('writing', 'refused');
  const deliver = async (_: string, orders: OrderFolder | TransferDesk) => {
    if (orders.kind === 'folder') await orders.put('order.xml', Buffer.from('<Document/>'));
  };
  expect(await fetchMessages({ database: db.worker, log, deliver }, filesGateway(bank.connection))).toBe(1);
  expect(await connection()).toMatchObject({
    problem: 'notWritten',
    detail: expect.stringContaining('order.xml'),
  });
});

test('a sign-in that is refused, a folder that is not there, a server that is down', async () => {
  const { connection: known } = bank;
  await fetchMessages({ database: db.worker, log }, filesGateway({ ...known, incoming: '/nowhere' }));
  expect(await connection()).toMatchObject({ problem: 'folderMissing' });
  await fetchMessages({ database: db.worker, log }, filesGateway({ ...known, port: 1 }));
  expect(await connection()).toMatchObject({ problem: 'unreachable' });
  const strange = await testSftp();
  await fetchMessages(
    { database: db.worker, log },
    filesGateway({ ...known, privateKeyFile: strange.connection.privateKeyFile }),
  );
  expect(await connection()).toMatchObject({ problem: 'signInRefused' });
  await strange.close();
});
