import { sql } from 'kysely';
import type { DecisionClaims } from '../features/approvals/index.ts';
import { accountsByKind, move, post } from '../features/ledger/index.ts';
import type { SealedReview } from '../features/transfers/domain.ts';
import { transferDigest, transferEvents } from '../features/transfers/index.ts';
import { insertTransfer } from '../features/transfers/store/submission.ts';
import type { Tx } from '../platform/database.ts';
import { newId } from '../platform/ids.ts';
import { announce } from '../platform/outbox.ts';
import type { Seal } from '../platform/seal.ts';
import { type ChainWorld, type Company, chainId, walletOf } from './chain-world.ts';

export interface TransferOptions {
  coin: string;
  /** The world's own chain, unless another is named. */
  chain?: string;
  amountMinor: bigint;
  feeMinor?: bigint;
  payee: string;
  notes?: string;
  /** The chain that it must pass: sealed at submission, its task opened. */
  review?: SealedReview;
  /** Submitted under this id, as a client does that repeats its request. */
  id?: string;
  /** Waits for its approval, unless it is approved already. */
  stage?: 'approved' | 'waiting_approval';
}

/** A transfer as the HTTP process leaves it: submitted, held, authorised and announced. */
export async function approvedTransfer(world: ChainWorld, company: Company, options: TransferOptions): Promise<string> {
  const {
    coin,
    chain = chainId,
    amountMinor,
    payee,
    feeMinor = 1_000_000n,
    id = newId(),
    stage = 'approved',
  } = options;
  const walletId = walletOf(company, chain === chainId ? coin : `${coin}@${chain}`);
  const payeeId = newId();
  const initiatorId = newId();
  const digest = transferDigest({
    companyId: company.id,
    transferId: id,
    walletId,
    payeeId,
    payeeAddress: payee,
    chainId: chain,
    coin,
    amountMinor,
    notes: options.notes ?? '',
    attachmentIds: [],
  });
  const authorisation = world.seal('causeway-transfer', {
    version: 2,
    companyId: company.id,
    transferId: id,
    digest,
    initiatorId,
    proof: { method: 'email', id: newId() },
    review: options.review ?? 'off',
    issuedAt: new Date().toISOString(),
  });
  await world.db.app.withCompany(company.id, async (tx) => {
    await insertTransfer(tx, {
      id,
      walletId,
      chainId: chain,
      coin,
      amountMinor,
      feeMinor,
      payeeId,
      payeeName: 'Payee',
      payeeAccount: payee,
      payerName: 'Company',
      payerAccount: company.address,
      notes: options.notes ?? '',
      initiatorId,
      initiatorName: 'Initiator',
      digest,
      attachmentIds: [],
      authorisation,
      valueUsdCents: 100n,
      stage,
      stageIds: [newId(), newId()],
    });
    const { available, outbound } = await accountsByKind(tx, walletId, ['available', 'outbound']);
    await post(tx, {
      id: newId(),
      kind: 'transfer.reserve',
      sourceId: id,
      description: 'held for transfer',
      legs: move(available.id, outbound.id, amountMinor + feeMinor),
    });
    if (options.review) await insertTask(tx, options.review, id, digest, initiatorId);
    if (stage === 'approved') await announce(tx, [{ name: transferEvents.approved, payload: { transactionId: id } }]);
  });
  return id;
}

async function insertTask(tx: Tx, review: SealedReview, subjectId: string, digest: string, initiatorId: string) {
  await sql`insert into approval_task (company_id, id, kind, subject_id, digest, content, initiator_id, initiator_name,
      applicant, nodes, expires_at, remind_at, parties, search)
    values (company_id(), ${review.taskId}, 'transfer', ${subjectId}, ${digest}, '{}', ${initiatorId}, 'Initiator',
      'Initiator', ${JSON.stringify(review.nodes)}, now() + interval '7 days', now() + interval '1 day', '{}', '')`.execute(
    tx,
  );
}

/** Who initiated a transfer, and what it is bound to. */
export async function subjectOf(world: ChainWorld, company: Company, id: string) {
  const { rows } = await world.db.app.withCompany(company.id, (tx) =>
    sql<{ initiatorId: string; digest: string }>`
      select initiator_id as "initiatorId", encode(digest, 'hex') as digest from transaction
      where company_id = company_id() and id = ${id}`.execute(tx),
  );
  const [row] = rows;
  if (!row) throw new Error(`there is no transfer ${id}`);
  return row;
}

/** Writes a decision as the HTTP process does: the row, and its seal over the claims. */
export async function decided(
  world: ChainWorld,
  company: Company,
  claims: DecisionClaims,
  seal: Seal = world.seal,
): Promise<void> {
  await world.db.app.withCompany(company.id, (tx) =>
    sql`insert into approval_decision (company_id, task_id, approver_id, approver_name, seat_id, seat_name, role_id, node,
        outcome, opinion, proof_method, proof_id, jws)
      values (company_id(), ${claims.taskId}, ${claims.approverId}, 'Approver', ${claims.deputyFor ?? claims.approverId},
        'Approver', ${claims.roleId}, ${claims.node}, ${claims.outcome}, '', 'email', ${claims.proof.id},
        ${seal('causeway-decision', claims)})`.execute(tx),
  );
}

export interface SeenTransaction {
  id: string;
  type: string;
  status: string;
  stage: string;
  coin: string;
  quantity: bigint;
  hash: string | null;
  confirmations: number | null;
  relatedId: string | null;
  failureReason: string | null;
}

/** The company's transactions, the oldest first. */
export async function transactions(world: ChainWorld, company: Company): Promise<SeenTransaction[]> {
  return world.db.app.withCompany(company.id, async (tx) => {
    const { rows } = await sql<SeenTransaction>`
      select id, type, status, stage, coin, quantity, hash, confirmations, related_id as "relatedId",
        failure_reason as "failureReason"
      from transaction where company_id = company_id() order by created_at, id`.execute(tx);
    return rows;
  });
}

/** The timeline of a transaction, by stage. */
export async function timeline(world: ChainWorld, company: Company, id: string): Promise<string[]> {
  return world.db.app.withCompany(company.id, async (tx) => {
    const { rows } = await sql<{ stage: string }>`
      select stage from transaction_stage where company_id = company_id() and transaction_id = ${id}
      order by at, id`.execute(tx);
    return rows.map((row) => row.stage);
  });
}
