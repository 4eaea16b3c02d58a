import * as approvals from '@causeway/contract/approvals.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { setMemberStatus } from '@causeway/contract/organisation.ts';
import { getTransaction } from '@causeway/contract/transactions.ts';
import { cancelTransfer, transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newId } from '../platform/ids.ts';
import { decision } from '../testing/approval-requests.ts';
import { credit } from '../testing/company.ts';
import { expectCompanyBooks, expectLedgerToAgree, walletBalances } from '../testing/company-books.ts';
import { testDatabase } from '../testing/database.ts';
import type { Answer } from '../testing/envelope.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../testing/main-app.ts';
import { present } from '../testing/present.ts';
import { succeed } from '../testing/succeed.ts';
import { payee, transferRequest } from '../testing/valid-requests.ts';

/** Approvals of real transfers, decided by two at once: one outcome, the ledger right. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 8);
/** Codes are limited by member. */
const roundsPerCompany = 25;
const limit = { timeout: 900_000 };

let world: MainApp;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
afterAll(async () => {
  await expectLedgerToAgree(world.db);
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

interface Racer {
  tenant: Tenant;
  /** An administrator besides the tenant's. */
  second: Member;
  initiator: Member;
  approvers: [Member, Member, Member];
  payeeId: string;
  ruleId: string;
  /** How many of the three must approve. */
  needed: number;
}

interface Pending {
  id: string;
  taskId: string;
}

const nodeOf = (approvers: readonly Member[], needed: number) => ({
  approvers: approvers.map((member) => ({ kind: 'person', id: member.session.userId })),
  needed,
});

const ruleOf = (nodes: object[]) => ({ name: 'All', lower: '0', upper: null, nodes, active: true });

async function newRacer(needed: number): Promise<Racer> {
  const tenant = await world.company();
  const { admin } = tenant;
  const [initiator, a, b, c] = [
    await world.member(tenant, 'finance'),
    await world.member(tenant, 'approver'),
    await world.member(tenant, 'approver'),
    await world.member(tenant, 'approver'),
  ];
  const ruleId = newId();
  const rule = ruleOf([nodeOf([a, b, c], needed)]);
  await succeed(world, approvals.addRule, { as: admin, body: { version: 0, id: ruleId, rule } });
  const content = { enabled: true };
  const subject = { kind: 'review', content };
  await succeed(world, sendUserCode, { as: admin, body: { scenario: 'transaction', subject } });
  const body = { ...content, codeMethod: 'email', code: await world.takeCode() };
  await succeed(world, approvals.setReviewEnabled, { as: admin, body });
  await credit(world.db, tenant, 'USDT', 1_000_000_000n);
  // From here on a change of the rules needs this administrator's consent.
  const second = await world.member(tenant, 'administrator');
  return { tenant, second, initiator, approvers: [a, b, c], payeeId: await payee(world, tenant), ruleId, needed };
}

async function race(needed: number, round: (racer: Racer, index: number) => Promise<void>): Promise<void> {
  let racer = await newRacer(needed);
  for (let index = 0; index < rounds; index++) {
    if (index % roundsPerCompany === roundsPerCompany - 1) racer = await newRacer(needed);
    await round(racer, index);
    await expectCompanyBooks(world.db, racer.tenant.id);
  }
}

async function requested({ tenant, initiator, payeeId }: Racer) {
  const content = { id: newId(), walletId: tenant.wallets.USDT, payeeId, amount: '5', attachmentIds: [], notes: '' };
  return transferRequest(world, tenant, content, initiator);
}

async function submit(racer: Racer): Promise<Pending> {
  const { id } = (await succeed(world, transferOut, await requested(racer))).data;
  return { id, taskId: (await taskOf(racer, id)).id };
}

async function taskOf({ tenant }: Racer, subjectId: string) {
  const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql<{ id: string; status: string; end: string | null; version: number; nodes: { needed: number }[] }>`
      select id, status, ended_as as "end", rule_version as version, nodes from approval_task
      where company_id = company_id() and subject_id = ${subjectId}`.execute(tx),
  );
  const [row] = rows;
  if (!row) throw new Error('there is no task');
  return row;
}

/** How often it was said that the transfer may go on its way. */
async function releases({ tenant }: Racer, id: string): Promise<number> {
  const { rows } = await world.db.worker.withCompany(tenant.id, (tx) =>
    sql<{ count: number }>`select count(*) from outbox where company_id = company_id()
      and name = 'outgoing.approved' and payload ->> 'transactionId' = ${id}`.execute(tx),
  );
  return rows[0]?.count ?? 0;
}

const balances = ({ tenant }: Racer) => walletBalances(world.db, tenant.id, tenant.wallets.USDT);
const stageOf = async ({ initiator }: Racer, id: string) =>
  (await succeed(world, getTransaction, { as: initiator, params: { id } })).data.stage as string;

/** Starts both, one of them a little later each time, so that either may come first. */
async function bothAtOnce<One extends Answer, Other extends Answer>(
  index: number,
  one: () => Promise<One>,
  other: () => Promise<Other>,
  /** How many round trips to the database the later may be late. */
  most = 5,
) {
  const late = async <Each>(work: () => Promise<Each>): Promise<Each> => {
    for (let start = index % (most + 1); start > 0; start--) await world.db.worker.pool.query('select 1');
    return work();
  };
  return index % 2 === 0 ? Promise.all([one(), late(other)]) : Promise.all([late(one), other()]);
}

test(
  'two approvers at once on the last needed decision: one is the last, the transfer goes on once',
  limit,
  async () => {
    await race(2, async (racer, index) => {
      const [a, b, c] = racer.approvers;
      const { id, taskId } = await submit(racer);
      await succeed(world, approvals.decideApprovals, await decision(world, c, [taskId]));
      const [mine, theirs] = [await decision(world, a, [taskId]), await decision(world, b, [taskId])];
      const ask = (request: typeof mine) => () => world.ask(approvals.decideApprovals, request);
      const answers = await bothAtOnce(index, ask(mine), ask(theirs));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.find(({ status }) => status !== 200)?.key).toBe('approvalNotPending');
      expect(await stageOf(racer, id)).toBe('approved');
      expect(await releases(racer, id)).toBe(1);
    });
  },
);

test('approve against cancel: the hold is given back once, and the task ends as what came first', limit, async () => {
  const wins = { approve: 0, cancel: 0 };
  await race(1, async (racer, index) => {
    const before = await balances(racer);
    const { id, taskId } = await submit(racer);
    const request = await decision(world, racer.approvers[0], [taskId]);
    const [approved, cancelled] = await bothAtOnce(
      index,
      () => world.ask(approvals.decideApprovals, request),
      () => world.ask(cancelTransfer, { as: racer.initiator, body: { id } }),
    );
    // What is approved can be cancelled until it is handed to signing, so cancelling succeeds either way.
    expect(cancelled.status, cancelled.raw.body).toBe(200);
    expect(await stageOf(racer, id)).toBe('cancelled');
    expect(await balances(racer)).toEqual(before);
    const { end } = await taskOf(racer, id);
    if (approved.status === 200) {
      wins.approve += 1;
      expect([end, await releases(racer, id)]).toEqual(['approved', 1]);
    } else {
      wins.cancel += 1;
      expect([approved.key, end, await releases(racer, id)]).toEqual(['approvalNotPending', 'withdrawn', 0]);
    }
  });
  if (rounds >= 50) expect(Math.min(wins.approve, wins.cancel)).toBeGreaterThan(0);
});

test('approve against the application’s withdrawal: one outcome, and what it means for the money', limit, async () => {
  const wins = { approve: 0, withdraw: 0 };
  await race(1, async (racer, index) => {
    const before = await balances(racer);
    const { id, taskId } = await submit(racer);
    const held = await balances(racer);
    const request = await decision(world, racer.approvers[0], [taskId]);
    const [approved, withdrawn] = await bothAtOnce(
      index,
      () => world.ask(approvals.decideApprovals, request),
      () => world.ask(approvals.withdrawApproval, { as: racer.initiator, body: { id: taskId } }),
    );
    expect([approved.status, withdrawn.status].filter((status) => status === 200)).toHaveLength(1);
    const won = approved.status === 200;
    wins[won ? 'approve' : 'withdraw'] += 1;
    expect((won ? withdrawn : approved).key).toBe('approvalNotPending');
    expect(await stageOf(racer, id)).toBe(won ? 'approved' : 'cancelled');
    expect(await releases(racer, id)).toBe(won ? 1 : 0);
    expect(await balances(racer)).toEqual(won ? held : before);
    expect((await taskOf(racer, id)).end).toBe(won ? 'approved' : 'withdrawn');
  });
  if (rounds >= 50) expect(Math.min(wins.approve, wins.withdraw)).toBeGreaterThan(0);
});

test('approve against reject: one outcome, and what it means for the money', limit, async () => {
  const wins = { approve: 0, reject: 0 };
  await race(1, async (racer, index) => {
    const before = await balances(racer);
    const [a, b] = racer.approvers;
    const { id, taskId } = await submit(racer);
    const held = await balances(racer);
    const yes = await decision(world, a, [taskId]);
    const no = await decision(world, b, [taskId], 'rejected');
    const [approved, rejected] = await bothAtOnce(
      index,
      () => world.ask(approvals.decideApprovals, yes),
      () => world.ask(approvals.decideApprovals, no),
    );
    expect([approved.status, rejected.status].filter((status) => status === 200)).toHaveLength(1);
    const won = approved.status === 200;
    wins[won ? 'approve' : 'reject'] += 1;
    expect((won ? rejected : approved).key).toBe('approvalNotPending');
    expect(await stageOf(racer, id)).toBe(won ? 'approved' : 'refused');
    expect(await releases(racer, id)).toBe(won ? 1 : 0);
    expect(await balances(racer)).toEqual(won ? held : before);
    expect((await taskOf(racer, id)).end).toBe(won ? 'approved' : 'rejected');
  });
  if (rounds >= 50) expect(Math.min(wins.approve, wins.reject)).toBeGreaterThan(0);
});

test('approve against the approver’s removal: who was disabled first has decided nothing', limit, async () => {
  const wins = { approve: 0, removal: 0 };
  await race(1, async (racer, index) => {
    const approver = racer.approvers[0];
    const { id, taskId } = await submit(racer);
    const request = await decision(world, approver, [taskId]);
    const status = (enabled: boolean) =>
      world.ask(setMemberStatus, { as: racer.tenant.admin, body: { id: approver.session.userId, enabled } });
    const [approved, removed] = await bothAtOnce(
      index,
      () => world.ask(approvals.decideApprovals, request),
      () => status(false),
      // A decision takes more trips than that.
      15,
    );
    expect(removed.status, removed.raw.body).toBe(200);
    const won = approved.status === 200;
    wins[won ? 'approve' : 'removal'] += 1;
    if (!won) expect(['sessionEnded', 'noPermission']).toContain(approved.key);
    expect(await stageOf(racer, id)).toBe(won ? 'approved' : 'waiting_approval');
    expect(await releases(racer, id)).toBe(won ? 1 : 0);
    expect((await taskOf(racer, id)).status).toBe(won ? 'approved' : 'pending');
    racer.approvers[0] = await world.member(racer.tenant, 'approver');
    await renew(racer);
  });
  if (rounds >= 50) expect(Math.min(wins.approve, wins.removal)).toBeGreaterThan(0);
});

/** Proposes the rule for the approvers of now; returns the request by which the second administrator consents. */
async function renewal({ tenant, second, ruleId, approvers }: Racer, needed: number) {
  const as = tenant.admin;
  const { version } = (await succeed(world, approvals.getReviewSetting, { as })).data;
  const body = { version, id: ruleId, rule: ruleOf([nodeOf(approvers, needed)]) };
  const { data } = await succeed(world, approvals.changeRule, { as, body });
  return decision(world, second, [present(data.taskId)]);
}

/** Puts the rule in force for the approvers of now. */
async function renew(racer: Racer): Promise<void> {
  await succeed(world, approvals.decideApprovals, await renewal(racer, racer.needed));
}

test('rule changed while pending, or while submitted: the rule of the time of submission stands', limit, async () => {
  const versions = new Set<string>();
  await race(1, async (racer, index) => {
    const as = racer.tenant.admin;
    const { rules } = (await succeed(world, approvals.getReviewSetting, { as })).data;
    const [rule] = rules;
    const consent = await renewal(racer, 2);
    const transfer = await requested(racer);
    const [submitted, changed] = await bothAtOnce(
      index,
      () => world.ask(transferOut, transfer),
      () => world.ask(approvals.decideApprovals, consent),
      // A consent takes longer than a submission.
      60,
    );
    expect([submitted.status, changed.status]).toEqual([200, 200]);
    const task = await taskOf(racer, submitted.data.id);
    const isNew = task.version === rule!.version + 1;
    versions.add(isNew ? 'new' : 'old');
    expect(task.version).toBe(isNew ? rule!.version + 1 : rule!.version);
    expect(task.nodes[0]?.needed).toBe(isNew ? 2 : 1);

    // And back, while an approver approves: as many as were asked for when it was submitted.
    const request = await decision(world, racer.approvers[0], [task.id]);
    const back = await renewal(racer, 1);
    const [decided, renewed] = await bothAtOnce(
      index,
      () => world.ask(approvals.decideApprovals, request),
      () => world.ask(approvals.decideApprovals, back),
    );
    expect(renewed.status).toBe(200);
    expect(decided.data.items).toMatchObject([{ status: isNew ? 'pending' : 'approved' }]);
    if (isNew) {
      await succeed(world, approvals.decideApprovals, await decision(world, racer.approvers[1], [task.id]));
    }
    expect(await stageOf(racer, submitted.data.id)).toBe('approved');
    expect(await releases(racer, submitted.data.id)).toBe(1);
  });
  if (rounds >= 50) expect(versions.size).toBe(2);
});
