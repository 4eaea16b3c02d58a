import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { runCommand, UsageError } from './command-line.ts';

/** The operator's people on the command line, as the role causeway_operator. */

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

/** None of these commands asks a chain. */
const noChains = () => Promise.reject(new Error('the chains are loaded'));
const consoleUrl = 'https://operator.example';
const run = (...args: string[]) => runCommand({ database: db.operator, operator: 'jo', consoleUrl }, args, noChains);
const runJson = async (...args: string[]) => JSON.parse(await run(...args, '--json'));
const add = (email: string, role: string) =>
  runJson('staff', 'add', '--name', 'Grace Ng', '--email', email, '--role', role);

test('makes an account and shows its link once', async () => {
  const made = await add('grace@example.com', 'administrator');
  expect(made.link).toMatch(/^https:\/\/operator\.example\/activate#[\w-]{43}$/);
  const listed = await runJson('staff', 'list');
  expect(listed).toMatchObject([
    { name: 'Grace Ng', email: 'grace@example.com', role: 'administrator', state: 'invited' },
  ]);
  expect(JSON.stringify(listed)).not.toContain(made.link.split('#')[1]);
  await expect(add('GRACE@example.com', 'viewer')).rejects.toMatchObject({ key: 'operatorExists' });
});

test('names what is missing or wrong', async () => {
  await expect(run('staff', 'add', '--name', 'A')).rejects.toThrow(/--email, --role/);
  await expect(add('x@example.com', 'king')).rejects.toBeInstanceOf(UsageError);
  await expect(
    runCommand({ database: db.operator, operator: 'jo' }, ['staff', 'reset', 'x'], noChains),
  ).rejects.toThrow(/OPERATOR_URL/);
});

test('gives a new link, ends the one before, and disables but not the last active administrator', async () => {
  const links = async () => {
    const { rows } = await db.console.pool.query<{ n: number }>(
      'select count(*) as n from operator_activation where used_at is null and replaced_at is null',
    );
    return rows[0]?.n;
  };
  const before = await links();
  expect((await runJson('staff', 'reset', 'Grace@example.com')).link).toContain('/activate#');
  expect(await links()).toBe(before);
  await expect(run('staff', 'reset', 'nobody@example.com')).rejects.toMatchObject({ key: 'notFound' });
  await db.console.pool.query(
    "update operator_account set state = 'active', activated_at = now(), password_hash = 'x', totp_secret = 'x'",
  );
  const disable = ['staff', 'disable', 'grace@example.com', '--reason', 'left'];
  await expect(run(...disable)).rejects.toMatchObject({ key: 'operatorLastAdministrator' });
  await add('second@example.com', 'administrator');
  await expect(run(...disable)).rejects.toMatchObject({ key: 'operatorLastAdministrator' });
  await db.console.pool.query(
    "update operator_account set state = 'active', activated_at = now(), password_hash = 'x', totp_secret = 'x'",
  );
  expect(await runJson(...disable)).toMatchObject({ state: 'disabled' });
  await expect(run(...disable)).rejects.toMatchObject({ key: 'nothingChanges' });
  await expect(run('staff', 'reset', 'grace@example.com')).rejects.toMatchObject({ key: 'operatorDisabled' });
  const { rows } = await db.operator.pool.query<{ action: string; actor: string }>(
    "select action, actor_id as actor from audit_event where action like 'staff.%' order by id",
  );
  expect(rows.map(({ action }) => action)).toEqual(['staff.invite', 'staff.reset', 'staff.invite', 'staff.disable']);
  expect(new Set(rows.map(({ actor }) => actor))).toEqual(new Set(['jo']));
});
