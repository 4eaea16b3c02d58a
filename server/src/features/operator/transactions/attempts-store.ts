import type { NodeAnswerKind } from '@causeway/contract/operator-transactions-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** What was signed and sent for a transaction of the transaction's company, and the queue of its address. */

/** As the chain's family keeps it: amounts in minor units, as digits. */
export interface SpendingPlan {
  inputs: readonly { hash: string; index: number; address: string; amountMinor: string }[];
  /** What it pays, in the order of the payments; change comes last. */
  outputs: readonly { address: string; amountMinor: string }[];
  feeMinor: string;
  vsize: number;
  joined?: readonly { paymentId: string; shareMinor: string }[];
}

export interface AttemptRow {
  paymentId: string;
  kind: 'transfer' | 'empty' | 'gas';
  attempt: number;
  from: string;
  nonce: number | null;
  gasLimit: bigint | null;
  maxFeePerGas: bigint | null;
  maxPriorityFeePerGas: bigint | null;
  gasCost: bigint | null;
  /** On a chain of outputs; null elsewhere. */
  plan: SpendingPlan | null;
  /** Outputs of the payment that no node has any more, by `hash:index`. */
  lost: Readonly<Record<string, { since: string; replacedBy: string | null }>>;
  feeCoin: string;
  feeDecimals: number;
  explorerUrl: string | null;
  hash: string | null;
  createdAt: Date;
  firstBroadcastAt: Date | null;
  lastBroadcastAt: Date | null;
  minedBlock: number | null;
  finalAt: Date | null;
  supersededAt: Date | null;
}

/** A payment's attempts and those of the gas advanced for it, the newest first. */
export async function findAttempts(tx: Tx, transactionId: string): Promise<AttemptRow[]> {
  const { rows } = await sql<AttemptRow>`
    select s.payment_id as "paymentId", case when s.is_empty then 'empty' else s.kind end as kind, s.attempt, s.from_address as "from", s.nonce, s.gas_limit as "gasLimit",
      s.max_fee_per_gas as "maxFeePerGas", s.max_priority_fee_per_gas as "maxPriorityFeePerGas", s.gas_cost as "gasCost",
      case when c.family = 'bitcoin' then s.plan end as plan,
      coalesce((select jsonb_object_agg(l.hash || ':' || l.index, jsonb_build_object('since', l.lost_at, 'replacedBy', l.replaced_by))
        from bitcoin_lost_coin l where l.company_id = s.company_id and l.payment_id = s.payment_id), '{}') as lost,
      a.id as "feeCoin", a.decimals as "feeDecimals", c.explorer_url as "explorerUrl", s.hash, s.created_at as "createdAt",
      s.first_broadcast_at as "firstBroadcastAt", s.last_broadcast_at as "lastBroadcastAt", s.mined_block as "minedBlock",
      s.final_at as "finalAt", s.superseded_at as "supersededAt"
    from chain_send s join chain c on c.id = s.chain_id join asset a on a.id = c.native_coin
    where s.company_id = company_id() and s.transfer_id = ${transactionId}
    order by s.kind desc, s.created_at desc, s.payment_id desc, s.attempt desc limit 200`.execute(tx);
  return rows;
}

export interface AnswerRow {
  paymentId: string;
  attempt: number;
  node: string;
  answer: NodeAnswerKind;
  words: string;
  firstAt: Date;
  lastAt: Date;
  times: number;
}

export async function findAnswers(tx: Tx, paymentIds: readonly string[]): Promise<AnswerRow[]> {
  const { rows } = await sql<AnswerRow>`
    select payment_id as "paymentId", attempt, node, answer, words, first_at as "firstAt", last_at as "lastAt", times
    from chain_answer where company_id = company_id() and payment_id = any (${[...paymentIds]}::uuid[])
    order by last_at desc, node`.execute(tx);
  return rows;
}

export interface QueueRow {
  address: string;
  chainId: string;
  nextNonce: number | null;
  held: string | null;
  open: { nonce: number; transactionId: string; kind: 'transfer' | 'gas'; mined: boolean; hash: string | null }[];
}

/** An address that a transaction is, or is to be, sent from; null where its chain has none of the company's, or counts no nonces. */
export async function findQueue(tx: Tx, transactionId: string): Promise<QueueRow | null> {
  const { rows } = await sql<QueueRow>`
    select o.address, o.chain_id as "chainId", o.next_nonce as "nextNonce",
      (select h.reason from sender_hold h where h.chain_id = o.chain_id and h.address = o.address) as held,
      coalesce((select jsonb_agg(jsonb_build_object('nonce', q.nonce, 'transactionId', q.transfer_id, 'kind', q.kind,
          'mined', q.mined, 'hash', q.hash) order by q.nonce)
        from (select s.nonce, s.transfer_id, s.kind, bool_or(s.mined_block is not null) as mined,
            (array_agg(s.hash order by s.attempt desc))[1] as hash
          from chain_send s
          where s.chain_id = o.chain_id and s.from_address = o.address and s.final_at is null and s.nonce is not null
          group by s.nonce, s.transfer_id, s.kind order by s.nonce limit 50) q), '[]') as open
    from transaction t
    join chain c on c.id = t.chain_id and c.family = 'evm'
    join chain_address o on o.company_id = t.company_id and o.chain_id = t.chain_id
    where t.company_id = company_id() and t.id = ${transactionId} and t.type = 'chain_withdraw'`.execute(tx);
  return rows[0] ?? null;
}
