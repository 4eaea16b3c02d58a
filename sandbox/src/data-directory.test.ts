import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explainDirectory, takeDataDirectory } from './data-directory.ts';
import { SandboxFailure } from './failure.ts';
import { readSettings } from './settings.ts';

const root = join(import.meta.dirname, '../..');
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'causeway-data-'));
  await writeFile(join(dir, 'file'), '');
  await symlink(join(dir, 'circle'), join(dir, 'circle'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** What a person sees at `npm start`: the whole output of a start that fails. */
function startInVain(dataDir: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { ...process.env, CAUSEWAY_DATA_DIR: dataDir },
    encoding: 'utf8',
    // A process that loops inside a system call takes no other signal.
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  expect(status, `${stdout}${stderr}`).toBe(1);
  return `${stdout}${stderr}`.trim();
}

test.each([
  ['/proc/x', 'its file system takes no directories'],
  ['/proc/x/y', 'its file system takes no directories'],
  ['file', 'a file of that name is in the way'],
  ['file/below', 'a file of that name is in the way'],
  ['circle', 'its symbolic links lead in a circle'],
  ['n'.repeat(300), 'its path is too long'],
])('a data directory %s is refused in one sentence', (name, reason) => {
  const path = name.startsWith('/') ? name : join(dir, name);
  expect(startInVain(path)).toBe(
    `The data directory ${path} cannot be used, because ${reason}: choose another with CAUSEWAY_DATA_DIR=<directory>.`,
  );
});

test('one that may not be written, or whose disk is full, is said whichever step met it', () => {
  const said = (code: string) => explainDirectory('/data', Object.assign(new Error(code), { code }));
  expect(said('EROFS')).toMatchObject({ message: expect.stringContaining('because its file system is read-only') });
  expect(said('EACCES')).toMatchObject({ message: expect.stringContaining('because this user may not write there') });
  expect(said('ENOSPC')).toMatchObject({ message: 'The disk that holds /data is full.' });
  for (const code of ['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT'])
    expect(said(code)).toBeInstanceOf(SandboxFailure);
  const other = new Error('something else');
  expect(explainDirectory('/data', other)).toBe(other);
});

test('missing parents are made; the same rules say where it is', async () => {
  const deep = join(dir, 'a', 'b', 'data');
  const taken = await takeDataDirectory(deep);
  expect((await stat(deep)).mode & 0o777).toBe(0o711);
  await taken.release();
  expect(readSettings({ CAUSEWAY_DATA_DIR: 'elsewhere' }).dataDir).toBe(join(root, 'elsewhere'));
  expect(readSettings({ CAUSEWAY_DATA_DIR: '' }).dataDir).toBe(join(root, '.sandbox'));
});

/** They differ in the program alone: all of them with `npm run proof`. */
const programs = ['operator', 'ledger:verify', 'chain:verify'];
const tried = process.env['PROOF_ROUNDS'] === undefined ? programs.slice(0, 1) : programs;

test.each(tried)('npm run %s reads the environment of the same directory', async (script) => {
  const data = join(dir, 'with space', script.replace(':', '-'));
  await mkdir(data, { recursive: true });
  await writeFile(
    join(data, 'causeway.env'),
    'DATABASE_OPERATOR_URL=postgres://u:p@127.0.0.1:1/none\nCHAINS_FILE=/none.json\n',
  );
  const args = ['run', '--silent', script, ...(script === 'operator' ? ['--', 'transfers', 'stuck'] : [])];
  const run = (dataDir: string) =>
    spawnSync('npm', args, { cwd: root, env: { ...process.env, CAUSEWAY_DATA_DIR: dataDir }, encoding: 'utf8' });
  const found = run(data);
  expect(`${found.stdout}${found.stderr}`).toMatch(/127\.0\.0\.1:1|CHAINS_FILE names \/none\.json/);
  const missing = run(join(dir, 'none'));
  expect(missing.status).toBe(1);
  expect(missing.stderr).toMatch(/DATABASE_OPERATOR_URL is missing: .* for example DATABASE_OPERATOR_URL=postgres:/);
});
