import { exchange as exchangeCall } from '@causeway/contract/exchange.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockSettings, writeRule } from '../features/approvals/store/rules.ts';
import { atRate } from '../features/exchange/domain.ts';
import { createExchangeSubject } from '../features/exchange/index.ts';
import { cancel } from '../features/exchange/service/cancel.ts';
import { executeDueOrders } from '../features/exchange/service/limit-orders.ts';
import { quote } from '../features/exchange/service/quote.ts';
import { submitting } from '../features/exchange/service/submit.ts';
import { nilCompany } from '../features/identity/index.ts';
import { exchangeClaims } from '../features/outgoing/index.ts';
import { systemClock } from '../platform/clock.ts';
import { DomainError } from '../platform/domain-error.ts';
import { batched } from '../platform/http/route.ts';
import { newId } from '../platform/ids.ts';
import type { SignedInContext } from '../platform/session.ts';
import { credit, openTestCompany, type TestCompany } from '../testing/company.ts';
import { expectLedgerToAgree, walletBalances } from '../testing/company-books.ts';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { asSuperuser, setPrice } from '../testing/exchange-world.ts';

/**
 * Random histories of exchanges and limit orders of two companies, with prices that move and grow stale, spreads, fees, review, frozen wallets, cancels,
 * late approvals and orders that end. After every step the figures must be those of a model that adds up what was answered, never what the ledger says; and what
 * companies and platform owe each other is, of each asset, what the platform bought less what it sold.
 */

const coins = ['USDT', 'ETH', 'HKDT'] as const;
type Coin = (typeof coins)[number];
const decimals: Record<Coin, number> = { USDT: 6, ETH: 18, HKDT: 6 };
const fundedMinor: Record<Coin, bigint> = { USDT: 5_000_000_000n, ETH: 3n * 10n ** 18n, HKDT: 40_000_000_000n };
const priceSteps: Record<Coin, readonly string[]> = {
  USDT: ['1', '0.9997', '1.0003'],
  ETH: ['2500', '2517.77', '2411.030303'],
  HKDT: ['0.128', '0.12837', '0.1277777777'],
};

const coin = fc.constantFrom(...coins);
const side = fc.integer({ min: 0, max: 1 });
const action = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('exchange' as const),
      side,
      sell: coin,
      buy: coin,
      fixed: fc.constantFrom('sell' as const, 'buy' as const),
      /** Of what was paid in, in millionths; above all of it now and then. */
      share: fc.integer({ min: 1, max: 450_000 }),
      /** How far the other side may be worse, in basis points. */
      tolerance: fc.constantFrom(0, 20, 500),
      /** Of a limit order: how much better than the quote its rate is to be, in basis points; null: of none. */
      limit: fc.constantFrom(null, null, 0, 60, 300),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('round' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('over' as const), index: fc.nat(40) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('price' as const), coin, step: fc.integer({ min: 0, max: 2 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('stale' as const), coin }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('review' as const), side, on: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('approve' as const), index: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reject' as const), index: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), index: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('freeze' as const), side, coin, on: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('terms' as const),
      coin,
      spread: fc.integer({ min: 0, max: 80 }),
      fee: fc.integer({ min: 0, max: 30 }),
    }),
  },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

interface Party {
  company: TestCompany;
  context: SignedInContext;
}

/** What was answered of an exchange; amounts in minor units. */
interface Made {
  party: Party;
  id: string;
  sell: Coin;
  buy: Coin;
  /** Held until it ends; 0 once it has. */
  heldMinor: bigint;
  /** What it waits for while it is held. */
  waits: 'approval' | 'rate';
  done: { sold: bigint; fee: bigint; bought: bigint } | null;
}

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

/** Seals as JSON, so that what they say is compared with what was posted. */
const seal = (_type: string, claims: object) => JSON.stringify(claims);
const subject = createExchangeSubject(seal);
const ports = {
  openProofs: async () => ({
    prove: () => ({ proof: { method: 'email', id: newId() }, use: () => undefined }),
    write: () => [],
  }),
  seal,
  subject,
};

async function newParty(): Promise<Party> {
  const company = await openTestCompany(db);
  const approverId = newId();
  await db.app.withCompany(company.id, async (tx) => {
    await sql`insert into company (company_id, name) values (company_id(), 'Model')`.execute(tx);
    await sql`insert into member (company_id, id, identifier, email, first_name, last_name, language, role_id)
      values (company_id(), ${approverId}, ${`CW-${approverId}`}, ${`${approverId}@example.com`}, 'Bo', 'Lee', 'en_US',
        ${systemRoleIds.approver})`.execute(tx);
    await lockSettings(tx);
    const rule = {
      id: newId(),
      version: 1,
      name: 'All',
      lowerCents: 0n,
      upperCents: null,
      submitters: null,
      active: true,
    };
    const nodes = [{ needed: 1, people: [], roles: [systemRoleIds.approver] }];
    await writeRule(tx, { ...rule, nodes }, 1, { id: approverId, name: 'Bo' });
  });
  for (const each of coins) await credit(db, company, each, fundedMinor[each]);
  const session = { id: newId(), companyId: company.id, userId: newId(), userName: 'Ada', permissions: [] };
  const request = { locale: 'en-us' as const, ip: '127.0.0.1', userAgent: '', requestId: newId(), clock: systemClock };
  return { company, context: { session, ...request } };
}

async function review({ company }: Party, on: boolean): Promise<void> {
  await db.app.withCompany(company.id, async (tx) => {
    await lockSettings(tx);
    await sql`update approval_setting set enabled = ${on} where company_id = company_id()`.execute(tx);
  });
}

const keyOf = (error: unknown): string => {
  if (error instanceof DomainError) return error.key;
  throw error;
};

const refusals = [
  'amountAboveBalanceMinusFee',
  'amountBelowMinimum',
  'exchangeSameWallet',
  'exchangeTooSmall',
  'insufficientBalance',
  'quoteUnavailable',
  'walletFrozen',
];

/** A rate so many basis points better, as a person types it: of 12 decimals. */
function roundRate(rate: string, basisPoints: number): string {
  const [whole = '', fraction = ''] = rate.split('.');
  const units = BigInt(whole + fraction.padEnd(12, '0').slice(0, 12));
  return formatAmount((units * BigInt(10_000 + basisPoints)) / 10_000n, 12);
}

async function submit(party: Party, given: Extract<Action, { do: 'exchange' }>): Promise<Made | null> {
  const { sell, buy, share, tolerance } = given;
  const fixed = given.limit === null ? given.fixed : 'sell';
  const { company, context } = party;
  const named = fixed === 'sell' ? sell : buy;
  const amount = formatAmount((fundedMinor[named] * BigInt(share)) / 1_000_000n, decimals[named]);
  const intent = { sellWalletId: company.wallets[sell], buyWalletId: company.wallets[buy], fixed, amount };
  const quoted = await db.app.withCompany(company.id, (tx) => quote(tx, context, intent)).catch(keyOf);
  if (typeof quoted === 'string') {
    expect(refusals).toContain(quoted);
    return null;
  }
  const minor = (text: string) => BigInt(text.replace('.', ''));
  const other = fixed === 'sell' ? minor(quoted.buy.quantity) : minor(quoted.sell.total);
  const slack = (other * BigInt(tolerance)) / 10_000n;
  const limit =
    given.limit === null
      ? null
      : { rate: roundRate(quoted.rate, given.limit), until: new Date(Date.now() + 3_600_000).toISOString() };
  const boundMinor = limit
    ? atRate(minor(quoted.sell.quantity), limit.rate, { sell: decimals[sell], buy: decimals[buy] })
    : fixed === 'sell'
      ? other > slack
        ? other - slack
        : 1n
      : other + slack;
  const bound = formatAmount(boundMinor, decimals[fixed === 'sell' ? buy : sell]);
  const proof = { quoteId: quoted.id, codeMethod: 'email' as const, code: '000000' };
  const body = { id: newId(), ...intent, bound, ...(limit && { limit }), ...proof };
  const running = batched(db.app, exchangeCall, submitting)({ ...context, ...ports, idempotencyKey: newId() }, body);
  const answer = await running.then((given) => given.answer, keyOf);
  if (typeof answer === 'string') {
    expect(refusals).toContain(answer);
    return null;
  }
  const sold = { sold: minor(quoted.sell.quantity), fee: minor(quoted.sell.fee), bought: minor(quoted.buy.quantity) };
  const isDone = answer.status === 'completed';
  const held = fixed === 'sell' ? sold.sold + sold.fee : boundMinor;
  const waits = answer.stage === 'waiting_rate' ? 'rate' : 'approval';
  return { party, id: body.id, sell, buy, heldMinor: isDone ? 0n : held, waits, done: isDone ? sold : null };
}

/** Ends one that waits, as its approvers do; what it came to is read from its seal, or there is none. */
async function decide(made: Made, outcome: 'approve' | 'reject'): Promise<void> {
  const { company } = made.party;
  await db.app.withCompany(company.id, async (tx) => {
    if (outcome === 'approve') await subject.approved(tx, made.id);
    else await subject.ended(tx, made.id, { outcome: 'rejected', by: null, reason: 'no' });
  });
  await lookAgain(made);
}

/** Whether it still waits, and what it came to: of its stage and its seal. */
async function lookAgain(made: Made): Promise<void> {
  const { rows } = await db.app.withCompany(made.party.company.id, (tx) =>
    sql<{ stage: string; jws: string | null }>`
      select t.stage, s.jws from transaction t
      left join exchange_seal s on s.company_id = t.company_id and s.exchange_id = t.id
      where t.company_id = company_id() and t.id = ${made.id}`.execute(tx),
  );
  const [row] = rows;
  if (row?.stage === 'waiting_rate') {
    made.waits = 'rate';
    return;
  }
  made.heldMinor = 0n;
  if (!row?.jws) return;
  const { sold, fee, bought } = exchangeClaims.parse(JSON.parse(row.jws));
  made.done = { sold: BigInt(sold), fee: BigInt(fee), bought: BigInt(bought) };
}

async function perform(parties: readonly Party[], made: Made[], given: Action): Promise<void> {
  const held = made.filter(({ heldMinor }) => heldMinor > 0n);
  const resting = held.filter(({ waits }) => waits === 'rate');
  const waiting = given.do === 'cancel' ? held : held.filter(({ waits }) => waits === 'approval');
  const party = 'side' in given ? parties[given.side] : undefined;
  switch (given.do) {
    case 'exchange': {
      const done = party && (await submit(party, given));
      if (done) made.push(done);
      return;
    }
    case 'round':
      await executeDueOrders({ database: db.app, seal, log: pino({ level: 'silent' }) });
      for (const one of resting) await lookAgain(one);
      return;
    case 'over': {
      const one = resting[given.index % Math.max(1, resting.length)];
      if (!one) return;
      await asSuperuser(db, 'update causeway.exchange set limit_until = now() where transaction_id = $1', [one.id]);
      return;
    }
    case 'price':
      return setPrice(db, given.coin, priceSteps[given.coin][given.step] ?? '1');
    case 'stale':
      return setPrice(db, given.coin, '1', 'stale');
    case 'review':
      return party && review(party, given.on);
    case 'freeze':
      if (!party) return;
      await db.operator.withCompany(party.company.id, (tx) =>
        sql`update wallet set frozen_at = ${given.on ? sql`now()` : null}, frozen_reason = ${given.on ? 'other' : null}
          where company_id = company_id() and id = ${party.company.wallets[given.coin]}`.execute(tx),
      );
      return;
    case 'terms':
      await db.operator.withCompany(nilCompany, (tx) =>
        sql`insert into operator_price (id, company_id, kind, asset_id, value, valid_from, set_by)
          select gen_random_uuid(), company_id(), kind, ${given.coin}, value, clock_timestamp(), 'test'
          from (values ('spread', ${given.spread}::numeric), ('fx_fee', ${given.fee}::numeric)) as v (kind, value)`.execute(
          tx,
        ),
      );
      return;
    default: {
      const one = waiting[given.index % Math.max(1, waiting.length)];
      if (!one) return;
      if (given.do !== 'cancel') return decide(one, given.do);
      await db.app.withCompany(one.party.company.id, (tx) => cancel(tx, one.party.context, { id: one.id }));
      one.heldMinor = 0n;
    }
  }
}

/** The figures of each wallet are what was answered, and all `fx` of an asset what the platform took less what it gave. */
async function check(parties: readonly Party[], made: readonly Made[]): Promise<void> {
  const position: Record<Coin, bigint> = { USDT: 0n, ETH: 0n, HKDT: 0n };
  const owed: Record<Coin, bigint> = { USDT: 0n, ETH: 0n, HKDT: 0n };
  for (const { sell, buy, done } of made) {
    if (!done) continue;
    position[sell] += done.sold;
    position[buy] -= done.bought;
  }
  for (const party of parties) {
    for (const each of coins) {
      const own = made.filter((one) => one.party === party);
      const sum = (of: (one: Made) => bigint) => own.reduce((total, one) => total + of(one), 0n);
      const outbound = sum(({ sell, heldMinor }) => (sell === each ? heldMinor : 0n));
      const fee = sum(({ sell, done }) => (sell === each ? (done?.fee ?? 0n) : 0n));
      const sold = sum(({ sell, done }) => (sell === each ? (done?.sold ?? 0n) : 0n));
      const bought = sum(({ buy, done }) => (buy === each ? (done?.bought ?? 0n) : 0n));
      const seen = await walletBalances(db, party.company.id, party.company.wallets[each]);
      expect({
        available: seen.available ?? 0n,
        outbound: seen.outbound ?? 0n,
        fee: seen.fee ?? 0n,
        fx: seen.fx ?? 0n,
      }).toEqual({
        available: fundedMinor[each] - outbound - fee - sold + bought,
        outbound,
        fee,
        fx: sold - bought,
      });
      // What is at the place of the wallet is what was paid in: an exchange moves nothing there.
      expect(seen.chain).toBe(-fundedMinor[each]);
      owed[each] += seen.fx ?? 0n;
    }
  }
  expect(owed).toEqual(position);
}

const histories = Number(process.env['PROOF_HISTORIES'] ?? 20);
const seed = Number(process.env['PROOF_SEED'] ?? 7);

test(
  'every history of exchanges leaves the figures that its answers make, to the last unit, platform included',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 15, maxLength: 35, size: 'max' }), async (history) => {
        const parties = [await newParty(), await newParty()];
        for (const each of coins) await setPrice(db, each, priceSteps[each][0] ?? '1');
        const made: Made[] = [];
        const [reviewed] = parties;
        if (reviewed) await review(reviewed, true);
        for (const each of history) {
          await perform(parties, made, each);
          await check(parties, made);
        }
        for (const party of parties)
          for (const each of coins)
            await perform(parties, made, { do: 'freeze', side: parties.indexOf(party), coin: each, on: false });
        for (const one of made) if (one.heldMinor > 0n && one.waits === 'approval') await decide(one, 'approve');
        await check(parties, made);
        // Orders that still wait come back when their time is over.
        await asSuperuser(
          db,
          'update causeway.exchange set limit_until = now() where executed_at is null and limit_until is not null',
        );
        await perform(parties, made, { do: 'round' });
        expect(made.filter(({ heldMinor }) => heldMinor > 0n)).toEqual([]);
        await check(parties, made);
        await expectLedgerToAgree(db);
      }),
      { numRuns: histories, seed, endOnFailure: true },
    );
  },
  Math.max(600_000, histories * 5_000),
);

test('the histories had every end that there is', async () => {
  const { rows } = await db.operator.withoutCompany((tx) =>
    sql<{ what: string }>`select distinct stage as what from transaction_stage
      union select distinct reason from transaction_stage where reason is not null`.execute(tx),
  );
  const seen = rows.map(({ what }) => what);
  const ends = ['completed', 'credited', 'waiting_approval', 'waiting_rate', 'cancelled', 'refused', 'refunded'];
  for (const end of [
    ...ends,
    'stage.reason.rateOutOfBound',
    'stage.reason.noPrice',
    'stage.reason.rejected',
    'stage.reason.limitOver',
  ]) {
    expect.soft(seen).toContain(end);
  }
});
