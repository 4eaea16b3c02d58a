import { decideApprovals, getReviewSetting } from '@causeway/contract/approvals.ts';
import { calls } from '@causeway/contract/calls.ts';
import { cancelTransfer, transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { approvalRequests } from '../../../testing/approval-requests.ts';
import { credit } from '../../../testing/company.ts';
import { testDatabase } from '../../../testing/database.ts';
import type { Answer } from '../../../testing/envelope.ts';
import { type MainApp, type Member, mainApp, type Request, type Tenant } from '../../../testing/main-app.ts';
import { succeed, transferContent, transferRequest, validRequests } from '../../../testing/valid-requests.ts';

/** Repeated submissions: what a key, an id and a code each protect, and from whom. */

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

const under = (key: string) => ({ headers: { 'idempotency-key': key } });
const otherCode = (code: unknown) => (code === '000000' ? '000001' : '000000');
const keysOf = (answers: readonly Answer[]) => answers.map(({ status, key }) => (status === 200 ? 'done' : key)).sort();

async function transfersOf({ id }: Tenant): Promise<number> {
  const { rows } = await world.db.app.withCompany(id, (tx) =>
    sql`select from transaction where company_id = company_id() and type = 'chain_withdraw'`.execute(tx),
  );
  return rows.length;
}

async function wrongTriesOf(as: Member): Promise<number> {
  const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql<{ tries: number }>`select coalesce(sum(wrong_tries), 0)::bigint as tries from code_guard
      where company_id = company_id() and subject = ${as.session.userId}`.execute(tx),
  );
  return rows[0]?.tries ?? -1;
}

test('an accepted transfer sent again under other keys: idTaken, no try is counted, and the next code still works', async () => {
  const request = await transferRequest(world, tenant, await transferContent(world, tenant));
  await succeed(world, transferOut, request);
  for (let attempt = 0; attempt < 8; attempt++) {
    const body = { ...request.body, code: otherCode(request.body['code']) };
    expect((await world.ask(transferOut, { ...request, body })).key).toBe('idTaken');
  }
  expect(await wrongTriesOf(request.as as Member)).toBe(0);
  expect(await transfersOf(tenant)).toBe(1);
  await succeed(
    world,
    transferOut,
    await transferRequest(world, tenant, await transferContent(world, tenant), request.as),
  );
});

test('the same of thirty at once: one transfer, no try is counted', async () => {
  const request = await transferRequest(world, tenant, await transferContent(world, tenant));
  const answers = await Promise.all(Array.from({ length: 30 }, () => world.ask(transferOut, request)));
  expect(keysOf(answers)).toEqual(['done', ...Array.from({ length: 29 }, () => 'idTaken')]);
  expect(await wrongTriesOf(request.as as Member)).toBe(0);
  expect(await transfersOf(tenant)).toBe(1);
});

test('another company’s transfer id is free, as an id that was never used', async () => {
  const content = await transferContent(world, tenant);
  await succeed(world, transferOut, await transferRequest(world, tenant, content));
  const other = await world.company('Other Limited');
  await credit(world.db, other, 'USDT', 1_000_000_000n);
  const same = { ...(await transferContent(world, other)), id: content.id };
  await succeed(world, transferOut, await transferRequest(world, other, same));
});

test('the same key with another body is refused, and nothing is written', async () => {
  const key = newId();
  const first = await transferRequest(world, tenant, await transferContent(world, tenant));
  await succeed(world, transferOut, { ...first, ...under(key) });
  const second = await transferRequest(world, tenant, await transferContent(world, tenant), first.as);
  expect((await world.ask(transferOut, { ...second, ...under(key) })).key).toBe('idempotencyKeyReused');
  const dearer = { ...first, body: { ...first.body, amount: '6' } };
  expect((await world.ask(transferOut, { ...dearer, ...under(key) })).key).toBe('idempotencyKeyReused');
  // A key serves one call.
  const { id } = first.body;
  expect((await world.ask(cancelTransfer, { as: first.as, body: { id }, ...under(key) } as Request)).key).toBe(
    'idempotencyKeyReused',
  );
  expect(await transfersOf(tenant)).toBe(1);
});

test.each(calls.filter(({ movesMoney }) => movesMoney).map((call) => [call.name, call] as const))(
  '%s without a usable key is refused',
  async (name, call) => {
    const request = (await validRequests[name]?.(world, tenant)) ?? {};
    for (const key of ['', 'short', 'x'.repeat(129), 'with space', 'ключ-ключ']) {
      const headers = { 'idempotency-key': Buffer.from(key).toString('latin1') };
      expect((await world.ask(call, { ...request, headers })).key, key).toBe('idempotencyKeyMissing');
    }
  },
);

test('a key belongs to the member: another member’s request under it needs a code of its own', async () => {
  const key = newId();
  const first = await transferRequest(world, tenant, await transferContent(world, tenant));
  const done = await succeed(world, transferOut, { ...first, ...under(key) });
  const colleague = await world.member(tenant, 'finance');

  // Identical, to the letter: not the first member's answer.
  const copied = await world.ask(transferOut, { ...first, as: colleague, ...under(key) });
  expect(copied.key).toBe('idTaken');
  expect(copied.raw.headers['idempotency-replayed']).toBeUndefined();

  const own = await transferRequest(world, tenant, await transferContent(world, tenant), colleague);
  const guessed = { ...own, body: { ...own.body, code: otherCode(own.body['code']) } };
  expect((await world.ask(transferOut, { ...guessed, ...under(key) })).key).toBe('codeWrong');
  await succeed(world, transferOut, { ...own, ...under(key) });

  // And the first member's key still has the first answer, whatever code comes with it.
  const again = { ...first, body: { ...first.body, code: otherCode(first.body['code']) }, ...under(key) };
  const replayed = await succeed(world, transferOut, again);
  expect(replayed.data).toEqual(done.data);
  expect(replayed.raw.headers['idempotency-replayed']).toBe('true');
  expect(await transfersOf(tenant)).toBe(2);
});

test('a decision repeated by another member under the same key is that member’s own, and needs their code', async () => {
  const key = newId();
  const first = (await approvalRequests['decideApprovals']?.(world, tenant)) ?? {};
  await succeed(world, decideApprovals, { ...first, ...under(key) });
  const colleague = await world.member(tenant, 'administrator');
  const copied = await world.ask(decideApprovals, { ...first, as: colleague, ...under(key) });
  expect(copied.status).not.toBe(200);
  expect(['approvalNotPending', 'codeWrong']).toContain(copied.key);
  await succeed(world, getReviewSetting, { as: colleague });
});

test('a cancellation repeated by another member under the same key is refused as not their own', async () => {
  const key = newId();
  const made = await transferRequest(world, tenant, await transferContent(world, tenant));
  const { id } = (await succeed(world, transferOut, made)).data;
  const cancelling = { body: { id }, ...under(key) };
  await succeed(world, cancelTransfer, { ...cancelling, as: made.as as Member });
  const colleague = await world.member(tenant, 'finance');
  expect((await world.ask(cancelTransfer, { ...cancelling, as: colleague })).key).toBe('transferNotOwn');
});

test('a code holds for the notes to the letter', async () => {
  const request = await transferRequest(world, tenant, await transferContent(world, tenant));
  for (const notes of ['Rent', 'rent ', '', undefined]) {
    const changed = { ...request, body: { ...request.body, notes } };
    expect((await world.ask(transferOut, changed)).key, notes).toBe('transferCodeMismatch');
  }
  await succeed(world, transferOut, request);
});
