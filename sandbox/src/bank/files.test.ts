import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import SftpClient from 'ssh2-sftp-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ADDRESS, orderFile } from '../testing/orders.ts';
import { type Bank, startBank } from './bank.ts';
import { atTime } from './calendar.ts';
import { virtualNumber } from './catalogue.ts';
import { BANK_USER, fingerprintOf } from './connections.ts';
import { bookFee, payIn, payInBatch } from './pay-ins.ts';
import { child, children, readXml, textAt, type XmlNode } from './xml-read.ts';

const MONDAY = atTime('2026-11-23', '09:00');
const HKD = '998001000000344';

let bank: Bank;
let clients: SftpClient[] = [];
let machine = MONDAY;

beforeEach(async () => {
  machine = MONDAY;
  bank = await startBank({ machine: () => machine, everyMs: 100 });
});

afterEach(async () => {
  await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  clients = [];
  await bank.stop();
});

/** Signs in as the customer does, with the host key pinned. */
async function connect(changes: { username?: string; privateKey?: string } = {}): Promise<SftpClient> {
  const keys = join(bank.dir, 'keys');
  const pinned = fingerprintOf(await readFile(join(keys, 'host-key.pub'), 'utf8'));
  const client = new SftpClient();
  clients.push(client);
  client.on('error', () => undefined);
  await client.connect({
    host: '127.0.0.1',
    port: bank.sftp.port,
    username: BANK_USER,
    privateKey: await readFile(join(keys, 'client-key'), 'utf8'),
    hostHash: 'sha256',
    hostVerifier: (hash: string) =>
      `SHA256:${Buffer.from(hash, 'hex').toString('base64').replace(/=+$/, '')}` === pinned,
    readyTimeout: 10_000,
    ...changes,
  });
  return client;
}

async function send(client: SftpClient, name: string, content: string): Promise<void> {
  await client.put(Buffer.from(content), `/out/${name}.tmp`);
  await client.rename(`/out/${name}.tmp`, `/out/${name}`);
}

const namesIn = async (client: SftpClient, folder: string): Promise<string[]> =>
  (await client.list(folder))
    .filter(({ type }) => type === '-')
    .map(({ name }) => name)
    .sort();

async function receive(client: SftpClient, name: string): Promise<XmlNode> {
  await expect.poll(() => namesIn(client, '/in')).toContain(name);
  return readXml(String(await client.get(`/in/${name}`)));
}

const arrive = (amount: string) =>
  bank.change((turn) =>
    payIn(turn, {
      bank: 'harbour',
      to: virtualNumber(42),
      currency: 'HKD',
      amount,
      payer: { name: 'Lee & Sons', account: '778899', bic: 'OTHRHKHH' },
      reference: 'RF18539007547034',
      text: 'Invoice 7',
    }),
  );

const statuses = (report: XmlNode) =>
  children(child(report, 'CstmrPmtStsRpt'), 'OrgnlPmtInfAndSts')
    .flatMap((batch) => children(batch, 'TxInfAndSts'))
    .map((one) => [textAt(one, 'OrgnlEndToEndId'), textAt(one, 'TxSts'), textAt(one, 'StsRsnInf', 'Rsn', 'Cd')]);
const groupOf = (report: XmlNode) => child(report, 'CstmrPmtStsRpt', 'OrgnlGrpInfAndSts');
const balance = () => bank.records.get('accounts', HKD)?.balance;

test('a payment file is taken, its payments are booked, and each step is reported', async () => {
  await arrive('1000.00');
  const client = await connect();
  await send(
    client,
    'PAY-1.xml',
    orderFile('MSG-1', [{ endToEndId: 'E2E-1', amount: '250.10', text: 'Rent' }], { sum: '250.1' }),
  );
  expect(statuses(await receive(client, 'pain.002_MSG-1.xml'))).toEqual([['E2E-1', 'ACSP', undefined]]);
  expect(statuses(await receive(client, 'pain.002_MSG-1_2.xml'))).toEqual([['E2E-1', 'ACSC', undefined]]);
  expect(await namesIn(client, '/out')).toEqual([]);
  const booked = bank.records.all('bookings').at(-1);
  const message = await receive(client, `camt.054_${HKD}_2026-11-23_000002.xml`);
  const entry = child(message, 'BkToCstmrDbtCdtNtfctn', 'Ntfctn', 'Ntry');
  expect(textAt(entry, 'Amt')).toBe('250.10');
  expect(textAt(entry, 'CdtDbtInd')).toBe('DBIT');
  expect(textAt(entry, 'AcctSvcrRef')).toBe(booked?.id);
  expect(textAt(entry, 'NtryDtls', 'TxDtls', 'Refs', 'EndToEndId')).toBe('E2E-1');
  expect(textAt(entry, 'NtryDtls', 'TxDtls', 'RmtInf', 'Ustrd')).toBe('Rent');
  expect(balance()).toBe('74990');
  // The bank's files stay until the customer moves them.
  await client.rename('/in/pain.002_MSG-1.xml', '/in/done/pain.002_MSG-1.xml');
  expect(await namesIn(client, '/in/done')).toEqual(['pain.002_MSG-1.xml']);
});

test('money for a virtual account is notified at once with payer, virtual number and reference', async () => {
  await arrive('12.30');
  const client = await connect();
  const message = await receive(client, `camt.054_${HKD}_2026-11-23_000001.xml`);
  const entry = child(message, 'BkToCstmrDbtCdtNtfctn', 'Ntfctn', 'Ntry');
  const details = child(entry, 'NtryDtls', 'TxDtls');
  expect(textAt(child(message, 'BkToCstmrDbtCdtNtfctn', 'Ntfctn', 'Acct'), 'Id', 'Othr', 'Id')).toBe(HKD);
  expect(textAt(details, 'RltdPties', 'CdtrAcct', 'Id', 'Othr', 'Id')).toBe(virtualNumber(42));
  expect(textAt(details, 'RltdPties', 'Dbtr', 'Pty', 'Nm')).toBe('Lee & Sons');
  expect(textAt(details, 'RltdAgts', 'DbtrAgt', 'FinInstnId', 'BICFI')).toBe('OTHRHKHH');
  expect(textAt(details, 'RmtInf', 'Strd', 'CdtrRefInf', 'Ref')).toBe('RF18539007547034');
  expect(textAt(details, 'RmtInf', 'Ustrd')).toBe('Invoice 7');
  expect(child(entry, 'Amt')?.attributes['Ccy']).toBe('HKD');
});

test('each payment that cannot be made is refused with its reason, the others are made', async () => {
  await arrive('100.00');
  await bank.change((turn) => turn.put('payees', '444', { account: '444', name: 'Closed Ltd', state: 'closed' }));
  const client = await connect();
  const uetr = 'eb6305c9-1f7f-49de-aed0-16487c27b42d';
  const cases = [
    { endToEndId: 'GOOD', amount: '10.00', uetr },
    { endToEndId: 'AC01', amount: '1.00', account: 'no account!' },
    { endToEndId: 'AC04', amount: '1.00', account: '444' },
    { endToEndId: 'AM04', amount: '90.01' },
    { endToEndId: 'BE04', amount: '1.00', agent: '<BICFI>OTHRGB2L</BICFI>' },
    { endToEndId: 'ADDRESSED', amount: '1.00', agent: '<BICFI>OTHRGB2L</BICFI>', address: ADDRESS },
    { endToEndId: 'RC01', amount: '1.00', agent: '<BICFI>BANK</BICFI>', address: ADDRESS },
    { endToEndId: 'AM03', amount: '1.00', currency: 'USD' },
    { endToEndId: 'AM12', amount: '1.001' },
    { endToEndId: 'DUPL', amount: '1.00', uetr },
  ];
  await send(client, 'PAY.xml', orderFile('MSG', cases));
  const report = await receive(client, 'pain.002_MSG.xml');
  expect(textAt(groupOf(report), 'GrpSts')).toBe('PART');
  const made = new Set(['GOOD', 'ADDRESSED']);
  expect(statuses(report)).toEqual(
    cases.map(({ endToEndId }) =>
      made.has(endToEndId) ? [endToEndId, 'ACSP', undefined] : [endToEndId, 'RJCT', endToEndId],
    ),
  );
  await receive(client, 'pain.002_MSG_2.xml');
  expect(balance()).toBe('8900');
});

test('a file that is malformed, hostile or does not add up is refused whole', async () => {
  await arrive('100.00');
  const client = await connect();
  const good = orderFile('SUM', [{ endToEndId: 'E', amount: '1.00' }]);
  const cases: [name: string, id: string, content: string, reason: string][] = [
    ['half.xml', 'half', good.slice(0, 400), 'FF01'],
    ['doctype.xml', 'doctype', good.replace('<Document', '<!DOCTYPE x [<!ENTITY a "b">]><Document'), 'FF01'],
    ['other.xml', 'other', '<Document xmlns="urn:other"/>', 'FF01'],
    ['sum.xml', 'SUM', orderFile('SUM', [{ endToEndId: 'E', amount: '1.00' }], { sum: '1.01' }), 'AM10'],
    ['count.xml', 'COUNT', orderFile('COUNT', [{ endToEndId: 'E', amount: '1.00' }], { count: '2' }), 'AM18'],
  ];
  for (const [name, , content] of cases) await send(client, name, content);
  for (const [, id, , reason] of cases) {
    const group = groupOf(await receive(client, `pain.002_${id}.xml`));
    expect([textAt(group, 'OrgnlMsgId'), textAt(group, 'GrpSts'), textAt(group, 'StsRsnInf', 'Rsn', 'Cd')]).toEqual([
      id,
      'RJCT',
      reason,
    ]);
  }
  expect(bank.records.all('payments')).toEqual([]);
  // A file that was refused may be sent again under its id once it is right.
  await send(client, 'sum.xml', good);
  expect(statuses(await receive(client, 'pain.002_SUM_2.xml'))).toEqual([['E', 'ACSP', undefined]]);
});

test('the same message twice is paid once', async () => {
  await arrive('100.00');
  const client = await connect();
  const content = orderFile('TWICE', [{ endToEndId: 'E', amount: '10.00' }]);
  await send(client, 'A.xml', content);
  await receive(client, 'pain.002_TWICE_2.xml');
  await send(client, 'A.xml', content);
  await send(client, 'B.xml', content);
  for (const name of ['pain.002_TWICE_3.xml', 'pain.002_TWICE_4.xml']) {
    const group = groupOf(await receive(client, name));
    expect([textAt(group, 'GrpSts'), textAt(group, 'StsRsnInf', 'Rsn', 'Cd')]).toEqual(['RJCT', 'DUPL']);
  }
  expect(bank.records.all('payments')).toHaveLength(1);
  expect(balance()).toBe('9000');
});

test('the statement of a day opens, lists and closes to the last unit, and the next day opens with it', async () => {
  await arrive('1000.01');
  await bank.change((turn) => bookFee(turn, { bank: 'harbour', currency: 'HKD', amount: '1.50', text: 'Account fee' }));
  const wish = { bank: 'harbour', to: virtualNumber(1), currency: 'HKD', payer: { name: 'A' } } as const;
  await bank.change((turn) =>
    payInBatch(
      turn,
      [
        { ...wish, amount: '1.11' },
        { ...wish, amount: '2.22' },
      ],
      'notification',
    ),
  );
  await bank.pushClock('workingDay');
  await bank.pushClock('workingDay');
  const client = await connect();
  const first = child(await receive(client, `camt.053_${HKD}_2026-11-23_000001.xml`), 'BkToCstmrStmt', 'Stmt');
  const figures = (statement: XmlNode | undefined) =>
    children(statement, 'Bal').map((one) => [textAt(one, 'Tp', 'CdOrPrtry', 'Cd'), textAt(one, 'Amt')]);
  expect(figures(first)).toEqual([
    ['OPBD', '0.00'],
    ['CLBD', '1001.84'],
  ]);
  const entries = children(first, 'Ntry').map((one) => [
    textAt(one, 'Amt'),
    textAt(one, 'CdtDbtInd'),
    children(child(one, 'NtryDtls'), 'TxDtls').length,
  ]);
  expect(entries).toEqual([
    ['1000.01', 'CRDT', 1],
    ['1.50', 'DBIT', 0],
    ['3.33', 'CRDT', 0],
  ]);
  const second = child(await receive(client, `camt.053_${HKD}_2026-11-24_000002.xml`), 'BkToCstmrStmt', 'Stmt');
  expect(figures(second)).toEqual([
    ['OPBD', '1001.84'],
    ['CLBD', '1001.84'],
  ]);
  // The batch's parts were in the notification alone.
  const notified = child(
    await receive(client, `camt.054_${HKD}_2026-11-23_000003.xml`),
    'BkToCstmrDbtCdtNtfctn',
    'Ntfctn',
    'Ntry',
  );
  expect(textAt(notified, 'NtryDtls', 'Btch', 'NbOfTxs')).toBe('2');
  expect(children(child(notified, 'NtryDtls'), 'TxDtls').map((one) => textAt(one, 'Amt'))).toEqual(['1.11', '2.22']);
});

test('a statement is kept back, sent later, sent twice, and half of a file is written', async () => {
  await arrive('1.00');
  await bank.change((turn) =>
    turn.put('settings', 'now', {
      payouts: { mode: 'settle', reason: 'AC04' },
      skipStatements: true,
      webhooks: { url: '', mode: 'on' },
    }),
  );
  await bank.pushClock('workingDay');
  await bank.pushClock('workingDay');
  const client = await connect();
  const kept = `camt.053_${HKD}_2026-11-23_000001.xml`;
  await receive(client, `camt.053_${HKD}_2026-11-24_000002.xml`);
  expect(await namesIn(client, '/in')).not.toContain(kept);
  await bank.files.again(kept, 'same');
  await receive(client, kept);
  const copy = await bank.files.again(kept, 'copy');
  expect(copy).not.toBe(kept);
  expect(String(await client.get(`/in/${copy}`))).toBe(String(await client.get(`/in/${kept}`)));
  await bank.files.again(kept, 'half');
  expect(() => readXml(bank.files.contentOf(kept)?.slice(0, 10) ?? '')).toThrow();
  const half = String(await client.get(`/in/${kept}`));
  expect(half.length).toBe(Math.floor((bank.files.contentOf(kept)?.length ?? 0) / 2));
});

test('only the known key signs in, and a changed host key is noticed', async () => {
  await expect(connect({ username: 'root' })).rejects.toThrow(/authentication/i);
  const other = await readFile(join(bank.dir, 'keys/other-host-key'), 'utf8');
  await expect(connect({ privateKey: other })).rejects.toThrow(/authentication/i);
  const password = new SftpClient();
  password.on('error', () => undefined);
  await expect(
    password.connect({ host: '127.0.0.1', port: bank.sftp.port, username: BANK_USER, password: 'secret' }),
  ).rejects.toThrow(/authentication/i);
  await bank.sftp.change({ hostKey: 'other' });
  await expect(connect()).rejects.toThrow(/host/i);
  await bank.sftp.change({ hostKey: 'usual' });
  expect(await (await connect()).list('/in')).toEqual(expect.any(Array));
});

test('a client writes to /out alone, and nothing outside of the folders exists for it', async () => {
  const client = await connect();
  await expect(client.put(Buffer.from('x'), '/in/x.xml')).rejects.toThrow();
  await expect(client.put(Buffer.from('x'), '/out/../../books/journal-0.log')).rejects.toThrow();
  await expect(client.get('/../keys/host-key')).rejects.toThrow();
  await expect(client.mkdir('/out/deeper')).rejects.toThrow();
  await expect(client.rename('/in/done', '/out/done')).rejects.toThrow();
  expect((await client.list('/')).map(({ name }) => name)).toEqual(['in', 'out']);
});

test('the server goes down, fills up, slows down and loses connections, and recovers', async () => {
  await arrive('1.00');
  const name = `camt.054_${HKD}_2026-11-23_000001.xml`;
  await receive(await connect(), name);
  await bank.sftp.change({ mode: 'down' });
  await expect(connect()).rejects.toThrow(/ECONNREFUSED/);
  await bank.sftp.change({ mode: 'full' });
  // This client says that a file was uploaded also when the server refused to write it: its size tells.
  const full = await connect();
  await full.put(Buffer.from('x'.repeat(99)), '/out/a.tmp').catch(() => undefined);
  expect((await full.stat('/out/a.tmp')).size).toBe(0);
  await bank.sftp.change({ mode: 'cutting' });
  await expect((await connect()).get(`/in/${name}`)).rejects.toThrow();
  await expect((await connect()).put(Buffer.from(orderFile('CUT', [])), '/out/cut.xml.tmp')).rejects.toThrow();
  await bank.sftp.change({ mode: 'slow', delayMs: 50 });
  const startedAt = performance.now();
  expect(String(await (await connect()).get(`/in/${name}`))).toBe(bank.files.contentOf(name));
  expect(performance.now() - startedAt).toBeGreaterThan(100);
  await bank.sftp.change({ mode: 'ok' });
  const client = await connect();
  const half = (await client.list('/out')).find((file) => file.name === 'cut.xml.tmp');
  expect(half?.size).toBe(Math.floor(orderFile('CUT', []).length / 2));
  // What was never renamed is never taken.
  expect(bank.records.all('received')).toEqual([]);
});

/** Payments of the longest file; all of them in `npm run proof`. */
const most = process.env['PROOF_ROUNDS'] === undefined ? 400 : 2_000;

test(`a file of ${most} payments is booked at once and announced in one notification`, async () => {
  await arrive('2000.00');
  const client = await connect();
  const payments = Array.from({ length: most }, (_, index) => ({
    endToEndId: `E-${index}`,
    amount: '0.50',
    uetr: randomUUID(),
  }));
  await send(client, 'MANY.xml', orderFile('MANY', payments, { sum: String(most / 2) }));
  const report = await receive(client, 'pain.002_MANY_2.xml');
  expect(new Set(statuses(report).map(([, status]) => status))).toEqual(new Set(['ACSC']));
  const message = await receive(client, `camt.054_${HKD}_2026-11-23_000002.xml`);
  const entries = children(child(message, 'BkToCstmrDbtCdtNtfctn', 'Ntfctn'), 'Ntry');
  expect(entries.map((entry) => textAt(entry, 'NtryDtls', 'TxDtls', 'Refs', 'EndToEndId'))).toEqual(
    payments.map(({ endToEndId }) => endToEndId),
  );
  expect(balance()).toBe(String(200_000 - most * 50));
});
