import { type ExceptionAct, exceptionActs } from '@causeway/contract/operator-exceptions-rules.ts';
import type { ActState, ProposalKind } from '@causeway/contract/operator-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { type Outpoint, treasuryOwner } from '../../chains/index.ts';
import type { PaymentSituation } from './domain.ts';

/** What acts rest on, read across companies or, by the worker, in the act's own. Amounts in minor units. */

export interface PaymentRow extends PaymentSituation {
  id: string;
  companyId: string;
  company: string;
  walletId: string;
  chainId: string | null;
  coin: string;
  decimals: number;
  quantityMinor: bigint;
  feeMinor: bigint;
  payee: string | null;
  hash: string | null;
  nonce: number | null;
  fromAddress: string | null;
  nativeCoin: string | null;
  maxFeePerGas: bigint | null;
  /** On Bitcoin, what every attempt spends: the inputs of the first that was signed, or of the first; null elsewhere. */
  inputs: readonly Outpoint[] | null;
  /** Every payment that its transaction makes, in its order, where it makes several. */
  payments: readonly string[] | null;
  /** Of the newest attempt on Bitcoin: what its miner gets, in satoshis as digits, for so many virtual bytes. */
  networkFee: { feeMinor: string; vsize: number } | null;
}

interface AttemptColumns {
  number: number | null;
  isSigned: boolean;
  isOffered: boolean;
  isRefused: boolean;
  isMined: boolean;
  isSuperseded: boolean;
  isReleased: boolean;
  isHastened: boolean;
  isAnySigned: boolean;
  isEmptied: boolean;
}

/** An outgoing payment, of the treasury too; null when there is none of this id. */
export async function findPayment(tx: PlatformTx, id: string): Promise<PaymentRow | null> {
  const { rows } = await sql<Omit<PaymentRow, 'attempt'> & AttemptColumns>`
    select t.id, t.company_id as "companyId", coalesce(company.name, '') as company, t.wallet_id as "walletId", t.status,
      t.stage, t.chain_id as "chainId", c.family, c.native_coin as "nativeCoin", t.coin, a.decimals, t.quantity as "quantityMinor", t.fee as "feeMinor",
      t.payee_account as payee, s.hash, s.nonce, s.max_fee_per_gas as "maxFeePerGas",
      t.type in ('fx_settlement_in', 'fx_settlement_out') as "isSettlement", t.type = 'chain_sweep' as "isSweep",
      exists (select from sender_hold h where h.chain_id = t.chain_id
        and h.company_id = case when t.type = 'fx_settlement_in' then ${treasuryOwner}::uuid else t.company_id end) as "isHeld",
      exists (select from restore_mode where released_at is null) as "isRestoring",
      w.frozen_at is not null or company.frozen_at is not null as "isFrozen",
      coalesce(c.paused or ca.withdrawals_paused, false) as "isSwitchedOff",
      exists (select from signer_journal j where j.company_id = t.company_id and j.kind = 'transfer'
        and (j.transfer_id = t.id or (j.plan ? 'joined'
          and j.plan -> 'joined' @> jsonb_build_array(jsonb_build_object('transferId', t.id))))) as "isJournaled",
      s.nonce is not null and exists (select from chain_send o where o.chain_id = s.chain_id
        and o.from_address = s.from_address and o.final_at is null and o.nonce < s.nonce
        and not exists (select from chain_send m where m.company_id = o.company_id and m.payment_id = o.payment_id
          and m.mined_block is not null)) as "isBehind",
      c.family = 'bitcoin' and exists (select from bitcoin_output b where b.chain_id = t.chain_id and b.hash = s.hash
        and b.company_id = case when t.type = 'fx_settlement_in' then ${treasuryOwner}::uuid else t.company_id end
        and (b.payment_id is not null or b.spent_by is not null)) as "isChangeSpent",
      case when c.family = 'bitcoin' then (select f.plan -> 'inputs' from chain_send f
        where f.company_id = s.company_id and f.payment_id = s.payment_id
        order by f.hash is null, f.attempt limit 1) end as inputs,
      case when c.family = 'bitcoin' then s.plan - 'inputs' - 'outputs' - 'joined' end as "networkFee",
      case when s.plan ? 'joined' then jsonb_path_query_array(s.plan, '$.joined[*].paymentId') end as payments,
      s.attempt as number, s.raw is not null as "isSigned", s.superseded_at is not null as "isSuperseded",
      s.release_reason is not null as "isReleased", s.hastened_at is not null as "isHastened",
      coalesce(every.is_offered, false) as "isOffered", coalesce(every.is_signed, false) as "isAnySigned",
      coalesce(every.is_emptied, false) as "isEmptied", s.from_address as "fromAddress",
      exists (select from chain_answer n where n.company_id = s.company_id and n.payment_id = s.payment_id
        and n.attempt = s.attempt and n.answer = 'refused') as "isRefused", coalesce(every.is_mined, false) as "isMined"
    from transaction t
    join wallet w on w.company_id = t.company_id and w.id = t.wallet_id
    join asset a on a.id = t.coin
    left join company on company.company_id = t.company_id
    left join chain c on c.id = t.chain_id
    left join chain_asset ca on ca.chain_id = t.chain_id and ca.coin = t.coin
    left join lateral (select * from chain_send s where s.company_id = t.company_id and s.transfer_id = t.id
      and s.kind = 'transfer' order by s.payment_id desc, s.attempt desc limit 1) s on true
    left join lateral (select bool_or(o.first_broadcast_at is not null) as is_offered,
      bool_or(o.hash is not null) as is_signed, bool_or(o.is_empty or o.empty_wanted_at is not null) as is_emptied,
      bool_or(o.mined_block is not null) as is_mined from chain_send o
      where o.company_id = s.company_id and o.payment_id = s.payment_id) every on true
    where t.id = ${id} and (t.direction = 'out' or t.type = 'fx_settlement_in')`.execute(tx);
  const [row] = rows;
  if (!row) return null;
  const { number, isSigned, isOffered, isRefused, isMined, isSuperseded, isReleased, isHastened, ...others } = row;
  const { isAnySigned, isEmptied, ...payment } = others;
  const flags = {
    isSigned,
    isAnySigned,
    isOffered,
    isRefused,
    isMined,
    isSuperseded,
    isReleased,
    isHastened,
    isEmptied,
  };
  return { ...payment, attempt: number === null ? null : { number, ...flags } };
}

export interface CandidateRow {
  id: string;
  at: Date;
  payee: string;
  coin: string;
  decimals: number;
  quantityMinor: bigint;
}

/** Transfers of its company that wait to be paid just what an unexplained payment paid, the newest first. */
export async function findCandidates(tx: PlatformTx, paymentId: string): Promise<CandidateRow[]> {
  const { rows } = await sql<CandidateRow>`
    select t.id, t.created_at as at, t.payee_account as payee, t.coin, a.decimals, t.quantity as "quantityMinor"
    from unexplained_payment u
    join transaction t on t.company_id = u.company_id and t.chain_id = u.chain_id and t.coin = u.coin
      and t.quantity = u.amount and lower(t.payee_account) = lower(u.to_address)
    join asset a on a.id = t.coin
    where u.id = ${paymentId} and t.direction = 'out' and t.status = 'pending'
      and not exists (select from chain_send s where s.company_id = t.company_id and s.transfer_id = t.id
        and s.kind = 'transfer' and s.mined_block is not null)
    order by t.created_at desc limit 20`.execute(tx);
  return rows;
}

export interface HoldRow {
  companyId: string;
  /** Empty for the gas tank. */
  company: string;
  chainId: string;
  address: string;
  chainNonce: number;
  nextNonce: number;
  acceptedNonce: number | null;
  unexplained: number;
}

export async function findHold(tx: PlatformTx, chainId: string, address: string): Promise<HoldRow | null> {
  const { rows } = await sql<HoldRow>`
    select h.company_id as "companyId", coalesce(c.name, '') as company, h.chain_id as "chainId", h.address,
      h.chain_nonce as "chainNonce", h.next_nonce as "nextNonce", h.accepted_nonce as "acceptedNonce",
      (select count(*) from unexplained_payment u where u.chain_id = h.chain_id and u.from_address = h.address
        and u.state = 'open') as unexplained
    from sender_hold h left join company c on c.company_id = h.company_id
    where h.chain_id = ${chainId} and h.address = ${address}`.execute(tx);
  return rows[0] ?? null;
}

/** Accepts the transactions of a held address below what the chain counts. @returns false when it counts otherwise by now */
export async function acceptBelow(tx: Tx, chainId: string, address: string, nonce: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update sender_hold set accepted_nonce = ${nonce}
    where company_id = company_id() and chain_id = ${chainId} and address = ${address} and chain_nonce = ${nonce}`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

export interface DeficitRow {
  walletId: string;
  companyId: string;
  company: string;
  chainId: string | null;
  asset: string;
  decimals: number;
  owedMinor: bigint;
  feesMinor: bigint;
  isFrozen: boolean;
}

export async function findDeficit(tx: PlatformTx, walletId: string): Promise<DeficitRow | null> {
  const { rows } = await sql<DeficitRow>`
    select w.id as "walletId", w.company_id as "companyId", coalesce(c.name, '') as company, w.chain_id as "chainId",
      a.id as asset, a.decimals, greatest(0, -d.balance) as "owedMinor", coalesce(f.balance, 0) as "feesMinor",
      w.frozen_at is not null as "isFrozen"
    from wallet w
    join asset a on a.id = w.asset_id
    join ledger_account d on d.company_id = w.company_id and d.owner_id = w.id and d.kind = 'deficit'
    left join ledger_account f on f.company_id = w.company_id and f.owner_id = w.id and f.kind = 'fee'
    left join company c on c.company_id = w.company_id
    where w.id = ${walletId}`.execute(tx);
  return rows[0] ?? null;
}

/** Of deficits, named by their accounts: the wallets. */
export async function walletsOfAccounts(tx: PlatformTx, accountIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; walletId: string }>`
    select id, owner_id as "walletId" from ledger_account where id = any (${[...accountIds]}::uuid[])`.execute(tx);
  return new Map(rows.map(({ id, walletId }) => [id, walletId]));
}

export async function companyNames(tx: PlatformTx, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select company_id as id, name from company where company_id = any (${[...ids]}::uuid[])`.execute(tx);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** What chains are called. */
export async function chainNames(tx: PlatformTx): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`select id, name from chain`.execute(tx);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const kinds: readonly ProposalKind[] = exceptionActs;

export interface WorkRow {
  id: string;
  kind: ExceptionAct;
  subjectId: string;
  subjectName: string | null;
  input: Record<string, unknown>;
  state: 'open' | ActState;
  at: Date;
  by: string;
}

/** Open proposals, acts that the worker has before it, and those that ended within a day; the newest first. */
export async function findWork(tx: PlatformTx, most = 50): Promise<WorkRow[]> {
  const { rows } = await sql<WorkRow>`
    select p.id, p.kind, p.subject_id as "subjectId", p.subject_name as "subjectName", p.input,
      coalesce(o.state, 'open') as state, coalesce(o.ended_at, p.decided_at, p.proposed_at) as at, who.name as by
    from operator_proposal p
    left join operator_act o on o.proposal_id = p.id
    join operator_account who on who.id = coalesce(p.decided_by, p.proposed_by)
    where p.kind = any (${[...kinds]}::text[])
      and (p.state = 'open' and p.expires_at > now() or o.state = 'pending' or o.ended_at > now() - interval '1 day')
    order by coalesce(o.ended_at, p.decided_at, p.proposed_at) desc limit ${most}`.execute(tx);
  return rows;
}

/** The open proposals about these subjects. */
export async function openProposals(
  tx: PlatformTx,
  subjectIds: readonly string[],
): Promise<{ id: string; kind: ProposalKind; subjectId: string }[]> {
  const { rows } = await sql<{ id: string; kind: ProposalKind; subjectId: string }>`
    select id, kind, subject_id as "subjectId" from operator_proposal
    where state = 'open' and expires_at > now() and kind = any (${[...kinds]}::text[])
      and subject_id = any (${[...subjectIds]}::text[])`.execute(tx);
  return rows;
}

/** Writes under which seal two operators agreed on an empty transaction in a payment's place. */
export async function insertReplacement(
  tx: PlatformTx,
  {
    proposalId,
    companyId,
    transferId,
    jws,
  }: { proposalId: string; companyId: string; transferId: string; jws: string },
): Promise<void> {
  await sql`
    insert into operator_replacement (proposal_id, company_id, transfer_id, jws)
    values (${proposalId}, ${companyId}, ${transferId}, ${jws})`.execute(tx);
}
