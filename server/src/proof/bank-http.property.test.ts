import { cancelPayout, fiatTransferOut } from '@causeway/contract/payments.ts';
import { settingsOf } from '@causeway/sandbox/bank/ledger.ts';
import type { Payment } from '@causeway/sandbox/bank/model.ts';
import {
  delayPayment,
  reasonOf,
  refusePayment,
  returnPayment,
  settlePayment,
} from '@causeway/sandbox/bank/payments.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { verifyLedger } from '../features/ledger/index.ts';
import { makeTransfers } from '../features/rails/bank/payouts/orders.ts';
import { quietMs, sendTransfers } from '../features/rails/bank/payouts/transferring.ts';
import { applyStatuses, reconcileBanks } from '../features/rails/index.ts';
import { type EventDoor, openEventDoor } from '../testing/bank-events.ts';
import { outgoingKinds } from '../testing/chain-families.ts';
import { type HttpPayoutWorld, httpPayoutWorld } from '../testing/http-payouts.ts';
import { balancesOf, type PayingCompany, payoutRequest } from '../testing/payouts.ts';

/**
 * Random histories of two companies, one of them in yen, and a bank with an HTTP API: deposits that arrive, are rejected or taken back, payments that the bank
 * makes, delays, refuses, cancels or returns; its events lost, doubled, out of order and forged; answers of the bank that do not come; workers that are started
 * again. After every step the product's figures are those of a model that knows only what was asked and which visits were made; in the end they are
 * the bank's own.
 */

/** Each takes many times as long as one of files. */
const histories = Math.ceil(Number(process.env['PROOF_HISTORIES'] ?? 3) / 8);
/** How long an answer may take: on a busy machine, and of a bank that gives none. */
const [patientMs, impatientMs] = [30_000, 500];
/** The bank's lists grow with each history. */
const perWorld = 10;
vi.setConfig({ testTimeout: 120_000 + histories * 60_000 });

interface Company extends PayingCompany {
  currency: 'SGD' | 'JPY';
  decimals: number;
  /** What a deposit and a payment cost. */
  depositFee: bigint;
  payoutFee: bigint;
  opening: bigint;
}

interface Payout {
  id: string;
  company: Company;
  minor: bigint;
  /** Before the bank has it. */
  stage: 'approved' | 'instructed' | 'cancelled';
  /** As the bank last told. */
  known: Payment['state'] | null;
}

interface Deposit {
  id: string;
  company: Company;
  minor: bigint;
  known: string | null;
}

/** What a history remembers. */
interface Model {
  world: HttpPayoutWorld;
  door: EventDoor;
  companies: Company[];
  payouts: Payout[];
  deposits: Deposit[];
  /** Events that were sent and not asked about yet: the next visit lists everything. */
  isTold: boolean;
  /** A worker that was just started lists everything. */
  isFresh: boolean;
  /** Past the quiet time after a try. */
  offsetMs: number;
}

const stages = {
  accepted: 'accepted',
  pending: 'accepted',
  settled: 'completed',
  rejected: 'failed',
  cancelled: 'failed',
  returned: 'returned',
} as const;
const isOpen = ({ known }: Payout) => known === null || known === 'accepted' || known === 'pending';
const text = (minor: bigint, decimals: number) =>
  decimals === 0 ? String(minor) : (Number(minor) / 100).toFixed(decimals);

function expected({ payouts, deposits }: Model, company: Company): { available: bigint; outbound: bigint } {
  const figures = { available: company.opening, outbound: 0n };
  for (const { minor } of deposits.filter((one) => one.company === company && one.known === 'SETTLED')) {
    figures.available += minor < company.depositFee ? 0n : minor - company.depositFee;
  }
  for (const { stage, known, minor } of payouts.filter((one) => one.company === company)) {
    const now = known === null ? stage : stages[known];
    if (now === 'cancelled' || now === 'failed') continue;
    // What comes back later comes without the fee: the bank did its work.
    figures.available -= company.payoutFee + (now === 'returned' ? 0n : minor);
    if (now !== 'completed' && now !== 'returned') figures.outbound += minor + company.payoutFee;
  }
  return figures;
}

async function check(model: Model): Promise<void> {
  const { world, payouts } = model;
  for (const company of model.companies) {
    const { available = 0n, outbound = 0n, deficit = 0n } = await balancesOf(world, company);
    expect({ available, outbound, deficit }).toEqual({ ...expected(model, company), deficit: 0n });
    const own = payouts.filter((one) => one.company === company);
    const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
      sql<{ id: string; stage: string }>`
        select id, stage from transaction where company_id = company_id() and id = any (${own.map(({ id }) => id)}::uuid[])`.execute(
        tx,
      ),
    );
    const shown = new Map(rows.map(({ id, stage }) => [id, stage]));
    for (const { id, known, stage } of own) expect(shown.get(id)).toBe(known === null ? stage : stages[known]);
  }
  for (const { id } of payouts) expect(world.atBank(id).length).toBeLessThanOrEqual(1);
}

const acts = [
  ...(['payIn', 'payIn', 'announceIn', 'settleIn', 'rejectIn', 'takeBack'] as const),
  ...(['submit', 'submit', 'submit', 'submit', 'submit', 'cancel', 'handOver', 'handOver', 'handOver'] as const),
  ...(['pay', 'pay', 'pay', 'pay', 'refuse', 'cancelAtBank', 'delay', 'return', 'return', 'return'] as const),
  ...(['tell', 'tell', 'tell', 'tellTwice', 'forge'] as const),
  ...(['visit', 'visit', 'visit', 'visit', 'visit', 'refusedOrder', 'restart', 'broken'] as const),
] as const;
const step = fc.record({
  act: fc.constantFrom(...acts),
  first: fc.boolean(),
  cents: fc.integer({ min: 101, max: 12_000 }),
  at: fc.nat(1000),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Take = (model: Model, step: Step, company: Company) => Promise<void>;

const pick = <T>(all: readonly T[], at: number): T | undefined => all[at % Math.max(1, all.length)];

/** Orders, then reads. Nothing is learned of a bank that does not answer, though it may have carried out an order. */
async function visit(model: Model, isAnswered = true): Promise<void> {
  const { world } = model;
  model.offsetMs += 2 * quietMs;
  const now = () => new Date(Date.now() + model.offsetMs);
  await world.http.visit({
    settleFirst: () => applyStatuses(world.db.worker, outgoingKinds),
    deliver: async (bank, desk) => {
      if (desk.kind === 'folder') throw new Error('the bank takes orders over its API');
      await makeTransfers(world.db.worker, bank);
      await sendTransfers(world.db.worker, outgoingKinds, { bank, desk, now });
    },
  });
  if (!isAnswered) return;
  const isAll = model.isTold || model.isFresh;
  for (const payout of model.payouts) {
    const [payment] = world.atBank(payout.id);
    if (payment && (isAll || isOpen(payout))) payout.known = payment.state;
  }
  for (const deposit of model.deposits) {
    deposit.known = world.http.bank.records.get('deposits', deposit.id)?.status ?? null;
  }
  model.isTold = false;
  model.isFresh = false;
}

const bankDoes =
  (states: readonly Payment['state'][], change: Parameters<HttpPayoutWorld['become']>[1]): Take =>
  async ({ world, payouts }, { at }) => {
    const open = payouts.filter(({ id }) => states.includes(world.atBank(id)[0]?.state ?? 'cancelled'));
    const payout = pick(open, at);
    if (payout) await world.become(payout.id, change);
  };

const depositBecomes =
  (state: 'settled' | 'rejected'): Take =>
  async ({ world, deposits }, { at }) => {
    const open = deposits.filter(({ id }) => world.http.bank.records.get('deposits', id)?.status === 'PENDING');
    const deposit = pick(open, at);
    if (deposit) await world.http.become(deposit.id, state);
  };

const paysIn =
  (status: 'PENDING' | 'SETTLED'): Take =>
  async ({ world, deposits }, { cents }, company) => {
    const minor = BigInt(cents);
    const id = await world.http.payIn(company.accountNumber, text(minor, company.decimals), { status });
    deposits.push({ id, company, minor, known: null });
  };

const tells =
  (times: number): Take =>
  async (model, { at }) => {
    const event = pick(model.world.http.bank.records.all('webhooks'), at);
    if (!event) return;
    for (let time = 0; time < times; time += 1) {
      // An event that was stored before is acknowledged, and asked about once.
      if (!(await isStored(model, event.id))) model.isTold = true;
      expect(await model.door.send(event)).toBe(true);
    }
  };

async function isStored({ world }: Model, id: string): Promise<boolean> {
  const { rows } = await world.db.worker.withoutCompany((tx) =>
    sql`select from bank_event where bank_id = 'meridian' and id = ${id}`.execute(tx),
  );
  return rows.length > 0;
}

const payoutMode = (world: HttpPayoutWorld, mode: 'accept' | 'refuse') =>
  world.http.bank.change((turn) => {
    turn.put('settings', 'now', { ...settingsOf(turn), payouts: { mode, reason: 'AC04' } });
  });

const takes: Record<(typeof acts)[number], Take> = {
  payIn: paysIn('SETTLED'),
  announceIn: paysIn('PENDING'),
  settleIn: depositBecomes('settled'),
  rejectIn: depositBecomes('rejected'),
  // Only what the company still has: what was spent is a deficit, which freezes the wallet.
  async takeBack(model, { at }) {
    await visit(model);
    const covered = model.deposits.filter(
      ({ id, company, minor }) =>
        model.world.http.bank.records.get('deposits', id)?.status === 'SETTLED' &&
        expected(model, company).available >= minor,
    );
    const deposit = pick(covered, at);
    if (!deposit) return;
    await model.world.http.become(deposit.id, 'reversed');
    await visit(model);
  },
  async submit(model, { cents }, company) {
    const minor = BigInt(cents);
    const amount = text(minor, company.decimals);
    const purpose = company.currency === 'JPY' ? { purpose: 'GDDS' } : {};
    const fee = text(company.payoutFee, company.decimals);
    const request = await payoutRequest(model.world, company, { amount, fee, ...purpose });
    const isCovered = minor + company.payoutFee <= expected(model, company).available;
    const answer = await model.world.world.ask(fiatTransferOut, request);
    expect(answer.key).toBe(isCovered ? null : 'amountAboveBalanceMinusFee');
    if (isCovered) model.payouts.push({ id: request.body.id, company, minor, stage: 'approved', known: null });
  },
  async cancel({ world, payouts }, { at }, company) {
    const own = payouts.filter((one) => one.company === company);
    const payout = pick(own, at);
    if (!payout) return;
    const answer = await world.world.ask(cancelPayout, { as: company.admin, body: { id: payout.id } });
    expect(answer.status === 200).toBe(payout.stage === 'approved');
    if (answer.status === 200) payout.stage = 'cancelled';
  },
  async handOver({ world, payouts }) {
    for (const payout of payouts.filter(({ stage }) => stage === 'approved')) {
      await world.send(payout.company.id, payout.id);
      payout.stage = 'instructed';
    }
  },
  pay: bankDoes(['accepted', 'pending'], settlePayment),
  refuse: bankDoes(['accepted', 'pending'], (turn, payment) => refusePayment(turn, payment, reasonOf('AC04'))),
  cancelAtBank: bankDoes(['accepted', 'pending'], (turn, payment) =>
    refusePayment(turn, payment, reasonOf('CUST'), 'cancelled'),
  ),
  delay: bankDoes(['accepted'], delayPayment),
  return: bankDoes(['settled'], (turn, payment) => returnPayment(turn, payment, reasonOf('AC01'))),
  tell: tells(1),
  tellTwice: tells(2),
  async forge({ world, door }, { at }) {
    const event = pick(world.http.bank.records.all('webhooks'), at);
    if (event) expect(await door.forge(event)).toBe(false);
  },
  visit: (model) => visit(model),
  async refusedOrder(model) {
    await payoutMode(model.world, 'refuse');
    await visit(model);
    await payoutMode(model.world, 'accept');
  },
  async restart(model) {
    model.world.http.restart();
    model.isFresh = true;
  },
  async broken(model, { at }) {
    const mode = pick(['down', 'failing', 'mute', 'half'] as const, at) ?? 'down';
    const { bank, connection } = model.world.http;
    await bank.api.setMode(mode);
    connection.timeoutMs = impatientMs;
    await visit(model, false);
    connection.timeoutMs = patientMs;
    await bank.api.setMode('ok');
  },
};

async function opened(world: HttpPayoutWorld, currency: Company['currency'], amount: string): Promise<Company> {
  const company = await world.company(currency, amount);
  const { rows } = await world.db.worker.withoutCompany((tx) =>
    sql<{ depositFee: bigint; payoutFee: bigint; decimals: number }>`
      select ba.recharge_fee as "depositFee", ba.payout_fee_local as "payoutFee", a.decimals from bank_asset ba join asset a on a.id = ba.asset_id
      where ba.bank_id = 'meridian' and a.id = ${currency}`.execute(tx),
  );
  const { available = 0n } = await balancesOf(world, company);
  const { depositFee = 0n, payoutFee = 0n, decimals = 2 } = rows[0] ?? {};
  return { ...company, currency, decimals, depositFee, payoutFee, opening: available };
}

async function prove(world: HttpPayoutWorld, door: EventDoor, steps: readonly Step[]): Promise<void> {
  const companies = [await opened(world, 'SGD', '515.00'), await opened(world, 'JPY', '51500')];
  const told = { isTold: false, isFresh: false, offsetMs: 0 };
  const model: Model = { world, door, companies, payouts: [], deposits: [], ...told };
  const take = (one: Step) => {
    const company = companies[one.first ? 0 : 1];
    return company ? takes[one.act](model, one, company) : Promise.resolve();
  };
  for (const one of steps) {
    await take(one);
    await check(model);
  }
  // The rest: all is ordered, the bank comes to an end with each, and a worker that is started again asks about everything.
  const rest = { first: true, cents: 101, at: 0 };
  await take({ act: 'handOver', ...rest });
  await visit(model);
  await visit(model);
  for (const { id } of model.payouts) {
    const [payment] = world.atBank(id);
    if (payment?.state === 'accepted' || payment?.state === 'pending') await world.become(id, settlePayment);
  }
  await take({ act: 'restart', ...rest });
  await visit(model);
  await check(model);
  for (const { id, stage, known } of model.payouts) {
    expect(world.atBank(id)).toHaveLength(stage === 'cancelled' ? 0 : 1);
    expect(known === null).toBe(stage === 'cancelled');
  }
  await agrees(world);
}

/** Fees of both currencies, in cents and in yen. */
async function setFees({ db }: HttpPayoutWorld): Promise<void> {
  const superuser = new pg.Client(db.superuserUrl);
  await superuser.connect();
  await superuser.query(
    `update causeway.bank_asset set recharge_fee = 250, payout_fee_local = 75 where asset_id = 'SGD'`,
  );
  await superuser.query(
    `update causeway.bank_asset set recharge_fee = 30, payout_fee_local = 12 where asset_id = 'JPY'`,
  );
  await superuser.end();
}

/** The books are in order, and come to what the bank itself has. */
async function agrees({ db, http }: HttpPayoutWorld): Promise<void> {
  expect((await db.operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
  const { comparisons, findings } = await reconcileBanks(db.operator);
  expect(findings).toEqual([]);
  expect(comparisons.filter(({ differenceMinor }) => differenceMinor !== 0n)).toEqual([]);
  for (const { asset, bookedMinor } of comparisons) {
    const own = http.bank.records.all('deposits').filter(({ currency }) => currency === asset);
    const minorOf = (amount: string) => BigInt(amount.replace('.', ''));
    const arrived = own
      .filter(({ status }) => status === 'SETTLED')
      .reduce((sum, { amount }) => sum + minorOf(amount), 0n);
    const paid = http.bank.records
      .all('payments')
      .filter(({ currency, state }) => currency === asset && state === 'settled');
    expect(bookedMinor).toBe(paid.reduce((sum, { amount }) => sum - BigInt(amount), arrived));
  }
}

test(`payments and deposits over a bank’s HTTP API in ${histories} random histories`, async () => {
  const seed = Number(process.env['PROOF_SEED'] ?? Math.trunc(Math.random() * 2 ** 31));
  for (let done = 0; done < histories; done += perWorld) {
    const world = await httpPayoutWorld(patientMs);
    const door = await openEventDoor(world.db, 'meridian');
    await payoutMode(world, 'accept');
    await setFees(world);
    try {
      // A history takes many seconds: one that fails is not made smaller.
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 80, size: 'max' }), (steps) =>
          prove(world, door, steps),
        ),
        { numRuns: Math.min(perWorld, histories - done), seed: seed + done, endOnFailure: true },
      );
      expect(world.world.complaints).toEqual([]);
      expect(world.complaints).toEqual([]);
    } finally {
      await door.close();
      await world.close();
    }
  }
});
