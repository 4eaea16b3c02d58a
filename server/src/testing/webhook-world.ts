import { systemRoleIds } from '@causeway/contract/permission.ts';
import type { WebhookEventType } from '@causeway/contract/webhooks-rules.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import type { Outcome, Posting } from '../features/webhooks/adapters/posting.ts';
import { newSecret, sealingKeys, sealSecret } from '../features/webhooks/secrets.ts';
import { type Delivering, deliverDue } from '../features/webhooks/service/delivering.ts';
import { noteTransaction } from '../features/webhooks/service/noting.ts';
import { turnOff } from '../features/webhooks/service/switching-off.ts';
import { type EndpointRow, insertEndpoint, lockEndpoint } from '../features/webhooks/store/endpoints.ts';
import { insertSecret } from '../features/webhooks/store/secrets.ts';
import type { Database } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { openTestCompany, type TestCompany } from './company.ts';
import type { TestDatabase } from './database.ts';
import { insertTestTransaction } from './transactions.ts';

export const accepted: Outcome = { status: 200, problem: null, answer: 'ok', durationMs: 3 };
export const refused: Outcome = { status: 500, problem: 'status', answer: 'out of order', durationMs: 3 };
export const webhookKeys = sealingKeys('k'.repeat(43));
const log = pino({ level: 'silent' });

export interface TestEndpoint {
  id: string;
  secret: string;
  url: string;
}

interface DeliveryRow {
  id: string;
  eventId: string;
  endpointId: string;
  state: string;
  attempts: number;
  dueInMs: number | null;
  problem: string | null;
}

/** A company whose webhooks are delivered by a clock of the test's own; what other tests left is not due. */
export async function webhookWorld(db: TestDatabase): Promise<WebhookWorld> {
  await db.worker.withoutCompany((tx) =>
    sql`update webhook_delivery set next_at = 'infinity' where state = 'waiting'`.execute(tx),
  );
  return new WebhookWorld(db, await openWithMember(db));
}

/** Ahead of the database's clock, by which rows are due as soon as they are made. */
const aheadMs = 60_000;

async function openWithMember(db: TestDatabase): Promise<TestCompany & { memberId: string }> {
  const company = await openTestCompany(db);
  const memberId = newId();
  await db.app.withCompany(company.id, async (tx) => {
    await sql`insert into company (company_id, name) values (company_id(), 'Harbour')`.execute(tx);
    await sql`insert into member (company_id, id, identifier, email, language, role_id)
      values (company_id(), ${memberId}, ${newId()}, ${`${memberId}@example.com`}, 'en_US', ${systemRoleIds.administrator})`.execute(
      tx,
    );
  });
  return { ...company, memberId };
}

export class WebhookWorld {
  readonly db: TestDatabase;
  readonly company: TestCompany & { memberId: string };
  nowMs = Date.now() + aheadMs;
  readonly clock = { now: () => new Date(this.nowMs) };

  constructor(db: TestDatabase, company: TestCompany & { memberId: string }) {
    this.db = db;
    this.company = company;
  }

  /** Another company, by the same clock. */
  async another(): Promise<WebhookWorld> {
    const other = new WebhookWorld(this.db, await openWithMember(this.db));
    Object.defineProperty(other, 'nowMs', { get: () => this.nowMs });
    return other;
  }

  async open({
    url = `https://${newId()}.example/hooks`,
    events = null,
  }: {
    url?: string;
    events?: WebhookEventType[] | null;
  } = {}): Promise<TestEndpoint> {
    const endpoint = { id: newId(), secret: newSecret(), url };
    await this.db.app.withCompany(this.company.id, async (tx) => {
      const row = { id: endpoint.id, url, description: '', events, createdBy: this.company.memberId };
      await insertEndpoint(tx, row, 20);
      await insertSecret(tx, endpoint.id, sealSecret(webhookKeys, endpoint.secret, endpoint.id));
    });
    return endpoint;
  }

  async switchOff({ id }: TestEndpoint): Promise<void> {
    await this.db.app.withCompany(this.company.id, async (tx) => {
      const row = await lockEndpoint(tx, id);
      if (row) await turnOff(tx, row, 'member', { actor: { kind: 'system', id: 'test' }, at: this.clock.now() });
    });
  }

  find({ id }: TestEndpoint): Promise<EndpointRow | null> {
    return this.db.app.withCompany(this.company.id, (tx) => lockEndpoint(tx, id));
  }

  /** So many deposits that were credited, and their events. @returns the last one's id */
  async deposit(count = 1): Promise<string> {
    let id = '';
    for (let made = 0; made < count; made += 1) {
      const chained = { payerAccount: '0xfeed', hash: `0x${'a'.repeat(64)}`, blockNumber: 7 };
      id = await insertTestTransaction(this.db, this.company, chained);
      await this.note(id);
    }
    return id;
  }

  note(id: string): Promise<void> {
    return this.db.worker.withCompany(this.company.id, (tx) => noteTransaction(tx, id));
  }

  worker(post: (posting: Posting) => Promise<Outcome>, database: Database = this.db.worker): Delivering {
    return { database, keys: webhookKeys, post: (posting) => post(posting), clock: this.clock, log, random: () => 0.5 };
  }

  async deliveries(): Promise<DeliveryRow[]> {
    const { rows } = await this.db.app.withCompany(this.company.id, (tx) =>
      sql<DeliveryRow>`
        select id, event_id as "eventId", endpoint_id as "endpointId", state, attempts, last_problem as problem,
          round(extract(epoch from next_at - ${this.clock.now()}) * 1000)::float8 as "dueInMs"
        from webhook_delivery where company_id = company_id() order by created_at, id`.execute(tx),
    );
    return rows;
  }

  async notices(): Promise<string[]> {
    const { rows } = await this.db.app.withCompany(this.company.id, (tx) =>
      sql<{ kind: string }>`select kind from notice where company_id = company_id() order by id`.execute(tx),
    );
    return rows.map(({ kind }) => kind);
  }
}

/** A receiver that keeps what it is sent. */
export function keeping(sent: Posting[], outcome: Outcome) {
  return async (posting: Posting): Promise<Outcome> => {
    sent.push(posting);
    return outcome;
  };
}

/** Delivers until nothing is due. */
export async function deliverAll(deps: Delivering): Promise<void> {
  for (let round = 0; round < 50; round += 1) if ((await deliverDue(deps)) === 0) return;
}
