import { getApproval, listApprovals } from '@causeway/contract/approvals.ts';
import { listNotices } from '@causeway/contract/notices.ts';
import {
  deleteCategory,
  exportTransactions,
  getTransaction,
  listCategories,
  listTransactions,
} from '@causeway/contract/transactions.ts';
import { maxCategories } from '@causeway/contract/transactions-rules.ts';
import { cancelTransfer, transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { credit } from '../../../testing/company.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import { arrivedTest, reviewOf } from '../../../testing/transaction-requests.ts';
import { succeed, transferContent, transferRequest } from '../../../testing/valid-requests.ts';
import { transferDigest } from '../domain.ts';

let world: MainApp;
let tenant: Tenant;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
beforeEach(async () => {
  tenant = await world.company();
  await credit(world.db, tenant, 'USDT', 1_000_000_000n);
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

/** Sends 5 USDT, a code for it included, with more in the body. */
async function sent(more: object, as?: Member): Promise<string> {
  const content = await transferContent(world, tenant);
  const request = await transferRequest(world, tenant, content, as);
  const { data } = await succeed(world, transferOut, { ...request, body: { ...request.body, ...more } });
  return data.id;
}

const found = async (query: Record<string, string>) =>
  (await succeed(world, listTransactions, { as: tenant.admin, query })).data.items.map(({ id }) => id);
const named = async () => (await succeed(world, listCategories, { as: tenant.admin })).data.map(({ name }) => name);

describe('invoice number and category', () => {
  test('are on the transaction, found by search and filters, and in the export and the audit log', async () => {
    const id = await sent({ invoiceNumber: 'INV/2026-0042', category: 'Hosting' });
    const other = await sent({ invoiceNumber: 'INV/2026-0043', category: 'Rent' });
    const plain = await sent({});
    const as = tenant.admin;
    const { data } = await succeed(world, getTransaction, { as, params: { id } });
    expect(data).toMatchObject({ invoiceNumber: 'INV/2026-0042', category: 'Hosting' });
    expect(await found({ keyword: 'inv/2026-0042' })).toEqual([id]);
    expect(await found({ keyword: 'hosting' })).toEqual([id]);
    expect(await found({ invoiceNumber: '2026-004' })).toEqual([other, id]);
    expect(await found({ invoiceNumber: '0042' })).toEqual([id]);
    // A part of a note is no invoice number.
    expect(await found({ invoiceNumber: 'Supplier' })).toEqual([]);
    expect(await found({ category: 'Rent' })).toEqual([other]);
    expect(await found({})).toEqual([plain, other, id]);
    const file = await world.ask(exportTransactions, { as, query: { category: 'Hosting' } });
    expect(file.raw.body).toContain('Invoice number,Category');
    expect(file.raw.body).toContain('INV/2026-0042,Hosting');
    const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
      sql<{
        detail: object;
      }>`select detail from audit_event where company_id = company_id() and subject_id = ${id}`.execute(tx),
    );
    expect(rows[0]?.detail).toMatchObject({ invoiceNumber: 'INV/2026-0042', category: 'Hosting' });
  });

  test('a category joins the list as it was first written, whatever the capitals; until it is deleted', async () => {
    await sent({ category: 'Office rent' });
    const id = await sent({ category: 'OFFICE RENT' });
    await sent({ category: 'Audit' });
    expect(await named()).toEqual(['Audit', 'Office rent']);
    const { data } = await succeed(world, getTransaction, { as: tenant.admin, params: { id } });
    expect(data.category).toBe('Office rent');
    const list = (await succeed(world, listCategories, { as: tenant.admin })).data;
    const rent = present(list.find(({ name }) => name === 'Office rent'));
    await succeed(world, deleteCategory, { as: tenant.admin, params: { id: rent.id } });
    expect(await named()).toEqual(['Audit']);
    expect(await found({ category: 'Office rent' })).toHaveLength(2);
  });

  test('a full list takes no more; the transfer keeps its category', async () => {
    await world.db.app.withCompany(tenant.id, (tx) =>
      sql`insert into transaction_category (company_id, id, name)
        select company_id(), gen_random_uuid(), 'Category ' || n from generate_series(1, ${maxCategories}) n`.execute(
        tx,
      ),
    );
    await sent({ category: 'One more' });
    expect(await named()).toHaveLength(maxCategories);
    expect(await found({ category: 'One more' })).toHaveLength(1);
  });

  test('are no part of the digest: the code of a transfer is good whatever it is filed under', async () => {
    const id = await sent({ invoiceNumber: 'INV-1', category: 'Rent' });
    const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
      sql<{ digest: string; walletId: string; payeeId: string; address: string; notes: string; files: string[] }>`
        select encode(digest, 'hex') as digest, wallet_id as "walletId", payee_id as "payeeId", payee_account as address, notes,
          array(select file_id::text from outgoing_attachment f where f.company_id = t.company_id and f.transaction_id = t.id) as files
        from transaction t where company_id = company_id() and id = ${id}`.execute(tx),
    );
    const { digest, walletId, payeeId, address, notes, files } = present(rows[0]);
    const subject = {
      companyId: tenant.id,
      transferId: id,
      walletId,
      payeeId,
      payeeAddress: address,
      chainId: 'ethereum',
    };
    expect(transferDigest({ ...subject, coin: 'USDT', amountMinor: 5_000_000n, notes, attachmentIds: files })).toBe(
      digest,
    );
  });

  test('are what the approvers see, as they were submitted, and find the task', async () => {
    const initiator = await world.member(tenant, 'finance');
    const approver = await world.member(tenant, 'approver');
    await reviewOf(world, tenant)(true);
    await sent({ invoiceNumber: 'INV-77', category: 'Freight' }, initiator);
    const query = { view: 'pending', keyword: 'inv-77' };
    const { items } = (await succeed(world, listApprovals, { as: approver, query })).data;
    expect(items).toHaveLength(1);
    const { data } = await succeed(world, getApproval, { as: approver, params: { id: present(items[0]).id } });
    expect(data.content).toMatchObject({ invoiceNumber: 'INV-77', category: 'Freight' });
  });

  test.each([
    [{ invoiceNumber: '' }, 'invoiceNumber'],
    [{ invoiceNumber: 'x'.repeat(61) }, 'invoiceNumber'],
    [{ invoiceNumber: 'a\u202eb' }, 'invoiceNumber'],
    [{ category: 'x'.repeat(41) }, 'category'],
    [{ category: '   ' }, 'category'],
  ])('%o is refused', async (more, field) => {
    const request = await transferRequest(world, tenant, await transferContent(world, tenant));
    const answer = await world.ask(transferOut, { ...request, body: { ...request.body, ...more } });
    expect(answer).toMatchObject({ status: 400, key: 'validationFailed' });
    expect(Object.keys(answer.fields)).toEqual([field]);
  });
});

describe('a test transfer first', () => {
  async function asked(more: object, content?: Awaited<ReturnType<typeof transferContent>>) {
    const request = await transferRequest(
      world,
      tenant,
      content ?? (await transferContent(world, tenant)),
      tenant.admin,
    );
    return world.ask(transferOut, { ...request, body: { ...request.body, ...more } });
  }

  const detailOf = async (id: string) =>
    (await succeed(world, getTransaction, { as: tenant.admin, params: { id } })).data;

  test('test and rest are shown on each other', async () => {
    const content = await transferContent(world, tenant);
    const testId = await arrivedTest(world, tenant, content.payeeId);
    expect(await detailOf(testId)).toMatchObject({
      test: { total: '10.000000', rest: '8.500000', restId: null },
      restOf: null,
    });
    expect((await asked({ restOf: testId }, content)).status).toBe(200);
    expect((await detailOf(testId)).test?.restId).toBe(content.id);
    expect(await detailOf(content.id)).toMatchObject({ test: null, restOf: testId });
  });

  test('the rest is sent once; a second time only after the first failed', async () => {
    const content = await transferContent(world, tenant);
    const testId = await arrivedTest(world, tenant, content.payeeId);
    expect((await asked({ restOf: testId }, content)).status).toBe(200);
    const again = { ...content, id: newId(), attachmentIds: [] };
    expect(await asked({ restOf: testId }, again)).toMatchObject({ status: 409, key: 'testRestSent' });
    await succeed(world, cancelTransfer, { as: tenant.admin, body: { id: content.id } });
    expect((await detailOf(testId)).test?.restId).toBeNull();
    const third = { ...content, id: newId(), attachmentIds: [] };
    expect((await asked({ restOf: testId }, third)).status).toBe(200);
    expect((await detailOf(testId)).test?.restId).toBe(third.id);
  });

  test('the rest waits for the test, and goes to its payee', async () => {
    const content = await transferContent(world, tenant);
    expect((await asked({ testTotal: '100' }, content)).status).toBe(200);
    expect((await detailOf(content.id)).test).toMatchObject({ total: '100.000000', rest: '95.000000' });
    const early = { ...content, id: newId(), attachmentIds: [] };
    expect(await asked({ restOf: content.id }, early)).toMatchObject({ status: 409, key: 'testNotArrived' });
    const testId = await arrivedTest(world, tenant, content.payeeId);
    expect(await asked({ restOf: testId })).toMatchObject({ status: 409, key: 'testOfAnother' });
    expect(await asked({ restOf: newId() })).toMatchObject({ status: 404, key: 'notFound' });
  });

  test('approvers are told of a test and of the rest after it: by name, facts, notice and mail', async () => {
    const initiator = await world.member(tenant, 'finance');
    const approver = await world.member(tenant, 'approver');
    const content = await transferContent(world, tenant);
    const testId = await arrivedTest(world, tenant, content.payeeId);
    await reviewOf(world, tenant)(true);
    const taskOf = async (more: object, of = content) => {
      const request = await transferRequest(world, tenant, of, initiator);
      const { data } = await succeed(world, transferOut, { ...request, body: { ...request.body, ...more } });
      const query = { view: 'pending' };
      const { items } = (await succeed(world, listApprovals, { as: approver, query })).data;
      const { id } = present(items.find(({ subjectId }) => subjectId === data.id));
      return (await succeed(world, getApproval, { as: approver, params: { id } })).data;
    };
    const rest = await taskOf({ restOf: testId });
    expect(rest.name).toMatch(/^Transfer to .*, rest after a test$/);
    expect(rest.facts).toContainEqual({
      label: 'Rest after a test',
      value: 'A test transfer of 1.50 USDT arrived first',
    });
    expect(rest.content).toMatchObject({
      test: null,
      restOf: { transactionId: testId, amount: '1.500000', status: 'completed' },
    });
    const again = { ...content, attachmentIds: [] };
    const first = await taskOf({ testTotal: '100' }, { ...again, id: newId() });
    expect(first.name).toMatch(/^Test transfer to /);
    expect(first.facts).toContainEqual({ label: 'Test transfer', value: 'First part of 100.00 USDT in all' });
    expect(first.content).toMatchObject({ test: { total: '100.000000', rest: '95.000000' }, restOf: null });
    const plain = await taskOf({}, { ...again, id: newId() });
    expect(plain.name).toMatch(/^Transfer to \w+$/);
    expect(plain.content).toMatchObject({ test: null, restOf: null });

    const notices = (await succeed(world, listNotices, { as: approver })).data.items;
    expect(notices.map(({ title }) => /\((.*)\)$/.exec(title)?.[1])).toEqual([
      undefined,
      'test transfer',
      'rest after a test',
    ]);
    expect(notices.map(({ body }) => body.split('. ')[1])).toEqual([
      undefined,
      'It is a test transfer: the rest is sent once it has arrived.',
      'It is the rest after a test transfer that has arrived.',
    ]);
  });

  test('a test is less than the whole', async () => {
    expect(await asked({ testTotal: '5' })).toMatchObject({ status: 400, key: 'testTotalTooSmall' });
  });

  test('a test that its code refuses leaves nothing behind', async () => {
    const content = await transferContent(world, tenant);
    const request = await transferRequest(world, tenant, content, tenant.admin);
    const code = request.body['code'] === '000000' ? '000001' : '000000';
    const body = { ...request.body, testTotal: '100' };
    expect((await world.ask(transferOut, { ...request, body: { ...body, code } })).key).toBe('codeWrong');
    expect((await world.ask(transferOut, { ...request, body })).status).toBe(200);
    expect((await detailOf(content.id)).test).toMatchObject({ total: '100.000000' });
  });
});
