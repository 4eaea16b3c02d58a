import { settingsOf } from '@causeway/sandbox/bank/ledger.ts';
import { reasonOf, refusePayment, returnPayment, settlePayment } from '@causeway/sandbox/bank/payments.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { outgoingKinds } from '../../../../outgoing-kinds.ts';
import type { Database } from '../../../../platform/database/database.ts';
import { dying, dyingDatabase, Killed } from '../../../../testing/dying.ts';
import { type HttpPayoutWorld, httpPayoutWorld } from '../../../../testing/http-payouts.ts';
import { balancesOf, detailOf, type PayingCompany, submitted } from '../../../../testing/payouts.ts';
import type { TransferDesk } from '../../../banks/index.ts';
import { verifyLedger } from '../../../ledger/index.ts';
import { applyStatuses, reconcileBanks, settleMoneys } from '../../index.ts';
import { makeTransfers } from './orders.ts';
import { quietMs, sendTransfers } from './transferring.ts';

/**
 * A worker that dies at each step of a payment over a bank's HTTP API, and another that goes on: the bank makes it once, what it says is
 * applied once, and the books agree with its own.
 */

const isProof = Number(process.env['PROOF_ROUNDS'] ?? 8) > 8;
const kills = isProof ? 20 : 1;
vi.setConfig({ testTimeout: 60_000 + kills * 30_000 });

let world: HttpPayoutWorld;
let company: PayingCompany;
beforeAll(async () => {
  world = await httpPayoutWorld();
  company = await world.company('SGD', '1000000.00');
  await world.http.bank.change((turn) => {
    turn.put('settings', 'now', { ...settingsOf(turn), payouts: { mode: 'accept', reason: 'AC04' } });
  });
});
afterAll(async () => {
  world.http.restart();
  await world.visit();
  expect(world.complaints).toEqual([]);
  expect((await world.db.operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
  expect((await reconcileBanks(world.db.operator)).findings).toEqual([]);
  await world.close();
});

type Ending = 'paid' | 'refused' | 'returned';
type Phase = 'handOver' | 'order' | 'send' | 'visit';
const order: Phase[] = ['handOver', 'order', 'send', 'visit'];

/** What a worker does; `later`: the quiet time after a try has passed. */
interface Work {
  id: string;
  database: Database;
  of: (desk: TransferDesk) => TransferDesk;
  later: boolean;
}

const phases: Record<Phase, (work: Work) => Promise<unknown>> = {
  handOver: ({ id, database }) => world.send(company.id, id, database),
  order: ({ database }) => makeTransfers(database, 'meridian'),
  async send({ database, of, later }) {
    const now = () => new Date(Date.now() + (later ? 2 * quietMs : 0));
    const failures: unknown[] = [];
    const deliver = async (bank: string, desk: unknown) => {
      const given = { bank, desk: of(desk as TransferDesk), now };
      await sendTransfers(database, outgoingKinds, given).catch((error: unknown) => failures.push(error));
    };
    await world.http.visit({ deliver });
    if (failures.length > 0) throw failures[0];
  },
  visit: ({ database }) =>
    world.http
      .visit({ database, settleFirst: () => applyStatuses(database, outgoingKinds) })
      .then(() => settleMoneys(database)),
};

async function run(doomed: Phase, ending: Ending, dies: (work: Work) => Work): Promise<void> {
  const figures = async () => {
    const { available = 0n, outbound = 0n } = await balancesOf(world, company);
    return { available, outbound };
  };
  const before = await figures();
  const id = await submitted(world, company, { amount: '10' });
  const healthy: Work = { id, database: world.db.worker, of: (desk) => desk, later: true };
  for (const phase of order) {
    if (phase === 'visit') await ends(id, ending);
    if (phase === doomed) {
      const dead = phases[phase](dies({ ...healthy, later: false }));
      await dead.catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
    }
    await phases[phase](healthy);
  }
  for (const phase of order) await phases[phase](healthy);
  expect(world.atBank(id)).toHaveLength(1);
  const spent = ending === 'paid' ? 1000n : 0n;
  const stage = { paid: 'completed', refused: 'failed', returned: 'returned' }[ending];
  expect(await detailOf(world, company, id)).toMatchObject({ stage, payout: { transferId: expect.any(String) } });
  expect(await figures()).toEqual({ available: before.available - spent, outbound: before.outbound });
}

async function ends(id: string, ending: Ending): Promise<void> {
  if (ending === 'refused') return world.become(id, (turn, payment) => refusePayment(turn, payment, reasonOf('AC04')));
  await world.become(id, settlePayment);
  if (ending === 'returned') await world.become(id, (turn, payment) => returnPayment(turn, payment, reasonOf('AC04')));
}

/** Transactions of each phase that write something; all of them where every one is tried. */
const steps: [Phase, Ending, number[]][] = [
  ['handOver', 'paid', [1, 2]],
  ['order', 'paid', [2]],
  ['send', 'paid', [3, 4, 5, 6]],
  ['visit', 'paid', [2, 4, 7]],
  ['visit', 'refused', [4, 6]],
  ['visit', 'returned', [4, 8, 10]],
];
const each = steps.flatMap(([phase, ending, few]) => {
  const all = Array.from({ length: 12 }, (_, index) => index + 1);
  return (isProof ? all : few).flatMap((transaction) =>
    (isProof ? (['before commit', 'after commit'] as const) : (['after commit'] as const)).map(
      (moment) => [phase, ending, transaction, moment] as const,
    ),
  );
});

test.each(each)(
  `killed (${kills}): %s of one that is %s, at transaction %i, %s`,
  async (phase, ending, transaction, moment) => {
    for (let round = 0; round < kills; round += 1) {
      await run(phase, ending, (work) => ({ ...work, database: dyingDatabase(work.database, transaction, moment) }));
    }
  },
);

test.each([
  ['find', 'before'],
  ['find', 'after'],
  ['order', 'before'],
  ['order', 'after'],
] as const)(`killed (${kills}): at the bank’s %s, %s it`, async (method, moment) => {
  for (let round = 0; round < kills; round += 1) {
    await run('send', 'paid', (work) => ({ ...work, of: (desk) => dying(desk, method, moment) }));
  }
});

test('several workers at the same time order a payment once', async () => {
  const ids = await Promise.all(
    Array.from({ length: 4 }, () => submitted(world, company, { amount: '10' }).then((id) => id)),
  );
  for (const id of ids) await world.send(company.id, id);
  await Promise.all(Array.from({ length: 3 }, () => world.visit()));
  await world.visit();
  for (const id of ids) {
    expect(world.atBank(id)).toHaveLength(1);
    expect(await detailOf(world, company, id)).toMatchObject({ stage: 'accepted' });
    await world.become(id, settlePayment);
  }
  await world.visit();
});
