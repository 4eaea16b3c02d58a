import * as staff from '@causeway/contract/operator.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { credit } from '../../../testing/company.ts';
import { companyOf, type FreezingWorld, freezingWorld, type Subject } from '../../../testing/freezing.ts';
import { handingOver } from '../../../testing/handing-over.ts';
import type { Tenant } from '../../../testing/main-app.ts';
import { insertTestTransaction } from '../../../testing/transactions.ts';
import { validRequests } from '../../../testing/valid-requests.ts';

/** Freezes and unfreezings at the same time as what they hold up. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 8);

let made: FreezingWorld;
let db: FreezingWorld['db'];
let main: FreezingWorld['main'];
let world: FreezingWorld['world'];

beforeAll(async () => {
  made = await freezingWorld();
  ({ db, main, world } = made);
});
afterAll(() => made.close());

const freeze: FreezingWorld['freeze'] = (...given) => made.freeze(...given);
const propose: FreezingWorld['propose'] = (...given) => made.propose(...given);
const confirming: FreezingWorld['confirming'] = (...given) => made.confirming(...given);
const work: FreezingWorld['work'] = (...given) => made.work(...given);
const unfreeze: FreezingWorld['unfreeze'] = (...given) => made.unfreeze(...given);
const shownTo: FreezingWorld['shownTo'] = (...given) => made.shownTo(...given);

const stageOf = async (owner: Tenant, id: string) => {
  const { rows } = await db.worker.withCompany(owner.id, (tx) =>
    sql<{
      stage: string;
      at: Date;
    }>`select stage, stage_at as at from transaction where company_id = company_id() and id = ${id}`.execute(tx),
  );
  return rows[0]?.stage;
};
const approvedIn = async (owner: Tenant) => {
  const { rows } = await db.worker.withCompany(owner.id, (tx) =>
    sql<{ id: string }>`select id from transaction where company_id = company_id() and stage = 'approved'`.execute(tx),
  );
  return rows.map(({ id }) => id);
};
const approved = {
  type: 'chain_withdraw',
  status: 'pending',
  stage: 'approved',
  payeeName: 'P',
  payeeAccount: 'A',
} as const;

test.each(['company', 'wallet'] as const)(
  'after a freeze of the %s has committed nothing is handed over, and what waited goes on afterwards',
  { timeout: 600_000 },
  async (kind) => {
    const own = await main.company(`Race ${kind}`);
    const subject: Subject = { kind, subjectId: kind === 'company' ? own.id : own.wallets.USDT };
    for (let round = 0; round < rounds; round += 1) {
      const ids = await Promise.all([1, 2, 3].map(() => insertTestTransaction(db, own, approved)));
      const { handOver, handed } = handingOver(db);
      const [frozen] = await Promise.all([
        freeze(subject, { owner: own }).then(async (answer) => {
          // Everything that was handed over has committed by now.
          const stages = await Promise.all(ids.map((id) => stageOf(own, id)));
          return { answer, before: stages.filter((stage) => stage === 'signing').length };
        }),
        ...ids.map((id) => handOver(own.id, id)),
      ]);
      expect(frozen.answer.status).toBe(200);
      expect(handed).toHaveLength(frozen.before);
      for (const id of ids) await handOver(own.id, id);
      expect(new Set(handed).size).toBe(frozen.before);
      await unfreeze(subject, own);
      for (const id of ids) await handOver(own.id, id);
      expect(new Set(handed).size).toBe(3);
    }
  },
);

test('what a submission leaves at the time of a freeze is not handed over before it ends', {
  timeout: 600_000,
}, async () => {
  for (let round = 0; round < Math.min(rounds, 20); round += 1) {
    const own = await main.company(`Race of submissions ${round}`);
    for (const coin of ['USDT', 'ETH'] as const) await credit(db, own, coin, 10n ** 20n);
    const request = (await validRequests['transferOut']?.(main, own)) ?? {};
    const [frozen, answer] = await Promise.all([
      freeze(companyOf(own), { owner: own }),
      main.ask(transferOut, { as: own.admin, ...request }),
    ]);
    expect(frozen.status).toBe(200);
    expect([null, 'companyFrozen']).toContain(answer.key);
    const { handOver, handed } = handingOver(db);
    const waiting = await approvedIn(own);
    for (const id of waiting) await handOver(own.id, id);
    expect(handed).toEqual([]);
    await unfreeze(companyOf(own), own);
    for (const id of waiting) await handOver(own.id, id);
    expect(handed.sort()).toEqual([...waiting].sort());
  }
});

test('of two confirmations of an unfreeze one is done', { timeout: 600_000 }, async () => {
  const own = await main.company('Race');
  const third = await world.operator('compliance');
  for (let round = 0; round < Math.min(rounds, 20); round += 1) {
    await freeze(companyOf(own), { owner: own });
    const id = await propose(companyOf(own), own);
    const requests = [await confirming(id), await confirming(id, third)];
    const answers = await Promise.all(requests.map((request) => world.ask(staff.confirmProposal, request)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await work(id);
    expect(await shownTo(own.admin)).toBeNull();
  }
});
