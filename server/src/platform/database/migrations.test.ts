import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { migrationFiles } from './migration-files.ts';
import { migrate, OtherVersionError } from './migrations.ts';

let db: TestDatabase;
beforeEach(async () => {
  db = await testDatabase();
});
afterEach(() => db.close());

async function query(statement: string, values: unknown[] = []): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: db.superuserUrl });
  await client.connect();
  return client
    .query(statement, values)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

const [first, last] = [migrationFiles()[0]?.name, migrationFiles().at(-1)?.name];

test('a database that is up to date is left as it is', async () => {
  expect(await migrate(db.superuserUrl, [])).toEqual([]);
});

test('a migration that changed since it ran is refused, and the later ones do not run', async () => {
  await query('update causeway_migration.done set sha256 = $1 where name = $2', ['other', first]);
  await query('delete from causeway_migration.done where name = $1', [last]);
  const refused = migrate(db.superuserUrl, []);
  await expect(refused).rejects.toBeInstanceOf(OtherVersionError);
  await expect(refused).rejects.toThrow(`migration ${first} has changed since it ran.`);
  expect(await query('select from causeway_migration.done where name = $1', [last])).toEqual([]);
});

test('a database that a newer version has migrated is refused', async () => {
  await query("insert into causeway_migration.done (name, sha256) values ('9999_platform_newer.sql', 'x')");
  const refused = migrate(db.superuserUrl, []);
  await expect(refused).rejects.toMatchObject({ exitCode: 3 });
  await expect(refused).rejects.toThrow('migration 9999_platform_newer.sql has run and is not part of this version.');
});
