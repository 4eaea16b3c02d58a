import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { type RecordedEvent, undeclaredIn } from './audit-events.ts';

/** A database of one test file's own, cloned from the migrated template; the roles are the product's. */
export interface TestDatabase {
  app: Database;
  worker: Database;
  operator: Database;
  /** The role of the operator's console. */
  console: Database;
  /** Address as one of the product's roles. */
  urlFor(role: string): string;
  /** Address as the superuser, to look at what no role may see. */
  superuserUrl: string;
  /** Makes a copy of the database as it is now: a backup. Every connection to it is ended first. */
  backUp(backup: string): Promise<void>;
  /** Replaces the database by a backup; every connection to it breaks. */
  restore(backup: string): Promise<void>;
  close(): Promise<void>;
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { superuserUrl: string; password: string; template: string };
  }
}

/** With `madeUpEvents`, its tests write events into the audit log that the product has not. */
export async function testDatabase({ madeUpEvents = false } = {}): Promise<TestDatabase> {
  const { superuserUrl, password, template } = inject('postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asSuperuser(superuserUrl, `create database ${name} template ${template} strategy file_copy`);
  const urlFor = (role: string) => {
    const url = new URL(superuserUrl);
    url.username = role;
    url.password = password;
    url.pathname = `/${name}`;
    return url.href;
  };
  const ownUrl = new URL(superuserUrl);
  ownUrl.pathname = `/${name}`;
  const open = (role: string) => openDatabase(urlFor(role), { poolSize: 16, applicationName: 'test' });
  const app = open('causeway_app');
  const worker = open('causeway_worker');
  const operator = open('causeway_operator');
  const console = open('causeway_console');
  const backups = new Set<string>();
  const nameOf = (backup: string) => `${name}_${backup.replaceAll(/\W/g, '_')}`;
  return {
    app,
    worker,
    operator,
    console,
    urlFor,
    superuserUrl: ownUrl.href,
    async backUp(backup) {
      await asSuperuser(superuserUrl, `drop database if exists ${nameOf(backup)} with (force)`);
      backups.add(nameOf(backup));
      await copyDatabase(superuserUrl, name, nameOf(backup));
    },
    async restore(backup) {
      await asSuperuser(superuserUrl, `drop database ${name} with (force)`);
      await copyDatabase(superuserUrl, nameOf(backup), name);
    },
    async close() {
      await Promise.all([app.close(), worker.close(), operator.close(), console.close()]);
      const undeclared = madeUpEvents ? [] : await undeclaredEvents(ownUrl.href);
      await asSuperuser(superuserUrl, `drop database ${name} with (force)`);
      for (const backup of backups) await asSuperuser(superuserUrl, `drop database if exists ${backup} with (force)`);
      if (undeclared.length > 0) throw new Error(`The audit log has what is not declared:\n${undeclared.join('\n')}`);
    },
  };
}

/** What the tests' events have that the audit log does not declare. */
async function undeclaredEvents(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<RecordedEvent>(
      `select distinct action, subject_kind as "subjectKind", detail from causeway.audit_event limit ${maxEventsRead}`,
    );
    return [...new Set(rows.flatMap(undeclaredIn))];
  } finally {
    await client.end();
  }
}

const maxEventsRead = 5000;
const copyTries = 100;

/** PostgreSQL copies a database to which nothing is connected: what is, is ended, until nothing comes back. */
async function copyDatabase(url: string, from: string, to: string): Promise<void> {
  for (let left = copyTries; ; left -= 1) {
    await asSuperuser(url, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${from}'`);
    try {
      await asSuperuser(url, `create database ${to} template ${from} strategy file_copy`);
      return;
    } catch (error) {
      // object_in_use: a connection is still ending.
      if (left === 0 || !(error instanceof pg.DatabaseError && error.code === '55006')) throw error;
    }
  }
}

async function asSuperuser(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Has every pool drop its broken connections until the database is back. */
export async function reconnect(databases: readonly Database[]): Promise<void> {
  for (const { pool } of databases) {
    while (pool.totalCount > 0) {
      const idle = await pool.connect().catch(() => null);
      idle?.release(true);
    }
  }
}
