import * as approvals from '@causeway/contract/approvals.ts';
import * as organisation from '@causeway/contract/organisation.ts';
import * as payees from '@causeway/contract/payees.ts';
import { addListEntry } from '@causeway/contract/risk-lists.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newId } from '../platform/ids.ts';
import { decision } from '../testing/approval-requests.ts';
import { credit } from '../testing/company.ts';
import { testDatabase } from '../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../testing/main-app.ts';
import { succeed } from '../testing/succeed.ts';
import { newPayee, transferRequest } from '../testing/valid-requests.ts';

/** The approval of a new payee, and what happens at the same moment: one outcome, whichever comes first. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 8);
const limit = { timeout: 900_000 };

let world: MainApp;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

interface Racer {
  tenant: Tenant;
  finance: Member;
  approvers: [Member, Member];
}

async function newRacer(): Promise<Racer> {
  const tenant = await world.company();
  const [finance, a, b] = [
    await world.member(tenant, 'finance'),
    await world.member(tenant, 'approver'),
    await world.member(tenant, 'approver'),
  ];
  await approveNewPayees(tenant, true);
  return { tenant, finance, approvers: [a, b] };
}

function approveNewPayees(tenant: Tenant, on: boolean) {
  const body = { timeZone: 'Asia/Hong_Kong', codeRecipient: 'initiator', approveNewPayees: on };
  return succeed(world, organisation.setCompanySettings, { as: tenant.admin, body });
}

async function waiting({ finance }: Racer) {
  const { data } = await succeed(world, payees.addCryptoPayee, { as: finance, body: newPayee() });
  return { id: data.id, address: data.address, taskId: data.approval?.taskId ?? '' };
}

async function statusOf({ tenant }: Racer, id: string): Promise<string> {
  const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql<{ status: string }>`select status from crypto_payee where company_id = company_id() and id = ${id}`.execute(tx),
  );
  return rows[0]?.status ?? 'none';
}

const endOf = async ({ finance }: Racer, taskId: string) =>
  (await succeed(world, approvals.getApproval, { as: finance, params: { id: taskId } })).data.end;

/** Starts both, one of them a little later each time, so that either may come first. */
async function bothAtOnce<One, Other>(index: number, one: () => Promise<One>, other: () => Promise<Other>) {
  const late = async <Each>(work: () => Promise<Each>): Promise<Each> => {
    for (let start = index % 6; start > 0; start--) await world.db.worker.pool.query('select 1');
    return work();
  };
  return index % 2 === 0 ? Promise.all([one(), late(other)]) : Promise.all([late(one), other()]);
}

async function race(round: (racer: Racer, index: number) => Promise<void>): Promise<void> {
  for (let index = 0; index < rounds; index++) await round(await newRacer(), index);
}

test('an approval and a deletion: the payee is gone, and its task ended once', limit, async () => {
  await race(async (racer, index) => {
    const { id, taskId } = await waiting(racer);
    const approve = await decision(world, racer.approvers[0], [taskId]);
    const [approved, deleted] = await bothAtOnce(
      index,
      () => world.ask(approvals.decideApprovals, approve),
      () => world.ask(payees.deleteCryptoPayee, { as: racer.finance, params: { id } }),
    );
    expect(deleted.status).toBe(200);
    expect(await statusOf(racer, id)).toBe('deleted');
    expect(await endOf(racer, taskId)).toBe(approved.status === 200 ? 'approved' : 'withdrawn');
  });
});

test('an approval and the black list: nothing can be sent to it in either order', limit, async () => {
  await race(async (racer, index) => {
    const { id, address, taskId } = await waiting(racer);
    const approve = await decision(world, racer.approvers[0], [taskId]);
    const body = { id: newId(), kind: 'black', payeeType: 'crypto_address', account: address, remark: 'fraud' };
    const [approved] = await bothAtOnce(
      index,
      () => world.ask(approvals.decideApprovals, approve),
      () => succeed(world, addListEntry, { as: racer.tenant.admin, body }),
    );
    expect(await statusOf(racer, id)).toBe(approved.status === 200 ? 'unusable' : 'rejected');
  });
});

test('an approval and a rejection: one of them counts', limit, async () => {
  await race(async (racer, index) => {
    const { id, taskId } = await waiting(racer);
    const [a, b] = racer.approvers;
    const requests = [await decision(world, a, [taskId]), await decision(world, b, [taskId], 'rejected')] as const;
    const [approved, rejected] = await bothAtOnce(
      index,
      () => world.ask(approvals.decideApprovals, requests[0]),
      () => world.ask(approvals.decideApprovals, requests[1]),
    );
    expect([approved.status, rejected.status].sort()).toEqual([200, 409]);
    expect(await statusOf(racer, id)).toBe(approved.status === 200 ? 'usable' : 'rejected');
  });
});

test('two approvals: the second finds it decided', limit, async () => {
  await race(async (racer, index) => {
    const { id, taskId } = await waiting(racer);
    const [a, b] = racer.approvers;
    const requests = [await decision(world, a, [taskId]), await decision(world, b, [taskId])] as const;
    const answers = await bothAtOnce(
      index,
      () => world.ask(approvals.decideApprovals, requests[0]),
      () => world.ask(approvals.decideApprovals, requests[1]),
    );
    expect(answers.map(({ key }) => key ?? '').sort()).toEqual(['', 'approvalNotPending']);
    expect(await statusOf(racer, id)).toBe('usable');
  });
});

test(
  'switching the setting on while a payee is added: once it is on, none is added without approval',
  limit,
  async () => {
    await race(async (racer, index) => {
      await approveNewPayees(racer.tenant, false);
      const bodies = [newPayee(), newPayee()];
      let on = false;
      const [, added] = await bothAtOnce(
        index,
        async () => {
          await approveNewPayees(racer.tenant, true);
          on = true;
        },
        async () => {
          const answers: { before: boolean; status: string }[] = [];
          for (const body of bodies) {
            const before = on;
            const { data } = await succeed(world, payees.addCryptoPayee, { as: racer.finance, body });
            answers.push({ before, status: data.status });
          }
          return answers;
        },
      );
      for (const { before, status } of added) expect(before ? ['waiting'] : ['waiting', 'usable']).toContain(status);
      const { data } = await succeed(world, payees.addCryptoPayee, { as: racer.finance, body: newPayee() });
      expect(data.status).toBe('waiting');
    });
  },
);

test(
  'a transfer that is submitted while its payee is rejected, or approved: only an approved one is paid',
  limit,
  async () => {
    await race(async (racer, index) => {
      const { tenant, finance, approvers } = racer;
      await credit(world.db, tenant, 'USDT', 100_000_000n);
      const { id: payeeId, taskId } = await waiting(racer);
      const outcome = index % 4 < 2 ? 'approved' : 'rejected';
      const content = {
        id: newId(),
        walletId: tenant.wallets.USDT,
        payeeId,
        amount: '5',
        attachmentIds: [],
        notes: '',
      };
      const submission = await transferRequest(world, tenant, content, finance);
      const decided = await decision(world, approvers[0], [taskId], outcome);
      const [sent, answer] = await bothAtOnce(
        index,
        () => world.ask(transferOut, submission),
        () => world.ask(approvals.decideApprovals, decided),
      );
      expect(answer.status).toBe(200);
      if (outcome === 'rejected') expect(['payeeWaiting', 'payeeUnusable']).toContain(sent.key);
      else expect(['payeeWaiting', null]).toContain(sent.status === 200 ? null : sent.key);
    });
  },
);
