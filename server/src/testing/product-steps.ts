import { sendBatchAgain, submitBatch } from '@causeway/contract/batch-runs.ts';
import { exchange } from '@causeway/contract/exchange.ts';
import { refundPaymentRequest } from '@causeway/contract/payment-requests-refund.ts';
import { disputeTrade, releaseTrade } from '@causeway/contract/trades.ts';
import { cancelTransfer, transferOut } from '@causeway/contract/transfers.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { CardEvent } from '../features/cards/issuer.ts';
import { newId } from '../platform/ids.ts';
import { insertTestBatch, runRequest } from './batches.ts';
import { askCard, asking, eventOf, sayOfCard } from './cards.ts';
import { credit, detail, expire, type Opened, opened, pay, refundRequest, reorganise } from './collections.ts';
import { intentOf, quotedExchange } from './exchange-requests.ts';
import { asSuperuser } from './exchange-world.ts';
import type { Member } from './main-app.ts';
import { type Party, type ProductWorld, paymentsOf, rail, runJobs } from './product-world.ts';
import { confirmed, releaseRequest, type Said, saidOf, sendEvent, usdt } from './trades.ts';
import { transferRequest } from './valid-requests.ts';

/** Steps of histories in which all products use the same wallets. What the rules refuse is refused, and nothing fails otherwise. */

const acts = [
  ...(['transfer', 'transfer', 'transferToOther', 'batch', 'batch', 'batchAgain', 'cancel', 'cancel'] as const),
  ...(['ask', 'payRequest', 'payRequest', 'creditDeposit', 'creditDeposit', 'reorganise', 'refund', 'expire'] as const),
  ...(['trade', 'trade', 'release', 'release', 'release', 'event', 'event', 'dispute', 'cancelTrade'] as const),
  ...(['authorise', 'authorise', 'clear', 'reverse', 'expireCard', 'exchange', 'exchange'] as const),
  ...(['freezeWallet', 'freezeCompany', 'unfreeze', 'unfreeze'] as const),
  ...(['send', 'send', 'send', 'send', 'settle', 'settle', 'settle', 'fail', 'fail', 'reopen', 'late'] as const),
  ...(['jobs', 'jobs', 'jobs'] as const),
];
export type Act = (typeof acts)[number];

export const productStep = fc.record({
  act: fc.constantFrom(...acts),
  side: fc.constantFrom(0 as const, 1 as const),
  units: fc.constantFrom(2, 35, 400, 1300),
  at: fc.nat(50),
});
export type ProductStep = typeof productStep extends fc.Arbitrary<infer T> ? T : never;

/** So that later steps have something of every product to act on, and every end is among few histories. */
export const openingSteps: readonly ProductStep[] = [
  { act: 'trade', side: 0, units: 1300, at: 0 },
  { act: 'ask', side: 1, units: 35, at: 0 },
  { act: 'payRequest', side: 0, units: 35, at: 0 },
  { act: 'reorganise', side: 1, units: 35, at: 0 },
  { act: 'payRequest', side: 0, units: 35, at: 0 },
  { act: 'transfer', side: 1, units: 35, at: 0 },
  { act: 'send', side: 1, units: 35, at: 0 },
  { act: 'settle', side: 1, units: 35, at: 0 },
  { act: 'reopen', side: 1, units: 35, at: 0 },
  { act: 'batch', side: 1, units: 35, at: 2 },
  { act: 'authorise', side: 0, units: 400, at: 0 },
  { act: 'transferToOther', side: 1, units: 400, at: 0 },
];

export interface ProductHistory {
  parties: readonly [Party, Party];
  requests: Opened[];
  batches: { side: 0 | 1; id: string }[];
  /** What the platform last said of each trade; the buyer is this side. */
  trades: { side: 0 | 1; said: Said }[];
  purchases: { side: 0 | 1; asked: ReturnType<typeof asking> }[];
}

const pick = <T>(of: readonly T[], at: number): T | undefined => of[at % Math.max(1, of.length)];

/** A company that is frozen, or a balance that is short, refuses; what is no refusal fails the history. */
async function unlessRefused<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && / answered 4\d\d /.test(error.message)) return null;
    throw error;
  }
}

export async function takeProductStep(of: ProductWorld, history: ProductHistory, step: ProductStep): Promise<void> {
  const { act } = step;
  const party = history.parties[step.side];
  if (act === 'jobs') return runJobs(of);
  if (act in railActs) return railActs[act as RailAct](of, history, party, step.at);
  await unlessRefused(() => memberActs[act as MemberAct](of, history, party, step));
}

/** Asks, and throws what `unlessRefused` knows. */
async function ask(
  of: ProductWorld,
  call: Parameters<ProductWorld['world']['ask']>[0],
  request: object,
): Promise<void> {
  const answer = await of.world.ask(call, request);
  if (answer.status !== 200) throw new Error(`${call.name} answered ${answer.status} ${answer.raw.body}`);
}

type RailAct = 'send' | 'settle' | 'fail' | 'reopen' | 'late' | 'reorganise' | 'creditDeposit';
type MemberAct = Exclude<Act, RailAct | 'jobs'>;
type Doing<A> = (of: ProductWorld, history: ProductHistory, party: Party, given: A) => Promise<void>;

async function settlePayment(of: ProductWorld, { parties }: ProductHistory, party: Party, at: number, late = false) {
  const open = (await paymentsOf(of, party)).filter((payment) =>
    late ? payment.status === 'failed' && payment.wasSent : payment.stage === 'broadcast',
  );
  const payment = pick(open, at);
  if (!payment) return;
  await rail.settle(of, party, payment);
  const other = parties.find(({ company }) => company.address === payment.to);
  if (!other) return;
  const deposit = await pay(of.requests, { company: other.company, address: payment.to }, payment.amountMinor, {
    follow: false,
  });
  other.deposits.push({ deposit, amountMinor: payment.amountMinor, state: 'seen', paidBy: payment.id });
}

async function vanish(of: ProductWorld, party: Party, isGone: (deposit: Party['deposits'][number]) => boolean) {
  const gone = party.deposits.filter((each) => each.state !== 'gone' && isGone(each));
  if (gone.length === 0) return;
  const kept = party.deposits.filter((each) => !gone.includes(each)).map(({ deposit }) => deposit.blockHash);
  await reorganise(of.requests, party.company, kept, false);
  for (const each of gone) each.state = 'gone';
}

const railActs: Record<RailAct, Doing<number>> = {
  async send(of, _history, party, at) {
    const payment = pick(
      (await paymentsOf(of, party)).filter(({ stage }) => stage === 'approved'),
      at,
    );
    if (payment) await rail.send(of, party, payment);
  },
  settle: (of, history, party, at) => settlePayment(of, history, party, at),
  late: (of, history, party, at) => settlePayment(of, history, party, at, true),
  async fail(of, _history, party, at) {
    const payment = pick(
      (await paymentsOf(of, party)).filter(({ stage }) => stage === 'broadcast'),
      at,
    );
    if (payment) await rail.fail(of, party, payment);
  },
  async reopen(of, { parties }, party, at) {
    const payment = pick(
      (await paymentsOf(of, party)).filter(({ stage }) => stage === 'completed'),
      at,
    );
    if (!payment) return;
    await rail.reopen(of, party, payment);
    for (const each of parties) await vanish(of, each, ({ paidBy }) => paidBy === payment.id);
  },
  reorganise: (of, _history, party, at) => {
    const places = new Map(party.deposits.map((each, place) => [each, place]));
    return vanish(of, party, (each) => each.paidBy === null && (places.get(each) ?? 0) % 3 === at % 3);
  },
  async creditDeposit(of, _history, party, at) {
    const seen = pick(
      party.deposits.filter(({ state }) => state === 'seen'),
      at,
    );
    if (!seen) return;
    await credit(of.requests, seen.deposit, false);
    seen.state = 'credited';
  },
};

/** A member of the company whose codes are not yet counted, and who can cancel what it submits. */
async function member(of: ProductWorld, { company, members }: Party): Promise<Member> {
  const made = await of.world.member(company, 'administrator');
  members.set(made.session.userId, made);
  return made;
}

async function transfer(of: ProductWorld, party: Party, payeeId: string, units: number): Promise<void> {
  const { company } = party;
  const content = { id: newId(), walletId: company.wallets.USDT, payeeId, amount: String(units), attachmentIds: [] };
  await ask(of, transferOut, await transferRequest(of.world, company, content, await member(of, party)));
}

async function say({ world, secrets }: ProductWorld, trade: ProductHistory['trades'][number], change: Partial<Said>) {
  trade.said = { ...trade.said, ...change, version: trade.said.version + 1 };
  await sendEvent({ world, secrets }, trade.said);
}

async function sayOfPurchase(of: ProductWorld, history: ProductHistory, at: number, also: Partial<CardEvent>) {
  const purchase = pick(history.purchases, at);
  if (!purchase) return;
  const { token } = history.parties[purchase.side];
  await sayOfCard(of, [eventOf({ ...purchase.asked, cardToken: token }, also)]);
}

const memberActs: Record<MemberAct, Doing<ProductStep>> = {
  transfer: (of, _history, party, { units }) => transfer(of, party, party.payees[0], units),
  transferToOther: (of, _history, party, { units }) => transfer(of, party, party.payees[1], units),
  async batch(of, history, party, { side, units, at }) {
    const rows = Array.from({ length: 1 + (at % 3) }, (_, place) => ({
      walletId: party.company.wallets.USDT,
      payeeId: party.payees[0],
      amountMinor: BigInt(units + place) * usdt,
    }));
    const { id } = await insertTestBatch(of.db, party.company, rows);
    history.batches.push({ side, id });
    await ask(of, submitBatch, await runRequest(of.world, await member(of, party), id));
  },
  async batchAgain(of, history, party, { side, at }) {
    const batch = pick(
      history.batches.filter((each) => each.side === side),
      at,
    );
    if (batch) await ask(of, sendBatchAgain, await runRequest(of.world, await member(of, party), batch.id));
  },
  async cancel(of, _history, party, { at }) {
    const waiting = pick(
      (await paymentsOf(of, party)).filter(({ stage }) => stage === 'approved'),
      at,
    );
    if (!waiting) return;
    const { rows } = await of.db.app.withCompany(party.company.id, (tx) =>
      sql<{ initiator: string }>`
        select initiator_id as initiator from transaction where company_id = company_id() and id = ${waiting.id}`.execute(
        tx,
      ),
    );
    const as = party.members.get(rows[0]?.initiator ?? '') ?? party.company.admin;
    await ask(of, cancelTransfer, { as, body: { id: waiting.id } });
  },
  async ask(of, history, party, { units }) {
    history.requests.push(await opened(of.requests, party.company, { amount: String(units) }));
  },
  async payRequest(of, history, _party, { at, units }) {
    const request = pick(history.requests, at);
    if (!request) return;
    const payer = history.parties.find(({ company }) => company.id === request.company.id);
    const amountMinor = BigInt(units) * usdt;
    const deposit = await pay(of.requests, request, amountMinor, { follow: at % 2 === 0 });
    payer?.deposits.push({ deposit, amountMinor, state: 'seen', paidBy: null });
  },
  async refund(of, history, _party, { at }) {
    const request = pick(history.requests, at);
    const party = history.parties.find(({ company }) => company.id === request?.company.id);
    if (!request || !party) return;
    const { receipts } = await detail(of.requests, request.company.admin, request.id);
    const receipt = receipts.find(({ state }) => state === 'credited');
    if (!receipt) return;
    const refund = { paymentId: receipt.id, payeeId: party.payees[0], amount: '2' };
    await ask(of, refundPaymentRequest, await refundRequest(of.requests, request, refund));
  },
  async expire(of, history, _party, { at }) {
    const request = pick(history.requests, at);
    if (request) await expire(of.requests, request);
  },
  async trade(of, history, party, { side, units }) {
    const { company } = history.parties[side === 0 ? 1 : 0];
    const said = saidOf(party.company.address, company.address, { quantity: String(units) });
    await sendEvent(of, said);
    history.trades.push({ side, said });
    await confirmed(of, await member(of, party), said.id);
  },
  async release(of, history, _party, { at, units }) {
    const trade = pick(history.trades, at);
    if (!trade) return;
    const party = history.parties[trade.side];
    const amount = String(Math.min(units, Number(trade.said.quantity)));
    const given = { company: party.company, said: trade.said, payeeId: party.payees[1] };
    await ask(of, releaseTrade, await releaseRequest(of, given, amount, null, await member(of, party)));
  },
  async event(of, history, _party, { at }) {
    const trade = pick(history.trades, at);
    if (!trade) return;
    const refunded = String(Math.floor(Number(trade.said.quantity) / (2 + (at % 3))));
    await say(of, trade, at % 2 === 0 ? { refunded } : { phase: 'inspected' });
  },
  async dispute(of, history, _party, { at }) {
    const trade = pick(history.trades, at);
    if (!trade) return;
    const as = history.parties[trade.side].company.admin;
    await ask(of, disputeTrade, { as, body: { id: trade.said.id, reason: 'Wrong goods' } });
  },
  async cancelTrade(of, history, _party, { at }) {
    const trade = pick(history.trades, at);
    if (trade) await say(of, trade, { status: 'cancelled', phase: 'closed' });
  },
  async authorise(of, history, party, { side, units }) {
    const asked = asking(party, { amountMinor: BigInt(units) * 10n, at: new Date() });
    history.purchases.push({ side, asked });
    await askCard(of, asked);
  },
  clear: (of, history, _party, { at, units }) =>
    sayOfPurchase(of, history, at, { type: 'cleared', amountMinor: BigInt(units) * 10n }),
  reverse: (of, history, _party, { at, units }) =>
    sayOfPurchase(of, history, at, { type: 'reversed', amountMinor: BigInt(units) * 10n }),
  expireCard: (of, history, _party, { at }) => sayOfPurchase(of, history, at, { type: 'expired', amountMinor: null }),
  async exchange(of, _history, party, { units, at }) {
    const [sell, buy] = at % 2 === 0 ? (['USDT', 'USDC'] as const) : (['USDC', 'USDT'] as const);
    const intent = intentOf(party.company, sell, buy, { fixed: 'sell', amount: String(units) });
    const { request } = await quotedExchange(of.world, await member(of, party), intent);
    await ask(of, exchange, request);
  },
  freezeWallet: (of, _history, { company }) =>
    asSuperuser(of.db, 'update causeway.wallet set frozen_at = now() where id = $1', [company.wallets.USDT]),
  freezeCompany: (of, _history, { company }) =>
    asSuperuser(of.db, 'update causeway.company set frozen_at = now() where company_id = $1', [company.id]),
  unfreeze: (of, _history, party) => unfreeze(of, party),
};

async function unfreeze(of: ProductWorld, { company }: Party): Promise<void> {
  await asSuperuser(of.db, 'update causeway.company set frozen_at = null where company_id = $1', [company.id]);
  await asSuperuser(of.db, 'update causeway.wallet set frozen_at = null, frozen_reason = null where company_id = $1', [
    company.id,
  ]);
}

/** Brings everything to its end: what is open is cancelled, paid or credited. */
export async function endProducts(of: ProductWorld, history: ProductHistory): Promise<void> {
  for (const party of history.parties) await unfreeze(of, party);
  await runJobs(of);
  for (const trade of history.trades) {
    // A refund that is lower than one before contradicts it, and so would the cancelling.
    await say(of, trade, { status: 'cancelled', phase: 'closed', refunded: trade.said.quantity });
  }
  for (const [place] of history.purchases.entries())
    await sayOfPurchase(of, history, place, { type: 'expired', amountMinor: null, at: new Date(Date.now() + 60_000) });
  for (let round = 0; round < 4; round += 1) {
    for (const party of history.parties) {
      for (const payment of await paymentsOf(of, party)) {
        if (payment.stage === 'approved') await rail.send(of, party, payment);
      }
      while ((await paymentsOf(of, party)).some(({ stage }) => stage === 'broadcast')) {
        await settlePayment(of, history, party, 0);
      }
      for (const each of party.deposits.filter(({ state }) => state === 'seen')) {
        await credit(of.requests, each.deposit, false);
        each.state = 'credited';
      }
    }
    await runJobs(of);
  }
}
