import { getCryptoPayee } from '@causeway/contract/payees.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { credit } from '../../../testing/company.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';
import { succeed, transferContent, transferRequest } from '../../../testing/valid-requests.ts';
import { describeTransferSubject } from './describe.ts';

/** All that a submission writes, row by row: what the signer, the worker, the approvers and the auditors go by. */

let world: MainApp;
let tenant: Tenant;
let finance: Member;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
beforeEach(async () => {
  tenant = await world.company();
  finance = await world.member(tenant, 'finance');
  await credit(world.db, tenant, 'USDT', 100_000_000n);
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});

async function rowsOf(statement: ReturnType<typeof sql<Record<string, unknown>>>) {
  return world.db.app.withCompany(tenant.id, async (tx) => (await statement.execute(tx)).rows);
}

/** A transfer of 5 with a fee of 1, and every row that was written for it. */
async function submitted(more: object = {}) {
  const content = await transferContent(world, tenant);
  const request = await transferRequest(world, tenant, content, finance);
  const { stage } = (await succeed(world, transferOut, { ...request, body: { ...request.body, ...more } })).data;
  const { id } = content;
  const [transaction = {}] = await rowsOf(sql`
    select type, status, stage, direction, wallet_id, coin, chain_id, quantity, fee, value_usd_cents, notes, invoice_number,
      category, payee_id, payee_name, payee_account, payer_name, payer_account, initiator_id, initiator_name,
      encode(digest, 'hex') as digest from transaction where id = ${id}`);
  const [part = {}] = await rowsOf(sql`
    select jws, array(select file_id::text from outgoing_attachment a where a.transaction_id = p.transaction_id) as files
    from outgoing_authorisation p where transaction_id = ${id}`);
  const [, claims = ''] = String(part['jws']).split('.');
  return {
    stage,
    content,
    transaction,
    digest: String(transaction['digest']),
    files: part['files'],
    sealed: JSON.parse(Buffer.from(claims, 'base64url').toString()) as unknown,
    steps: await rowsOf(sql`
      select stage, actor_id, actor_name from transaction_stage where transaction_id = ${id} order by id`),
    audited: await rowsOf(sql`
      select actor_id, action, subject_kind, detail from audit_event where subject_id = ${id}`),
    announced: (await rowsOf(sql`select name, payload from outbox order by id`)).filter(
      ({ name, payload }) =>
        JSON.stringify(payload).includes(id) || JSON.stringify([name, payload]).includes('balance'),
    ),
    held: await rowsOf(sql`
      select p.kind, a.kind as account, e.amount from ledger_posting p join ledger_entry e on e.posting_id = p.id
        join ledger_account a on a.id = e.account_id where p.source_id = ${id} order by e.amount`),
    tasks: await rowsOf(sql`
      select id, coin, decimals, node, nodes, value, amount, digest, search, status, content, rule_id, rule_version,
        initiator_id, initiator_name from approval_task where subject_id = ${id}`),
  };
}

/** What is written whether it is approved at once or not. */
async function expectWritten({ stage, content, transaction, digest, files, ...written }: Submitted): Promise<void> {
  const { walletId, payeeId, id } = content;
  const payee = (await succeed(world, getCryptoPayee, { as: finance, params: { id: payeeId } })).data;
  const [own = {}] = await rowsOf(sql`select address from chain_address where chain_id = 'ethereum'`);
  const initiator = { initiator_id: finance.session.userId, initiator_name: finance.session.userName };
  expect(transaction).toMatchObject({
    ...initiator,
    type: 'chain_withdraw',
    status: 'pending',
    stage,
    direction: 'out',
    wallet_id: walletId,
    coin: 'USDT',
    chain_id: 'ethereum',
    quantity: 5_000_000n,
    fee: 1_000_000n,
    value_usd_cents: 500n,
    notes: 'rent',
    payee_id: payeeId,
    payee_name: 'Supplier',
    payee_account: payee.address,
    payer_name: 'Harbour Trading',
    payer_account: own['address'],
  });
  expect(files).toEqual(content.attachmentIds);
  expect(written.steps).toEqual([
    { stage: 'submitted', actor_id: finance.session.userId, actor_name: finance.session.userName },
    { stage, actor_id: null, actor_name: null },
  ]);
  expect(written.sealed).toMatchObject({
    version: 2,
    companyId: tenant.id,
    transferId: id,
    digest,
    initiatorId: finance.session.userId,
    proof: { method: 'email', id: expect.any(String) },
    issuedAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(written.held).toEqual([
    { kind: 'transfer.reserve', account: 'available', amount: -6_000_000n },
    { kind: 'transfer.reserve', account: 'outbound', amount: 6_000_000n },
  ]);
  expect(written.audited).toMatchObject([
    { actor_id: finance.session.userId, action: 'transfers.submit', subject_kind: 'transaction' },
  ]);
}
type Submitted = Awaited<ReturnType<typeof submitted>>;

const live = (topic: string, id: string | null) => ({ name: 'live', payload: { topic, id } });

test('without review the payment is announced to the worker, and its seal asks for no decision', async () => {
  const all = await submitted();
  const { id } = all.content;
  expect(all.stage).toBe('approved');
  await expectWritten(all);
  expect(all.transaction).toMatchObject({ invoice_number: null, category: null });
  expect(all.sealed).toMatchObject({ review: 'off' });
  expect(all.audited[0]?.['detail']).toEqual({ proof: 'email', stage: 'approved', digest: all.digest });
  const approved = { name: 'outgoing.approved', payload: { transactionId: id } };
  expect(all.announced).toEqual([approved, live('transaction', id), live('balance', null)]);
  expect(all.tasks).toEqual([]);
});

test('with review its task waits, and the seal has the chain that must be passed', async () => {
  await world.member(tenant, 'approver');
  await reviewOf(world, tenant)(true);
  const all = await submitted({ invoiceNumber: 'INV-1', category: 'Hosting' });
  const { id, attachmentIds } = all.content;
  expect(all.stage).toBe('waiting_approval');
  await expectWritten(all);
  const { payee_account: account, ...transaction } = all.transaction;
  expect(transaction).toMatchObject({ invoice_number: 'INV-1', category: 'Hosting' });
  const { digest } = all;
  expect(all.audited[0]?.['detail']).toEqual({
    proof: 'email',
    stage: 'waiting_approval',
    digest,
    category: 'Hosting',
    invoiceNumber: 'INV-1',
  });
  const waits = { name: 'transaction.submitted', payload: { transactionId: id } };
  expect(all.announced).toEqual([waits, live('transaction', id), live('balance', null)]);
  const [task = {}] = all.tasks;
  const nodes = [{ needed: 1, people: [], roles: [systemRoleIds.approver] }];
  expect(all.sealed).toMatchObject({
    review: { taskId: task['id'], ruleId: task['rule_id'], ruleVersion: 1, nodes },
  });
  expect(task).toMatchObject({
    coin: 'USDT',
    decimals: 6,
    node: 0,
    nodes,
    value: 500n,
    amount: 5_000_000n,
    digest,
    status: 'pending',
    rule_version: 1,
    initiator_id: finance.session.userId,
    initiator_name: finance.session.userName,
    search: ['Supplier', account, 'rent', 'INV-1', 'Hosting', finance.session.userName, 'All'].join('\n').toLowerCase(),
  });
  expect(task['content']).toEqual({
    payeeName: 'Supplier',
    payeeAccount: account,
    chainName: 'Ethereum',
    feeMinor: '1000000',
    notes: 'rent',
    invoiceNumber: 'INV-1',
    category: 'Hosting',
    tie: null,
    attachments: [expect.objectContaining({ id: attachmentIds[0], name: 'invoice.pdf' })],
  });
});

test('a task is found by nothing that its transfer does not say', async () => {
  await world.member(tenant, 'approver');
  await reviewOf(world, tenant)(true);
  const { tasks, transaction } = await submitted({ invoiceNumber: 'INV-2' });
  const words = ['Supplier', transaction['payee_account'], 'rent', 'INV-2', finance.session.userName, 'All'];
  expect(tasks[0]?.['search']).toBe(words.join('\n').toLowerCase());
});

test('the mail with the code of a transfer repeats its facts, and there is none for a payee who is not there', async () => {
  const { attachmentIds: _, ...content } = await transferContent(world, tenant);
  const describe = (of: object) =>
    world.db.app.withCompany(tenant.id, (tx) =>
      describeTransferSubject(tx, finance.session, { ...content, attachmentIds: [], ...of }, 'en-us'),
    );
  const { address } = (await succeed(world, getCryptoPayee, { as: finance, params: { id: content.payeeId } })).data;
  expect((await describe({ amount: '1234.5' })).facts.map(({ value }) => value)).toEqual([
    '1,234.50 USDT',
    'Supplier',
    address,
    'Ethereum',
  ]);
  await expect(describe({ payeeId: newId() })).rejects.toMatchObject({ key: 'payeeNotFound' });
});
