import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { outgoingKinds } from '../../../../outgoing-kinds.ts';
import type { Database } from '../../../../platform/database/database.ts';
import { dying, dyingDatabase, Killed } from '../../../../testing/dying.ts';
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

/** One payment from its submission to its end; the worker that does `doomed` dies in it, and another does it again. */
async function run(doomed: Phase, ending: Ending, dies: (work: Work) => Work, isTakenAtOnce: boolean): Promise<void> {
  const before = await figures();
  const id = await submitted(payouts, company, { amount: '10' });
  const folder = isTakenAtOnce ? greedy(payouts.folder) : payouts.folder;
  const healthy: Work = { id, database: payouts.db.worker, folder };
  for (const phase of order) {
    await bankWrites(phase, id, ending);
    if (phase === doomed) {
      const dead = Promise.resolve(phases[phase](dies(healthy)));
      await dead.catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
    }
    await phases[phase](healthy);
    if (phase === 'deliver') takeAll();
  }
  for (const phase of order) await phases[phase](healthy);
  takeAll();
  expect(asked(id)).toBe(1);
  const detail = await detailOf(payouts, company, id);
  expect(detail.payout?.answers).toHaveLength(1);
  expect(detail.payout?.messageId).toBe(await messageOf(payouts, id));
  const isRefused = ending === 'refused' || ending === 'wholly refused';
  expect(detail.stage).toBe({ paid: 'completed', returned: 'returned' }[ending as string] ?? 'failed');
  const spent = isRefused ? 0n : ending === 'returned' ? 100n : 1000n;
  expect(await figures()).toEqual({ available: before.available - spent, outbound: before.outbound });
}

const inDatabase = (transaction: number, moment: 'before commit' | 'after commit') => (work: Work) => ({
  ...work,
  database: dyingDatabase(work.database, transaction, moment),
});

/** So many transactions each has, and which of them write something; before each commit as well where all are tried. */
const steps: [Phase, Ending, number[], string][] = [
  ['handOver', 'paid', [1, 2], 'handed over, in a line'],
  ['order', 'paid', [2], 'order made'],
  ['deliver', 'paid', [3, 4, 5, 6], 'company told, uploading, uploaded, delivered noted'],
  ['status', 'paid', [2, 5], 'status read, applied'],
  ['status', 'refused', [5, 6], 'refusal applied, ended'],
  ['status', 'wholly refused', [5, 6, 7], 'order refused, refusal applied, ended'],
  ['booking', 'paid', [2, 5], 'booking read, posted'],
  ['booking', 'returned', [3, 6, 8], 'booking and return read, posted'],
];
const each = steps.flatMap(([phase, ending, few, names]) => {
  const all = Array.from({ length: 9 }, (_, index) => index + 1);
  return (isProof ? all : few).flatMap((transaction) =>
    (isProof ? (['before commit', 'after commit'] as const) : (['after commit'] as const)).map(
      (moment) => [phase, ending, names, transaction, moment] as const,
    ),
  );
});

test.each(each)(
  `killed (${kills}): %s of one that is %s (%s), at transaction %i, %s`,
  async (phase, ending, _, transaction, moment) => {
    for (let round = 0; round < kills; round += 1) {
      await run(phase, ending, inDatabase(transaction, moment), round % 2 === 1);
    }
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
    for (let round = 0; round < kills; round += 1) {
      await run('deliver', 'paid', (work) => ({ ...work, folder: dying(work.folder, method, moment) }), isTaken);
    }
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
