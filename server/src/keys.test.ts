import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { configSchemas, readConfig } from './platform/config/config.ts';
import { variableHelp } from './platform/config/config-examples.ts';
import { createOpenSeal, createSeal, openSealsOf } from './platform/crypto/seal.ts';

const directory = mkdtempSync(join(tmpdir(), 'causeway-keys-'));
afterAll(() => rmSync(directory, { recursive: true }));
const folder = join(directory, 'etc');
const program = join(import.meta.dirname, 'keys.ts');
const addresses = [
  '--database',
  'postgres://db.internal:5432/causeway?sslmode=verify-full',
  '--public-url',
  'https://c.example.com',
];
const create = (into: string, options: readonly string[] = addresses) =>
  spawnSync(process.execPath, [program, 'create', into, ...options], { encoding: 'utf8' });
const processes = ['migrate', 'main', 'worker', 'signer', 'operator', 'operatorMain'] as const;
const fileOf = (name: (typeof processes)[number]) => (name === 'operatorMain' ? 'operator-main.env' : `${name}.env`);

function readFilled(name: (typeof processes)[number]): Record<string, string | undefined> {
  const env = parseEnv(readFileSync(join(folder, fileOf(name)), 'utf8'));
  const filled = Object.entries(env).map(([key, value]) => [
    key,
    value === 'FILL_IN' ? variableHelp[key]?.example : value,
  ]);
  return Object.fromEntries(filled);
}

test('keys create writes a file for each process that its schema accepts, closed to others', () => {
  const { status, stdout, stderr } = create(folder);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toMatch(/replace every FILL_IN in .*worker\.env/);
  expect(readdirSync(folder).sort()).toEqual([...processes.map(fileOf), 'database.sql'].sort());
  for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777, file).toBe(0o600);
  for (const name of processes) expect(() => readConfig(configSchemas[name], readFilled(name)), name).not.toThrow();
});

test('each secret is where it is needed and nowhere else, and the halves of a key belong together', () => {
  const holders = (variable: string) => processes.filter((name) => readFilled(name)[variable] !== undefined);
  expect(holders('AUTHORISATION_KEY')).toEqual(['main']);
  // The worker holds it for the orders it sends to banks.
  expect(holders('AUTHORISATION_PUBLIC_KEY')).toEqual(['worker', 'signer']);
  expect(holders('PASSWORD_KEY')).toEqual(['main']);
  expect(holders('APP_SECRET')).toEqual(['main']);
  expect(holders('MAIL_SECRET')).toEqual(['main', 'worker']);
  expect(holders('WEBHOOK_SECRET')).toEqual(['main', 'worker']);
  expect(holders('KEYSTORE_PASSPHRASE')).toEqual(['signer']);
  // The operator's process shares no secret with the companies' process.
  expect(holders('OPERATOR_SECRET')).toEqual(['operatorMain']);
  expect(holders('OPERATOR_PASSWORD_KEY')).toEqual(['operatorMain']);
  expect(holders('OPERATOR_AUTHORISATION_KEY')).toEqual(['operatorMain']);
  expect(holders('OPERATOR_AUTHORISATION_PUBLIC_KEY')).toEqual(['signer']);
  expect(holders('OPERATOR_MAIL_SECRET')).toEqual(['worker', 'operatorMain']);
  expect(readFilled('worker')['OPERATOR_MAIL_SECRET']).toBe(readFilled('operatorMain')['OPERATOR_MAIL_SECRET']);
  const values = (name: (typeof processes)[number]) =>
    Object.entries(readFilled(name)).flatMap(([key, value]) => (/SECRET|_KEY/.test(key) ? [value] : []));
  expect(values('operatorMain').filter((value) => values('main').includes(value))).toEqual([]);
  expect(holders('DATABASE_OWNER_URL')).toEqual(['migrate']);
  for (const shared of ['MAIL_SECRET', 'WEBHOOK_SECRET']) {
    expect(readFilled('main')[shared], shared).toBe(readFilled('worker')[shared]);
  }
  const passwords = Object.entries(readFilled('migrate')).flatMap(([key, value]) =>
    key.startsWith('DATABASE_') ? [new URL(value ?? '').password] : [],
  );
  expect(new Set(passwords).size).toBe(6);
  expect(readFilled('migrate')['DATABASE_APP_URL']).toBe(readFilled('main')['DATABASE_APP_URL']);
  const main = readConfig(configSchemas.main, readFilled('main'));
  const signer = readConfig(configSchemas.signer, readFilled('signer'));
  const seal = createSeal(main.AUTHORISATION_KEY)('causeway-transfer', { amount: '1' });
  expect(createOpenSeal(signer.AUTHORISATION_PUBLIC_KEY)('causeway-transfer', seal)).toEqual({ amount: '1' });
  const operatorMain = readConfig(configSchemas.operatorMain, readFilled('operatorMain'));
  const open = openSealsOf({
    companies: [signer.AUTHORISATION_PUBLIC_KEY],
    operator: [signer.OPERATOR_AUTHORISATION_PUBLIC_KEY ?? {}],
  });
  const fees = createSeal(operatorMain.OPERATOR_AUTHORISATION_KEY);
  expect(open('causeway-fees', fees('causeway-fees', { amount: '1' }))).toEqual({ amount: '1' });
  expect(open('causeway-replacement', fees('causeway-replacement', { nonce: 1 }))).toEqual({ nonce: 1 });
  const byMain = createSeal(main.AUTHORISATION_KEY)('causeway-replacement', { nonce: 1 });
  expect(open('causeway-replacement', byMain)).toBeNull();
  // The operator's process seals nothing of a company's, and main no collection of fees.
  expect(open('causeway-transfer', fees('causeway-transfer', { amount: '1' }))).toBeNull();
  expect(open('causeway-fees', createSeal(main.AUTHORISATION_KEY)('causeway-fees', { amount: '1' }))).toBeNull();
});

test('it never overwrites, and writes nothing when one file exists or an option is wrong', () => {
  const before = readFileSync(join(folder, 'main.env'), 'utf8');
  const again = create(folder);
  expect(again.status).toBe(1);
  expect(again.stderr).toMatch(/exists already; keys are never overwritten/);
  expect(readFileSync(join(folder, 'main.env'), 'utf8')).toBe(before);

  const half = join(directory, 'half');
  mkdirSync(half);
  writeFileSync(join(half, 'signer.env'), 'mine');
  expect(create(half).status).toBe(1);
  expect(readdirSync(half)).toEqual(['signer.env']);

  const wrong = create(join(directory, 'wrong'), [
    '--database',
    'db.internal',
    '--public-url',
    'https://c.example.com',
  ]);
  expect(wrong.status).toBe(1);
  expect(wrong.stderr).toMatch(/^--database is not such an address\.\nUsage:/);
});

test('single keys for a rotation come in the form of the configuration', () => {
  const print = (kind: string) =>
    parseEnv(execFileSync(process.execPath, [program, 'new', kind], { encoding: 'utf8' }));
  const env = { ...readFilled('main'), ...readFilled('signer'), ...print('authorisation'), ...print('password') };
  const main = readConfig(configSchemas.main, env);
  const signer = readConfig(configSchemas.signer, env);
  expect(main.AUTHORISATION_KEY['kid']).toBe(signer.AUTHORISATION_PUBLIC_KEY['kid']);
  expect(main.PASSWORD_KEY['n']).not.toBe(readConfig(configSchemas.main, readFilled('main')).PASSWORD_KEY['n']);
});
