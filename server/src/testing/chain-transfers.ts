import { sql } from 'kysely';
import { accountsByKind, move, post } from '../features/ledger/index.ts';
import { transferDigest, transferEvents } from '../features/transfers/index.ts';
import { insertTransfer } from '../features/transfers/store/submission.ts';
import { newId } from '../platform/ids.ts';
import { announce } from '../platform/outbox.ts';
import { type ChainWorld, type Company, chainId, walletOf } from './chain-world.ts';

export interface TransferOptions {
  coin: string;
  amountMinor: bigint;
  feeMinor?: bigint;
  payee: string;
}

/** A transfer as the HTTP process leaves it: submitted, held, authorised and announced. */
export async function approvedTransfer(world: ChainWorld, company: Company, options: TransferOptions): Promise<string> {
  const { coin, amountMinor, payee, feeMinor = 1_000_000n } = options;
  const id = newId();
  const walletId = walletOf(company, coin);
  const payeeId = newId();
  const initiatorId = newId();
  const digest = transferDigest({
    companyId: company.id,
    transferId: id,
    walletId,
    payeeId,
    payeeAddress: payee,
    chainId,
    coin,
    amountMinor,
    attachmentIds: [],
  });
  const authorisation = world.seal('causeway-transfer', {
    version: 1,
    companyId: company.id,
    transferId: id,
    digest,
    initiatorId,
    proof: { method: 'email', id: newId() },
    review: 'off',
    issuedAt: new Date().toISOString(),
  });
  await world.db.app.withCompany(company.id, async (tx) => {
    await insertTransfer(tx, {
      id,
      walletId,
      chainId,
      coin,
      amountMinor,
      feeMinor,
      payeeId,
      payeeName: 'Payee',
      payeeAccount: payee,
      payerName: 'Company',
      payerAccount: company.address,
      notes: '',
      initiatorId,
      initiatorName: 'Initiator',
      digest,
      attachmentIds: [],
      authorisation,
      valueUsdCents: 100n,
      stage: 'approved',
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
    await announce(tx, [{ name: transferEvents.approved, payload: { transactionId: id } }]);
  });
  return id;
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
