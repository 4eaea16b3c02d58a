import type { ErrorKey } from '@causeway/contract/errors.ts';
import { confirmProposal, getProposal } from '@causeway/contract/operator.ts';
import { proposeBankFees } from '@causeway/contract/operator-bank-debits.ts';
import {
  getBankExplanation,
  proposeBankTakeBack,
  proposeBankWithdrawal,
} from '@causeway/contract/operator-bank-explanations.ts';
import { getBankMoney } from '@causeway/contract/operator-banks.ts';
import * as calls from '@causeway/contract/operator-cards.ts';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { takeInEvents } from '../features/cards/service/take-in.ts';
import { verifyCards } from '../features/cards/verify.ts';
import { verifyLedger } from '../features/ledger/index.ts';
import { actJobs } from '../features/operator/acts/jobs.ts';
import { bankActs } from '../features/operator/banks/acts.ts';
import { reconcileBanks } from '../features/rails/index.ts';
import { createLog } from '../platform/process/log.ts';
import { translate } from '../platform/text/texts.ts';
import { moneysOf, notification, type TestBooking, takeIn } from './bank-intake.ts';
import { openTestCollection } from './banks.ts';
import { asking, type Carded, carded, cardWorld, eventOf, moneyOf } from './cards.ts';
import { walletBalances } from './company-books.ts';
import { operatorApp } from './operator-app.ts';
import { present } from './present.ts';

/** Three companies with cards at one bank, and operators who explain what it books as settled with the issuer. Cents. */

/** Our account at the bank. */
export const ours = '998100000000778';

export type SettlingWorld = Awaited<ReturnType<typeof settlingWorld>>;

export async function settlingWorld() {
  const of = await cardWorld();
  const app = await operatorApp(of.db);
  const [treasury, administrator] = [await app.operator('treasury'), await app.operator('administrator')];
  await openTestCollection(of.db, ours);
  const companies = [await carded(of), await carded(of), await carded(of)] as const;
  let lastRef = 0;
  const bookings = new Map<string, { cents: bigint; sign: 'CRDT' | 'DBIT'; e2e: string }>();

  const cleared = (card: Carded, amountMinor: bigint) =>
    takeInEvents(of.db.app, [eventOf(asking(card), { amountMinor, isLast: true })]);
  const refunded = (card: Carded, amountMinor: bigint) =>
    takeInEvents(of.db.app, [eventOf(asking(card), { type: 'refunded', amountMinor })]);
  const owed = () => Promise.all(companies.map(async (card) => (await moneyOf(of, card))[2]));
  const places = async () => (await app.ask(calls.listCardsOwed, { as: treasury })).data.places;
  /** When cards cleared what, the oldest first. */
  const clearedAt = () =>
    of.db.operator.withoutCompany(async (tx) => {
      const { rows } = await sql<{ at: Date }>`
        select e.created_at as at from ledger_entry e
        join ledger_account a on a.company_id = e.company_id and a.id = e.account_id and a.kind = 'card'
        where e.amount > 0 order by e.created_at`.execute(tx);
      return rows.map(({ at }) => at.toISOString());
    });
  const whole = (cents: bigint) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;

  /** A deposit of no more than its fee, 15.00, is a fee. */
  async function paidFee(card: Carded, cents: bigint): Promise<void> {
    const { rows } = await of.db.app.withCompany(card.company.id, (tx) =>
      sql<{
        number: string;
      }>`select account_number as number from bank_account where company_id = company_id()`.execute(tx),
    );
    lastRef += 1;
    const details = [{ to: present(rows[0]).number, payer: 'Customer' }];
    await takeIn(of.db, notification([{ amount: whole(cents), ref: `FEE-${lastRef}`, details }], { of: ours }));
  }
  const fees = () =>
    Promise.all(
      companies.map(async ({ company, walletId }) => (await walletBalances(of.db, company.id, walletId)).fee ?? 0n),
    );

  /** A booking at our account. @returns the money */
  async function booked(
    cents: bigint,
    sign: 'CRDT' | 'DBIT' = 'DBIT',
    more: Partial<TestBooking> = {},
  ): Promise<string> {
    lastRef += 1;
    const ref = `ISS-${lastRef}`;
    const booking = {
      amount: whole(cents),
      sign,
      ref,
      ...(more.batch === undefined && { details: [{ e2e: `E-${ref}` }] }),
    };
    await takeIn(of.db, notification([{ ...booking, ...more }], { of: ours }));
    const { id } = present((await moneysOf(of.db, ours)).at(-1));
    bookings.set(id, { cents, sign, e2e: `E-${ref}` });
    return id;
  }

  /** The bank's reversal of a booking; `named` says which one. @returns the money */
  function reversed(id: string, { named = true, part }: { named?: boolean; part?: bigint } = {}): Promise<string> {
    const { cents, sign, e2e } = present(bookings.get(id));
    const back = named ? { reversal: true, details: [{ e2e }] } : {};
    return booked(part ?? cents, sign === 'DBIT' ? 'CRDT' : 'DBIT', back);
  }

  const proposeBack = (id: string, explainedId: string, as = treasury) =>
    app.ask(proposeBankTakeBack, {
      as,
      params: { id },
      body: { explainedId, reason: 'Account of the issuer closed' },
    });
  const proposeWithdrawal = (id: string, as = treasury) =>
    app.ask(proposeBankWithdrawal, { as, params: { id }, body: { reason: 'It was the rent' } });
  const proposeFees = (id: string, as = treasury) =>
    app.ask(proposeBankFees, { as, params: { id }, body: { reason: 'Fees of November' } });
  const explanationOf = async (id: string) =>
    (await app.ask(getBankExplanation, { as: treasury, params: { id } })).data;

  const propose = (id: string, as = treasury) =>
    app.ask(calls.proposeCardSettlement, { as, params: { id }, body: { reason: 'Issuer, week 47' } });
  const settlementOf = async (id: string) =>
    (await app.ask(calls.getCardSettlement, { as: treasury, params: { id } })).data;
  const stateOf = async (id: string) =>
    (await app.ask(getBankMoney, { as: treasury, params: { id } })).data.money.state;

  async function confirm(id: string, as = administrator) {
    const { digest } = (await app.ask(getProposal, { as, params: { id } })).data;
    return app.ask(confirmProposal, { as, params: { id }, body: { digest, code: app.code(as.secret) } });
  }

  /** Confirms what was just proposed. */
  async function agreed(proposal: ReturnType<typeof propose>): Promise<string> {
    const { proposalId } = (await proposal).data;
    expect((await confirm(proposalId)).status).toBe(200);
    return proposalId;
  }
  const agree = (id: string) => agreed(propose(id));

  async function carryOut(proposalId: string, database = of.db.worker): Promise<void> {
    const [job] = actJobs(bankActs);
    await present(job).run({ companyId: '', database, log: createLog('test', 'silent') }, { proposalId });
  }

  const settle = async (id: string) => carryOut(await agree(id));
  const collect = async (id: string) => carryOut(await agreed(proposeFees(id)));
  const takeBack = async (id: string, explainedId: string) => carryOut(await agreed(proposeBack(id, explainedId)));
  const withdraw = async (id: string) => carryOut(await agreed(proposeWithdrawal(id)));
  const actOf = async (id: string) => (await app.ask(getProposal, { as: treasury, params: { id } })).data.act;

  /** Settles all that is owed, whichever way. */
  async function settleAll(): Promise<void> {
    const sum = (await owed()).reduce((all, one) => all + one, 0n);
    if (sum !== 0n) await settle(await booked(sum < 0n ? -sum : sum, sum < 0n ? 'CRDT' : 'DBIT'));
    else if ((await owed()).some((one) => one !== 0n)) {
      await cleared(companies[0], 1n);
      await settle(await booked(1n));
    }
    expect(await owed()).toEqual([0n, 0n, 0n]);
  }

  /** Ends all that is owed, and all fees. */
  async function clear(): Promise<void> {
    await settleAll();
    const held = (await fees()).reduce((all, one) => all + one, 0n);
    if (held > 0n) await collect(await booked(held));
  }

  /** What each company can use. */
  const balances = async () => (await Promise.all(companies.map((card) => moneyOf(of, card)))).map(([a]) => a);

  /** That ledger, cards and the bank's bookings agree. */
  async function verify(): Promise<void> {
    expect((await of.db.operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
    expect((await of.db.operator.withoutCompany(verifyCards)).mismatches).toEqual([]);
    const { findings } = await reconcileBanks(of.db.operator);
    // What the test put into wallets came from no bank.
    expect(findings.filter(({ line }) => !line.includes('(deposit.credited): no money'))).toEqual([]);
    expect(await difference()).toBe(before);
  }

  /** What the bank states less what the books have there, in all; what cards cleared changes neither. */
  const difference = async () =>
    (await reconcileBanks(of.db.operator)).comparisons.reduce((sum, each) => sum + each.differenceMinor, 0n);
  const before = await difference();

  async function close(): Promise<void> {
    expect([...app.complaints, ...of.world.complaints]).toEqual([]);
    await app.close();
    await of.close();
  }

  return {
    ...{
      of,
      app,
      treasury,
      administrator,
      companies,
      cleared,
      refunded,
      owed,
      places,
      clearedAt,
      booked,
      reversed,
      propose,
      proposeBack,
      proposeWithdrawal,
      proposeFees,
      explanationOf,
      paidFee,
      fees,
    },
    ...{
      settlementOf,
      stateOf,
      confirm,
      agreed,
      agree,
      carryOut,
      settle,
      collect,
      takeBack,
      withdraw,
      actOf,
      settleAll,
      clear,
      balances,
      verify,
      close,
    },
  };
}

export const sentenceOf = (key: ErrorKey) => translate('en-us', `error.${key}`);

/** What a card cleared, or had refunded (negative), in the order of time. */
export interface CardLot {
  company: number;
  minor: bigint;
}

/**
 * What a settlement settles of each of three companies by the rule of ADR 108: pure, and apart from the database's. The other side in whole, then the oldest
 * of this side over all companies. A company's balance is made up of its newest.
 * @param lots all that cards ever said @param owed of each company @param paid signed as what was owed
 */
export function settledBy(lots: readonly CardLot[], owed: readonly bigint[], paid: bigint): bigint[] {
  const sign = paid > 0n ? 1n : -1n;
  const settled = owed.map((balance) => (balance * sign < 0n ? balance : 0n));
  let left = settled.reduce((sum, other) => sum - other * sign, paid * sign);
  const missing = owed.map((balance) => (balance * sign > 0n ? balance * sign : 0n));
  const open: CardLot[] = [];
  for (const { company, minor } of lots.toReversed()) {
    const size = minor * sign;
    const due = missing[company] ?? 0n;
    if (size <= 0n || due === 0n) continue;
    const part = size < due ? size : due;
    missing[company] = due - part;
    open.unshift({ company, minor: part });
  }
  for (const { company, minor } of open) {
    const part = minor < left ? minor : left;
    left -= part;
    settled[company] = (settled[company] ?? 0n) + part * sign;
  }
  expect([left, ...missing]).toEqual([0n, 0n, 0n, 0n]);
  return settled;
}
