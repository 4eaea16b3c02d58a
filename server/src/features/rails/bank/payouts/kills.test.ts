import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '../../../../platform/database/database.ts';
import { outgoingKinds } from '../../../../testing/chain-families.ts';
import { dying, dyingDatabase, Killed, type Life } from '../../../../testing/dying.ts';
import {
  balancesOf,
  detailOf,
  endToEndOf,
  keepFile,
  messageOf,
  notification,
  type PayingCompany,
  type PayoutWorld,
  paid,
  payoutWorld,
  sentBack,
  statusReport,
  submitted,
  type TestFolder,
  testBank,
} from '../../../../testing/payouts.ts';
import { type OrderFolder, readMessages } from '../../../banks/index.ts';
import { verifyLedger } from '../../../ledger/index.ts';
import { applyStatuses, reconcileBanks, settleMoneys } from '../../index.ts';
import { deliverOrders } from './delivering.ts';
import { makeOrders } from './orders.ts';

/**
 * A worker that dies at each step of a payment out of a bank, and another that goes on: the bank is asked once, what it says is applied once,
 * and the books agree.
 */

const isProof = Number(process.env['PROOF_ROUNDS'] ?? 8) > 8;
const kills = isProof ? 20 : 1;
vi.setConfig({ testTimeout: 60_000 + kills * 30_000 });

let payouts: PayoutWorld;
let company: PayingCompany;
beforeAll(async () => {
  payouts = await payoutWorld();
  company = await payouts.company('1000015.00');
});
afterAll(async () => {
  expect(payouts.world.complaints).toEqual([]);
  expect(payouts.complaints).toEqual([]);
  expect((await payouts.db.operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
  expect((await reconcileBanks(payouts.db.operator)).findings).toEqual([]);
  await payouts.close();
});

/** What a worker does, with the bank's answers between. */
interface Work {
  id: string;
  database: Database;
  folder: OrderFolder;
}
const phases = {
  handOver: ({ id, database }: Work) => payouts.send(company.id, id, database),
  order: ({ database }: Work) => makeOrders(database, testBank, new Date()),
  deliver: ({ database, folder }: Work) => deliverOrders(database, testBank, folder),
  status: async ({ database }: Work) => {
    await readMessages(database);
    await applyStatuses(database, outgoingKinds);
  },
  booking: async ({ database }: Work) => {
    await readMessages(database);
    await settleMoneys(database);
  },
} as const;
type Phase = keyof typeof phases;
const order: Phase[] = ['handOver', 'order', 'deliver', 'status', 'booking'];

const taken: string[] = [];
const takeAll = () => taken.push(...payouts.folder.take().map(({ text }) => text));
const asked = (id: string) => taken.join('').split(`<EndToEndId>${endToEndOf(id)}</EndToEndId>`).length - 1;
const figures = async () => {
  const { available = 0n, outbound = 0n } = await balancesOf(payouts, company);
  return { available, outbound };
};

type Ending = 'paid' | 'refused' | 'wholly refused' | 'returned';

/** The bank's files of one phase. */
async function bankWrites(phase: Phase, id: string, ending: Ending): Promise<void> {
  if (phase === 'status') {
    const messageId = await messageOf(payouts, id);
    const said = ending === 'wholly refused' ? {} : { endToEnd: endToEndOf(id) };
    const isRefused = ending === 'refused' || ending === 'wholly refused';
    const status = isRefused ? { status: 'RJCT', reason: 'AC04' } : { status: 'ACSP' };
    await keepFile(payouts.db, statusReport(messageId, [{ ...said, ...status }]));
  }
  if (phase === 'booking' && (ending === 'paid' || ending === 'returned')) {
    await keepFile(payouts.db, notification([paid(id, '10.00')]));
    if (ending === 'returned') await keepFile(payouts.db, notification([sentBack(id, '9.00')]));
  }
}

/**
 * One payment from its submission to its end; the worker that does `doomed` dies in it, and another does it again.
 * @returns its id
 */
async function run(
  doomed: Phase,
  ending: Ending,
  dies: (work: Work) => Work,
  isTakenAtOnce: boolean,
  tries = 0,
): Promise<string> {
  const before = await figures();
  const id = await submitted(payouts, company, { amount: '10' });
  const folder = isTakenAtOnce ? greedy(payouts.folder) : payouts.folder;
  const healthy: Work = { id, database: payouts.db.worker, folder };
  for (const phase of order) {
    await bankWrites(phase, id, ending);
    if (phase === doomed) {
      const dead = (work: Work) =>
        Promise.resolve(phases[phase](work)).catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
      // Tries that ended within the file, so that the folder is looked at.
      for (let lost = 0; lost < tries; lost += 1) await dead({ ...healthy, folder: dying(folder, 'put', 'after') });
      await dead(dies(healthy));
    }
    await phases[phase](healthy);
    if (phase === 'deliver') takeAll();
  }
  await hasEnded(id, ending);
  const isRefused = ending === 'refused' || ending === 'wholly refused';
  const spent = isRefused ? 0n : ending === 'returned' ? 100n : 1000n;
  expect(await figures()).toEqual({ available: before.available - spent, outbound: before.outbound });
  return id;
}

async function hasEnded(id: string, ending: Ending): Promise<void> {
  expect(asked(id)).toBe(1);
  const detail = await detailOf(payouts, company, id);
  // The bank's answer to the order, and what it said of a return.
  expect(detail.payout?.answers).toHaveLength(ending === 'returned' ? 2 : 1);
  expect(detail.payout?.messageId).toBe(await messageOf(payouts, id));
  expect(detail.stage).toBe({ paid: 'completed', returned: 'returned' }[ending as string] ?? 'failed');
}

/** Rounds of one case; then a worker does everything once more, which changes nothing. */
async function prove(ending: Ending, round: (number: number) => Promise<string>): Promise<void> {
  const ids: string[] = [];
  for (let number = 0; number < kills; number += 1) ids.push(await round(number));
  const before = await figures();
  const [id = ''] = ids;
  for (const phase of order) await phases[phase]({ id, database: payouts.db.worker, folder: payouts.folder });
  takeAll();
  for (const one of ids) await hasEnded(one, ending);
  expect(await figures()).toEqual(before);
}

/** So many transactions each has, and which of them write something; before each commit as well where all are tried. */
const steps: [Phase, Ending, number, number[], string][] = [
  ['handOver', 'paid', 2, [1, 2], 'handed over, in a line'],
  ['order', 'paid', 2, [2], 'order made'],
  ['deliver', 'paid', 6, [3, 4, 5, 6], 'company told, uploading, uploaded, delivered noted'],
  ['status', 'paid', 6, [2, 5], 'status read, applied'],
  ['status', 'refused', 6, [5, 6], 'refusal applied, ended'],
  ['status', 'wholly refused', 7, [5, 6, 7], 'order refused, refusal applied, ended'],
  ['booking', 'paid', 7, [2, 5], 'booking read, posted'],
  ['booking', 'returned', 9, [3, 6, 8], 'booking and return read, posted'],
];
const each = steps.flatMap(([phase, ending, length, few, names]) => {
  const all = Array.from({ length }, (_, index) => index + 1);
  return (isProof ? all : few).flatMap((transaction) =>
    (isProof ? (['before commit', 'after commit'] as const) : (['after commit'] as const)).map(
      (moment) => [phase, ending, names, transaction, moment] as const,
    ),
  );
});

test.each(each)(
  `killed (${kills}): %s of one that is %s (%s), at transaction %i, %s`,
  async (phase, ending, _, transaction, moment) => {
    await prove(ending, async (round) => {
      let database: (Database & Life) | null = null;
      const dies = (work: Work): Work => {
        database = dyingDatabase(work.database, transaction, moment);
        return { ...work, database };
      };
      const id = await run(phase, ending, dies, round % 2 === 1);
      expect(database).toMatchObject({ life: { isOver: true } });
      return id;
    });
  },
);

test.each(steps)(
  '%s of one that is %s has %i transactions: each of them is in the table',
  async (phase, ending, length) => {
    const counted = dyingDatabase(payouts.db.worker, Number.POSITIVE_INFINITY, 'after commit');
    await run(phase, ending, (work) => ({ ...work, database: counted }), false);
    expect(counted.life.transactions).toBe(length);
  },
);

const outside = (['look', 'put', 'finish'] as const).flatMap((method) =>
  (['before', 'after'] as const).flatMap((moment) =>
    [false, true].map((isTaken) => [method, moment, isTaken] as const),
  ),
);

test.each(outside)(
  `killed (${kills}): at the folder’s %s, %s it, taken away at once: %s`,
  async (method, moment, isTaken) => {
    await prove('paid', async () => {
      let deaths = 0;
      const dies = (work: Work): Work => {
        const folder = dying(work.folder, method, moment, 1, () => (deaths += 1));
        return { ...work, folder };
      };
      const id = await run('deliver', 'paid', dies, isTaken, method === 'look' ? 1 : 0);
      expect(deaths).toBe(1);
      return id;
    });
  },
);

test('an answer that did not come: the name was given all the same, or the file is shorter than it should be', async () => {
  const id = await submitted(payouts, company, { amount: '10' });
  await payouts.send(company.id, id);
  const { folder } = payouts;
  const lost = {
    ...folder,
    finish: async (name: string) => {
      await folder.finish(name);
      takeAll();
      throw new Error('unreachable');
    },
  };
  const short = {
    ...folder,
    put: async (name: string, content: Uint8Array) => {
      await folder.put(name, content.slice(0, 10));
      throw new Error('notWritten');
    },
  };
  await expect(payouts.order(short)).rejects.toThrow('notWritten');
  takeAll();
  expect(asked(id)).toBe(0);
  await expect(payouts.order(lost)).rejects.toThrow('unreachable');
  await payouts.order();
  takeAll();
  expect(asked(id)).toBe(1);
  await payouts.bankSays(notification([paid(id, '10.00')]));
});

/** The bank takes a file away as soon as it has its name. */
function greedy(folder: TestFolder): OrderFolder {
  return {
    kind: 'folder',
    look: (name) => folder.look(name),
    put: (name, content) => folder.put(name, content),
    async finish(name) {
      await folder.finish(name);
      takeAll();
    },
  };
}
