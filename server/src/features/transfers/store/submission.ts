import { sql } from 'kysely';
import type { Tx } from '../../../platform/database.ts';
import type { SubmissionFacts } from '../domain.ts';

/** Everything that the decision about one transfer needs, in one statement; reads may join tables to the left. */
export interface SubmissionRow extends SubmissionFacts {
  /** A transaction of the company has the id that the client chose. */
  idTaken: boolean;
  availableAccountId: string;
  outboundAccountId: string;
  payeeLabel: string | null;
  chainName: string;
  companyName: string;
  /** The transaction's time: what it writes gets it. */
  at: Date;
  /** US dollars for a whole coin, and since when; null while none is known. */
  price: { usd: string; updatedAt: Date } | null;
}

interface Flat extends Omit<SubmissionRow, 'payee' | 'price'> {
  priceUsd: string | null;
  priceAt: Date | null;
  payeeChainId: string | null;
  payeeCoin: string | null;
  payeeAddress: string | null;
  payeeStatus: string | null;
}

/** Null when the company has no such wallet; without a payee, what is known before one is chosen. */
export async function readSubmission(
  tx: Tx,
  request: { id: string | null; walletId: string; payeeId: string | null; attachmentIds: readonly string[] },
): Promise<SubmissionRow | null> {
  const { rows } = await sql<Flat>`
    select w.coin, a.decimals, a.minimum as "minimumMinor", ca.withdraw_fee as "feeMinor",
      available.balance as "availableMinor", available.id as "availableAccountId", outbound.id as "outboundAccountId",
      w.frozen_at is not null as "walletFrozen", ca.enabled and c.enabled as "walletUsable", w.chain_id as "walletChainId",
      c.name as "chainName", own.address as "ownAddress", company.name as "companyName", now() as at,
      p.label as "payeeLabel", p.chain_id as "payeeChainId", p.coin as "payeeCoin", p.address as "payeeAddress",
      p.status as "payeeStatus", r.usd::text as "priceUsd", r.updated_at as "priceAt",
      (select count(*) from file f where f.company_id = company_id() and f.id = any (${[...request.attachmentIds]}::uuid[]))
        as "attachmentsFound",
      exists (select from transaction t where t.company_id = company_id() and t.id = ${request.id}) as "idTaken",
      exists (select from chain_asset listed where listed.chain_id = p.chain_id
        and lower(listed.contract) = lower(p.address)) as "payeeIsToken"
    from wallet w
    join asset a on a.id = w.coin
    join chain c on c.id = w.chain_id
    join chain_asset ca on ca.chain_id = w.chain_id and ca.coin = w.coin
    join chain_address own on own.company_id = w.company_id and own.chain_id = w.chain_id
    join company on company.company_id = w.company_id
    join ledger_account available
      on available.company_id = w.company_id and available.owner_id = w.id and available.kind = 'available'
    join ledger_account outbound
      on outbound.company_id = w.company_id and outbound.owner_id = w.id and outbound.kind = 'outbound'
    left join rate r on r.coin = w.coin
    left join crypto_payee p on p.company_id = w.company_id and p.id = ${request.payeeId}
    where w.company_id = company_id() and w.id = ${request.walletId}`.execute(tx);
  const row = rows[0];
  if (!row) return null;
  const { payeeChainId, payeeCoin, payeeAddress, payeeStatus, priceUsd, priceAt, ...facts } = row;
  const payee =
    payeeChainId === null || payeeCoin === null || payeeAddress === null || payeeStatus === null
      ? null
      : { chainId: payeeChainId, coin: payeeCoin, address: payeeAddress, status: payeeStatus };
  const price = priceUsd === null || priceAt === null ? null : { usd: priceUsd, updatedAt: priceAt };
  return { ...facts, payee, price };
}

/** A transfer as it is written; amounts in minor units. */
export interface NewTransfer {
  id: string;
  walletId: string;
  chainId: string;
  coin: string;
  amountMinor: bigint;
  feeMinor: bigint;
  payeeId: string;
  payeeName: string;
  payeeAccount: string;
  payerName: string;
  payerAccount: string;
  notes: string;
  initiatorId: string;
  initiatorName: string;
  digest: string;
  attachmentIds: readonly string[];
  authorisation: string;
  /** US cents. */
  valueUsdCents: bigint;
  /** Whether it waits for its approvers, or nothing stands between it and the signer. */
  stage: 'waiting_approval' | 'approved';
  stageIds: readonly [string, string];
}

/** Writes the transfer, its first stages, attachments and authorisation in one statement. */
export async function insertTransfer(tx: Tx, transfer: NewTransfer): Promise<void> {
  await sql`
    with made as (
      insert into transaction (company_id, id, type, status, stage, direction, wallet_id, chain_id, coin, quantity, fee,
        payee_id, payer_name, payer_account, payee_name, payee_account, notes, initiator_id, initiator_name, digest,
        value_usd_cents)
      values (company_id(), ${transfer.id}, 'chain_withdraw', 'pending', ${transfer.stage}, 'out', ${transfer.walletId},
        ${transfer.chainId}, ${transfer.coin}, ${transfer.amountMinor.toString()}, ${transfer.feeMinor.toString()},
        ${transfer.payeeId}, ${transfer.payerName}, ${transfer.payerAccount}, ${transfer.payeeName},
        ${transfer.payeeAccount}, ${transfer.notes}, ${transfer.initiatorId}, ${transfer.initiatorName},
        decode(${transfer.digest}, 'hex'), ${transfer.valueUsdCents.toString()})
      returning company_id, id, created_at
    ), stages as (
      insert into transaction_stage (company_id, transaction_id, id, stage, at, actor_id, actor_name)
      select made.company_id, made.id, s.id, s.stage, made.created_at, s.actor_id, s.actor_name
      from made, (values
        (${transfer.stageIds[0]}::uuid, 'submitted', ${transfer.initiatorId}::uuid, ${transfer.initiatorName}),
        (${transfer.stageIds[1]}::uuid, ${transfer.stage}, null::uuid, null)
      ) as s (id, stage, actor_id, actor_name)
    ), attachments as (
      insert into transfer_attachment (company_id, transaction_id, file_id, position)
      select made.company_id, made.id, f.id, f.position - 1
      from made, unnest(${[...transfer.attachmentIds]}::uuid[]) with ordinality as f (id, position)
    )
    insert into transfer_authorisation (company_id, transfer_id, jws)
    select made.company_id, made.id, ${transfer.authorisation} from made`.execute(tx);
}
