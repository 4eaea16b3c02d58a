import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as cards from '@causeway/contract/cards.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { type IssuerServer, startIssuer } from '@causeway/sandbox/issuer/issuer.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signingKeys } from '../../platform/crypto/webhook-signature.ts';
import { newId } from '../../platform/ids.ts';
import { creditAtBank, openTestBank, openTestBankWallet } from '../../testing/banks.ts';
import { noBounds } from '../../testing/cards.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type MainApp, mainApp } from '../../testing/main-app.ts';
import { type MainProcess, mainEnvironment, startMain } from '../../testing/main-process.ts';
import { succeed } from '../../testing/succeed.ts';
import { createLithicIssuer } from './adapters/lithic/issuer.ts';
import { lithicProtocol } from './adapters/lithic/protocol.ts';
import { cardJobs } from './jobs.ts';
import { syncCard } from './service/sync.ts';
import { reconcileHolds } from './service/unconfirmed.ts';
import { insertCard } from './store/cards.ts';

/**
 * The whole life of a card at the sandbox's issuer, which has its number and is asked by a process of ours as in production: the number is in none of our answers, in no line of our
 * logs, and nowhere in the database, not even where merchants and malformed messages repeat it.
 */

let db: TestDatabase;
let world: MainApp;
let sandbox: IssuerServer;
let main: MainProcess;
let directory: string;
const lines: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
const answers: string[] = [];
let eventsSecret = '';

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'causeway-numbers-'));
  db = await testDatabase();
  await openTestBank(db);
  const nowhere = { responderUrl: 'http://127.0.0.1:1/authorization', eventsUrl: 'http://127.0.0.1:1/events' };
  sandbox = await startIssuer({ ...nowhere, tickMs: 0 });
  const responderSecret = sandbox.store.get('settings', 'now')?.responderSecret ?? '';
  eventsSecret = sandbox.store.all('subscriptions')[0]?.secret ?? '';
  const programs = sandbox.programs.map(({ currency, token }) => `${currency}=${token}`).join(',');
  main = await startMain(mainEnvironment(directory, db.urlFor('causeway_app')), {
    ...{ LOG_LEVEL: 'trace', DRAIN_MS: '0', ISSUER_URL: sandbox.url, ISSUER_API_KEY: sandbox.apiKey },
    ...{ ISSUER_PROGRAMS: programs, ISSUER_AUTHORIZATION_SECRET: responderSecret, ISSUER_EVENTS_SECRET: eventsSecret },
  });
  const { dir, port } = sandbox;
  await sandbox.stop();
  const hooks = `http://127.0.0.1:${main.port}/hooks/cards`;
  sandbox = await startIssuer({
    ...{ dir, port, tickMs: 0, responderUrl: `${hooks}/authorization`, eventsUrl: `${hooks}/events` },
  });
  const protocol = lithicProtocol({ authorization: [responderSecret], events: [eventsSecret] });
  world = await mainApp(db, undefined, { cards: { issuer: issuer(), protocol } });
}, 300_000);
afterAll(async () => {
  main.child.kill('SIGTERM');
  await main.exited;
  await world.close();
  await sandbox.stop();
  await db.close();
  rmSync(directory, { recursive: true });
});

const issuer = () =>
  createLithicIssuer({
    ...{ url: sandbox.url, apiKey: sandbox.apiKey },
    programs: new Map(sandbox.programs.map(({ currency, token }) => [currency, token])),
  });

/** What a merchant does, by the issuer's published calls. */
async function simulate(what: string, body: object): Promise<string> {
  const answer = await fetch(`${sandbox.url}/v1/simulate/${what}`, {
    ...{ method: 'POST', body: JSON.stringify(body) },
    headers: { authorization: sandbox.apiKey, 'content-type': 'application/json' },
  });
  expect([what, answer.status]).toEqual([what, 200]);
  await sandbox.messages.deliver();
  return ((await answer.json()) as { token?: string }).token ?? '';
}

/** A purchase that is approved: a machine that does much else answers late, and declines. */
async function approved(body: object): Promise<string> {
  for (let left = 20; left > 0; left -= 1) {
    const token = await simulate('authorize', body);
    if (sandbox.store.get('transactions', token)?.result === 'APPROVED') return token;
  }
  throw new Error('no purchase is approved');
}

/** What is signed by the issuer, and not as agreed. */
async function send(body: string): Promise<void> {
  const [id, now] = [`msg_${newId()}`, new Date()];
  const [key] = signingKeys([eventsSecret]);
  const answer = await fetch(`http://127.0.0.1:${main.port}/hooks/cards/events`, {
    ...{ method: 'POST', body },
    headers: {
      ...{ 'content-type': 'application/json', 'webhook-id': id },
      ...{
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': key?.sign(id, now, body) ?? '',
      },
    },
  });
  answers.push(await answer.text());
  expect(answer.status).toBe(200);
}

/** Every row of the database that holds a text: where it is. */
async function inDatabase(...texts: string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: db.superuserUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'`,
    );
    expect(tables.length).toBeGreaterThan(100);
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query(
        `select from ${name} t where exists (select from unnest($1::text[]) x where strpos(to_jsonb(t)::text, x) > 0) limit 1`,
        [texts],
      );
      if (rows.length > 0) found.push(name);
    }
    return found;
  } finally {
    await client.end();
  }
}

test('the number of a card is in no answer, no log and no row of ours', { timeout: 600_000 }, async () => {
  const company = await world.company();
  const { admin } = company;
  const { id: walletId } = await openTestBankWallet(db, company.id, 'HKD');
  await creditAtBank(db, company.id, walletId, 100_000n);
  const cardId = newId();
  await db.app.withCompany(company.id, (tx) =>
    insertCard(tx, {
      ...{ id: cardId, originId: cardId, kind: 'virtual', holderId: admin.session.userId, name: 'Travel', walletId },
      ...{ asset: 'HKD', bounds: noBounds, validUntil: null, shipTo: null, replaces: null, madeAs: null },
    }),
  );
  await syncCard(db.worker, issuer(), company.id, cardId);
  const [made] = sandbox.store.all('cards');
  const pan = made?.pan ?? '';
  const grouped = pan.replace(/(\d{4})(?=\d)/g, '$1 ');
  expect(pan).toMatch(/^\d{16}$/);
  await sandbox.messages.deliver();

  // Merchants that put the number into their name, and into their city.
  const descriptor = `CAFE ${grouped}`;
  const bought = await approved({
    amount: 12_300,
    descriptor,
    pan,
    mcc: '5812',
    merchant_acceptor_city: pan,
  });
  await simulate('clearing', { token: bought, amount: 12_000 });
  await simulate('return', { amount: 500, descriptor: `REFUND ${pan}`, pan });
  const released = await approved({ amount: 100, descriptor, pan });
  await simulate('void', { token: released });
  await simulate('authorize', { amount: 99_999_900, descriptor, pan });
  const token = made?.token ?? '';
  await send(`{"event_type":"card_transaction.updated","token":"T-9","card_token":"${token}","pan":"${pan}"}`);
  await send(`{"event_type":"card_transaction.disputed","card_token":"${token}","pan":${pan},"text":"${grouped}"}`);
  await send(`not json at all ${pan}`);

  const { rows: events } = await db.worker.withCompany(company.id, (tx) =>
    sql<{ name: string; payload: Record<string, unknown> }>`
      select name, payload from outbox where company_id = company_id() and name like 'cards.%' order by id`.execute(tx),
  );
  for (const job of cardJobs(issuer()))
    for (const { name, payload } of events)
      if (job.on?.includes(name)) await job.run({ companyId: company.id, database: db.worker, log }, payload);
  await reconcileHolds({ database: db.worker, issuer: issuer(), log }, new Date(Date.now() + 3_600_000), 0);

  // What people read, from the process.
  const read = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${main.port}${path}`, {
      headers: { authorization: `Bearer ${admin.token}` },
    });
    const body = await answer.text();
    answers.push(body);
    expect([path, answer.status]).toEqual([path, 200]);
    return body;
  };
  const year = `from=${new Date().getUTCFullYear()}-01-01&to=${new Date().getUTCFullYear()}-12-31`;
  const path = (call: { path: string }) => call.path.replace('{id}', cardId);
  expect(await read(path(cards.listCards))).toContain(pan.slice(-4));
  await read(path(cards.getCard));
  expect(await read('/web/card/payments')).toContain('REFUND');
  await read(`${path(cards.getCard)}/statement?${year}&format=csv`);
  await succeed(world, sendUserCode, {
    as: admin,
    body: { scenario: 'transaction', subject: { kind: 'card', content: { cardId } } },
  });
  const body = { cardId, codeMethod: 'email', code: await world.takeCode() };
  const shown = await succeed(world, cards.revealCard, { as: admin, body });
  answers.push(shown.raw.body);
  // The issuer shows it, so that what is looked for is the right number.
  expect(await (await fetch(shown.data.url)).text()).toContain(grouped);

  expect(main.output()).toContain('Server listening');
  const dashed = grouped.replaceAll(' ', '-');
  for (const text of [pan, grouped, dashed]) {
    expect(main.output()).not.toContain(text);
    expect([...lines, ...world.complaints].join('')).not.toContain(text);
    expect(answers.join('')).not.toContain(text);
  }
  expect(await inDatabase('Travel')).toContain('causeway.card');
  expect(await inDatabase(pan, grouped, dashed)).toEqual([]);
});
