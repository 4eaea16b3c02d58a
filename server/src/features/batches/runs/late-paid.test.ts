import { sendBatchAgain } from '@causeway/contract/batch-runs.ts';
import { cancelTransfer } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../platform/database/database.ts';
import { entriesOf, insertTestBatch, submittedRun } from '../../../testing/batches.ts';
import { outgoingKinds } from '../../../testing/chain-families.ts';
import { credit } from '../../../testing/company.ts';
import { expectCompanyBooks, expectLedgerToAgree, walletBalances } from '../../../testing/company-books.ts';
import { testDatabase } from '../../../testing/database.ts';
import { dyingDatabase } from '../../../testing/dying.ts';
import { asSuperuser } from '../../../testing/exchange-world.ts';
import { type MainApp, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import { race } from '../../../testing/race.ts';
import { succeed } from '../../../testing/succeed.ts';
import { payee } from '../../../testing/valid-requests.ts';
import { settle } from '../../outgoing/index.ts';
import { changeStage, lockTransaction } from '../../transactions/index.ts';
import { batchJobs, stopMissedJob } from '../index.ts';

/** Rows that were sent again and whose earlier payment was made after all, without a job of its event: the sweep does it, with the worker's rights. */

const usdt = 1_000_000n;

let world: MainApp;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
afterAll(async () => {
  await expectLedgerToAgree(world.db);
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

/** A row of a batch whose payment was cancelled and that was sent again. */
interface Repeated {
  tenant: Tenant;
  first: string;
  second: string;
  secondRun: string;
}

async function repeated(tenant?: Tenant): Promise<Repeated> {
  const company = tenant ?? (await world.company());
  await credit(world.db, company, 'USDT', 100n * usdt);
  const row = { walletId: company.wallets.USDT, payeeId: await payee(world, company), amountMinor: 10n * usdt };
  const { id } = await insertTestBatch(world.db, company, [row]);
  const [first] = await entriesOf(world.db, company.id, await submittedRun(world, company.admin, id));
  await succeed(world, cancelTransfer, { as: company.admin, body: { id: present(first).id } });
  const secondRun = await submittedRun(world, company.admin, id, sendBatchAgain);
  const [second] = await entriesOf(world.db, company.id, secondRun);
  return { tenant: company, first: present(first).id, second: present(second).id, secondRun };
}

/** What the chain says of a payment that had come to nothing: it was made after all. */
const paidLate = ({ tenant, first }: Repeated) =>
  world.db.worker.withCompany(tenant.id, async (tx) => {
    await settle(tx, present(await lockTransaction(tx, first)), { contra: 'chain', finals: 0, hash: null });
  });
const handedOver = ({ tenant, second }: Repeated) =>
  world.db.worker.withCompany(tenant.id, (tx) => changeStage(tx, second, ['approved'], { stage: 'signing' }));
/** As though the payment had reached its stage three minutes earlier. */
const age = (...rows: Repeated[]) =>
  asSuperuser(
    world.db,
    `update causeway.transaction set stage_at = stage_at - interval '3 minutes' where id = any ($1::uuid[])`,
    [rows.map(({ first }) => first)],
  );
const followed = ({ tenant, first }: Repeated) =>
  present(batchJobs(outgoingKinds)[0]).run({ companyId: tenant.id, database: world.db.worker } as never, {
    transactionId: first,
    stage: 'completed',
  });

const stateOf = async ({ tenant, secondRun }: Repeated) =>
  present((await entriesOf(world.db, tenant.id, secondRun))[0]);
const heldIn = async ({ tenant }: Repeated) =>
  (await walletBalances(world.db, tenant.id, tenant.wallets.USDT)).outbound ?? 0n;
async function noticesOf({ tenant }: Repeated): Promise<number> {
  const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql`select from notice where company_id = company_id() and kind = 'batchPaidTwice'`.execute(tx),
  );
  return rows.length;
}

/** A round of the sweep. @returns the payments that it wrote of in the log, by message */
async function sweep(database: Database = world.db.worker): Promise<Record<string, string[]>> {
  const said: Record<string, string[]> = {};
  const write = (text: string) => {
    const { msg, transactionId } = JSON.parse(text) as { msg: string; transactionId: string };
    said[msg] = [...(said[msg] ?? []), transactionId];
  };
  await stopMissedJob(outgoingKinds).run({ database, log: pino({}, { write }), signal: new AbortController().signal });
  return said;
}
const late = 'the other attempts of a row that was paid late were stopped late';
const paidBefore = { stage: 'refused', reason: 'stage.reason.paidBefore' };

test('what nothing has begun of the second attempt is stopped when the event’s job had two minutes, and once', async () => {
  const row = await repeated();
  expect(await sweep()).toEqual({});
  await paidLate(row);
  expect(await sweep()).toEqual({});
  expect(await stateOf(row)).toMatchObject({ stage: 'approved' });
  await age(row);
  expect(await sweep()).toEqual({ [late]: [row.first] });
  expect(await stateOf(row)).toMatchObject(paidBefore);
  expect(await heldIn(row)).toBe(0n);
  expect(await noticesOf(row)).toBe(0);
  expect(await sweep()).toEqual({});
  await expectCompanyBooks(world.db, row.tenant.id);
});

test('of a second attempt that was handed over people are notified, once', async () => {
  const row = await repeated();
  await handedOver(row);
  await paidLate(row);
  await age(row);
  expect(await sweep()).toEqual({ [late]: [row.first] });
  expect(await stateOf(row)).toMatchObject({ stage: 'signing' });
  expect(await noticesOf(row)).toBe(1);
  expect(await sweep()).toEqual({});
  expect(await noticesOf(row)).toBe(1);
});

test('an attempt is left alone while the other one is not completed, whatever its event said', async () => {
  const row = await repeated();
  await age(row);
  await followed(row);
  expect(await sweep()).toEqual({});
  expect(await stateOf(row)).toMatchObject({ stage: 'approved' });
  expect(await noticesOf(row)).toBe(0);
});

test('one whose attempts cannot be stopped keeps no other from its turn, and is tried again', async () => {
  const row = await repeated();
  const other = await repeated(row.tenant);
  for (const each of [row, other]) await paidLate(each);
  await age(row, other);
  const companies = await world.db.worker.withoutCompany((tx) =>
    sql<{ id: string }>`select distinct company_id as id from payout_batch_run where number > 1 order by 1`.execute(tx),
  );
  // The list of companies, one look into each until this one's, and then the first payment.
  const before = companies.rows.findIndex(({ id }) => id === row.tenant.id) + 1;
  const dying = dyingDatabase(world.db.worker, before + 2, 'before commit');
  expect(await sweep(dying)).toEqual({
    'the other attempts of a row that was paid late could not be stopped': [row.first],
    [late]: [other.first],
  });
  expect(await stateOf(row)).toMatchObject({ stage: 'approved' });
  expect(await sweep()).toEqual({ [late]: [row.first] });
  expect(await heldIn(row)).toBe(0n);
});

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 4);
test(
  'the sweep and the event’s own job together stop it once',
  async () => {
    for (let round = 0; round < rounds; round++) {
      const row = await repeated();
      await paidLate(row);
      await age(row);
      await race(world.db, round, () => followed(row), sweep);
      expect(await stateOf(row)).toMatchObject(paidBefore);
      expect(await heldIn(row)).toBe(0n);
      expect(await noticesOf(row)).toBe(0);
      await expectCompanyBooks(world.db, row.tenant.id);
    }
  },
  Math.max(60_000, rounds * 20_000),
);
