import { decideApprovals, listApprovals } from '@causeway/contract/approvals.ts';
import {
  type BatchCheck,
  cancelBatch,
  checkBatch,
  getBatchRun,
  type sendBatchAgain,
  submitBatch,
} from '@causeway/contract/batch-runs.ts';
import { type BatchSummary, listBatches } from '@causeway/contract/batches.ts';
import type { Output } from '@causeway/contract/call.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { sql } from 'kysely';
import { newId } from '../platform/ids.ts';
import { decision } from './approval-requests.ts';
import { savedCryptoPayee } from './batch-drafts.ts';
import { credit } from './company.ts';
import type { TestDatabase } from './database.ts';
import type { MainApp, Member, Request, Tenant } from './main-app.ts';
import { present } from './present.ts';
import { succeed } from './succeed.ts';

/** Batches with rows that have been read, and requests about their runs. */

/** A row's meaning; the amount in minor units. */
export interface TestRow {
  walletId: string;
  payeeId: string;
  versionId?: string;
  amountMinor: bigint;
  terms?: Record<string, unknown>;
  /** A problem of its form refuses it. */
  wrong?: boolean;
}

export interface TestBatch {
  id: string;
  rowIds: string[];
}

/** A batch of typed rows, as its owner has mended it. */
export async function insertTestBatch(
  db: Pick<TestDatabase, 'app'>,
  tenant: Pick<Tenant, 'id' | 'admin'>,
  rows: readonly TestRow[],
): Promise<TestBatch> {
  const id = newId();
  const rowIds = rows.map(() => newId());
  await db.app.withCompany(tenant.id, async (tx) => {
    await sql`
      insert into payout_batch (company_id, id, name, source, created_by)
      values (company_id(), ${id}, ${`Payroll ${id.slice(-4)}`}, 'typed', ${tenant.admin.session.userId})`.execute(tx);
    const written = rows.map((row, place) => ({
      id: rowIds[place],
      number: place + 1,
      wallet_id: row.walletId,
      payee_id: row.payeeId,
      version_id: row.versionId ?? null,
      amount: row.amountMinor.toString(),
      terms: row.terms ?? {},
      problems: row.wrong ? [{ column: 'amount', key: 'amountFormat', severity: 'error', blanks: {} }] : [],
    }));
    await sql`
      insert into payout_batch_row (company_id, batch_id, id, number, written, wallet_id, payee_id, version_id, amount, terms, problems)
      select company_id(), ${id}, id, number, '{}', wallet_id, payee_id, version_id, amount, terms, problems
      from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as row (id uuid, number integer, wallet_id uuid, payee_id uuid,
        version_id uuid, amount numeric, terms jsonb, problems jsonb)`.execute(tx);
  });
  return { id, rowIds };
}

export async function checkOf(world: MainApp, as: Member, batchId: string): Promise<BatchCheck> {
  return (await succeed(world, checkBatch, { as, params: { id: batchId } })).data;
}

/** A run as the check of its batch has it, apart from its proof. */
export function runContent(
  batchId: string,
  { version, rows, totals }: Pick<BatchCheck, 'version' | 'rows' | 'totals'>,
) {
  return { id: newId(), batchId, version, rows, fees: totals.map(({ asset, fee }) => ({ asset, amount: fee })) };
}

/** A request to submit what the check showed, with a code that was mailed for it. */
export async function runRequest(
  world: MainApp,
  as: Member,
  batchId: string,
): Promise<Request & { body: ReturnType<typeof runContent> & { codeMethod: string; code: string } }> {
  const content = runContent(batchId, await checkOf(world, as, batchId));
  await succeed(world, sendUserCode, { as, body: { scenario: 'transaction', subject: { kind: 'batch', content } } });
  return { as, body: { ...content, codeMethod: 'email', code: await world.takeCode() } };
}

/** Submits it, or sends again what came to nothing. @returns the run's id */
export async function submittedRun(
  world: MainApp,
  as: Member,
  batchId: string,
  call: typeof submitBatch | typeof sendBatchAgain = submitBatch,
): Promise<string> {
  return (await succeed(world, call, await runRequest(world, as, batchId))).data.id;
}

export async function runOf(world: MainApp, as: Member, id: string): Promise<Output<typeof getBatchRun>> {
  return (await succeed(world, getBatchRun, { as, params: { id } })).data;
}

/** How far the list says that a batch's payments are. */
export async function paidOf(world: MainApp, as: Member, id: string): Promise<BatchSummary['progress']> {
  const { items } = (await succeed(world, listBatches, { as, query: { size: '100' } })).data;
  return present(items.find((batch) => batch.id === id)).progress;
}

/** Approves or rejects a run as this approver. */
export async function decideRun(
  world: MainApp,
  approver: Member,
  runId: string,
  outcome: 'approved' | 'rejected' = 'approved',
): Promise<void> {
  const { items } = (await succeed(world, listApprovals, { as: approver, query: { view: 'pending' } })).data;
  const task = present(items.find(({ subjectId }) => subjectId === runId));
  await succeed(world, decideApprovals, await decision(world, approver, [task.id], outcome));
}

/** The transactions of a run, in the order of its rows. */
export async function entriesOf(
  db: Pick<TestDatabase, 'app'>,
  companyId: string,
  runId: string,
): Promise<{ id: string; rowId: string; stage: string; status: string; reason: string | null }[]> {
  const { rows } = await db.app.withCompany(companyId, (tx) =>
    sql<{ id: string; rowId: string; stage: string; status: string; reason: string | null }>`
      select t.id, e.row_id as "rowId", t.stage, t.status, t.failure_reason as reason
      from payout_batch_entry e join transaction t on t.company_id = e.company_id and t.id = e.transaction_id
      where e.company_id = company_id() and e.run_id = ${runId} order by e.position`.execute(tx),
  );
  return rows;
}

/** A batch of one row that the company can pay. */
async function payable(world: MainApp, tenant: Tenant): Promise<string> {
  const { id: payeeId } = await savedCryptoPayee(world, tenant.admin, 'Contractor');
  await credit(world.db, tenant, 'USDT', 10_000_000n);
  const row = { walletId: tenant.wallets.USDT, payeeId, amountMinor: 5_000_000n };
  return (await insertTestBatch(world.db, tenant, [row])).id;
}

async function submittedBatch(world: MainApp, tenant: Tenant): Promise<{ batchId: string; runId: string; as: Member }> {
  const batchId = await payable(world, tenant);
  const as = await world.member(tenant, 'administrator');
  return { batchId, as, runId: await submittedRun(world, as, batchId) };
}

/** What finds the transaction of a submitted batch among all. */
export async function filterOfBatch(world: MainApp, tenant: Tenant): Promise<Record<string, string>> {
  const { batchId, runId } = await submittedBatch(world, tenant);
  return { walletId: tenant.wallets.USDT, batchId, batchRunId: runId };
}

/** Of the calls about runs: a request that succeeds, as in `validRequests`. */
export const batchRunRequests: Record<string, (world: MainApp, tenant: Tenant) => Promise<Request>> = {
  checkBatch: async (world, tenant) => ({ as: tenant.admin, params: { id: await payable(world, tenant) } }),
  submitBatch: async (world, tenant) =>
    runRequest(world, await world.member(tenant, 'administrator'), await payable(world, tenant)),
  sendBatchAgain: async (world, tenant) => {
    const { as, batchId, runId } = await submittedBatch(world, tenant);
    await succeed(world, cancelBatch, { as, body: { id: runId } });
    return runRequest(world, as, batchId);
  },
  listBatchRuns: async (world, tenant) => {
    const { batchId } = await submittedBatch(world, tenant);
    return { as: tenant.admin, params: { id: batchId } };
  },
  getBatchRun: async (world, tenant) => {
    // To its initiator alone a cancel is offered.
    const { runId } = await submittedBatch(world, tenant);
    return { as: tenant.admin, params: { id: runId } };
  },
  listBatchRunRows: async (world, tenant) => {
    const { as, runId } = await submittedBatch(world, tenant);
    return { as, params: { id: runId } };
  },
  cancelBatch: async (world, tenant) => {
    const { as, runId } = await submittedBatch(world, tenant);
    return { as, body: { id: runId } };
  },
};
