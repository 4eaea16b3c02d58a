import * as approvals from '@causeway/contract/approvals.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { decision } from '../../../testing/approval-requests.ts';
import { credit } from '../../../testing/company.ts';
import { expectCompanyBooks } from '../../../testing/company-books.ts';
import { type FreezingWorld, freezingWorld, type Subject } from '../../../testing/freezing.ts';
import { handingOver } from '../../../testing/handing-over.ts';
import type { Member, Tenant } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import { race } from '../../../testing/race.ts';
import { succeed } from '../../../testing/succeed.ts';
import { payee, transferRequest } from '../../../testing/valid-requests.ts';

/** A freeze of the company, the wallet or the last approver, at the same time as the last approval and the hand-over that follows it. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 8);
/** Codes are limited by member. */
const roundsPerCompany = 20;

let made: FreezingWorld;
let db: FreezingWorld['db'];
let main: FreezingWorld['main'];

beforeAll(async () => {
  made = await freezingWorld();
  ({ db, main } = made);
});
afterAll(() => made.close());

interface Reviewed {
  tenant: Tenant;
  initiator: Member;
  approver: Member;
  payeeId: string;
}

/** A company in which one approver decides on every transfer. */
async function reviewed(name: string): Promise<Reviewed> {
  const tenant = await main.company(name);
  const { admin } = tenant;
  const [initiator, approver] = [await main.member(tenant, 'finance'), await main.member(tenant, 'approver')];
  const nodes = [{ approvers: [{ kind: 'person', id: approver.session.userId }], needed: 1 }];
  const rule = { name: 'All', lower: '0', upper: null, nodes, active: true };
  await succeed(main, approvals.addRule, { as: admin, body: { version: 0, id: newId(), rule } });
  const content = { enabled: true };
  const subject = { kind: 'review', content };
  await succeed(main, sendUserCode, { as: admin, body: { scenario: 'transaction', subject } });
  const body = { ...content, codeMethod: 'email', code: await main.takeCode() };
  await succeed(main, approvals.setReviewEnabled, { as: admin, body });
  await credit(db, tenant, 'USDT', 1_000_000_000n);
  return { tenant, initiator, approver, payeeId: await payee(main, tenant) };
}

async function submit({ tenant, initiator, payeeId }: Reviewed): Promise<{ id: string; taskId: string }> {
  const content = { id: newId(), walletId: tenant.wallets.USDT, payeeId, amount: '5', attachmentIds: [], notes: '' };
  const request = await transferRequest(main, tenant, content, initiator);
  const { id } = (await succeed(main, transferOut, request)).data;
  const { rows } = await db.app.withCompany(tenant.id, (tx) =>
    sql<{ id: string }>`
      select id from approval_task where company_id = company_id() and subject_id = ${id}`.execute(tx),
  );
  return { id, taskId: present(rows[0]).id };
}

async function stageOf({ tenant }: Reviewed, id: string): Promise<string> {
  const { rows } = await db.worker.withCompany(tenant.id, (tx) =>
    sql<{ stage: string }>`select stage from transaction where company_id = company_id() and id = ${id}`.execute(tx),
  );
  return present(rows[0]).stage;
}

const subjects: Record<Subject['kind'], (of: Reviewed) => string> = {
  company: ({ tenant }) => tenant.id,
  wallet: ({ tenant }) => tenant.wallets.USDT,
  member: ({ approver }) => approver.session.userId,
};

test.each(['company', 'wallet', 'member'] as const)(
  'a freeze of the %s against the last approval: nothing is handed over after it, and nothing is stuck once it ends',
  { timeout: 900_000 },
  async (kind) => {
    let one = await reviewed(`Last approval ${kind}`);
    const ends = new Set<boolean>();
    for (let round = 0; round < rounds; round += 1) {
      // A frozen member's sessions end: the next round has an approver of its own.
      if (round > 0 && (kind === 'member' || round % roundsPerCompany === 0)) {
        one = await reviewed(`Last approval ${kind} ${round}`);
      }
      const { tenant, approver } = one;
      const { id, taskId } = await submit(one);
      const request = await decision(main, approver, [taskId]);
      const { handed, handOver } = handingOver(db);
      const subject: Subject = { kind, subjectId: subjects[kind](one) };
      const [atFreeze, decided] = await race(
        db,
        round,
        async () => {
          expect((await made.freeze(subject, { owner: tenant })).status).toBe(200);
          // What came before the freeze has committed by now.
          return stageOf(one, id);
        },
        async () => {
          const answer = await main.ask(approvals.decideApprovals, request);
          await handOver(tenant.id, id);
          return answer;
        },
      );
      const isHanded = handed.length > 0;
      ends.add(isHanded);
      if (kind === 'member') {
        // A decision of a frozen member does not count; one that came before stays, and its payment leaves.
        expect(decided.status === 200).toBe(atFreeze !== 'waiting_approval');
        expect(isHanded).toBe(decided.status === 200);
      } else {
        expect(isHanded).toBe(atFreeze === 'signing');
        await handOver(tenant.id, id);
        expect(handed.length > 0).toBe(isHanded);
      }
      await made.unfreeze(subject, tenant);
      // Neither the payment nor the decision on it is stuck.
      if (decided.status !== 200) {
        expect(await stageOf(one, id)).toBe('waiting_approval');
        if (kind === 'member') continue;
        await succeed(main, approvals.decideApprovals, await decision(main, approver, [taskId]));
      }
      await handOver(tenant.id, id);
      expect(new Set(handed)).toEqual(new Set([id]));
      expect(await stageOf(one, id)).toBe('signing');
      await expectCompanyBooks(db, tenant.id);
    }
    expect(ends.size).toBe(2);
  },
);

describe('one of the two has begun', () => {
  const freezes: Record<Subject['kind'], string> = {
    company: 'update causeway.company set frozen_at = now() where company_id = $1',
    wallet: "update causeway.wallet set frozen_at = now(), frozen_reason = 'test' where id = $1",
    member: 'update causeway.member set frozen_at = now(), disabled_at = now() where id = $1',
  };

  let superuser: pg.Client;
  beforeAll(async () => {
    superuser = new pg.Client({ connectionString: db.superuserUrl });
    await superuser.connect();
  });
  afterAll(() => superuser.end());

  /** Blocks until something waits for a lock of the database. */
  async function lockWait(): Promise<void> {
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await vi.waitFor(async () => expect((await superuser.query(waiting)).rowCount).toBe(1), { timeout: 20_000 });
  }

  /** Freezes as `freeze_subject` does, in a transaction that commits once `work` waits for it. */
  async function freezeUnder<T>(one: Reviewed, kind: Subject['kind'], work: () => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: db.superuserUrl });
    await client.connect();
    try {
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock(causeway.freeze_lock($1))', [one.tenant.id]);
      await client.query(freezes[kind], [subjects[kind](one)]);
      const done = work();
      await Promise.race([lockWait(), done]);
      await client.query('commit');
      return await done;
    } finally {
      await client.end();
    }
  }

  async function approvedPayment(one: Reviewed): Promise<string> {
    const { id, taskId } = await submit(one);
    await succeed(main, approvals.decideApprovals, await decision(main, one.approver, [taskId]));
    return id;
  }

  test.each(['company', 'wallet'] as const)('a hand-over waits for a freeze of the %s and sees it', async (kind) => {
    const one = await reviewed(`Freeze of the ${kind} first`);
    const id = await approvedPayment(one);
    const { handed, handOver } = handingOver(db);
    await freezeUnder(one, kind, () => handOver(one.tenant.id, id));
    expect([handed, await stageOf(one, id)]).toEqual([[], 'approved']);
  });

  test('the last approval waits for a freeze of its approver and is refused', async () => {
    const one = await reviewed('Freeze of the approver first');
    const { id, taskId } = await submit(one);
    const request = await decision(main, one.approver, [taskId]);
    const answer = await freezeUnder(one, 'member', () => main.ask(approvals.decideApprovals, request));
    expect([answer.key, await stageOf(one, id)]).toEqual(['noPermission', 'waiting_approval']);
  });

  test.each(['company', 'wallet'] as const)('a freeze of the %s waits for a hand-over', async (kind) => {
    const one = await reviewed(`Hand-over before a freeze of the ${kind}`);
    const id = await approvedPayment(one);
    let frozen: Promise<string> | null = null;
    const { handed, handOver } = handingOver(db, async () => {
      const subject: Subject = { kind, subjectId: subjects[kind](one) };
      frozen = made.freeze(subject, { owner: one.tenant }).then(() => stageOf(one, id));
      await Promise.race([lockWait(), frozen]);
    });
    await handOver(one.tenant.id, id);
    expect([await frozen, handed]).toEqual(['signing', [id]]);
  });
});
