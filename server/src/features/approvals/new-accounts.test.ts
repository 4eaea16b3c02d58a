import * as approvals from '@causeway/contract/approvals.ts';
import * as bank from '@causeway/contract/bank-payees.ts';
import * as notices from '@causeway/contract/notices.ts';
import * as organisation from '@causeway/contract/organisation.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { addListEntry, deleteListEntry } from '@causeway/contract/risk-lists.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { createLog } from '../../platform/process/log.ts';
import { decision } from '../../testing/approval-requests.ts';
import { newBankAccount } from '../../testing/bank-payee-requests.ts';
import { openTestBank, openTestBankWallet } from '../../testing/banks.ts';
import { testDatabase } from '../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { succeed } from '../../testing/succeed.ts';
import { type PayeeVerification, payeeVerificationJob } from '../payees/index.ts';

/** Payees with a bank account: what is kept, what a change does, and the second person (docs/adr/0064-…). */

let world: MainApp;
let tenant: Tenant;
let finance: Member;
let approver: Member;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
  await openTestBank(world.db);
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
beforeEach(async () => {
  tenant = await world.company();
  finance = await world.member(tenant, 'finance');
  approver = await world.member(tenant, 'approver');
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const settings = (change: object) =>
  succeed(world, organisation.setCompanySettings, {
    as: tenant.admin,
    body: { timeZone: 'Asia/Hong_Kong', codeRecipient: 'initiator', ...change },
  });
const address = { addressLine1: '1 Queen’s Road Central', town: 'Hong Kong' };
const body = (change: object = {}) => ({ label: 'Harbour Supplies', ...newBankAccount(), ...change });
const ask = (change: object = {}) => world.ask(bank.addBankPayee, { as: finance, body: body(change) });
const add = async (change: object = {}) =>
  (await succeed(world, bank.addBankPayee, { as: finance, body: body(change) })).data;
const read = async (id: string) => (await succeed(world, bank.getBankPayee, { as: finance, params: { id } })).data;
const list = async (query: Record<string, string> = {}) =>
  (await succeed(world, bank.listBankPayees, { as: finance, query })).data.items.map(({ id }: { id: string }) => id);
const edit = (payee: bank.BankPayee, change: object) =>
  world.ask(bank.editBankPayee, {
    as: finance,
    body: { id: payee.id, versionId: payee.account.id, ...newBankAccount(), ...change },
  });
const remove = (id: string) => world.ask(bank.deleteBankPayee, { as: finance, params: { id } });
const decide = async (taskId: string, outcome: 'approved' | 'rejected') =>
  world.ask(approvals.decideApprovals, await decision(world, approver, [taskId], outcome));
const titles = async (as: Member) =>
  (await succeed(world, notices.listNotices, { as })).data.items.map(({ title }: { title: string }) => title);

async function asSuperuser(text: string, values: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: world.db.superuserUrl });
  await client.connect();
  try {
    await client.query(text, values);
  } finally {
    await client.end();
  }
}

describe('the book', () => {
  test('keeps an account with its bank’s name and a number of the company’s own sequence', async () => {
    const [first, second] = [await add({ enterpriseName: 'Far Voyage Limited' }), await add()];
    expect([first.number, second.number]).toEqual(['PC-000001', 'PC-000002']);
    expect(first).toMatchObject({ status: 'usable', changedUntil: null, addressLacks: [], approval: null });
    expect(first.account).toMatchObject({
      name: 'Far Voyage Limited',
      bankName: 'The Hongkong and Shanghai Banking Corporation',
      folded: null,
      verification: null,
      fields: [
        { name: 'bankCode', label: 'hkBankCode', value: '004' },
        { name: 'account', label: 'hkAccount', value: first.account.account },
      ],
    });
    expect(await list({ keyword: 'voyage' })).toEqual([first.id]);
    expect(await list({ keyword: first.account.account })).toEqual([first.id]);
    expect(await list({ country: 'GB' })).toEqual([]);
    expect(await list({ holder: 'enterprise', currency: 'HKD', status: 'usable' })).toEqual([second.id, first.id]);
  });

  test.each([
    [{ enterpriseName: '' }, 'enterpriseName', 'required'],
    [{ holder: 'personal', firstName: 'Ada' }, 'lastName', 'required'],
    [{ holder: 'personal', firstName: 'Ada', lastName: 'W0ng' }, 'lastName', 'letters'],
    [{ way: 'sepa' }, 'way', ''],
    [{ bankCode: '04' }, 'bankCode', '3 digits'],
    [{ account: '' }, 'account', 'required'],
    [{ label: 'ab' }, 'label', 'at least 3'],
  ])('refuses %o at its field', async (change, field, words) => {
    const answer = await ask(change);
    expect(answer).toMatchObject({ status: 400, key: 'validationFailed' });
    expect(answer.fields[field]).toMatch(new RegExp(words, 'i'));
  });

  test('refuses an account that is in the book, in any spelling, and a name that cannot be sent', async () => {
    const payee = await add();
    const chats = { way: 'hkChats', bic: 'HSBCHKHH', ...address, account: payee.account.account };
    expect(await ask(chats)).toMatchObject({ status: 409, key: 'payeeAccountExists' });
    const latin = { ...chats, account: '987654321', enterpriseName: '遠航有限公司' };
    expect(await ask(latin)).toMatchObject({
      status: 400,
      key: 'payeeNameLatin',
      fields: { enterpriseName: expect.any(String) },
    });
    expect((await ask({ ...latin, enterpriseName: 'Yuan Hang' })).status).toBe(200);
    await remove(payee.id);
    expect((await ask(chats)).status).toBe(200);
  });

  test('refuses the company’s own account', async () => {
    const { number } = await openTestBankWallet(world.db, tenant.id, 'HKD');
    expect(await ask({ account: number })).toMatchObject({ status: 400, key: 'bankAccountOwn' });
  });

  test('a check says the bank, the name as it is sent, and what looks like it', async () => {
    const payee = await add({ enterpriseName: 'Harbour Supplies Limited' });
    const other = {
      ...newBankAccount(),
      way: 'hkChats',
      bic: 'BKCHHKHH',
      ...address,
      enterpriseName: 'Härbour Supp1ies',
    };
    const { data } = await succeed(world, bank.checkBankPayee, { as: finance, body: other });
    expect(data).toEqual({
      bankName: 'Bank of China (Hong Kong)',
      folded: { text: 'Harbour Supp1ies', lost: [] },
      knownAs: null,
      alike: [
        {
          payeeId: payee.id,
          label: 'Harbour Supplies',
          name: 'Harbour Supplies Limited',
          account: payee.account.account,
        },
      ],
    });
    const same = { ...newBankAccount(), account: payee.account.account };
    expect((await succeed(world, bank.checkBankPayee, { as: finance, body: same })).data.knownAs).toBe(
      'Harbour Supplies',
    );
    const own = { ...same, id: payee.id };
    expect((await succeed(world, bank.checkBankPayee, { as: finance, body: own })).data.knownAs).toBeNull();
  });

  test('a payee whose address would be refused is pointed out', async () => {
    const payee = await add({ way: 'hkChats', bic: 'BKCHHKHH', ...address });
    expect(payee.addressLacks).toEqual([]);
    await asSuperuser(`update causeway.bank_payee_version set details = details - 'town' where id = $1`, [
      payee.account.id,
    ]);
    await asSuperuser(`update causeway.bank_payee set needs_address = true where id = $1`, [payee.id]);
    expect((await read(payee.id)).addressLacks).toEqual(['town']);
    expect(await list({ mark: 'address' })).toEqual([payee.id]);
  });

  test('words change without a new account; a deleted payee is gone from the book', async () => {
    const payee = await add();
    const words = { id: payee.id, label: 'Harbour Ltd', remark: 'rent' };
    const { data } = await succeed(world, bank.labelBankPayee, { as: finance, body: words });
    expect(data).toMatchObject({ ...words, changedUntil: null, account: { id: payee.account.id } });
    expect((await remove(payee.id)).status).toBe(200);
    expect((await remove(payee.id)).key).toBe('payeeNotFound');
    expect((await world.ask(bank.labelBankPayee, { as: finance, body: words })).key).toBe('payeeNotFound');
  });
});

describe('a changed account', () => {
  test('keeps the old one, is marked for the days of the setting, and administrators are notified', async () => {
    const payee = await add();
    const answer = await edit(payee, {});
    expect(answer.status).toBe(200);
    const changed = await read(payee.id);
    expect(changed.account.id).not.toBe(payee.account.id);
    expect(changed.earlier).toEqual([payee.account]);
    const days = (Date.parse(changed.changedUntil ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7);
    expect(await list({ mark: 'changed' })).toEqual([payee.id]);
    expect(await titles(tenant.admin)).toContain('Bank account of a payee changed: Harbour Supplies');
    expect(await titles(finance)).not.toContain('Bank account of a payee changed: Harbour Supplies');
    const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
      sql<{
        detail: object;
      }>`select detail from audit_event where company_id = company_id() and action = 'payees.editAccount'`.execute(tx),
    );
    expect(rows).toMatchObject([
      { detail: { before: { account: payee.account.account }, after: { account: changed.account.account } } },
    ]);
    await asSuperuser(`update causeway.bank_payee set changed_at = now() - interval '8 days' where id = $1`, [
      payee.id,
    ]);
    expect((await read(payee.id)).changedUntil).toBeNull();
    await settings({ changedPayeeDays: 30 });
    expect((await read(payee.id)).changedUntil).not.toBeNull();
  });

  test('the same account again is no change; an old reading of it is refused', async () => {
    const account = newBankAccount();
    const payee = await add(account);
    expect((await edit(payee, account)).data.account.id).toBe(payee.account.id);
    expect((await read(payee.id)).changedUntil).toBeNull();
    expect((await edit(payee, {})).status).toBe(200);
    expect(await edit(payee, {})).toMatchObject({ status: 409, key: 'payeeChanged' });
  });

  test('of two edits of one reading, one succeeds', async () => {
    const payee = await add();
    const answers = await Promise.all([edit(payee, {}), edit(payee, {}), edit(payee, {})]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await read(payee.id)).earlier).toHaveLength(1);
  });
});

describe('the black list', () => {
  const blacklist = async (account: string) => {
    const id = newId();
    const entry = { id, kind: 'black', payeeType: 'bank_no', account, remark: 'fraud' };
    await succeed(world, addListEntry, { as: tenant.admin, body: entry });
    return id;
  };

  test('makes payees unusable by number or with the bank’s code, until no entry names them', async () => {
    const payee = await add();
    const statusOf = async () => (await read(payee.id)).status;
    const [number, whole] = [await blacklist(payee.account.account), await blacklist(`004${payee.account.account}`)];
    expect(await statusOf()).toBe('unusable');
    await succeed(world, deleteListEntry, { as: tenant.admin, params: { id: number } });
    expect(await statusOf()).toBe('unusable');
    await succeed(world, deleteListEntry, { as: tenant.admin, params: { id: whole } });
    expect(await statusOf()).toBe('usable');
  });

  test('refuses accounts that are on it, new or changed', async () => {
    const payee = await add();
    const { account } = newBankAccount();
    await blacklist(account);
    expect(await ask({ account })).toMatchObject({ status: 409, key: 'accountBlacklisted' });
    expect(await edit(payee, { account })).toMatchObject({ key: 'accountBlacklisted' });
  });
});

describe('with approval of new payees', () => {
  beforeEach(() => settings({ approveNewPayees: true }));
  const taskOf = async (id: string) => (await read(id)).approval?.taskId ?? '';

  test('a new account waits, is not edited meanwhile, and is usable once approved', async () => {
    const payee = await add();
    expect(payee).toMatchObject({ status: 'waiting' });
    expect(await edit(payee, {})).toMatchObject({ status: 409, key: 'payeeNotEditable' });
    const { data: task } = await succeed(world, approvals.getApproval, {
      as: approver,
      params: { id: await taskOf(payee.id) },
    });
    expect(await titles(approver)).toEqual(['Payee account waiting for your approval: Harbour Supplies']);
    expect(task).toMatchObject({
      kind: 'bank_payee',
      content: { shape: 'account', changed: false, party: { account: payee.account.account } },
    });
    expect((await decide(task.id, 'approved')).status).toBe(200);
    expect(await read(payee.id)).toMatchObject({ status: 'usable', approval: null });
  });

  test('a changed account waits again, with the old one shown; rejected, it can be changed back', async () => {
    const payee = await add();
    await decide(await taskOf(payee.id), 'approved');
    await edit(await read(payee.id), {});
    expect(await read(payee.id)).toMatchObject({ status: 'waiting' });
    const taskId = await taskOf(payee.id);
    const { data: task } = await succeed(world, approvals.getApproval, { as: approver, params: { id: taskId } });
    expect(JSON.stringify(task)).toContain(payee.account.account);
    await decide(taskId, 'rejected');
    const rejected = await read(payee.id);
    expect(rejected).toMatchObject({ status: 'rejected', approval: { reason: expect.any(String) } });
    const { account, bankCode } = Object.fromEntries(payee.account.fields.map(({ name, value }) => [name, value]));
    expect((await edit(rejected, { account, bankCode, enterpriseName: payee.account.name })).data).toMatchObject({
      status: 'waiting',
    });
  });

  test('a changed account that its initiator withdraws leaves the payee in the book, not to be paid', async () => {
    const payee = await add();
    await decide(await taskOf(payee.id), 'approved');
    await edit(await read(payee.id), {});
    const id = await taskOf(payee.id);
    const { data: task } = await succeed(world, approvals.getApproval, { as: finance, params: { id } });
    expect(task).toMatchObject({ mayWithdraw: true, content: { shape: 'account', changed: true } });
    await succeed(world, approvals.withdrawApproval, { as: finance, body: { id } });
    expect(await read(payee.id)).toMatchObject({ status: 'rejected' });
    expect((await edit(await read(payee.id), {})).data).toMatchObject({ status: 'waiting' });
  });

  test('deleting a payee that waits ends its task', async () => {
    const payee = await add();
    const id = await taskOf(payee.id);
    expect((await remove(payee.id)).status).toBe(200);
    const { data: task } = await succeed(world, approvals.getApproval, { as: finance, params: { id } });
    expect(task).toMatchObject({ end: 'withdrawn' });
  });

  test('an account that is blacklisted meanwhile is not approved', async () => {
    const payee = await add();
    const id = await taskOf(payee.id);
    const entry = { id: newId(), kind: 'black', payeeType: 'bank_no', account: payee.account.account, remark: '' };
    await succeed(world, addListEntry, { as: tenant.admin, body: entry });
    await decide(id, 'approved');
    expect((await read(payee.id)).status).not.toBe('usable');
  });

  test('is refused where no other member may approve', async () => {
    await world.db.app.withCompany(tenant.id, (tx) =>
      sql`update member set role_id = ${systemRoleIds.viewer} where company_id = company_id() and id = ${approver.session.userId}`.execute(
        tx,
      ),
    );
    const answer = await world.ask(bank.addBankPayee, { as: tenant.admin, body: body() });
    expect(answer).toMatchObject({ status: 409, key: 'payeeNobodyApproves' });
  });
});

describe('verification of payee', () => {
  const log = createLog('test', 'silent');
  const run = (banks: readonly PayeeVerification[], versionId: string) =>
    payeeVerificationJob(banks).run({ companyId: tenant.id, database: world.db.worker, log }, { versionId });

  test('with no bank that offers it: not possible', async () => {
    const payee = await add();
    await run([], payee.account.id);
    expect((await read(payee.id)).account.verification).toMatchObject({ answer: 'impossible', bankName: null });
  });

  test('the answer of the bank that covers the account is kept with its time, once', async () => {
    const payee = await add();
    const asked: string[] = [];
    const answering = (answer: 'close' | 'none', covers: boolean): PayeeVerification => ({
      covers: () => covers,
      verify: async ({ name }) => {
        asked.push(name);
        return { answer, bankName: 'Harbour Supplies (HK) Ltd' };
      },
    });
    await run([answering('none', false), answering('close', true)], payee.account.id);
    await run([answering('none', true)], payee.account.id);
    expect(asked).toEqual([payee.account.name]);
    expect((await read(payee.id)).account.verification).toEqual({
      answer: 'close',
      bankName: 'Harbour Supplies (HK) Ltd',
      at: expect.any(String),
    });
  });

  test('a bank that cannot be reached leaves it open, and is asked again', async () => {
    const payee = await add();
    const down: PayeeVerification = { covers: () => true, verify: () => Promise.reject(new Error('unreachable')) };
    await expect(run([down], payee.account.id)).rejects.toThrow('unreachable');
    expect((await read(payee.id)).account.verification).toBeNull();
    await run(
      [{ covers: () => true, verify: async () => ({ answer: 'match', bankName: 'ignored' }) }],
      payee.account.id,
    );
    expect((await read(payee.id)).account.verification).toMatchObject({ answer: 'match', bankName: null });
  });
});
