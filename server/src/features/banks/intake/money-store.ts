import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { KnownMoney, Source } from './knowing.ts';
import type { SeenMoney } from './moneys.ts';

/** The moneys of a bank, whichever entries they are in. */

/** Every money of an account that some of these could be, locked until the transaction's end. */
export async function findKnown(
  tx: PlatformTx,
  collectionId: string,
  seen: readonly SeenMoney[],
  { kind }: Source,
): Promise<KnownMoney[]> {
  const named = (of: (money: SeenMoney) => string | null) => [...new Set(seen.flatMap((money) => of(money) ?? []))];
  const references = [...named((money) => money.reference), ...named((money) => money.otherReference)];
  const unnamed = seen.filter(({ bookedOn }) => bookedOn !== null);
  const place = kind === 'statement' ? sql`m.booked_entry_id` : sql`m.announced_entry_id`;
  const { rows } = await sql<KnownMoney>`
    with found as (
      select id from bank_money where collection_id = ${collectionId} and reference = any (${references}::text[])
      union select id from bank_money where collection_id = ${collectionId} and other_reference = any (${references}::text[])
      union select id from bank_money
      where collection_id = ${collectionId} and transaction_reference = any (${named((money) => money.transactionReference)}::text[])
      union select id from bank_money where collection_id = ${collectionId} and uetr = any (${named((money) => money.uetr)}::text[])
      union select id from bank_money
      where collection_id = ${collectionId} and entry_reference = any (${named((money) => money.entryReference)}::text[])
      union select m.id from (
        select distinct day, amount from unnest(${unnamed.map(({ bookedOn }) => bookedOn)}::date[],
          ${unnamed.map(({ amountMinor }) => amountMinor.toString())}::numeric[]) as u (day, amount)
      ) u
      join bank_money m on m.collection_id = ${collectionId} and m.amount = u.amount and m.booked_on = u.day and ${place} is null
    )
    select m.id, m.amount as "amountMinor", m.booked_on::text as "bookedOn", m.reference, m.other_reference as "otherReference", m.entry_reference as "entryReference",
      m.transaction_reference as "transactionReference", m.uetr, m.said, m.is_undetailed as "isUndetailed",
      m.announced_entry_id as "announcedEntryId", a.statement_id as "announcedStatementId", m.booked_entry_id as "bookedEntryId",
      b.statement_id as "bookedStatementId"
    from bank_money m left join bank_entry a on a.id = m.announced_entry_id left join bank_entry b on b.id = m.booked_entry_id
    where m.id in (select id from found) and m.state <> 'detailed' order by m.id for update of m`.execute(tx);
  return rows;
}

export type NewMoney = SeenMoney & { id: string; announcedEntryId: string | null; bookedEntryId: string | null };

export async function insertMoneys(tx: PlatformTx, collectionId: string, moneys: readonly NewMoney[]): Promise<void> {
  if (moneys.length === 0) return;
  const rows = moneys.map((money) => ({ ...fieldsOf(money), id: money.id }));
  await sql`
    insert into bank_money (id, collection_id, amount, booked_on, value_on, announced_entry_id, booked_entry_id, reference, other_reference, entry_reference,
      transaction_reference, end_to_end, uetr, said, is_reversal, is_undetailed, payer_name, payer_account, payer_bank, creditor_account,
      creditor_references, remittance, return_reason, return_words, bank_words)
    select r.id, ${collectionId}, r.amount, r.booked_on, r.value_on, r.announced_entry_id, r.booked_entry_id, r.reference, r.other_reference, r.entry_reference,
      r.transaction_reference, r.end_to_end, r.uetr, r.said, r.is_reversal, r.is_undetailed, r.payer_name, r.payer_account, r.payer_bank,
      r.creditor_account, r.creditor_references, r.remittance, r.return_reason, r.return_words, r.bank_words
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, amount numeric, booked_on date, value_on date,
      announced_entry_id uuid, booked_entry_id uuid, reference text, other_reference text, entry_reference text, transaction_reference text, end_to_end text,
      uetr text, said text, is_reversal boolean, is_undetailed boolean, payer_name text, payer_account text, payer_bank text,
      creditor_account text, creditor_references text[], remittance text, return_reason text, return_words text, bank_words text)`.execute(
    tx,
  );
}

/**
 * Notes that entries have moneys which are known, and adds what the bank did not say before. One in suspense of which more is known by
 * now is looked at again; what it was posted with stays.
 */
export async function claimMoneys(tx: PlatformTx, claims: readonly NewMoney[]): Promise<void> {
  if (claims.length === 0) return;
  const rows = claims.map((money) => ({ ...fieldsOf(money), id: money.id }));
  await sql`
    update bank_money m set
      announced_entry_id = coalesce(m.announced_entry_id, r.announced_entry_id), booked_entry_id = coalesce(m.booked_entry_id, r.booked_entry_id),
      booked_on = case when r.booked_entry_id is not null then coalesce(r.booked_on, m.booked_on) else m.booked_on end,
      value_on = case when m.state = 'new' then coalesce(r.value_on, m.value_on) else m.value_on end,
      reference = coalesce(m.reference, r.reference), other_reference = coalesce(m.other_reference, case when r.reference <> m.reference then r.reference else r.other_reference end), entry_reference = coalesce(m.entry_reference, r.entry_reference),
      transaction_reference = coalesce(m.transaction_reference, r.transaction_reference), uetr = coalesce(m.uetr, r.uetr),
      payer_name = coalesce(m.payer_name, r.payer_name), payer_account = coalesce(m.payer_account, r.payer_account),
      payer_bank = coalesce(m.payer_bank, r.payer_bank), creditor_account = coalesce(m.creditor_account, r.creditor_account),
      creditor_references = case when m.creditor_references = '{}' then r.creditor_references else m.creditor_references end,
      remittance = case when m.remittance = '' then r.remittance else m.remittance end, bank_words = coalesce(m.bank_words, r.bank_words),
      unmatched = case when m.state = 'suspense' and (
        (m.creditor_account is null and r.creditor_account is not null) or (m.creditor_references = '{}' and r.creditor_references <> '{}')
        or (m.remittance = '' and r.remittance <> '') or (m.payer_account is null and r.payer_account is not null))
        then 'again' else m.unmatched end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, booked_on date, value_on date, announced_entry_id uuid,
      booked_entry_id uuid, reference text, other_reference text, entry_reference text, transaction_reference text, uetr text, payer_name text,
      payer_account text, payer_bank text, creditor_account text, creditor_references text[], remittance text, bank_words text)
    where m.id = r.id`.execute(tx);
}

/** A batch whose parts are moneys of their own by now: the books give free what they held for it. */
export async function markDetailed(tx: PlatformTx, id: string): Promise<void> {
  await sql`select bank_release(${id}, ${newId()})`.execute(tx);
  await sql`update bank_money set state = 'detailed', unmatched = null, settled_at = now() where id = ${id}`.execute(
    tx,
  );
}

function fieldsOf(money: NewMoney) {
  return {
    amount: money.amountMinor.toString(),
    booked_on: money.bookedOn,
    value_on: money.valueOn,
    announced_entry_id: money.announcedEntryId,
    booked_entry_id: money.bookedEntryId,
    reference: money.reference,
    other_reference: money.otherReference,
    entry_reference: money.entryReference,
    transaction_reference: money.transactionReference,
    end_to_end: money.endToEnd,
    uetr: money.uetr,
    said: money.said,
    is_reversal: money.isReversal,
    is_undetailed: money.isUndetailed,
    payer_name: money.payerName,
    payer_account: money.payerAccount,
    payer_bank: money.payerBank,
    creditor_account: money.creditorAccount,
    creditor_references: money.creditorReferences,
    remittance: money.remittance,
    return_reason: money.returnReason,
    return_words: money.returnWords,
    bank_words: money.bankWords,
  };
}
