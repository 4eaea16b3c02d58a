import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';

/** What the issuer said and could not be booked; amounts in minor units. */

export interface KeptMessage {
  problem:
    | 'unreadable'
    | 'unknownType'
    | 'unknownCard'
    | 'otherCard'
    | 'otherCurrency'
    | 'otherContent'
    | 'declinedAfterCleared';
  /** What it is about within its problem; null: its own bytes. */
  about: string | null;
  /** Null: that of `cardToken`, where the company has it. */
  cardId: string | null;
  token: string | null;
  purchaseToken: string | null;
  cardToken: string | null;
  type: string;
  amountMinor: bigint | null;
  currency: string | null;
  /** As it was received. */
  body: string;
}

/** Keeps it once, however often it is said. */
export async function insertMessage(tx: Tx, message: KeptMessage): Promise<void> {
  const { problem, about, cardId, token, purchaseToken, cardToken, type, amountMinor, currency } = message;
  const body = withoutCardNumbers(message.body).replaceAll('\0', '').slice(0, 70_000);
  const key = `${problem} ${about ?? createHash('sha256').update(body).digest('hex')}`.slice(0, 400);
  await sql`
    insert into card_message (company_id, id, problem, key, card_id, token, purchase_token, card_token, type, amount, currency, body)
    values (company_id(), ${newId()}, ${problem}, ${key},
      coalesce(${cardId}::uuid, (select c.id from card c where c.company_id = company_id() and c.issuer_token = ${cardToken})), ${token}, ${purchaseToken}, ${cardToken}, ${type.slice(0, 100)},
      ${amountMinor?.toString() ?? null}::numeric, ${currency}, ${body})
    on conflict (company_id, key) do nothing`.execute(tx);
}

/** Digits in one, and in the groups in which cards have them. */
const runs = /(?<!\d)(?:\d{13,}|\d{4}(?:[ -]\d{4}){3}(?:[ -]\d{1,3})?|\d{4}[ -]\d{6}[ -]\d{4,5})(?!\d)/g;

/** A text with what could be the number of a card masked but for its last four digits: 13 to 19 digits whose check digit is right (ISO/IEC 7812-1). */
export function withoutCardNumbers(text: string): string {
  return text.replace(runs, (found) => {
    const digits = found.replace(/\D/g, '');
    for (let length = Math.min(19, digits.length); length >= 13; length -= 1) {
      for (let at = 0; at + length <= digits.length; at += 1) {
        if (isChecked(digits.slice(at, at + length))) return `••••${digits.slice(-4)}`;
      }
    }
    return found;
  });
}

/** The Luhn formula. */
function isChecked(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((all, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return all + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

export interface UnknownCardRow {
  id: string;
  cardToken: string;
  purchaseToken: string | null;
}

/** Those of the installation that wait for their card to be known, the earliest first. */
export async function findUnknownCards(tx: Tx, most: number): Promise<UnknownCardRow[]> {
  const { rows } = await sql<UnknownCardRow>`
    select id, card_token as "cardToken", purchase_token as "purchaseToken" from card_message
    where company_id = company_id() and problem = 'unknownCard' and ended_at is null and card_token is not null
    order by received_at, id limit ${most}`.execute(tx);
  return rows;
}

export async function endMessage(tx: Tx, id: string): Promise<void> {
  await sql`
    update card_message set ended_at = now() where company_id = company_id() and id = ${id} and ended_at is null`.execute(
    tx,
  );
}

/** Whether another card of this company, or any of another one, has this purchase. */
export async function isOfAnotherCard(tx: Tx, purchaseToken: string, cardId: string): Promise<boolean> {
  const { rows } = await sql<{ other: boolean }>`
    select coalesce(
      (select bool_or(card_id <> ${cardId}) from (
        select card_id from card_purchase where company_id = company_id() and token = ${purchaseToken}
        union all select card_id from card_request where company_id = company_id() and purchase_token = ${purchaseToken}
        union all select card_id from card_event where company_id = company_id() and purchase_token = ${purchaseToken}) own),
      card_purchase_elsewhere(${purchaseToken})) as other`.execute(tx);
  return rows[0]?.other ?? false;
}

/** An event as it was taken in; null: it was not. */
export async function findEvent(tx: Tx, token: string): Promise<{ type: string; amountMinor: bigint | null } | null> {
  const { rows } = await sql<{ type: string; amountMinor: bigint | null }>`
    select type, amount as "amountMinor" from card_event where company_id = company_id() and token = ${token}`.execute(
    tx,
  );
  return rows[0] ?? null;
}
