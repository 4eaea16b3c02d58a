import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBanks } from './platform/config/banks.ts';
import { readChains } from './platform/config/chains.ts';
import { configSchemas } from './platform/config/config.ts';

/** The install kit names programs, variables, users and paths of the product: here they are compared with it. */

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const units = readdirSync(join(root, 'deploy/systemd')).filter((file) => file.endsWith('.service'));

test.each(units)(
  '%s runs a program that exists, as a user that sysusers makes, with the file that keys create writes',
  (unit) => {
    const text = read(`deploy/systemd/${unit}`);
    const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';
    const program = /server\/src\/([\w-]+)\.ts$/.exec(value('ExecStart'))?.[1] ?? '';
    expect(readdirSync(join(root, 'server/src'))).toContain(`${program}.ts`);
    expect(value('EnvironmentFile')).toBe(`/etc/causeway/${program}.env`);
    expect(value('User')).toBe(`causeway-${program}`);
    const sysusers = read('deploy/systemd/sysusers.conf');
    expect(sysusers).toMatch(new RegExp(`^u ${value('User')} `, 'm'));
    for (const group of value('SupplementaryGroups').split(' ').filter(Boolean)) {
      expect(sysusers).toMatch(new RegExp(`^m ${value('User')} +${group}$`, 'm'));
    }
  },
);

test('the example of CHAINS_FILE is a list of chains', () => {
  expect(readChains(join(root, 'deploy/chains.json')).map(({ id }) => id)).toEqual(['ethereum']);
});

test('the example of BANK_REGISTRY_FILE is a list of banks', () => {
  expect(readBanks(join(root, 'deploy/banks.json')).map(({ id }) => id)).toEqual(['first']);
});

test('OPERATIONS and the example environment name every variable', () => {
  const names = new Set(Object.values(configSchemas).flatMap((schema) => Object.keys(schema.shape)));
  const [operations, example] = [read('docs/OPERATIONS.md'), read('docs/causeway.env.example')];
  const isIn = (text: string, name: string) =>
    text.includes(name) || (/^DATABASE_\w+_URL$/.test(name) && text.includes(`_${name.split('_')[1]}_`));
  expect([...names].filter((name) => !isIn(operations, name))).toEqual([]);
  // The new file and passphrase of a rewrapped key store belong to one command, not to a process.
  const ofProcesses = [...names].filter((name) => !name.startsWith('KEYSTORE_NEW_'));
  expect(ofProcesses.filter((name) => !isIn(example, name))).toEqual([]);
});

test('the causeway command is a shell script that refuses what it does not know', () => {
  execFileSync('sh', ['-n', join(root, 'deploy/causeway')]);
  const programs = [...read('deploy/causeway').matchAll(/server\/src\/([\w-]+)\.ts/g)].map(([, name]) => `${name}.ts`);
  expect(readdirSync(join(root, 'server/src'))).toEqual(expect.arrayContaining(programs));
});
