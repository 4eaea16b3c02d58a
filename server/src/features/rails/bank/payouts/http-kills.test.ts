import { settingsOf } from '@causeway/sandbox/bank/ledger.ts';
import { reasonOf, refusePayment, returnPayment, settlePayment } from '@causeway/sandbox/bank/payments.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '../../../../platform/database/database.ts';
import { outgoingKinds } from '../../../../testing/chain-families.ts';
import { dying, dyingDatabase, Killed, type Life } from '../../../../testing/dying.ts';
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
  world = await httpPayoutWorld(30_000);
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

const figures = async () => {
  const { available = 0n, outbound = 0n } = await balancesOf(world, company);
  return { available, outbound };
};

/**
 * One payment from its submission to its end; the worker that does `doomed` dies in it, and another does it again.
 * @returns its id
 */
async function run(doomed: Phase, ending: Ending, dies: (work: Work) => Work, tries = 0): Promise<string> {
  const before = await figures();
  const id = await submitted(world, company, { amount: '10' });
  const healthy: Work = { id, database: world.db.worker, of: (desk) => desk, later: true };
  for (const phase of order) {
    if (phase === 'visit') await ends(id, ending);
    if (phase === doomed) {
      const dead = async (work: Work) =>
        phases[phase](work).catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
      // Tries whose answer did not come, so that the bank is asked.
      for (let lost = 0; lost < tries; lost += 1) {
        await dead({ ...healthy, of: (desk) => dying(desk, 'order', 'after'), later: false });
      }
      await dead(dies({ ...healthy, later: false }));
    }
    await phases[phase](healthy);
  }
  await hasEnded(id, ending);
  const spent = ending === 'paid' ? 1000n : 0n;
  expect(await figures()).toEqual({ available: before.available - spent, outbound: before.outbound });
  return id;
}

async function hasEnded(id: string, ending: Ending): Promise<void> {
  expect(world.atBank(id)).toHaveLength(1);
  const stage = { paid: 'completed', refused: 'failed', returned: 'returned' }[ending];
  expect(await detailOf(world, company, id)).toMatchObject({ stage, payout: { transferId: expect.any(String) } });
}

/** Rounds of one case; then a worker does everything once more, which changes nothing. */
async function prove(ending: Ending, round: () => Promise<string>): Promise<void> {
  const ids: string[] = [];
  for (let number = 0; number < kills; number += 1) ids.push(await round());
  const before = await figures();
  const [id = ''] = ids;
  for (const phase of order) await phases[phase]({ id, database: world.db.worker, of: (desk) => desk, later: true });
  for (const one of ids) await hasEnded(one, ending);
  expect(await figures()).toEqual(before);
}

async function ends(id: string, ending: Ending): Promise<void> {
  if (ending === 'refused') return world.become(id, (turn, payment) => refusePayment(turn, payment, reasonOf('AC04')));
  await world.become(id, settlePayment);
  if (ending === 'returned') await world.become(id, (turn, payment) => returnPayment(turn, payment, reasonOf('AC04')));
}

/** So many transactions each phase has, and a few of those that write something; all of them where every one is tried. */
const steps: [Phase, Ending, number, number[]][] = [
  ['handOver', 'paid', 2, [1, 2]],
  ['order', 'paid', 2, [2]],
  ['send', 'paid', 6, [3, 4, 5, 6]],
  ['visit', 'paid', 17, [2, 4, 7, 17]],
  ['visit', 'refused', 13, [4, 6]],
  ['visit', 'returned', 18, [4, 8, 10, 18]],
];
const each = steps.flatMap(([phase, ending, length, few]) => {
  const all = Array.from({ length }, (_, index) => index + 1);
  return (isProof ? all : few).flatMap((transaction) =>
    (isProof ? (['before commit', 'after commit'] as const) : (['after commit'] as const)).map(
      (moment) => [phase, ending, transaction, moment] as const,
    ),
  );
});

test.each(each)(
  `killed (${kills}): %s of one that is %s, at transaction %i, %s`,
  async (phase, ending, transaction, moment) => {
    await prove(ending, async () => {
      let database: (Database & Life) | null = null;
      const dies = (work: Work): Work => {
        database = dyingDatabase(work.database, transaction, moment);
        return { ...work, database };
      };
      const id = await run(phase, ending, dies);
      expect(database).toMatchObject({ life: { isOver: true } });
      return id;
    });
  },
);

test.each(steps)(
  '%s of one that is %s has %i transactions: each of them is in the table',
  async (phase, ending, length) => {
    const counted = dyingDatabase(world.db.worker, Number.POSITIVE_INFINITY, 'after commit');
    await run(phase, ending, (work) => ({ ...work, database: counted }));
    expect(counted.life.transactions).toBe(length);
  },
);

test.each([
  ['find', 'before'],
  ['find', 'after'],
  ['order', 'before'],
  ['order', 'after'],
] as const)(`killed (${kills}): at the bank’s %s, %s it`, async (method, moment) => {
  await prove('paid', async () => {
    let deaths = 0;
    const dies = (work: Work): Work => ({
      ...work,
      of: (desk) => dying(desk, method, moment, 1, () => (deaths += 1)),
    });
    const id = await run('send', 'paid', dies, method === 'find' ? 1 : 0);
    expect(deaths).toBe(1);
    return id;
  });
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
