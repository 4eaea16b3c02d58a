import { sql } from 'kysely';
import type { TransactionParts } from '../features/transactions/index.ts';
import { newId } from '../platform/ids.ts';
import type { TestCompany } from './company.ts';
import type { TestDatabase } from './database.ts';

/** What of a transaction a test cares about; the rest is a completed deposit of 5 USDT. */
export interface TestTransaction {
  id?: string;
  type?: string;
  status?: string;
  stage?: string;
  coin?: keyof TestCompany['wallets'];
  quantityMinor?: bigint;
  feeMinor?: bigint;
  payeeId?: string;
  payeeName?: string;
  payeeAccount?: string;
  payerName?: string;
  payerAccount?: string;
  notes?: string;
  invoiceNumber?: string;
  category?: string;
  hash?: string;
  confirmations?: number;
  blockNumber?: number;
  initiatorId?: string;
  initiatorName?: string;
  createdAt?: string;
  failureReason?: string;
  valueUsdCents?: bigint | null;
}

/** What features to the right know of a transaction where there are none. */
export const noParts: TransactionParts = {
  approvalOf: async () => null,
  findHashes: async () => [],
  findAttachmentIds: async () => [],
  findObstruction: async () => null,
  networkFeeOf: async () => null,
  waitingOf: async () => null,
  payoutOf: async () => null,
  exchangeOf: async () => null,
  pricesOf: async () => new Map(),
  boughtFor: async () => new Map(),
  batchOf: async () => null,
  paymentRequestOf: async () => null,
  paymentRequestsOf: async () => new Map(),
  batchesOf: async () => new Map(),
  tradeOf: async () => null,
  tradesOf: async () => new Map(),
  cardOf: async () => null,
  cardsOf: async () => new Map(),
  testOf: async () => ({ test: null, restOf: null }),
};

/** Writes a transaction and its first stage as the worker does; returns its id. */
export async function insertTestTransaction(
  db: TestDatabase,
  company: TestCompany,
  transaction: TestTransaction = {},
): Promise<string> {
  const t = {
    type: 'chain_deposit',
    status: 'completed',
    coin: 'USDT' as const,
    quantityMinor: 5_000_000n,
    ...transaction,
  };
  const id = t.id ?? newId();
  const out = t.type === 'chain_withdraw' || t.type === 'crypto_payout';
  const stage = t.stage ?? (out ? 'completed' : 'credited');
  const at = t.createdAt ?? new Date().toISOString();
  await db.worker.withCompany(company.id, async (tx) => {
    await sql`
      insert into transaction (company_id, id, type, status, stage, direction, wallet_id, chain_id, coin, quantity, fee,
        payee_id, payee_name, payee_account, payer_name, payer_account, notes, invoice_number, category,
        initiator_id, initiator_name,
        created_at, stage_at, failure_reason, completed_at, value_usd_cents)
      values (company_id(), ${id}, ${t.type}, ${t.status}, ${stage}, ${out ? 'out' : 'in'}, ${company.wallets[t.coin]},
        'ethereum', ${t.coin}, ${t.quantityMinor.toString()}, ${(t.feeMinor ?? 0n).toString()}, ${t.payeeId ?? null},
        ${t.payeeName ?? null}, ${t.payeeAccount ?? null}, ${t.payerName ?? null}, ${t.payerAccount ?? null},
        ${t.notes ?? ''}, ${t.invoiceNumber ?? null}, ${t.category ?? null}, ${t.initiatorId ?? null},
        ${t.initiatorName ?? null}, ${at}, ${at}, ${t.failureReason ?? null}, ${t.status === 'pending' ? null : at},
        ${t.valueUsdCents ?? null})`.execute(tx);
    if (t.hash !== undefined) {
      await sql`
        insert into transaction_chain (company_id, transaction_id, chain_id, hash, block_number, block_hash, confirmations)
        values (company_id(), ${id}, 'ethereum', ${t.hash}, ${t.blockNumber ?? null},
          ${t.blockNumber === undefined ? null : `0x${'b'.repeat(64)}`}, ${t.confirmations ?? null})`.execute(tx);
    }
    await sql`
      insert into transaction_stage (company_id, transaction_id, id, stage, at, actor_name, hash)
      values (company_id(), ${id}, ${newId()}, ${stage}, ${at}, ${t.initiatorName ?? null}, ${t.hash ?? null})`.execute(
      tx,
    );
  });
  return id;
}
