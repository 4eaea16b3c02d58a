import { sql } from 'kysely';
import type { CompaniesTx, Tx } from '../../../platform/database/database.ts';
import { uuids } from '../../../platform/database/sets.ts';
import type { SubmissionFacts } from '../domain.ts';

/** Everything that the decision about one transfer needs of its wallet and payee; reads may join tables to the left. */
export interface SubmissionRow extends Omit<SubmissionFacts, 'attachmentsFound'> {
  /** A transaction of the company has the id that the client chose. */
  idTaken: boolean;
  availableAccountId: string;
  outboundAccountId: string;
  payeeLabel: string | null;
  /** The category asked for, as the company's list has it; null where it has none such. */
  knownCategory: string | null;
  chainName: string;
  blockTimeMs: number;
  /** Names the chain's `ChainFamily`. */
  family: string;
  companyName: string;
  /** The transaction's time: what it writes gets it. */
  at: Date;
  /** US dollars for a whole coin, and since when; null while none is known. */
  price: { usd: string; updatedAt: Date } | null;
}

interface Flat extends Omit<SubmissionRow, 'payee' | 'price'> {
  place: number;
  priceUsd: string | null;
  priceAt: Date | null;
  payeeChainId: string | null;
  payeeCoin: string | null;
  payeeAddress: string | null;
  payeeStatus: string | null;
}

/** What is asked of one transfer; without a payee, what is known before one is chosen. */
export interface SubmissionRequest {
  id: string | null;
  walletId: string;
  payeeId: string | null;
  /** As it was typed. */
  category?: string | null;
}

/** Null when the company has no such wallet. */
export async function readSubmission(tx: Tx, request: SubmissionRequest): Promise<SubmissionRow | null> {
  const [row] = await readSubmissions(tx, [{ companyId: tx.companyId, ...request }]);
  return row ?? null;
}

/** The same for several companies, in order. Wallet and payee are looked up one by one (OFFSET 0), whatever the statistics say. */
export async function readSubmissions(
  tx: CompaniesTx,
  requests: readonly (SubmissionRequest & { companyId: string })[],
): Promise<(SubmissionRow | null)[]> {
  const { rows } = await sql<Flat>`
    select q.place::integer, w.asset_id as coin, a.decimals, coalesce(priced.withdrawal_minimum, a.minimum) as "minimumMinor",
      coalesce(priced.withdrawal_fee, ca.withdraw_fee) as "feeMinor", priced.transfer_limit as "transferLimitMinor",
      priced.daily_limit as "dailyLimitMinor", ca.withdrawals_paused or c.paused as "withdrawalsPaused",
      available.balance as "availableMinor", available.id as "availableAccountId", outbound.id as "outboundAccountId",
      w.frozen_at is not null as "walletFrozen", company.frozen_at is not null as "companyFrozen", ca.enabled and c.enabled as "walletUsable", w.chain_id as "walletChainId",
      c.name as "chainName", c.block_time_ms as "blockTimeMs", c.family, own.address as "ownAddress", company.name as "companyName", now() as at,
      p.label as "payeeLabel", p.chain_id as "payeeChainId", p.coin as "payeeCoin", p.address as "payeeAddress",
      p.status as "payeeStatus", kept.name as "knownCategory", r.usd::text as "priceUsd", r.updated_at as "priceAt",
      exists (select from transaction t where t.company_id = q.company_id and t.id = q.id) as "idTaken",
      exists (select from chain_own_address o where o.company_id = w.company_id and o.chain_id = p.chain_id
        and o.address = p.address) as "payeeIsOwn",
      exists (select from chain_asset listed where listed.chain_id = p.chain_id
        and listed.contract = p.address) as "payeeIsToken"
    from unnest(${uuids(requests.map(({ companyId }) => companyId))}, ${requests.map(({ id }) => id)}::uuid[],
      ${requests.map(({ walletId }) => walletId)}::uuid[], ${requests.map(({ payeeId }) => payeeId)}::uuid[],
      ${requests.map(({ category }) => category ?? null)}::text[])
      with ordinality as q (company_id, id, wallet_id, payee_id, category, place)
    cross join lateral (select * from wallet w where w.company_id = q.company_id and w.id = q.wallet_id offset 0) w
    join asset a on a.id = w.asset_id
    join chain c on c.id = w.chain_id
    join chain_asset ca on ca.chain_id = w.chain_id and ca.coin = w.asset_id
    cross join lateral prices_at(w.company_id, w.asset_id, w.chain_id, now()) priced
    join chain_address own on own.company_id = w.company_id and own.chain_id = w.chain_id
    join company on company.company_id = w.company_id
    join ledger_account available
      on available.company_id = w.company_id and available.owner_id = w.id and available.kind = 'available'
    join ledger_account outbound
      on outbound.company_id = w.company_id and outbound.owner_id = w.id and outbound.kind = 'outbound'
    left join rate r on r.asset_id = w.asset_id
    left join lateral (
      select * from crypto_payee p where p.company_id = q.company_id and p.id = q.payee_id offset 0
    ) p on true
    left join lateral (
      select name from transaction_category k where k.company_id = q.company_id and lower(k.name) = lower(q.category) offset 0
    ) kept on true`.execute(tx);
  const found: (SubmissionRow | null)[] = requests.map(() => null);
  for (const row of rows) found[row.place - 1] = submissionOf(row);
  return found;
}

function submissionOf(row: Flat): SubmissionRow {
  const { place: _, payeeChainId, payeeCoin, payeeAddress, payeeStatus, priceUsd, priceAt, ...facts } = row;
  const payee =
    payeeChainId === null || payeeCoin === null || payeeAddress === null || payeeStatus === null
      ? null
      : { chainId: payeeChainId, coin: payeeCoin, address: payeeAddress, status: payeeStatus };
  const price = priceUsd === null || priceAt === null ? null : { usd: priceUsd, updatedAt: priceAt };
  return { ...facts, payee, price };
}
