import { decideApprovals, listApprovals } from '@causeway/contract/approvals.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decision } from '../../../testing/approval-requests.ts';
import { entriesOf, insertTestBatch, submittedRun } from '../../../testing/batches.ts';
import { credit } from '../../../testing/company.ts';
import { expectCompanyBooks, walletBalances } from '../../../testing/company-books.ts';
import { type FreezingWorld, freezingWorld, type Subject } from '../../../testing/freezing.ts';
import { handingOver } from '../../../testing/handing-over.ts';
import type { Member, Tenant } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import { race } from '../../../testing/race.ts';
import { succeed } from '../../../testing/succeed.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';
import { payee } from '../../../testing/valid-requests.ts';

/** A freeze of the company, the wallet or the last approver, at the same time as the last approval of a run and the hand-over of its rows. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 6);
/** Codes are limited by member. */
const roundsPerCompany = 10;
const usdt = 1_000_000n;

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

async function reviewed(name: string): Promise<Reviewed> {
  const tenant = await main.company(name);
  await credit(db, tenant, 'USDT', 10_000n * usdt);
  const payeeId = await payee(main, tenant);
  await reviewOf(main, tenant)(true);
  const [initiator, approver] = [await main.member(tenant, 'finance'), await main.member(tenant, 'approver')];
  return { tenant, initiator, approver, payeeId };
}

/** A run of three rows that waits for its approver. */
async function waiting({ tenant, initiator, approver, payeeId }: Reviewed): Promise<{ runId: string; taskId: string }> {
  const row = { walletId: tenant.wallets.USDT, payeeId, amountMinor: 5n * usdt };
  const { id } = await insertTestBatch(db, tenant, [row, row, row]);
  const runId = await submittedRun(main, initiator, id);
  const { items } = (await succeed(main, listApprovals, { as: approver, query: { view: 'pending' } })).data;
  return { runId, taskId: present(items.find(({ subjectId }) => subjectId === runId)).id };
}

const subjects: Record<Subject['kind'], (of: Reviewed) => string> = {
  company: ({ tenant }) => tenant.id,
  wallet: ({ tenant }) => tenant.wallets.USDT,
  member: ({ approver }) => approver.session.userId,
};

test.each(['company', 'wallet', 'member'] as const)(
  'a freeze of the %s against the last approval of a run: no row is handed over after it, and none is stuck once it ends',
  { timeout: 3_600_000 },
  async (kind) => {
    let one = await reviewed(`Last approval ${kind}`);
    const ends = new Set<boolean>();
    for (let round = 0; round < rounds; round += 1) {
      // A frozen member's sessions end: the next round has an approver of its own.
      if (round > 0 && (kind === 'member' || round % roundsPerCompany === 0)) {
        one = await reviewed(`Last approval ${kind} ${round}`);
      }
      const { tenant, approver } = one;
      const { runId, taskId } = await waiting(one);
      const rows = () => entriesOf(db, tenant.id, runId);
      const ids = (await rows()).map(({ id }) => id);
      const request = await decision(main, approver, [taskId]);
      const { handed, handOver } = handingOver(db);
      const handAllOver = async () => {
        for (const id of ids) await handOver(tenant.id, id);
      };
      const subject: Subject = { kind, subjectId: subjects[kind](one) };
      const [atFreeze, decided] = await race(
        db,
        round,
        async () => {
          expect((await made.freeze(subject, { owner: tenant })).status).toBe(200);
          // What came before the freeze has committed by now.
          return (await rows()).map(({ stage }) => stage);
        },
        async () => {
          const answer = await main.ask(decideApprovals, request);
          await handAllOver();
          return answer;
        },
      );
      const isDecided = decided.status === 200;
      ends.add(handed.length > 0);
      // One decision lets all rows go, or none.
      expect([0, ids.length]).toContain(atFreeze.filter((stage) => stage === 'waiting_approval').length);
      if (kind === 'member') {
        // A decision of a frozen member does not count; one that came before stays, and its rows leave.
        expect(isDecided).toBe(!atFreeze.includes('waiting_approval'));
        expect(handed).toEqual(isDecided ? ids : []);
      } else {
        const before = atFreeze.filter((stage) => stage === 'signing').length;
        expect(handed).toHaveLength(before);
        // What has begun goes on; nothing else begins.
        await handAllOver();
        expect(new Set(handed).size).toBe(before);
      }
      expect((await walletBalances(db, tenant.id, tenant.wallets.USDT)).outbound).toBeGreaterThanOrEqual(18n * usdt);
      await made.unfreeze(subject, tenant);
      if (!isDecided) {
        expect((await rows()).map(({ stage }) => stage)).toEqual(Array(ids.length).fill('waiting_approval'));
        if (kind === 'member') continue;
        await succeed(main, decideApprovals, await decision(main, approver, [taskId]));
      }
      await handAllOver();
      expect(new Set(handed)).toEqual(new Set(ids));
      expect((await rows()).map(({ stage }) => stage)).toEqual(Array(ids.length).fill('signing'));
      await expectCompanyBooks(db, tenant.id);
    }
    expect(ends.size).toBe(2);
  },
);
