import * as cards from '@causeway/contract/cards.ts';
import * as limits from '@causeway/contract/cards-limits.ts';
import * as payments from '@causeway/contract/cards-payments.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { addDepartment, addDepartmentMembers, deleteDepartment } from '@causeway/contract/organisation.ts';
import { addRole, deleteRole } from '@causeway/contract/organisation-roles.ts';
import { listTransactions } from '@causeway/contract/transactions.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { creditAtBank, openTestBankWallet } from '../../testing/banks.ts';
import {
  askCard,
  asking,
  type CardWorld,
  carded,
  cardWorld,
  eventOf,
  insertTestCard,
  moneyOf,
  sayOfCard,
} from '../../testing/cards.ts';
import type { Member, Tenant } from '../../testing/main-app.ts';
import { succeed } from '../../testing/succeed.ts';
import { IssuerRefusedError } from './issuer.ts';
import { cardJobs, remindOfReceipts } from './jobs.ts';
import { syncCard } from './service/sync.ts';

/** Cards through their calls, the issuer's side of them, and what people are notified of. */

let of: CardWorld;
beforeAll(async () => {
  of = await cardWorld();
});
afterEach(() => expect(of.world.complaints.splice(0)).toEqual([]));
afterAll(() => of.close());

const bounds = {
  limits: { each: '100', day: '200', month: null, total: null },
  categories: null,
  countries: null,
  online: true,
};
const cardForm = (company: Tenant, walletId: string, also: object = {}) => ({
  ...{ id: newId(), kind: 'virtual', holderId: company.admin.session.userId, name: 'Travel', walletId, ...bounds },
  ...{ validUntil: null, shipTo: null, ...also },
});
const shipTo = { name: 'Ada Wong', line1: '1 Queen’s Road', city: 'Hong Kong', country: 'HK' };

async function companyWithWallet() {
  const company = await of.world.company();
  const { id: walletId } = await openTestBankWallet(of.db, company.id, 'HKD');
  await creditAtBank(of.db, company.id, walletId, 100_000n);
  return { company, walletId };
}

const detail = async (as: Member, id: string) => (await succeed(of.world, cards.getCard, { as, params: { id } })).data;
const sync = (company: Tenant, id: string) => syncCard(of.db.worker, of.issuer, company.id, id);
const keyOf = async (call: Parameters<typeof of.world.ask>[0], as: Member, body: object) =>
  (await of.world.ask(call, { as, body })).key;

test('a card is issued, made, frozen by its holder, unfrozen, replaced and closed', async () => {
  const { company, walletId } = await companyWithWallet();
  const holder = await of.world.member(company, 'viewer');
  const form = cardForm(company, walletId, { holderId: holder.session.userId });
  expect((await succeed(of.world, cards.issueCard, { as: company.admin, body: form })).data).toMatchObject({
    id: form.id,
    applied: true,
  });
  expect(await detail(holder, form.id)).toMatchObject({
    state: 'ordered',
    lastFour: null,
    can: { reveal: false, close: false },
  });
  await sync(company, form.id);
  const made = await detail(holder, form.id);
  expect(made).toMatchObject({
    state: 'active',
    lastFour: '4242',
    expires: '2031-12',
    can: { reveal: true, freeze: true, change: false },
  });
  expect(made.binding.map(({ bound, source, amount }) => [bound, source, amount])).toEqual([
    ['each', 'card', '100.00'],
    ['day', 'card', '200.00'],
  ]);
  const token = `card_${form.id}`;
  expect(await askCard(of, asking({ token }, { amountMinor: 10_001n }))).toMatchObject({ code: 'velocity_exceeded' });

  await succeed(of.world, cards.freezeCard, { as: holder, body: { id: form.id, note: 'lost' } });
  // At once, before the issuer has been informed.
  expect(of.issuer.cards.get(token)?.state).toBe('open');
  expect(await askCard(of, asking({ token }, { amountMinor: 1n }))).toMatchObject({ code: 'card_paused' });
  await sync(company, form.id);
  expect(of.issuer.cards.get(token)?.state).toBe('paused');
  await succeed(of.world, cards.unfreezeCard, { as: holder, body: { id: form.id } });
  await succeed(of.world, cards.freezeCard, { as: company.admin, body: { id: form.id } });
  expect(await keyOf(cards.unfreezeCard, holder, { id: form.id })).toBe('cardFrozenByAdministrator');
  await succeed(of.world, cards.unfreezeCard, { as: company.admin, body: { id: form.id } });
  await sync(company, form.id);
  expect(await askCard(of, asking({ token }, { amountMinor: 10_000n }))).toMatchObject({ outcome: 'approved' });

  const next = newId();
  await succeed(of.world, cards.replaceCard, {
    as: holder,
    body: { id: form.id, newId: next, reason: 'stolen', shipTo: null },
  });
  expect(await askCard(of, asking({ token }, { amountMinor: 1n }))).toMatchObject({ code: 'card_closed' });
  await sync(company, form.id);
  await sync(company, next);
  expect(of.issuer.cards.get(token)?.state).toBe('closed');
  // What the old one has spent counts for the new one.
  expect(await detail(holder, next)).toMatchObject({
    state: 'active',
    replaces: form.id,
    spent: { day: '100.00', total: '100.00' },
  });
  expect(await askCard(of, asking({ token: `card_${next}` }, { amountMinor: 10_000n }))).toMatchObject({
    outcome: 'approved',
  });
  expect(await askCard(of, asking({ token: `card_${next}` }, { amountMinor: 1n }))).toMatchObject({
    code: 'velocity_exceeded',
  });
  await succeed(of.world, cards.closeCard, { as: company.admin, body: { id: next, note: '' } });
  expect(await keyOf(cards.freezeCard, holder, { id: next })).toBe('cardClosed');
  // What was asked for before is answered again, and made once; other content under its id is refused.
  await succeed(of.world, cards.issueCard, { as: company.admin, body: form });
  expect(await keyOf(cards.issueCard, company.admin, { ...form, name: 'Other' })).toBe('idTaken');
  const replaced = { id: form.id, newId: next, reason: 'stolen', shipTo: null };
  await succeed(of.world, cards.replaceCard, { as: holder, body: replaced });
  expect(await keyOf(cards.replaceCard, holder, { ...replaced, reason: 'lost' })).toBe('cardClosed');
  expect((await detail(holder, next)).history.map(({ step }) => step)).toEqual(['issued', 'made', 'closed']);
  const listed = (await succeed(of.world, cards.listCards, { as: holder })).data;
  expect([listed.items.length, listed.connected, listed.summary.active]).toEqual([2, true, 0]);
});

test('what is asked of a card is refused with its reason', async () => {
  const { company, walletId } = await companyWithWallet();
  const { admin } = company;
  const issue = (also: object) => keyOf(cards.issueCard, admin, cardForm(company, walletId, also));
  expect(await issue({ holderId: newId() })).toBe('memberNotFound');
  const former = await of.world.member(company, 'viewer');
  await of.db.app.withCompany(company.id, (tx) =>
    sql`update member set disabled_at = now() where company_id = company_id() and id = ${former.session.userId}`.execute(
      tx,
    ),
  );
  expect(await issue({ holderId: former.session.userId })).toBe('cardHolderInvalid');
  expect(await issue({ walletId: newId() })).toBe('walletNotFound');
  expect(await issue({ walletId: company.wallets.USDT })).toBe('cardWalletInvalid');
  expect(await issue({ kind: 'physical' })).toBe('cardShippingInvalid');
  expect(await issue({ limits: { each: '300', day: '200', month: null, total: null } })).toBe('cardLimitsInvalid');
  expect(await issue({ limits: { each: '1.001', day: null, month: null, total: null } })).toBe('amountTooManyDecimals');
  const card = await insertTestCard(of.db, company, walletId);
  const id = card.cardId;
  expect(await issue({ id })).toBe('idTaken');
  const stranger = await of.world.member(company, 'viewer');
  expect(await keyOf(cards.activateCard, stranger, { id, lastFour: '4242' })).toBe('cardNotHolder');
  expect(await keyOf(cards.activateCard, admin, { id, lastFour: '4242' })).toBe('cardNotActivatable');
  expect(await keyOf(cards.freezeCard, stranger, { id })).toBe('noPermission');
  expect(await keyOf(cards.replaceCard, admin, { id, newId: newId(), reason: 'lost', shipTo })).toBe(
    'cardShippingInvalid',
  );
  expect(await keyOf(cards.replaceCard, admin, { id, newId: id, reason: 'lost', shipTo: null })).toBe('idTaken');
  const rule = { scope: 'company', scopeId: null, asset: 'HKD', ...bounds };
  expect(await keyOf(limits.setCardRule, admin, { ...rule, scope: 'role' })).toBe('cardRuleScopeInvalid');
  expect(await keyOf(limits.setCardRule, admin, { ...rule, asset: 'USDT' })).toBe('cardWalletInvalid');
  expect(await keyOf(limits.removeCardRule, admin, { id: newId() })).toBe('cardRuleNotFound');
  await of.db.app.withCompany(company.id, (tx) =>
    sql`insert into card (company_id, id, origin_id, kind, holder_id, name, wallet_id, asset_id, online)
      select company_id(), i, i, 'virtual', ${admin.session.userId}, 'x', ${walletId}, 'HKD', true from (select gen_random_uuid() as i from generate_series(1, 499)) n`.execute(
      tx,
    ),
  );
  expect(await issue({})).toBe('tooManyCards');
});

test('a refusal of the issuer is kept', async () => {
  const { company, walletId } = await companyWithWallet();
  const form = cardForm(company, walletId);
  await succeed(of.world, cards.issueCard, { as: company.admin, body: form });
  of.issuer.failures.push(new IssuerRefusedError('holder not verified'));
  await sync(company, form.id);
  expect(await detail(company.admin, form.id)).toMatchObject({ state: 'failed', problem: 'holder not verified' });
});

test('the number is on the issuer’s page alone, for its holder, by a code', async () => {
  const card = await carded(of);
  const { admin } = card.company;
  const content = { cardId: card.cardId };
  await succeed(of.world, sendUserCode, {
    as: admin,
    body: { scenario: 'transaction', subject: { kind: 'card', content } },
  });
  const body = { ...content, codeMethod: 'email', code: await of.world.takeCode() };
  const { url, expiresAt } = (await succeed(of.world, cards.revealCard, { as: admin, body })).data;
  expect(url).toContain(card.token);
  expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(60_000);
  expect(await keyOf(cards.revealCard, admin, { ...content, codeMethod: 'email', code: '000000' })).toMatch(/^code/);
  const other = await of.world.member(card.company, 'administrator');
  expect(await keyOf(cards.revealCard, other, body)).toBe('cardNotHolder');
  await succeed(of.world, cards.freezeCard, { as: admin, body: { id: card.cardId } });
  expect(await keyOf(cards.revealCard, admin, body)).toBe('cardNotActive');
});

test('the strictest of card, company, department and role binds, and is named', async () => {
  const card = await carded(of);
  const { company } = card;
  const { admin } = company;
  const rule = (scope: string, scopeId: string | null, also: object) =>
    succeed(of.world, limits.setCardRule, { as: admin, body: { scope, scopeId, asset: 'HKD', ...bounds, ...also } });
  await rule('company', null, { limits: { each: '90', day: '500', month: null, total: null } });
  const [parent, child] = [newId(), newId()];
  await succeed(of.world, addDepartment, { as: admin, body: { id: parent, name: 'Sales', parentId: null } });
  await succeed(of.world, addDepartment, { as: admin, body: { id: child, name: 'East', parentId: parent } });
  await succeed(of.world, addDepartmentMembers, {
    as: admin,
    body: { departmentId: child, memberIds: [admin.session.userId] },
  });
  await rule('department', parent, {
    limits: { each: null, day: '120', month: null, total: null },
    categories: { mode: 'deny', groups: ['gambling'] },
  });
  const shown = await detail(admin, card.cardId);
  expect(shown.binding.map(({ bound, source, name, amount }) => [bound, source, name, amount])).toEqual([
    ['each', 'company', null, '90.00'],
    ['day', 'department', 'Sales', '120.00'],
    ['categories', 'department', 'Sales', null],
  ]);
  expect(shown.limits).toMatchObject({ each: '90.00', day: '120.00', month: null });
  expect(await askCard(of, asking(card, { amountMinor: 9_001n }))).toMatchObject({ code: 'velocity_exceeded' });
  expect(await askCard(of, asking(card, { amountMinor: 9_000n }))).toMatchObject({ outcome: 'approved' });
  expect(await askCard(of, asking(card, { amountMinor: 3_001n }))).toMatchObject({ code: 'velocity_exceeded' });
  const { items } = (await succeed(of.world, limits.listCardRules, { as: admin })).data;
  expect(items.map(({ scope, scopeName, cards: count }) => [scope, scopeName, count])).toEqual([
    ['company', null, 1],
    ['department', 'Sales', 1],
  ]);
});

test('a department and a role that a rule is for cannot be deleted before the rule', async () => {
  const { admin } = await of.world.company();
  const [department, role] = [newId(), newId()];
  await succeed(of.world, addDepartment, { as: admin, body: { id: department, name: 'Sales', parentId: null } });
  const buyer = { id: role, name: 'Buyer', permissions: ['card.view'], quotaUsd: null, active: true };
  await succeed(of.world, addRole, { as: admin, body: buyer });
  const deleting = {
    department: () => of.world.ask(deleteDepartment, { as: admin, params: { id: department } }),
    role: () => of.world.ask(deleteRole, { as: admin, body: { id: role } }),
  };
  for (const [scope, scopeId] of Object.entries({ department, role })) {
    const remove = deleting[scope as keyof typeof deleting];
    const body = { scope, scopeId, asset: 'HKD', ...bounds };
    const { id } = (await succeed(of.world, limits.setCardRule, { as: admin, body })).data;
    expect(await remove()).toMatchObject({ status: 409, key: 'cardRuleNames' });
    await succeed(of.world, limits.removeCardRule, { as: admin, body: { id } });
    expect((await remove()).key).toBeNull();
  }
});

test('payments with declined attempts, receipts that find their payment, files, and notices', async () => {
  const card = await carded(of);
  const { admin } = card.company;
  await askCard(of, asking(card, { amountMinor: 900_000n }));
  const asked = asking(card, { merchantAmount: { amount: '10', currency: 'EUR', rate: '10' } });
  await askCard(of, asked);
  const cleared = eventOf(asked, {
    amountMinor: 10_500n,
    merchantAmount: { amount: '10.5', currency: 'EUR', rate: '10' },
  });
  await sayOfCard(of, [cleared, eventOf(asked, { type: 'refunded', amountMinor: 500n })]);
  const listed = (await succeed(of.world, payments.listCardPayments, { as: admin, query: { cardId: card.cardId } }))
    .data.items;
  expect(
    listed
      .map(({ state, amount, reason, merchantAmount, forced }) => [state, amount, reason, merchantAmount, forced])
      .toSorted(),
  ).toEqual(
    [
      ['declined', '9000.00', 'funds', null, false],
      ['paid', '105.00', null, '10.50', true],
      ['refunded', '5.00', null, '10.5', false],
    ]
      .map(([state, amount, ...rest]) =>
        state === 'refunded' ? [state, amount, rest[0], null, rest[2]] : [state, amount, ...rest],
      )
      .toSorted(),
  );
  const paid = listed.find(({ state }) => state === 'paid');
  const upload = { name: 'receipt.pdf', content: Buffer.from('%PDF-1.7\n%%EOF\n') };
  const file = async () => (await succeed(of.world, payments.uploadCardReceipt, { as: admin, upload })).data.id;
  const receipt = {
    id: newId(),
    fileId: await file(),
    paymentId: null,
    amount: '10.50',
    date: new Date().toISOString().slice(0, 10),
    merchant: '',
  };
  expect(await keyOf(payments.addCardReceipt, admin, { ...receipt, fileId: newId() })).toBe('cardReceiptFileUnknown');
  expect(await keyOf(payments.addCardReceipt, admin, { ...receipt, paymentId: newId() })).toBe('cardPaymentNotFound');
  expect((await succeed(of.world, payments.addCardReceipt, { as: admin, body: receipt })).data.paymentId).toBe(
    paid?.id,
  );
  expect(await keyOf(payments.addCardReceipt, admin, { ...receipt, id: newId(), paymentId: paid?.id })).toBe(
    'cardReceiptTaken',
  );
  expect(await keyOf(payments.removeCardReceipt, admin, { id: newId() })).toBe('cardReceiptNotFound');
  const year = { from: '2026-01-01', to: '2026-12-31' };
  const csv = (await of.world.ask(payments.exportCardReceipts, { as: admin, query: year })).raw.body;
  expect(csv).toContain('receipt.pdf');
  expect(csv).toContain('-105');
  const params = { id: card.cardId };
  const pdf = await of.world.ask(payments.getCardStatement, { as: admin, params, query: { ...year, format: 'pdf' } });
  expect([pdf.status, pdf.raw.body.slice(0, 5)]).toEqual([200, '%PDF-']);
  const bad = { from: '2026-02-01', to: '2026-01-01', format: 'csv' };
  expect((await of.world.ask(payments.getCardStatement, { as: admin, params, query: bad })).key).toBe(
    'cardPeriodInvalid',
  );
  await succeed(of.world, payments.removeCardReceipt, { as: admin, body: { id: receipt.id } });
  await succeed(of.world, payments.waiveCardReceipt, {
    as: admin,
    body: { paymentId: present(paid).id, note: 'none was given' },
  });
  const { items } = (await succeed(of.world, listTransactions, { as: admin })).data;
  expect(items.map(({ type, quantity, status }) => [type, quantity, status]).toSorted()).toEqual([
    ['card_payment', '105.00', 'completed'],
    ['card_refund', '5.00', 'completed'],
  ]);
  expect(await notices(card.company)).toEqual([
    'card.declined',
    'card.forcedAbove',
    'card.paidWithReceipt',
    'card.refunded',
  ]);
});

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('it is there');
  return value;
}

/** Runs the jobs that the company's events start. @returns the kinds of its notices, each once */
async function notices({ id }: Tenant): Promise<string[]> {
  const { rows: events } = await of.db.worker.withCompany(id, (tx) =>
    sql<{ name: string; payload: Record<string, unknown> }>`
      select name, payload from outbox where company_id = company_id() and name in ('cards.declined', 'cards.purchase')`.execute(
      tx,
    ),
  );
  const jobs = cardJobs(null);
  for (const { name, payload } of events) {
    const job = jobs.find(({ on }) => on?.includes(name));
    await job?.run({ companyId: id, database: of.db.worker, log: undefined as never }, payload);
  }
  const { rows } = await of.db.worker.withCompany(id, (tx) =>
    sql<{ kind: string }>`select distinct kind from notice where company_id = company_id() order by kind`.execute(tx),
  );
  return rows.map(({ kind }) => kind);
}

test('what could not be declined is announced, and missing receipts are reminded of once', async () => {
  const card = await carded(of, { cents: 100n });
  await sayOfCard(of, [eventOf(asking(card), { amountMinor: 700n })]);
  expect(await moneyOf(of, card)).toEqual([0n, 0n, 700n, -600n]);
  expect(await notices(card.company)).toEqual(['card.overdrawn', 'card.paid']);
  expect(await detail(card.company.admin, card.cardId)).toMatchObject({ blocked: true });
  await of.db.app.withCompany(card.company.id, (tx) =>
    sql`update card_purchase set cleared_at = now() - interval '8 days'`.execute(tx),
  );
  for (let turn = 0; turn < 2; turn += 1) await of.db.worker.withCompany(card.company.id, remindOfReceipts);
  expect(await notices(card.company)).toEqual(['card.overdrawn', 'card.paid', 'card.receiptsMissing']);
});
