import * as approvals from '@causeway/contract/approvals.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { setCompanySettings } from '@causeway/contract/organisation.ts';
import { getCryptoPayee } from '@causeway/contract/payees.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { setRiskSetting } from '@causeway/contract/risk-lists.ts';
import { getTransaction } from '@causeway/contract/transactions.ts';
import { foreseeReview, transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { credit } from '../../../testing/company.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { keepTestPrices } from '../../../testing/prices.ts';
import { enact, forbidding, listAddress } from '../../../testing/risk.ts';
import { succeed, transferContent, transferRequest } from '../../../testing/valid-requests.ts';

let world: MainApp;
let tenant: Tenant;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
beforeEach(async () => {
  tenant = await world.company();
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

async function foreseen(amount: string, as: Member = tenant.admin) {
  return (await succeed(world, foreseeReview, { as, query: { walletId: tenant.wallets.USDT, amount } })).data;
}

type Approver = { kind: 'person' | 'role'; id: string };
const person = ({ session }: Member): Approver => ({ kind: 'person', id: session.userId });

async function addRule(name: string, bounds: { lower: string; upper: string | null }, nodes: Approver[][]) {
  const as = tenant.admin;
  const { version } = (await succeed(world, approvals.getReviewSetting, { as })).data;
  const steps = nodes.map((approvers) => ({ approvers, needed: 1 }));
  const rule = { name, ...bounds, nodes: steps, active: true };
  await succeed(world, approvals.addRule, { as, body: { version, id: newId(), rule } });
}

async function switchOn(): Promise<void> {
  const as = tenant.admin;
  const subject = { kind: 'review', content: { enabled: true } };
  await succeed(world, sendUserCode, { as, body: { scenario: 'transaction', subject } });
  const body = { enabled: true, codeMethod: 'email', code: await world.takeCode() };
  await succeed(world, approvals.setReviewEnabled, { as, body });
}

test('while review is off nobody is asked, whatever the rules say', async () => {
  const approver = await world.member(tenant, 'approver');
  await addRule('Every payment', { lower: '0', upper: null }, [[person(approver)]]);
  expect(await foreseen('50')).toEqual({
    outcome: 'off',
    rule: null,
    steps: [],
    stop: null,
    codeRecipient: 'initiator',
  });
});

test('what is foreseen is what the same transfer then waits for', async () => {
  const first = await world.member(tenant, 'approver');
  const finance = await world.member(tenant, 'finance');
  // A rule may name the initiator, who is never one of those it waits for.
  await addRule('Small', { lower: '0', upper: '100' }, [[person(first), person(finance)]]);
  await addRule('Large', { lower: '100', upper: null }, [
    [person(first)],
    [{ kind: 'role', id: systemRoleIds.approver }],
  ]);
  await switchOn();
  expect(await foreseen('99.99', finance)).toEqual({
    outcome: 'required',
    rule: 'Small',
    steps: [{ needed: 1, waitingFor: first.session.userName }],
    stop: null,
    codeRecipient: 'initiator',
  });
  expect(await foreseen('100', finance)).toMatchObject({ outcome: 'nobodyCan', rule: 'Large' });
  await world.member(tenant, 'approver');
  expect(await foreseen('100', finance)).toEqual({
    outcome: 'required',
    rule: 'Large',
    steps: [
      { needed: 1, waitingFor: first.session.userName },
      { needed: 1, waitingFor: 'Approver' },
    ],
    stop: null,
    codeRecipient: 'initiator',
  });

  await credit(world.db, tenant, 'USDT', 1_000_000_000n);
  const content = { ...(await transferContent(world, tenant)), amount: '50' };
  const { data } = await succeed(world, transferOut, await transferRequest(world, tenant, content, finance));
  const { waitingFor } = (await succeed(world, getTransaction, { as: finance, params: { id: data.id } })).data;
  expect(waitingFor).toContain(first.session.userName);
});

test('a gap between the rules, and a price too old to decide by, are said before anything is sent', async () => {
  await addRule('Small', { lower: '0', upper: '100' }, [[person(await world.member(tenant, 'approver'))]]);
  await switchOn();
  expect(await foreseen('100')).toEqual({
    outcome: 'noRule',
    rule: null,
    steps: [],
    stop: null,
    codeRecipient: 'initiator',
  });
  const ask = { as: tenant.admin, query: { walletId: tenant.wallets.USDT, amount: '1.0000001' } };
  expect((await world.ask(foreseeReview, ask)).key).toBe('amountTooManyDecimals');
  await world.db.worker.withoutCompany((tx) =>
    sql`update rate set updated_at = now() - interval '1 day' where asset_id = 'USDT'`.execute(tx),
  );
  try {
    expect(await foreseen('50')).toEqual({
      outcome: 'rateStale',
      rule: null,
      steps: [],
      stop: null,
      codeRecipient: 'initiator',
    });
  } finally {
    await keepTestPrices(world.db);
  }
});

test('says whom the code would go to: the administrators, but the only one gets their own', async () => {
  const body = { timeZone: 'UTC', codeRecipient: 'administrator' };
  await succeed(world, setCompanySettings, { as: tenant.admin, body });
  expect((await foreseen('5')).codeRecipient).toBe('initiator');
  expect((await foreseen('5', await world.member(tenant, 'finance'))).codeRecipient).toBe('administrator');
});

/** Everything that a judgement at submission writes. */
async function recorded() {
  const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql`
      select (select count(*) from risk_assessment where company_id = company_id()) as assessments,
        (select count(*) from risk_flow where company_id = company_id()) as flows,
        (select count(*) from risk_log where company_id = company_id() and type = 'hit') as hits,
        (select coalesce(sum(intercept_count), 0) from risk_policy where company_id = company_id()) as intercepts,
        (select coalesce(sum(hit_count), 0) from risk_list_entry where company_id = company_id()) as entries`.execute(
      tx,
    ),
  );
  return rows[0];
}

async function foreseenFor({ payeeId, walletId, amount }: { payeeId: string; walletId: string; amount: string }) {
  return (await succeed(world, foreseeReview, { as: tenant.admin, query: { walletId, payeeId, amount } })).data.stop;
}

async function addressOf(payeeId: string): Promise<string> {
  const { data } = await succeed(world, getCryptoPayee, { as: tenant.admin, params: { id: payeeId } });
  return data.address;
}

type Content = Awaited<ReturnType<typeof transferContent>>;

/** Each lets 20 USDT pass to the payee, and then stops 50. */
const stopping: Record<string, (payee: string) => Promise<unknown>> = {
  policy: () =>
    enact(
      world.db,
      tenant.id,
      forbidding({ dimension: 'crypto_value', from: '60', to: null }, { name: 'Sixty a day' }),
    ),
  whitelistSingle: (payee) => listAddress(world.db, tenant.id, payee, [40, 900, 900]),
  whitelistDaily: (payee) => listAddress(world.db, tenant.id, payee, [60, 60, 900]),
  whitelistCumulative: async (payee) => {
    const id = await listAddress(world.db, tenant.id, payee, [60, 100, 100]);
    await world.db.app.withCompany(tenant.id, (tx) =>
      sql`update risk_list_entry set counted_cents = 6000 where company_id = company_id() and id = ${id}`.execute(tx),
    );
  },
};

async function expectForeseen(content: Content, by: string, key: string) {
  const before = await recorded();
  const stop = await foreseenFor(content);
  expect(stop).toMatchObject({ by });
  await foreseenFor(content);
  expect(await recorded()).toEqual(before);
  const refused = await world.ask(transferOut, await transferRequest(world, tenant, content));
  expect({ key: refused.key, sentence: refused.errors[0] }).toEqual({ key, sentence: stop?.sentence });
}

test.each(Object.keys(stopping))(
  'a stop by %s is foreseen in the words of the refusal, and leaves no trace',
  async (by) => {
    await credit(world.db, tenant, 'USDT', 1_000_000_000n);
    const first = { ...(await transferContent(world, tenant)), amount: '20' };
    await stopping[by]?.(await addressOf(first.payeeId));
    expect(await foreseenFor(first)).toBeNull();
    await succeed(world, transferOut, await transferRequest(world, tenant, first));
    await expectForeseen({ ...first, id: newId(), amount: '50' }, by, 'riskRefused');
  },
);

test('a payee beside the whitelist, one that was blacklisted, and an amount beyond the balance are foreseen as well', async () => {
  await credit(world.db, tenant, 'USDT', 30_000_000n);
  const content = { ...(await transferContent(world, tenant)), amount: '5' };
  await succeed(world, setRiskSetting, { as: tenant.admin, body: { onlyWhitelisted: true } });
  await expectForeseen(content, 'notWhitelisted', 'riskRefused');
  await expectForeseen({ ...content, amount: '50' }, 'rule', 'amountAboveBalanceMinusFee');
  await listAddress(world.db, tenant.id, await addressOf(content.payeeId), null);
  await expectForeseen(content, 'rule', 'payeeUnusable');
});

test('another company’s payee is as unknown as one that never was', async () => {
  const other = await world.company();
  const { payeeId } = await transferContent(world, other);
  const query = { walletId: tenant.wallets.USDT, payeeId, amount: '5' };
  expect((await world.ask(foreseeReview, { as: tenant.admin, query })).key).toBe('payeeNotFound');
});
