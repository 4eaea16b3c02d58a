import { decideApprovals } from '@causeway/contract/approvals.ts';
import { cancelExchange, exchange } from '@causeway/contract/exchange.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { decision } from '../../testing/approval-requests.ts';
import { credit } from '../../testing/company.ts';
import { testDatabase } from '../../testing/database.ts';
import type { Answer } from '../../testing/envelope.ts';
import { intentOf, quotedExchange } from '../../testing/exchange-requests.ts';
import { balancesOf, moveExpiry, pendingTask, transactionOf } from '../../testing/exchange-world.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { succeed } from '../../testing/succeed.ts';
import { reviewOf } from '../../testing/transaction-requests.ts';
import { verifyLedger } from '../ledger/index.ts';

/** Each race is run so often; a company and its members serve only so many rounds, since codes are limited by member. */
const rounds = Number(process.env['PROOF_ROUNDS'] ?? 6);
const roundsPerCompany = 15;

const usdt = (whole: number) => BigInt(whole) * 1_000_000n;

let world: MainApp;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
afterAll(async () => {
  const verified = await world.db.operator.withoutCompany((tx) => verifyLedger(tx));
  expect(verified.mismatches).toEqual([]);
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

interface Racer {
  tenant: Tenant;
  as: Member;
  approver: Member;
}

/** Runs all rounds, each with 100 USDT more in the wallet, with a fresh company for each few. */
async function race(reviewed: boolean, round: (racer: Racer) => Promise<void>): Promise<void> {
  let racer: Racer | null = null;
  for (let index = 0; index < rounds; index++) {
    if (racer === null || index % roundsPerCompany === 0) {
      const tenant = await world.company();
      racer = { tenant, as: await world.member(tenant, 'finance'), approver: await world.member(tenant, 'approver') };
      if (reviewed) await reviewOf(world, tenant)(true);
    }
    await credit(world.db, racer.tenant, 'USDT', usdt(100));
    await round(racer);
  }
}

const selling = ({ tenant }: Racer, amount: string) => intentOf(tenant, 'USDT', 'ETH', { fixed: 'sell', amount });
const balances = ({ tenant }: Racer) => balancesOf(world.db, tenant, 'USDT');

function onlyOne(answers: readonly Answer[], refusals: readonly string[]): void {
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { key } of answers.filter(({ status }) => status !== 200)) expect(refusals).toContain(key);
}

/** How many exchanges the company's quotes were used for, and how many of them it has. */
async function used({ tenant }: Racer): Promise<{ quotes: number; exchanges: number }> {
  const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql<{ quotes: number; exchanges: number }>`
      select (select count(*) from exchange_quote where company_id = company_id() and used_by is not null) as quotes,
        (select count(*) from exchange where company_id = company_id()) as exchanges`.execute(tx),
  );
  return rows[0] ?? { quotes: 0, exchanges: 0 };
}

test('one quote accepted twice at once is executed once', async () => {
  await race(false, async (racer) => {
    const before = await balances(racer);
    const one = await quotedExchange(world, racer.as, selling(racer, '40'));
    const other = await quotedExchange(world, racer.as, selling(racer, '40'));
    const second = { ...other.request, body: { ...other.request.body, quoteId: one.quote.id } };
    const answers = await Promise.all([one.request, second].map((request) => world.ask(exchange, request)));
    onlyOne(answers, ['quoteUsed']);
    expect((await balances(racer)).available).toBe(before.available - usdt(40));
    const { quotes, exchanges } = await used(racer);
    expect(quotes).toBe(exchanges);
  });
});

test('the same exchange submitted twice at once, under one key or under two, is made once', async () => {
  await race(false, async (racer) => {
    const before = await balances(racer);
    const { request } = await quotedExchange(world, racer.as, selling(racer, '40'));
    const [key, other] = [newId(), newId()];
    const submit = (name: string) => world.ask(exchange, { ...request, headers: { 'idempotency-key': name } });
    const [first, again, third] = await Promise.all([submit(key), submit(key), submit(other)]);
    const done = [first, again, third].filter((answer) => answer?.status === 200);
    expect(new Set(done.map((answer) => answer?.data.boughtId)).size).toBe(1);
    for (const answer of [first, again, third]) if (answer?.status !== 200) expect(answer?.key).toBe('idTaken');
    expect((await balances(racer)).available).toBe(before.available - usdt(40));
  });
});

test('a quote that expires while it is accepted is either executed before, or refused and unused', async () => {
  await race(false, async (racer) => {
    const before = await balances(racer);
    const { quote, request } = await quotedExchange(world, racer.as, selling(racer, '40'));
    const [answer] = await Promise.all([world.ask(exchange, request), moveExpiry(world.db, quote.id, '-1 second')]);
    const isDone = answer.status === 200;
    if (!isDone) expect(answer.key).toBe('quoteExpired');
    expect((await balances(racer)).available).toBe(before.available - (isDone ? usdt(40) : 0n));
    const { rows } = await world.db.app.withCompany(racer.tenant.id, (tx) =>
      sql<{ isUsed: boolean }>`select used_by is not null as "isUsed" from exchange_quote
        where company_id = company_id() and id = ${quote.id}`.execute(tx),
    );
    expect(rows).toEqual([{ isUsed: isDone }]);
  });
});

test('of two sells of the whole balance one is made', async () => {
  await race(false, async (racer) => {
    const { available } = await balances(racer);
    const whole = `${available / 1_000_000n}`;
    const requests = [
      await quotedExchange(world, racer.as, selling(racer, whole)),
      await quotedExchange(world, racer.as, selling(racer, whole)),
    ];
    const answers = await Promise.all(requests.map(({ request }) => world.ask(exchange, request)));
    onlyOne(answers, ['insufficientBalance', 'amountAboveBalanceMinusFee']);
    expect((await balances(racer)).available).toBe(0n);
  });
});

test('of the last approval and a cancel exactly one succeeds', async () => {
  await race(true, async (racer) => {
    const before = await balances(racer);
    const { request } = await quotedExchange(world, racer.as, selling(racer, '40'));
    const { id } = (await succeed(world, exchange, request)).data;
    const approval = await decision(world, racer.approver, [await pendingTask(world, racer.approver)]);
    const [approved, cancelled] = await Promise.all([
      world.ask(decideApprovals, approval),
      world.ask(cancelExchange, { as: racer.as, body: { id } }),
    ]);
    expect([approved.status, cancelled.status].filter((status) => status === 200)).toHaveLength(1);
    const { stage } = await transactionOf(world, racer.tenant, id);
    const after = await balances(racer);
    expect(after.outbound).toBe(0n);
    if (approved.status === 200) {
      expect([stage, cancelled.key, after.available]).toEqual([
        'completed',
        'exchangeNotCancellable',
        before.available - usdt(40),
      ]);
    } else {
      expect([stage, approved.key, after.available]).toEqual(['cancelled', 'approvalNotPending', before.available]);
    }
  });
});
