import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../platform/database.ts';

/** A database of one test file's own, cloned from the migrated template; the roles are the product's. */
export interface TestDatabase {
  app: Database;
  worker: Database;
  operator: Database;
  /** Address as one of the product's roles. */
  urlFor(role: string): string;
  /** Address as the superuser, to look at what no role may see. */
  superuserUrl: string;
  close(): Promise<void>;
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { superuserUrl: string; password: string; template: string };
  }
}

export async function testDatabase(): Promise<TestDatabase> {
  const { superuserUrl, password, template } = inject('postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asSuperuser(superuserUrl, `create database ${name} template ${template}`);
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
  return {
    app,
    worker,
    operator,
    urlFor,
    superuserUrl: ownUrl.href,
    async close() {
      await Promise.all([app.close(), worker.close(), operator.close()]);
      await asSuperuser(superuserUrl, `drop database ${name} with (force)`);
    },
  };
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
