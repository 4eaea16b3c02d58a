import { createCryptoPayment } from '@causeway/contract/payments.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyPosition } from '../features/exchange/index.ts';
import { nilCompany } from '../features/identity/index.ts';
import { exchangeClaims } from '../features/outgoing/index.ts';
import { quote } from '../features/payments/crypto/quote.ts';
import { submittingCoins } from '../features/payments/crypto/submit.ts';
import { createCryptoPayoutKind, createPayoutSubject } from '../features/payments/index.ts';
import { createPayoutKind } from '../features/payments/kind.ts';
import { cancel } from '../features/payments/service/cancel.ts';
import { reconcileBanks } from '../features/rails/index.ts';
import { systemClock } from '../platform/clock.ts';
import { createOpenSeal } from '../platform/crypto/seal.ts';
import { DomainError } from '../platform/domain-error.ts';
import { batched } from '../platform/http/route.ts';
import { newId } from '../platform/ids.ts';
import { chainFamilies } from '../testing/chain-families.ts';
import { expectLedgerToAgree, walletBalances } from '../testing/company-books.ts';
import { type CryptoPayoutWorld, cryptoPayoutWorld } from '../testing/crypto-payouts.ts';
import { setPrice } from '../testing/exchange-world.ts';
import {
  endToEndOf,
  messageOf,
  notification,
  type PayingCompany,
  paid,
  sentBack,
  statusReport,
} from '../testing/payouts.ts';
import { reviewOf } from '../testing/transaction-requests.ts';

/**
 * Random histories of payments out of coins, with prices that move, spreads, fees of the exchange and of the bank, review, cancels, refusals and returns.
 * After every step the figures of both wallets must be those of a model that adds up what was quoted, sealed and asked for, never what the ledger says;
 * and the bank is ordered to pay exactly the amount.
 */

const fundedMinor = 100_000_000_000n;
/** What the Hong Kong dollar wallet has at the beginning. */
const cashMinor = 100n;

const action = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      reviewed: fc.boolean(),
      /** Cents of a Hong Kong dollar; some of it too little for its fee. */
      amount: fc.integer({ min: 101, max: 9_000_000 }),
      tolerance: fc.constantFrom(0, 20, 500),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('price' as const),
      hkd: fc.constantFrom('0.128', '0.12837', '0.1277777777', '0.131'),
      usdt: fc.constantFrom('1', '0.9997', '1.0003'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('terms' as const),
      spread: fc.integer({ min: 0, max: 80 }),
      fee: fc.integer({ min: 0, max: 30 }),
      bank: fc.integer({ min: 0, max: 5_000 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('approve' as const, 'reject' as const, 'cancel' as const),
      index: fc.nat(40),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constantFrom('settle' as const, 'refuse' as const, 'return' as const),
      index: fc.nat(40),
      /** Of what was paid, what comes back, in per cent. */
      back: fc.integer({ min: 50, max: 100 }),
    }),
  },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** A payment as the model knows it; minor units. */
interface Made {
  company: PayingCompany;
  id: string;
  amount: bigint;
  bankFee: bigint;
  state: 'waiting' | 'bought' | 'paid' | 'back' | 'ended';
  /** Of coins, while it waits. */
  held: bigint;
  sold: bigint;
  coinFee: bigint;
  /** Of the currency, what came back to the wallet. */
  back: bigint;
}

let payouts: CryptoPayoutWorld;
let openSeal: ReturnType<typeof createOpenSeal>;
let companies: { direct: PayingCompany; reviewed: PayingCompany };
beforeAll(async () => {
  payouts = await cryptoPayoutWorld();
  openSeal = createOpenSeal(payouts.publicKey);
});
afterAll(() => payouts.close());

function portsOf() {
  const { seal } = payouts;
  const subject = createPayoutSubject(chainFamilies, seal);
  return {
    openProofs: async () => ({
      prove: () => ({ proof: { method: 'email', id: newId() }, use: () => undefined }),
      write: () => [],
    }),
    seal,
    subject,
    families: chainFamilies,
    kind: createPayoutKind(chainFamilies),
    coins: createCryptoPayoutKind(chainFamilies),
  };
}
const contextOf = ({ admin }: PayingCompany) => ({
  session: admin.session,
  locale: 'en-us' as const,
  ip: '127.0.0.1',
  userAgent: '',
  requestId: newId(),
  clock: systemClock,
});
const text = (minor: bigint) => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
const minorOf = (amount: string) => BigInt(amount.replace('.', ''));
const keyOf = (error: unknown): string => {
  if (error instanceof DomainError) return error.key;
  throw error;
};
const refusals = ['amountAboveBalanceMinusFee', 'insufficientBalance'];

async function pay(given: Extract<Action, { do: 'pay' }>): Promise<Made | null> {
  const company = given.reviewed ? companies.reviewed : companies.direct;
  const context = { ...contextOf(company), ...portsOf() };
  const asked = {
    walletId: company.wallets.USDT,
    bankWalletId: company.walletId,
    payeeId: company.payee.id,
    amount: text(BigInt(given.amount)),
  };
  const offered = await payouts.db.app.withCompany(company.id, (tx) => quote(tx, context, asked));
  const total = minorOf(offered.sell.total);
  const bound = total + (total * BigInt(given.tolerance)) / 10_000n;
  const body = {
    id: newId(),
    ...asked,
    versionId: company.payee.versionId,
    bound: `${bound / 1_000_000n}.${String(bound % 1_000_000n).padStart(6, '0')}`,
    attachmentIds: [],
    kind: 'crypto_payout' as const,
    quoteId: offered.id,
    fee: offered.payout.fee,
    codeMethod: 'email' as const,
    code: '000000',
  };
  const call = batched(payouts.db.app, createCryptoPayment, submittingCoins);
  const answer = await call({ ...context, idempotencyKey: newId() }, body).then((done) => done.answer, keyOf);
  if (typeof answer === 'string') {
    expect(refusals).toContain(answer);
    return null;
  }
  const isBought = answer.stage === 'approved';
  expect(minorOf(offered.buy.quantity)).toBe(BigInt(given.amount) + minorOf(offered.payout.fee));
  return {
    company,
    id: body.id,
    amount: BigInt(given.amount),
    bankFee: minorOf(offered.payout.fee),
    state: isBought ? 'bought' : 'waiting',
    held: isBought ? 0n : bound,
    sold: isBought ? minorOf(offered.sell.quantity) : 0n,
    coinFee: isBought ? minorOf(offered.sell.fee) : 0n,
    back: 0n,
  };
}

/** Ends one that waits; what its approval came to is read from its seal, or there is none. */
async function decide(made: Made, outcome: 'approve' | 'reject' | 'cancel'): Promise<void> {
  const { company, id } = made;
  const ports = portsOf();
  const { rows } = await payouts.db.app.withCompany(company.id, async (tx) => {
    if (outcome === 'approve') await ports.subject.approved(tx, id);
    else if (outcome === 'reject') await ports.subject.ended(tx, id, { outcome: 'rejected', by: null, reason: 'no' });
    else await cancel(tx, { ...contextOf(company), ...ports }, { id });
    return sql<{ jws: string }>`
      select jws from exchange_seal where company_id = company_id() and exchange_id = ${id}`.execute(tx);
  });
  const [sealed] = rows;
  Object.assign(made, { held: 0n, state: sealed ? 'bought' : 'ended' });
  if (!sealed) return;
  const { sold, fee, bought } = exchangeClaims.parse(openSeal('causeway-exchange', sealed.jws));
  expect(BigInt(bought)).toBe(made.amount + made.bankFee);
  Object.assign(made, { sold: BigInt(sold), coinFee: BigInt(fee) });
}

/** Has the bank ordered to pay it, exactly, and says what became of it. */
async function atBank(made: Made, { do: what, back }: Extract<Action, { back: number }>): Promise<void> {
  const { company, id, amount } = made;
  await payouts.send(company.id, id);
  await payouts.order();
  const [file] = payouts.folder.take();
  expect(file?.text).toContain(`<InstdAmt Ccy="HKD">${text(amount)}</InstdAmt>`);
  if (what === 'refuse') {
    const refused = [{ endToEnd: endToEndOf(id), status: 'RJCT', reason: 'AC04' }];
    await payouts.bankSays(statusReport(await messageOf(payouts, id), refused));
    Object.assign(made, { state: 'back', back: amount + made.bankFee });
    return;
  }
  await payouts.bankSays(notification([paid(id, text(amount))]));
  made.state = 'paid';
  if (what === 'settle') return;
  made.back = (amount * BigInt(back)) / 100n;
  await payouts.bankSays(notification([sentBack(id, text(made.back))]));
}

async function perform(made: Made[], given: Action): Promise<void> {
  switch (given.do) {
    case 'pay': {
      const one = await pay(given);
      if (one) made.push(one);
      return;
    }
    case 'price':
      await setPrice(payouts.db, 'HKD', given.hkd);
      return setPrice(payouts.db, 'USDT', given.usdt);
    case 'terms':
      await payouts.db.operator.withCompany(nilCompany, (tx) =>
        sql`insert into operator_price (id, company_id, kind, asset_id, bank_id, value, valid_from, set_by)
          select gen_random_uuid(), company_id(), kind, asset, bank, value, clock_timestamp(), 'test'
          from (values ('spread', 'USDT', null, ${given.spread}::numeric), ('fx_fee', 'USDT', null, ${given.fee}::numeric),
            ('payout_fee_local', 'HKD', 'harbour-hk', ${given.bank}::numeric)) as v (kind, asset, bank, value)`.execute(
          tx,
        ),
      );
      return;
    case 'approve':
    case 'reject':
    case 'cancel': {
      const waiting = made.filter(({ state }) => state === 'waiting');
      const one = waiting[given.index % Math.max(1, waiting.length)];
      return one && decide(one, given.do);
    }
    default: {
      // Approved here without sealed decisions, those of the other company would rightly be refused by the rail.
      const bought = made.filter(({ state, company }) => state === 'bought' && company === companies.direct);
      const one = bought[given.index % Math.max(1, bought.length)];
      return one && atBank(one, given);
    }
  }
}

async function check(made: readonly Made[]): Promise<void> {
  for (const company of Object.values(companies)) {
    const own = made.filter((one) => one.company === company);
    const sum = (of: (one: Made) => bigint) => own.reduce((total, one) => total + of(one), 0n);
    const bought = own.filter(({ state }) => state === 'bought' || state === 'paid' || state === 'back');
    const currency = bought.reduce((total, { amount, bankFee }) => total + amount + bankFee, 0n);
    const paidOut = bought.filter(({ state }) => state === 'paid');
    const [held, sold, coinFee, back] = [
      sum((one) => one.held),
      sum((one) => one.sold),
      sum((one) => one.coinFee),
      sum((one) => one.back),
    ];
    const returned = paidOut.reduce((total, one) => total + one.back, 0n);
    const coins = await walletBalances(payouts.db, company.id, company.wallets.USDT);
    const cash = await walletBalances(payouts.db, company.id, company.walletId);
    const figures = ({ available = 0n, outbound = 0n, fee = 0n, fx = 0n }: typeof coins) => {
      return { available, outbound, fee, fx };
    };
    expect(figures(coins)).toEqual({
      available: fundedMinor - held - sold - coinFee,
      outbound: held,
      fee: coinFee,
      fx: sold,
    });
    expect(figures(cash)).toEqual({
      available: cashMinor + back,
      outbound: own
        .filter(({ state }) => state === 'bought')
        .reduce((total, { amount, bankFee }) => total + amount + bankFee, 0n),
      fee: 1_500n + paidOut.reduce((total, { bankFee }) => total + bankFee, 0n),
      fx: -currency,
    });
    // What is at the bank is what was paid in, less what the bank paid out and more what came back of that.
    const left = paidOut.reduce((total, { amount }) => total + amount, 0n) - returned;
    expect(cash.bank).toBe(-(cashMinor + 1_500n - left));
    expect(coins.chain).toBe(-fundedMinor);
  }
}

const histories = Number(process.env['PROOF_HISTORIES'] ?? 4);
const seed = Number(process.env['PROOF_SEED'] ?? 11);

test(
  'every history of payments out of coins leaves the figures of both wallets that it makes, and pays exactly the amounts',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 30, size: 'max' }), async (history) => {
        await setPrice(payouts.db, 'HKD', '0.128');
        await setPrice(payouts.db, 'USDT', '1');
        companies = { direct: await payouts.company(100_000n), reviewed: await payouts.company(100_000n) };
        await payouts.world.member(companies.reviewed, 'approver');
        await reviewOf(payouts.world, companies.reviewed)(true);
        const made: Made[] = [];
        for (const each of history) {
          await perform(made, each);
          await check(made);
        }
        await expectLedgerToAgree(payouts.db);
        expect((await reconcileBanks(payouts.db.operator)).findings).toEqual([]);
        expect((await payouts.db.operator.withoutCompany(verifyPosition)).mismatches).toEqual([]);
      }),
      { numRuns: histories, seed, endOnFailure: true },
    );
  },
  Math.max(600_000, histories * 60_000),
);

test('the histories had every end that there is', async () => {
  const { rows } = await payouts.db.operator.withoutCompany((tx) =>
    sql<{ what: string }>`select distinct stage as what from transaction_stage`.execute(tx),
  );
  const seen = rows.map(({ what }) => what);
  for (const end of ['completed', 'failed', 'returned', 'waiting_approval', 'cancelled', 'refused', 'refunded']) {
    expect.soft(seen).toContain(end);
  }
});
