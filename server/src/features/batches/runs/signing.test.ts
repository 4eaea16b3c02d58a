import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOpenSeal } from '../../../platform/crypto/seal.ts';
import { newId } from '../../../platform/ids.ts';
import { decideRun, entriesOf, insertTestBatch, submittedRun } from '../../../testing/batches.ts';
import { outgoingKinds } from '../../../testing/chain-families.ts';
import { credit } from '../../../testing/company.ts';
import { type PayingCompany, type PayoutWorld, payoutWorld } from '../../../testing/payouts.ts';
import { present } from '../../../testing/present.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';
import { payee } from '../../../testing/valid-requests.ts';
import type { DecisionClaims } from '../../approvals/index.ts';
import { type AuthorisationClaims, isAuthorised, type StoredPayment } from '../../outgoing/index.ts';
import { readStoredRun } from '../store/runs.ts';

/** What the signer believes of a row: its own authorisation, and decisions on the run that it names. Whatever the database says beside them is forged. */

let payouts: PayoutWorld;
let company: PayingCompany;
let runId: string;
let otherRunId: string;
let owner: pg.Client;
beforeAll(async () => {
  payouts = await payoutWorld();
  const { world, db } = payouts;
  owner = new pg.Client({ connectionString: db.superuserUrl });
  await owner.connect();
  // An intruder in the database is stopped by no trigger.
  await owner.query('set session_replication_role = replica');
  company = await payouts.company('10000.00');
  await credit(db, company, 'USDT', 10_000_000_000n);
  await reviewOf(world, company)(true);
  const payeeId = await payee(world, company);
  const { walletId, payee: account } = company;
  const rows = [
    { walletId: company.wallets.USDT, payeeId, amountMinor: 5_000_000n },
    { walletId, payeeId: account.id, versionId: account.versionId, amountMinor: 50_000n },
  ];
  const approver = await world.member(company, 'approver');
  const submitted = async () => {
    const { id } = await insertTestBatch(db, company, rows);
    return submittedRun(world, company.admin, id);
  };
  runId = await submitted();
  await decideRun(world, approver, runId);
  otherRunId = await submitted();
  await decideRun(world, approver, otherRunId);
});
afterAll(async () => {
  await owner.end();
  await payouts.close();
});

/** The rows of a run as the signer reads them. */
async function storedOf(run: string): Promise<StoredPayment[]> {
  const stored = await payouts.db.worker.withCompany(company.id, (tx) => readStoredRun(tx, run));
  const { rows } = await owner.query<{ id: string; jws: string }>(
    'select transaction_id as id, jws from causeway.outgoing_authorisation where company_id = $1',
    [company.id],
  );
  const jwsOf = new Map(rows.map(({ id, jws }) => [id, jws]));
  return present(stored).entries.map(({ type, content }) => ({ ...content, type, jws: jwsOf.get(content.id) ?? null }));
}

const openSeal = () => createOpenSeal({ ...payouts.publicKey });

function believes(payment: StoredPayment): Promise<boolean> {
  return payouts.db.worker.withCompany(company.id, (tx) =>
    isAuthorised(tx, { kinds: outgoingKinds, openSeal: openSeal() }, payment),
  );
}

async function taskOf(run: string): Promise<{ id: string; jws: string }> {
  const { rows } = await owner.query<{ id: string; jws: string }>(
    `select t.id, d.jws from causeway.approval_task t join causeway.approval_decision d on d.company_id = t.company_id and d.task_id = t.id
     where t.company_id = $1 and t.subject_id = $2`,
    [company.id, run],
  );
  return present(rows[0]);
}

/** The signer's answer while the run's only decision is this one. */
async function withDecision(jws: string, payment: StoredPayment): Promise<boolean> {
  const task = await taskOf(runId);
  const put = (text: string) =>
    owner.query('update causeway.approval_decision set jws = $1 where company_id = $2 and task_id = $3', [
      text,
      company.id,
      task.id,
    ]);
  await put(jws);
  try {
    return await believes(payment);
  } finally {
    await put(task.jws);
  }
}

test('an approved run lets each of its rows be paid, on chains and out of banks', async () => {
  for (const payment of await storedOf(runId)) expect(await believes(payment)).toBe(true);
});

test('without a decision, by a decision on another run, or one on the row alone none is', async () => {
  const task = await taskOf(runId);
  const genuine = openSeal()('causeway-decision', task.jws) as unknown as DecisionClaims;
  const seal = (changed: Partial<DecisionClaims>) => payouts.seal('causeway-decision', { ...genuine, ...changed });
  const [first] = await storedOf(runId);
  const payment = present(first);
  const claims = openSeal()('causeway-transfer', present(payment.jws)) as unknown as AuthorisationClaims;
  expect(claims).toMatchObject({ version: 3, subject: { kind: 'batch', id: runId } });
  expect(await withDecision(seal({}), payment)).toBe(true);
  for (const forged of [
    'no seal',
    (await taskOf(otherRunId)).jws,
    seal({ subjectId: otherRunId }),
    seal({ digest: claims.digest }),
    seal({ outcome: 'rejected' }),
    seal({ subjectKind: 'transfer', subjectId: payment.id, digest: claims.digest }),
    seal({ subjectKind: 'transfer' }),
  ]) {
    expect(await withDecision(forged, payment)).toBe(false);
  }
});

test('a row that was added after the approval, or differs from what was submitted, is forged', async () => {
  const [first, second] = await storedOf(runId);
  const [payment, bank] = [present(first), present(second)];
  expect(await believes({ ...payment, id: newId() })).toBe(false);
  expect(await believes({ ...payment, jws: null })).toBe(false);
  expect(await believes({ ...payment, jws: present(await storedOf(otherRunId))[0]?.jws ?? null })).toBe(false);
  expect(await believes({ ...payment, amountMinor: payment.amountMinor + 1n })).toBe(false);
  expect(await believes({ ...bank, payeeAccount: '000-000000-000' })).toBe(false);
  // An authorisation that names no subject has none to be approved by.
  const claims = openSeal()('causeway-transfer', present(payment.jws)) as unknown as AuthorisationClaims;
  const { subject: _, ...without } = claims;
  expect(await believes({ ...payment, jws: payouts.seal('causeway-transfer', without) })).toBe(false);
  const other = { ...claims, subject: { kind: 'batch', id: runId, digest: 'f'.repeat(64) } };
  expect(await believes({ ...payment, jws: payouts.seal('causeway-transfer', other) })).toBe(false);
});

test('each transaction of a run has one entry, which cannot be changed', async () => {
  const entries = await entriesOf(payouts.db, company.id, runId);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(2);
  const changing = payouts.db.app.withCompany(company.id, (tx) =>
    sql`update payout_batch_entry set position = position + 1 where company_id = company_id()`.execute(tx),
  );
  await expect(changing).rejects.toThrow(/permission denied|append-only/);
});
