import { sql } from 'kysely';
import type { Tx } from '../../../../platform/database/database.ts';
import { type Send, sendColumns } from '../../../chains/index.ts';

/** Payments of one wallet that go out in one transaction (docs/adr/0094). Amounts in satoshis. */

/** What of a wallet's transfers is ready to be sent. */
interface ReadyTransfer {
  id: string;
  payeeAccount: string;
  amountMinor: bigint;
  promisedMinor: bigint;
}

interface Wallet {
  transferId: string;
  chainId: string;
}

/** Transfers out of the same wallet, of any state, that chose a fee and may go out with others. */
const beside = ({ transferId, chainId }: Wallet) => sql`
  from transaction t
  join transaction own on own.company_id = t.company_id and own.id = ${transferId} and own.wallet_id = t.wallet_id
  join bitcoin_fee f on f.company_id = t.company_id and f.transaction_id = t.id and not f.goes_alone
  where t.company_id = company_id() and t.chain_id = ${chainId} and t.type = 'chain_withdraw' and t.status = 'pending' and t.id <> ${transferId}`;

/** Payments of an account are planned one after another. Only what plans waits here, before it locks anything, so that no two wait for each other. */
export async function waitForTurn(
  tx: Tx,
  { chainId, fromAddress }: { chainId: string; fromAddress: string },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`rails.planning ${chainId} ${fromAddress}`}, 0))`.execute(
    tx,
  );
}

/** The next transfer of the same wallet that is approved and not handed over; null after the last. */
export async function nextApproved(tx: Tx, wallet: Wallet, after: string | null): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select t.id ${beside(wallet)} and t.stage = 'approved' and (${after}::uuid is null or t.id > ${after}::uuid)
    order by t.id limit 1`.execute(tx);
  return rows[0]?.id ?? null;
}

/**
 * Locks the transfers of the same wallet that are in signing, have no attempt, and were never signed: those that were handed over first come first.
 * One that is locked elsewhere is left out, so that no two wait for each other. The account is locked: no other is planning.
 */
export async function lockReady(tx: Tx, wallet: Wallet, most: number): Promise<ReadyTransfer[]> {
  const { rows } = await sql<Omit<ReadyTransfer, 'promisedMinor'> & { promisedMinor: string }>`
    select t.id, t.payee_account as "payeeAccount", t.quantity as "amountMinor", f.network_fee as "promisedMinor" ${beside(wallet)}
      and t.stage = 'signing' and t.payee_account is not null
      and not exists (select from chain_send s where s.company_id = t.company_id and s.transfer_id = t.id)
      and not exists (select from signer_journal j where j.company_id = t.company_id and j.transfer_id = t.id)
      and not exists (select from signer_journal j where j.company_id = t.company_id and j.plan ? 'joined'
        and j.plan -> 'joined' @> jsonb_build_array(jsonb_build_object('transferId', t.id)))
    order by t.stage_at, t.id limit ${most} for update of t skip locked`.execute(tx);
  return rows.map((row) => ({ ...row, promisedMinor: BigInt(row.promisedMinor) }));
}

/** Whether a payment may go out with others, as far as it itself is concerned. */
export async function mayBeJoined(tx: Tx, transferId: string): Promise<boolean> {
  const { rows } = await sql`
    select from bitcoin_fee f join transaction t on t.company_id = f.company_id and t.id = f.transaction_id
    where f.company_id = company_id() and f.transaction_id = ${transferId} and not f.goes_alone and t.type = 'chain_withdraw'`.execute(
    tx,
  );
  return rows.length > 0;
}

/** From now on these payments go out by themselves. */
export async function setAlone(tx: Tx, transferIds: readonly string[]): Promise<void> {
  await sql`
    update bitcoin_fee set goes_alone = true
    where company_id = company_id() and transaction_id = any (${[...transferIds]}::uuid[])`.execute(tx);
}

/** The attempts of other payments that are the same transaction, in the order of their payments; of a restored database those that it has. */
export async function sameTransaction(tx: Tx, send: Send, paymentIds: readonly string[]): Promise<Send[]> {
  const { rows } = await sql<Send>`
    select ${sendColumns} from chain_send s
    where s.company_id = company_id() and s.payment_id = any (${[...paymentIds]}::uuid[]) and s.payment_id <> ${send.paymentId}
      and s.is_empty = ${send.isEmpty} and s.plan -> 'inputs' = ${JSON.stringify(send.plan)}::jsonb -> 'inputs'
      and s.plan -> 'outputs' = ${JSON.stringify(send.plan)}::jsonb -> 'outputs'
    order by s.payment_id`.execute(tx);
  return rows;
}

/** Of a payment that was planned together with others: how many they are, and what their transaction pays; null of any other. */
export async function findJoined(
  tx: Tx,
  transferId: string,
): Promise<{ others: number; feeMinor: bigint; vsize: number } | null> {
  const { rows } = await sql<{ others: number; feeMinor: string; vsize: number }>`
    select jsonb_array_length(plan -> 'joined') - 1 as others, plan ->> 'feeMinor' as "feeMinor", (plan ->> 'vsize')::integer as vsize
    from chain_send where company_id = company_id() and transfer_id = ${transferId} and plan ? 'joined' and not is_empty
    order by mined_block is null, attempt desc limit 1`.execute(tx);
  const [row] = rows;
  return row ? { ...row, feeMinor: BigInt(row.feeMinor) } : null;
}

/** The highest fee to which an initiator of one of these payments has raised their transaction, and whose payment it is. */
export async function findRaisedTo(
  tx: Tx,
  paymentIds: readonly string[],
): Promise<{ paymentId: string; feeMinor: bigint } | null> {
  const { rows } = await sql<{ paymentId: string; feeMinor: string }>`
    select transaction_id as "paymentId", raised_to as "feeMinor" from bitcoin_fee
    where company_id = company_id() and transaction_id = any (${[...paymentIds]}::uuid[]) and raised_to is not null
    order by raised_to desc, transaction_id limit 1`.execute(tx);
  const [row] = rows;
  return row ? { paymentId: row.paymentId, feeMinor: BigInt(row.feeMinor) } : null;
}

/** Notes to which fee of the whole transaction a payment was raised; null once that no longer counts. */
export async function setRaisedTo(tx: Tx, transferId: string, feeMinor: bigint | null): Promise<void> {
  await sql`
    update bitcoin_fee set raised_to = ${feeMinor === null ? null : feeMinor.toString()}
    where company_id = company_id() and transaction_id = ${transferId}`.execute(tx);
}

/** Those of these transfers that the company's books have. */
export async function knownTransfers(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from transaction where company_id = company_id() and id = any (${[...ids]}::uuid[])`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}
