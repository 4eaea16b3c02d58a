import { type RawBuilder, sql } from 'kysely';
import type { Link } from '../../../platform/crypto/linked-log.ts';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { type Intent, type JournalFamily, paymentIdsOf, transferKind } from '../signer/family.ts';
import type { WrittenEntry } from '../signer/journal.ts';
import { familyOf, type LineFields, readAs } from '../signer/line.ts';

/** The database's copy of the signer's journal, and what the signer says of the two. */

/** A row as its line in the file has it: amounts as digits. Columns that another family has are null, and are left out. */
const fields = sql`
  jsonb_strip_nulls(jsonb_build_object('family', family, 'companyId', company_id, 'transferId', transfer_id,
    'paymentId', payment_id, 'kind', kind, 'chainId', chain_id, 'fromAddress', from_address,
    'derivationIndex', derivation_index, 'nonce', nonce, 'toAddress', to_address, 'coin', coin, 'amountMinor', amount::text,
    'gasLimit', gas_limit::text, 'maxFeePerGas', max_fee_per_gas::text,
    'maxPriorityFeePerGas', max_priority_fee_per_gas::text, 'legs', legs,
    'ordinal', ordinal)) || jsonb_build_object('plan', plan)`;

/** Holds back every other signer until the transaction's end. */
export async function lockJournal(tx: PlatformTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('causeway.signer_journal', 0))`.execute(tx);
}

/** The last entry that the database has; number 0 when it has none. */
export async function storedTip(tx: PlatformTx, start: string): Promise<Link> {
  const { rows } = await sql<Link>`
    select seq, entry_hash as hash from signer_journal where seq is not null order by seq desc limit 1`.execute(tx);
  return rows[0] ?? { seq: 0, hash: start };
}

/** How many entries the database has, with those that are older than the file. */
export async function countStored(tx: PlatformTx): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from signer_journal`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** An entry of the database's; number 0 where it is older than the file. */
export interface StoredEntry extends Link {
  id: number;
  at: Date;
  fields: LineFields;
}

/** Entries after a number, in their order; those older than the file come first and have number 0. */
export async function storedAfter(
  tx: PlatformTx,
  after: { seq: number; id: number },
  limit: number,
): Promise<StoredEntry[]> {
  const { rows } = await sql<StoredEntry>`
    select id, coalesce(seq, 0) as seq, coalesce(entry_hash, '') as hash, at, ${fields} as fields from signer_journal
    where (coalesce(seq, 0), id) > (${after.seq}, ${after.id}) order by coalesce(seq, 0), id limit ${limit}`.execute(
    tx,
  );
  return rows;
}

/** Stores an entry; `txHash` null where the chain is no longer configured. */
export async function storeEntry(
  tx: PlatformTx,
  { seq, hash, at, fields: line }: WrittenEntry,
  { txHash, imported }: { txHash: string | null; imported: boolean },
): Promise<void> {
  await sql`
    insert into signer_journal (seq, entry_hash, at, family, company_id, transfer_id, payment_id, kind, chain_id,
      from_address, derivation_index, nonce, to_address, coin, amount, gas_limit, max_fee_per_gas,
      max_priority_fee_per_gas, legs, ordinal, plan, tx_hash, imported)
    select ${seq}, ${hash}, ${at}, ${familyOf(line)}, (l->>'companyId')::uuid, (l->>'transferId')::uuid,
      (l->>'paymentId')::uuid, l->>'kind', l->>'chainId', l->>'fromAddress', (l->>'derivationIndex')::bigint,
      (l->>'nonce')::bigint, l->>'toAddress', l->>'coin', (l->>'amountMinor')::numeric, (l->>'gasLimit')::numeric,
      (l->>'maxFeePerGas')::numeric, (l->>'maxPriorityFeePerGas')::numeric, l->'legs', (l->>'ordinal')::bigint, l->'plan', ${txHash}, ${imported}
    from (select ${JSON.stringify(line)}::jsonb as l) line`.execute(tx);
}

/** An entry as the worker reads it. */
export type SignedPayment<I extends Intent> = I & {
  txHash: string | null;
  /** Every payment of the transaction, in the order of its outputs, where it makes several; the other fields are those of the one that was asked for. */
  bundle?: readonly string[];
};

/** Of an entry, each payment `m` that it makes. */
const eachPaymentOf = (j: RawBuilder<unknown>) => sql`cross join lateral (
  select ${j}.transfer_id, ${j}.payment_id, ${j}.to_address, ${j}.amount
  union all select (x ->> 'transferId')::uuid, (x ->> 'transferId')::uuid, x ->> 'toAddress', (x ->> 'amountMinor')::numeric
    from jsonb_array_elements(${j}.plan -> 'joined') x) m`;

/** Of an entry `j`. */
export const eachPayment = eachPaymentOf(sql`j`);

/** Of an entry `j`: it makes a payment of the transfer, alone or with others. */
const makes = (transferId: string) => sql`(j.transfer_id = ${transferId}
  or (j.plan ? 'joined' and j.plan -> 'joined' @> jsonb_build_array(jsonb_build_object('transferId', ${transferId}::text))))`;

/**
 * Every entry of the company's transfer and of the payments for it, in the order of signing, on chains of a family; and whether
 * its id was used on a chain of another one.
 */
export async function signedFor<I extends Intent>(
  tx: Tx,
  family: JournalFamily<I>,
  transferId: string,
): Promise<{ signed: SignedPayment<I>[]; onOtherFamily: boolean }> {
  const { rows } = await sql<{ fields: LineFields; txHash: string | null }>`
    select ${fields} as fields, tx_hash as "txHash" from signer_journal j
    where company_id = company_id() and ${makes(transferId)} order by coalesce(seq, 0), id`.execute(tx);
  const own = rows.filter(({ fields: line }) => familyOf(line) === family.name);
  return {
    signed: own.map(({ fields: line, txHash }) => ({ ...asPaymentOf(readAs(family, line), transferId), txHash })),
    onOtherFamily: own.length < rows.length,
  };
}

/** The company's entry of a transaction that makes several payments, as the first of them; null where the journal has none of that hash. */
export async function signedTogether<I extends Intent>(
  tx: Tx,
  family: JournalFamily<I>,
  chainId: string,
  hash: string,
): Promise<SignedPayment<I> | null> {
  const { rows } = await sql<{ fields: LineFields }>`
    select ${fields} as fields from signer_journal j
    where company_id = company_id() and chain_id = ${chainId} and tx_hash = ${hash} and plan ? 'joined' limit 1`.execute(
    tx,
  );
  const [row] = rows;
  if (!row) return null;
  const entry = readAs(family, row.fields);
  return { ...asPaymentOf(entry, entry.transferId), txHash: hash };
}

/** An entry as one of its payments. */
function asPaymentOf<I extends Intent>(entry: I, transferId: string): I & { bundle?: readonly string[] } {
  if (entry.joined === undefined) return entry;
  const bundle = paymentIdsOf(entry);
  const own = entry.joined.find((one) => one.transferId === transferId);
  if (own === undefined) return { ...entry, bundle };
  const ids = { transferId, paymentId: transferId, bundle };
  // An empty transaction pays none of them.
  return entry.kind === transferKind
    ? { ...entry, ...ids, toAddress: own.toAddress, amountMinor: own.amountMinor }
    : { ...entry, ...ids };
}

/** Of a payment `m` of an entry `j`: no attempt is it. Those of EVM have nonce and fees, those with a plan differ in what was signed. */
export const lacksAttempt = sql`not exists (select from chain_send s
  where s.company_id = j.company_id and s.payment_id = m.payment_id and case when j.plan is null
    then s.nonce = j.nonce and s.is_empty = (j.kind = 'empty') and s.gas_limit = j.gas_limit and s.max_fee_per_gas = j.max_fee_per_gas
      and s.max_priority_fee_per_gas = j.max_priority_fee_per_gas and (s.hash is not null or j.tx_hash is null)
    else s.plan is not null and s.hash is not distinct from j.tx_hash end)`;

/** Of an entry `j`: a block has it, or under EVM another transaction with its nonce, and no attempt names that. */
export const isUnexplained = sql`exists (select from unexplained_payment u where u.chain_id = j.chain_id
  and ((u.from_address = j.from_address and u.nonce = j.nonce) or (j.plan is not null and u.hash = j.tx_hash)))`;

/**
 * Transfers of whose signed payments the database lacks one: its entry was lost and brought back, or its bytes were never
 * stored. By company.
 */
export async function transfersToAdopt(tx: PlatformTx, chainId: string): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ companyId: string; transferIds: string[] }>`
    select company_id as "companyId", array_agg(distinct transfer_id::text) as "transferIds" from (
      select j.company_id, m.transfer_id from signer_journal j ${eachPayment}
      where j.imported and j.chain_id = ${chainId} and ${lacksAttempt}
      union all
      select s.company_id, s.transfer_id from chain_send s
      where s.chain_id = ${chainId} and s.final_at is null and s.hash is null and exists (
        select from signer_journal j where j.company_id = s.company_id and j.tx_hash is not null
          and (j.payment_id = s.payment_id or (j.plan ? 'joined' and j.plan -> 'joined' @> jsonb_build_array(
            jsonb_build_object('transferId', s.payment_id)))))
    ) lacking group by company_id`.execute(tx);
  return new Map(rows.map(({ companyId, transferIds }) => [companyId, transferIds]));
}

/** A payment that was signed, that a restored database has lost, and that is to be offered to the nodes again. */
export interface ResentPayment {
  companyId: string;
  transferId: string;
  paymentId: string;
  /** Null on a chain whose payments have none. */
  fromAddress: string | null;
  nonce: number | null;
}

/** Those of a chain: advances of the gas tank, and payments that the operator decided to send. */
export async function paymentsToResend(tx: PlatformTx, chainId: string): Promise<ResentPayment[]> {
  const { rows } = await sql<ResentPayment>`
    select distinct j.company_id as "companyId", j.transfer_id as "transferId", j.payment_id as "paymentId",
      j.from_address as "fromAddress", j.nonce
    from signer_journal j
    where j.imported and j.chain_id = ${chainId}
      and (j.kind = 'gas' or exists (select from signer_journal o ${eachPaymentOf(sql`o`)} join journal_resend r
        on r.company_id = o.company_id and r.payment_id = m.payment_id where o.id = j.id))
      and not exists (select from signer_journal o ${eachPaymentOf(sql`o`)} join chain_send s
        on s.company_id = o.company_id and s.payment_id = m.payment_id where o.id = j.id)
      and not ${isUnexplained}
    order by 4, 5`.execute(tx);
  return rows;
}

export interface SignerState extends Link {
  agrees: boolean;
  /** One sentence: what the signer found. */
  finding: string;
}

export async function saveSignerState(tx: PlatformTx, { seq, hash, agrees, finding }: SignerState): Promise<void> {
  await sql`
    insert into signer_state (journal_seq, journal_hash, agrees, finding) values (${seq}, ${hash}, ${agrees}, ${finding})
    on conflict (one) do update set journal_seq = excluded.journal_seq, journal_hash = excluded.journal_hash,
      agrees = excluded.agrees, finding = excluded.finding, checked_at = now()`.execute(tx);
}

/** What the signer said last, and how many seconds ago; null when it never did. */
export async function findSignerState(tx: PlatformTx): Promise<(SignerState & { ageSeconds: number }) | null> {
  const { rows } = await sql<SignerState & { ageSeconds: number }>`
    select journal_seq as seq, journal_hash as hash, agrees, finding,
      extract(epoch from now() - checked_at)::int as "ageSeconds" from signer_state`.execute(tx);
  return rows[0] ?? null;
}
