import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { insertCard, writeIssuerCard } from '../server/src/features/cards/store/cards.ts';
import { accountsByKind, move, post } from '../server/src/features/ledger/index.ts';
import { openBankWallet } from '../server/src/features/wallets/index.ts';
import { signingKeys } from '../server/src/platform/crypto/webhook-signature.ts';
import { type Database, openDatabase } from '../server/src/platform/database/database.ts';
import { newId } from '../server/src/platform/ids.ts';
import { Connection } from './http-client.ts';
import { measure, median, percentile } from './load.ts';
import { type Party, pickRandom } from './posting-parties.ts';
import type { Line } from './report.ts';
import { startServer } from './server-process.ts';
import { closeAll, connections, type Stage } from './stage.ts';
import { type Sender, seedSenders } from './transfer-world.ts';

/**
 * Authorisations of cards over HTTP, as the issuer asks for them: so many a second whether the answers come or not, and as many as can be answered, in turns
 * with the one-call posting. Each is signed, decided by limits, rules and what the card has spent, held, and answered.
 */

export interface CardSizes {
  companies: number;
  /** Earlier purchases of each card. */
  earlier: number;
  rounds: number;
  milliseconds: number;
}

/** docs/PERFORMANCE.md: milliseconds at the 99th percentile, at so many a second. */
const goal = { atMost: 300 };
const perSecond = 200;
const inFlight = 16;
const currency = 'HKD';
const secret = `whsec_${randomBytes(24).toString('base64')}`;
const [key] = signingKeys([secret]);

export async function measureCards(stage: Stage, oneCall: Party, sizes: CardSizes): Promise<Line[]> {
  const cards = await seedCards(stage, sizes);
  const environment = { ISSUER_AUTHORIZATION_SECRET: secret, ISSUER_EVENTS_SECRET: secret };
  const server = await startServer(stage, undefined, environment);
  const clients = await connections(stage.urlFor(oneCall.role), inFlight);
  const pool = await Promise.all(Array.from({ length: inFlight }, () => Connection.open(server.port)));
  try {
    const ask = (connection: Connection) => authorize(connection, cards[randomInt(cards.length)] ?? '');
    const posted = async (worker: number) => {
      const client = clients[worker];
      if (client) await oneCall.post(client, pickRandom);
      return 1;
    };
    const asked = async (worker: number) => {
      const connection = pool[worker];
      return connection && (await ask(connection)) ? 1 : 0;
    };
    const latencies: number[] = [];
    let declined = 0;
    const ratios: number[] = [];
    const rates: number[] = [];
    // The first warms both.
    for (let round = 0; round <= sizes.rounds; round += 1) {
      const { milliseconds } = sizes;
      const baseline = await measure(posted, { inFlight, milliseconds });
      const most = await measure(asked, { inFlight, milliseconds });
      const steady = await steadily(server.port, ask, 2 * milliseconds);
      if (round === 0) continue;
      ratios.push(most.perSecond / baseline.perSecond);
      rates.push(most.perSecond);
      latencies.push(...steady.latencies);
      declined += steady.declined;
    }
    const p50 = percentile(latencies, 0.5).toFixed(1);
    const detail = `${latencies.length} asked, ${declined} of them declined as late, p50 ${p50} ms, longest ${percentile(latencies, 1).toFixed(0)} ms`;
    const what = 'card authorisations';
    return [
      { what: `${what}, ${perSecond} a second, p99`, unit: 'ms', goal, figure: percentile(latencies, 0.99), detail },
      {
        ...{ what: `${what}, ${inFlight} in flight`, unit: '× one-call', goal: null },
        ...{ figure: median(ratios), detail: `${Math.round(median(rates))} a second` },
      },
    ];
  } finally {
    for (const connection of pool) connection.close();
    await closeAll(clients);
    await server.stop();
  }
}

/**
 * Asks at even intervals, each on a connection that is free or a new one: a slow answer keeps no later question back.
 * @returns milliseconds of each, from the moment when it was due
 */
async function steadily(
  port: number,
  ask: (connection: Connection) => Promise<boolean>,
  milliseconds: number,
): Promise<{ latencies: number[]; declined: number }> {
  const free: Connection[] = [];
  const all: Connection[] = [];
  const latencies: number[] = [];
  let declined = 0;
  const asking: Promise<void>[] = [];
  const began = performance.now();
  const one = async (due: number) => {
    let connection = free.pop();
    if (!connection) {
      connection = await Connection.open(port);
      all.push(connection);
    }
    if (!(await ask(connection))) declined += 1;
    latencies.push(performance.now() - due);
    free.push(connection);
  };
  for (let due = began; due < began + milliseconds; due += 1000 / perSecond) {
    const early = due - performance.now();
    if (early > 0) await delay(early);
    asking.push(one(due));
  }
  await Promise.all(asking);
  for (const connection of all) connection.close();
  return { latencies, declined };
}

/** One purchase as Lithic asks about it. @returns whether it was approved: an answer that would come too late declines */
async function authorize(connection: Connection, card: string): Promise<boolean> {
  const now = new Date();
  const amount = { amount: 1500, currency, conversion_rate: '1' };
  const body = JSON.stringify({
    ...{ token: newId(), event_token: newId(), status: 'AUTHORIZATION', created: now.toISOString() },
    amounts: { cardholder: amount, hold: null, merchant: amount },
    card: { token: card },
    merchant: { descriptor: 'STAR FERRY CAFE', mcc: '5812', city: 'HONG KONG', country: 'HKG' },
    pos: { entry_mode: { card: 'PRESENT' }, terminal: { partial_approval_capable: false } },
  });
  const id = newId();
  const { status, body: answer } = await connection.request(
    'POST',
    '/hooks/cards/authorization',
    {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': key?.sign(id, now, body) ?? '',
    },
    body,
  );
  if (status !== 200) throw new Error(`an authorisation got ${status}: ${answer}`);
  return answer.includes('"APPROVED"');
}

/** Companies with a wallet at a bank, a rule above their cards, and two cards each. @returns the issuer's tokens of the cards */
async function seedCards(stage: Stage, { companies, earlier }: CardSizes): Promise<string[]> {
  const { admin } = stage;
  await admin.query(
    `insert into causeway.bank (id, name, country, bic) values ('bench-cards', 'Bench', 'HK', 'BENCHKHC') on conflict do nothing`,
  );
  await admin.query(
    `insert into causeway.bank_asset (bank_id, asset_id, recharge_fee, collecting_account)
     values ('bench-cards', '${currency}', 100, '998002000000000') on conflict do nothing`,
  );
  const senders = await seedSenders(stage, { companies, people: 1, reviews: false });
  const worker = openDatabase(stage.urlFor('causeway_worker'), { poolSize: 1, applicationName: 'causeway-bench' });
  const app = stage.open(1);
  const tokens: string[] = [];
  try {
    for (const [index, sender] of senders.entries())
      tokens.push(...(await seedCompany({ worker, app }, sender, index)));
  } finally {
    await Promise.all([worker.close(), app.close()]);
  }
  await admin.query(
    `insert into causeway.card_rule (company_id, id, scope, asset_id, limit_day, limit_month, categories, countries, category_mode, online)
     select company_id, gen_random_uuid(), 'company', asset_id, 1000000000, 10000000000, array['gambling'], '{}'::text[], 'deny', true
     from (select distinct company_id, asset_id from causeway.card) as issued`,
  );
  // Purchases of the last weeks, without their transactions, of which nothing here reads any.
  await admin.query(`set session_replication_role = replica`);
  await admin.query(
    `insert into causeway.card_purchase (company_id, id, token, card_id, origin_id, wallet_id, merchant, mcc, merchant_group, held, cleared, at)
     select company_id, gen_random_uuid(), gen_random_uuid()::text, id, origin_id, wallet_id, 'Star Ferry', '4111', 'transport', 0, 1500, now() - n * interval '1 hour'
     from causeway.card, generate_series(1, ${earlier}) n`,
  );
  await admin.query(`set session_replication_role = origin`);
  await admin.query('vacuum analyze');
  return tokens;
}

async function seedCompany(
  { worker, app }: { worker: Database; app: Database },
  { companyId, userId }: Sender,
  index: number,
): Promise<string[]> {
  const accountNumber = String(99_800_200_000_000 + index);
  const account = { holderName: 'Bench', accountNumber, branchCode: null, iban: null };
  const walletId = await worker.withCompany(companyId, (tx) =>
    openBankWallet(tx, { bank: 'bench-cards', currency, account }),
  );
  await worker.withCompany(companyId, async (tx) => {
    const { bank, available } = await accountsByKind(tx, walletId, ['bank', 'available']);
    const legs = move(bank.id, available.id, 100_000_000_000n);
    await post(tx, { id: newId(), kind: 'deposit.credited', sourceId: newId(), description: 'bench', legs });
  });
  const tokens: string[] = [];
  for (let card = 0; card < 2; card += 1) {
    const id = newId();
    const token = `bench_${id}`;
    const limits = { each: 100_000n, day: 1_000_000_000n, month: null, total: null };
    const made = {
      token,
      state: 'open',
      isActivated: true,
      lastFour: '4242',
      expires: '2031-12',
      shipping: null,
    } as const;
    await app.withCompany(companyId, async (tx) => {
      await insertCard(tx, {
        ...{ id, originId: id, kind: 'virtual', holderId: userId, name: 'Travel', walletId, asset: currency },
        bounds: { limits, categories: null, countries: null, online: true },
        ...{ validUntil: null, shipTo: null, replaces: null, madeAs: null },
      });
      await writeIssuerCard(tx, id, made, 'active');
    });
    tokens.push(token);
  }
  return tokens;
}
