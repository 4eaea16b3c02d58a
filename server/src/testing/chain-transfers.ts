import { sql } from 'kysely';
import { getAddress } from 'viem';
import type { DecisionClaims } from '../features/approvals/index.ts';
import { accountsByKind, move, post } from '../features/ledger/index.ts';
import { insertPaymentParts, outgoingEvents, type SealedReview } from '../features/outgoing/index.ts';
import { insertTransactions } from '../features/transactions/index.ts';
import { transferDigest } from '../features/transfers/index.ts';
import type { Seal } from '../platform/crypto/seal.ts';
import type { Tx } from '../platform/database/database.ts';
import { announce } from '../platform/database/outbox.ts';
import { newId } from '../platform/ids.ts';
import { type ChainWorld, type Company, chainId, depth, walletOf } from './chain-world.ts';

/** A company that has this amount of a coin, deep enough to be spent. */
export async function fundedCompany(
  world: ChainWorld,
  amount: string,
  coin: 'USDT' | 'ETH' = 'USDT',
): Promise<Company> {
  const company = await world.company();
  await world.chain.treasury.send(coin, company.address, amount);
  await world.advance(depth + 1);
  return company;
}

/** The same, registered under a name: the operator's commands list it. */
export async function registeredCompany(world: ChainWorld, amount = '100'): Promise<Company> {
  const company = await fundedCompany(world, amount);
  await world.db.app.withCompany(company.id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), 'Harbour Trading')`.execute(tx),
  );
  return company;
}

let payees = 0;
/** An address that was never used. */
export function newPayee(): `0x${string}` {
  payees += 1;
  return getAddress(`0x${(0xc0_de00_0000 + payees).toString(16).padStart(40, '0')}`);
}

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
export async function approvedTransfer(
  world: Pick<ChainWorld, 'db' | 'seal'>,
  company: Pick<Company, 'id' | 'wallets'> & { address: string },
  options: TransferOptions,
): Promise<string> {
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
    const initiator = { id: initiatorId, name: 'Initiator' };
    await insertTransactions(tx, [
      {
        id,
        type: 'chain_withdraw',
        walletId,
        coin,
        quantityMinor: amountMinor,
        feeMinor,
        payeeId,
        payeeName: 'Payee',
        payeeAccount: payee,
        payerName: 'Company',
        payerAccount: company.address,
        notes: options.notes ?? '',
        initiator,
        digest,
        valueUsdCents: 100n,
        chain: { chainId: chain },
        timeline: [{ stage: 'submitted', actor: initiator }, { stage }],
      },
    ]);
    await insertPaymentParts(tx, [{ companyId: tx.companyId, id, attachmentIds: [], coin, bank: null, authorisation }]);
    const { available, outbound } = await accountsByKind(tx, walletId, ['available', 'outbound']);
    await post(tx, {
      id: newId(),
      kind: 'transfer.reserve',
      sourceId: id,
      description: 'held for transfer',
      legs: move(available.id, outbound.id, amountMinor + feeMinor),
    });
    if (options.review) await insertTask(tx, options.review, id, digest, initiatorId);
    if (stage === 'approved') await announce(tx, [{ name: outgoingEvents.approved, payload: { transactionId: id } }]);
  });
  return id;
}

async function insertTask(tx: Tx, review: SealedReview, subjectId: string, digest: string, initiatorId: string) {
  await sql`insert into approval_task (company_id, id, kind, subject_id, digest, content, adoptable, changes_controls,
      initiator_id, initiator_name, applicant, nodes, expires_at, remind_at, parties, search)
    values (company_id(), ${review.taskId}, 'transfer', ${subjectId}, ${digest}, '{}', true, false, ${initiatorId},
      'Initiator', 'Initiator', ${JSON.stringify(review.nodes)}, now() + interval '7 days', now() + interval '1 day', '{}', '')`.execute(
    tx,
  );
}

/** Who initiated a transfer, and what it is bound to. */
export async function subjectOf(world: Pick<ChainWorld, 'db'>, company: Pick<Company, 'id'>, id: string) {
  const { rows } = await world.db.app.withCompany(company.id, (tx) =>
    sql<{ initiatorId: string; digest: string }>`
      select initiator_id as "initiatorId", encode(digest, 'hex') as digest from transaction
      where company_id = company_id() and id = ${id}`.execute(tx),
  );
  const [row] = rows;
  if (!row) throw new Error(`there is no transfer ${id}`);
  return row;
}

interface Approved {
  companyId: string;
  taskId: string;
  transferId: string;
  digest: string;
}

/** The claims of an approval of a transfer in the first node of its chain, but for what is changed. */
export function approvalOf(
  { companyId, taskId, transferId, digest }: Approved,
  approverId: string,
  changed: Partial<DecisionClaims> = {},
): DecisionClaims {
  return {
    version: 1,
    companyId,
    taskId,
    subjectKind: 'transfer',
    subjectId: transferId,
    digest,
    node: 0,
    approverId,
    roleId: newId(),
    deputyFor: null,
    outcome: 'approved',
    proof: { method: 'email', id: newId() },
    at: new Date().toISOString(),
    ...changed,
  };
}

/** Writes a decision as the HTTP process does: the row, and its seal over the claims. */
export async function decided(
  world: Pick<ChainWorld, 'db' | 'seal'>,
  company: Pick<Company, 'id'>,
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
export async function transactions(
  world: Pick<ChainWorld, 'db'>,
  company: Pick<Company, 'id'>,
): Promise<SeenTransaction[]> {
  return world.db.app.withCompany(company.id, async (tx) => {
    const { rows } = await sql<SeenTransaction>`
      select t.id, t.type, t.status, t.stage, t.coin, t.quantity, x.hash, x.confirmations, t.related_id as "relatedId",
        t.failure_reason as "failureReason"
      from transaction t left join transaction_chain x on x.company_id = t.company_id and x.transaction_id = t.id
      where t.company_id = company_id() order by t.created_at, t.id`.execute(tx);
    return rows;
  });
}

/** The timeline of a transaction, by stage. */
export async function timeline(
  world: Pick<ChainWorld, 'db'>,
  company: Pick<Company, 'id'>,
  id: string,
): Promise<string[]> {
  return world.db.app.withCompany(company.id, async (tx) => {
    const { rows } = await sql<{ stage: string }>`
      select stage from transaction_stage where company_id = company_id() and transaction_id = ${id}
      order by at, id`.execute(tx);
    return rows.map((row) => row.stage);
  });
}

/** The attempts of a transfer and of the advances for it. */
export async function sendsOf(
  world: ChainWorld,
  transferId: string,
): Promise<{ kind: string; nonce: number; attempt: number; hash: string }[]> {
  return world.db.worker.withoutCompany(async (tx) => {
    const { rows } = await sql<{ kind: string; nonce: number; attempt: number; hash: string }>`
      select kind, nonce, attempt, hash from chain_send where transfer_id = ${transferId}
      order by kind, nonce, attempt`.execute(tx);
    return rows;
  });
}

/** Blocks and jobs until the transfer has ended; fails when that takes longer than it may. */
export async function finishTransfer(
  world: ChainWorld,
  company: Company,
  id: string,
): Promise<{ status: string; stage: string }> {
  for (let left = 4 * depth; left > 0; left -= 1) {
    const transfer = (await transactions(world, company)).find((row) => row.id === id);
    if (transfer && transfer.status !== 'pending') return transfer;
    await world.tend();
    await world.advance(1);
  }
  throw new Error('the transfer did not end');
}
