import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { type Intent, type OwnAddress, type PaymentRecord, paymentIdsOf } from '../../chains/index.ts';
import type { StoredPayment } from '../../outgoing/index.ts';

/** What the signer reads for itself, with rights of its own: it believes no request. */

export interface SigningRecord extends StoredPayment, PaymentRecord {
  chainId: string;
  isFrozen: boolean;
  /** The timeline, from which no role can delete, says that it was cancelled, refused or has failed. */
  hasEnded: boolean;
  /** The newest line of its timeline is an end. */
  isOver: boolean;
  /** Of a sweep, the further address that it is from. */
  payerAccount: string | null;
}

/** Its addresses and its payer aside, which the signer does not read but judges. */
export type StoredRecord = Omit<SigningRecord, 'addresses' | 'payer'>;

export async function readSigningRecord(
  tx: PlatformTx,
  companyId: string,
  transferId: string,
): Promise<StoredRecord | null> {
  const { rows } = await sql<StoredRecord>`
    select t.company_id as "companyId", t.id, t.type, t.wallet_id as "walletId",
      w.frozen_at is not null or exists (
        select from company frozen where frozen.company_id = t.company_id and frozen.frozen_at is not null) as "isFrozen",
      t.payee_id as "payeeId", t.payee_account as "payeeAccount", t.payer_account as "payerAccount",
      t.chain_id as "chainId", t.coin, t.quantity as "amountMinor", t.notes, coalesce(s.jws, f.jws) as jws,
      jsonb_build_object('family', c.family, 'evmChainId', c.evm_chain_id, 'contract', a.contract) as registered,
      array(select f.file_id::text from outgoing_attachment f
        where f.company_id = t.company_id and f.transaction_id = t.id) as "attachmentIds", null::text as terms,
      exists (select from transaction_stage e where e.company_id = t.company_id and e.transaction_id = t.id
        and e.stage in ('cancelled', 'refused', 'failed')) as "hasEnded",
      coalesce((select e.stage in ('completed', 'cancelled', 'refused', 'failed') from transaction_stage e
        where e.company_id = t.company_id and e.transaction_id = t.id order by e.at desc, e.id desc limit 1), false) as "isOver"
    from transaction t
    join wallet w on w.company_id = t.company_id and w.id = t.wallet_id and w.chain_id = t.chain_id and w.asset_id = t.coin
    join chain c on c.id = t.chain_id
    join chain_asset a on a.chain_id = t.chain_id and a.coin = t.coin
    left join outgoing_authorisation s on s.company_id = t.company_id and s.transaction_id = t.id
    -- Of collected fees the operator's process makes the seal, and this its record.
    left join operator_fee_payment f on f.company_id = t.company_id and f.id = t.id
    where t.company_id = ${companyId}::uuid and t.id = ${transferId}::uuid`.execute(tx);
  return rows[0] ?? null;
}

/** Which payments of its company, among those that these entries make beside its own, have failed by their timelines: the newest line is the end. */
export async function readFailed(
  tx: PlatformTx,
  intent: Intent,
  related: readonly Intent[],
): Promise<ReadonlySet<string>> {
  const own = new Set(paymentIdsOf(intent));
  const others = new Map(
    related
      .filter(({ companyId }) => companyId === intent.companyId)
      .flatMap(({ paymentId, transferId, joined = [] }) => [
        [paymentId, transferId] as const,
        ...joined.map((one) => [one.transferId, one.transferId] as const),
      ])
      .filter(([paymentId]) => !own.has(paymentId)),
  );
  if (others.size === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select t.id from unnest(${[...new Set(others.values())]}::uuid[]) t (id)
    where (select e.stage from transaction_stage e where e.company_id = ${intent.companyId}::uuid and e.transaction_id = t.id
      order by e.at desc, e.id desc limit 1) = 'failed'`.execute(tx);
  const failed = new Set(rows.map(({ id }) => id));
  return new Set([...others].flatMap(([paymentId, transferId]) => (failed.has(transferId) ? [paymentId] : [])));
}

/** The addresses of the payment's company on its chain: those of the ones named, or its account. */
export async function readOwnAddresses(
  tx: PlatformTx,
  { companyId, chainId }: { companyId: string; chainId: string },
  named: readonly string[] | null,
): Promise<OwnAddress[]> {
  const { rows } = await sql<OwnAddress>`
    select f.address, o.derivation_index as "derivationIndex", f.ordinal from chain_address o
    cross join lateral (select o.address, 0::bigint as ordinal
      union all select f.address, f.derivation_index from chain_further_address f
      where f.company_id = o.company_id and f.chain_id = o.chain_id) f
    where o.company_id = ${companyId}::uuid and o.chain_id = ${chainId} and o.derivation_index is not null
      and case when ${named}::text[] is null then f.ordinal = 0 else f.address = any (${named}::text[]) end`.execute(
    tx,
  );
  return rows;
}

/** The seals over an acceleration: one when it was submitted, one each time that its fee was raised. */
export async function readAccelerationSeals(
  tx: PlatformTx,
  { companyId, transferId }: { companyId: string; transferId: string },
): Promise<string[]> {
  const { rows } = await sql<{ jws: string }>`
    select jws from bitcoin_acceleration_seal
    where company_id = ${companyId}::uuid and transaction_id = ${transferId}::uuid order by fee desc`.execute(tx);
  return rows.map(({ jws }) => jws);
}

/** The seals under which two operators wanted an empty transaction in the place of one of these payments, of acts that the worker has carried out. */
export async function readReplacements(
  tx: PlatformTx,
  companyId: string,
  transferIds: readonly string[],
): Promise<{ proposalId: string; proposedBy: string; confirmedBy: string; jws: string }[]> {
  const { rows } = await sql<{ proposalId: string; proposedBy: string; confirmedBy: string; jws: string }>`
    select r.proposal_id as "proposalId", a.proposed_by as "proposedBy", a.confirmed_by as "confirmedBy", r.jws
    from operator_replacement r
    join operator_act a on a.proposal_id = r.proposal_id and a.kind = 'payment.replaceEmpty' and a.state = 'done'
      and a.company_id = r.company_id and a.subject_id = r.transfer_id::text
    where r.company_id = ${companyId}::uuid and r.transfer_id = any (${[...transferIds]}::uuid[])`.execute(tx);
  return rows;
}
