import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startBank } from './bank.ts';
import { atTime } from './calendar.ts';
import { virtualNumber } from './catalogue.ts';
import { ensureBankSecrets, fingerprintOf, writeBankConnections } from './connections.ts';
import { payIn } from './pay-ins.ts';

let dir = '';

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'causeway-bank-restart-'));
});

afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

/** A bank of its own process that pays in one cent after another and prints each reference when it is acknowledged. */
function payingProcess(): ChildProcess {
  const program = `
    const { startBank } = await import(${JSON.stringify(new URL('./bank.ts', import.meta.url).href)});
    const { payIn } = await import(${JSON.stringify(new URL('./pay-ins.ts', import.meta.url).href)});
    const bank = await startBank({ dir: ${JSON.stringify(dir)}, everyMs: 5 });
    const wish = { bank: 'harbour', to: '${virtualNumber(3)}', currency: 'HKD', amount: '0.01', payer: { name: 'A' } };
    for (;;) console.log((await bank.change((turn) => payIn(turn, wish))).id);
  `;
  return spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function killAfter(count: number): Promise<string[]> {
  const child = payingProcess();
  let printed = '';
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.stdout?.on('data', (chunk) => {
    printed += String(chunk);
    if (printed.split('\n').length > count) child.kill('SIGKILL');
  });
  await ended;
  return printed.split('\n').filter((line) => /^HB\d{16}$/.test(line));
}

test('a bank that is killed has everything it acknowledged, and each notification once', async () => {
  const acknowledged: string[] = [];
  for (let round = 0; round < 3; round += 1) acknowledged.push(...(await killAfter(5 + round * 4)));
  const bank = await startBank({ dir });
  const bookings = bank.records.all('bookings');
  await bank.stop();
  expect(acknowledged.length).toBeGreaterThan(15);
  expect(bookings.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
  expect(bank.records.get('accounts', '998001000000344')?.balance).toBe(String(bookings.length));
  const written = await readdir(join(dir, 'sftp/in'));
  expect(written.filter((name) => name.startsWith('camt.054_')).sort()).toEqual(
    bank.records
      .all('files')
      .filter(({ content }) => content.kind === 'notification')
      .map(({ name }) => name)
      .sort(),
  );
});

test('a bank that was away for days closes each of them when it comes back, and keeps its clock', async () => {
  let machine = atTime('2026-11-25', '22:00');
  const options = { dir, machine: () => machine };
  const before = await startBank(options);
  await before.change((turn) =>
    payIn(turn, { bank: 'harbour', to: virtualNumber(3), currency: 'HKD', amount: '5', payer: { name: 'A' } }),
  );
  expect(before.now()).toBe(atTime('2026-11-25', '09:00'));
  await before.pushClock('day');
  expect(before.now()).toBe(atTime('2026-11-26', '09:00'));
  await before.stop();
  machine += 5 * 86_400_000;
  const after = await startBank(options);
  expect(after.now()).toBe(atTime('2026-12-01', '09:00'));
  const days = after.records.all('statements').filter(({ account }) => account === '998001000000344');
  await after.stop();
  expect(days.map(({ date, closing }) => [date, closing])).toEqual(
    ['2026-11-25', '2026-11-26', '2026-11-27', '2026-11-30'].map((date) => [date, '500']),
  );
});

test('keys and secrets are made once, and the list of connections names them', async () => {
  const keys = join(dir, 'keys');
  const made = await ensureBankSecrets(keys);
  await writeBankConnections(keys, join(dir, 'bank-connections.json'), { files: 1022, http: 1081 });
  expect(await ensureBankSecrets(keys)).toEqual(made);
  const [files, http] = JSON.parse(await readFile(join(dir, 'bank-connections.json'), 'utf8'));
  expect(files).toMatchObject({ bank: 'harbour', kind: 'files', port: 1022, outgoing: '/out', incoming: '/in' });
  expect(files.hostKeyFingerprint).toBe(fingerprintOf(made.hostPublicKey));
  expect(await readFile(files.privateKeyFile, 'utf8')).toContain('OPENSSH PRIVATE KEY');
  expect(http).toMatchObject({
    bank: 'meridian',
    kind: 'http',
    url: 'http://127.0.0.1:1081',
    clientId: 'sandbox-causeway',
  });
  expect((await readFile(http.apiKeyFile, 'utf8')).trim()).toBe(made.apiKey);
  expect((await readFile(http.webhookSecretFile, 'utf8')).trim()).toBe(made.webhookSecret);
});
