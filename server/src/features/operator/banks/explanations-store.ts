import type { BankExplained } from '@causeway/contract/operator-banks-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { sumCardsOwed } from './cards-store.ts';
import { columns, type MoneyRow, source, sumFees } from './moneys-store.ts';

/** What bookings of banks were explained as by two operators, and what the bank returned of it. Amounts in minor units. */

/** What companies have of fees, or what their cards owe the issuer, in a currency at a bank. */
export function sumOf(tx: PlatformTx, about: BankExplained, place: Pick<MoneyRow, 'bank' | 'asset'>): Promise<bigint> {
  return about === 'fees' ? sumFees(tx, place) : sumCardsOwed(tx, place);
}

/** So many bookings are offered as what a held one may be a return of. */
const returnableMost = 100;

const inForce = sql`not exists (select from bank_explanation w where w.withdraws_id = x.id)`;

export interface ExplanationRow {
  id: string;
  about: BankExplained;
  /** `returned`: the booking returned what another was explained as. */
  step: 'explained' | 'returned';
  moneyId: string;
  /** What it took off the companies' accounts; negative where it put back. */
  amountMinor: bigint;
  /** Whether the bank has returned of it. */
  isReturned: boolean;
  /** Whether what it put back was not collected or settled since. Always true of `explained`. */
  covered: boolean;
}

/** What a booking is explained as, or what it returned; null when neither is in force. */
export async function findExplanation(tx: PlatformTx, moneyId: string): Promise<ExplanationRow | null> {
  const { rows } = await sql<ExplanationRow>`
    select x.id, x.about, x.step, x.money_id as "moneyId", x.amount as "amountMinor",
      x.step = 'explained' and exists (select from bank_explanation r where r.money_id = x.money_id and r.step = 'returned'
        and not exists (select from bank_explanation w where w.withdraws_id = r.id)) as "isReturned",
      x.step = 'explained' or not exists (select from bank_explained_share k where k.explanation_id = x.id
        and not bank_put_back_is_there(k.company_id, x.about, k.wallet_id, k.amount)) as covered
    from bank_explanation x
    where ((x.step = 'explained' and x.money_id = ${moneyId}) or (x.step = 'returned' and x.by_id = ${moneyId})) and ${inForce}`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** How much of what a booking was explained as the bank has not returned, signed as what was taken off the companies' accounts; zero of others. */
export async function sumExplained(tx: PlatformTx, moneyId: string): Promise<bigint> {
  const { rows } = await sql<{ minor: bigint }>`
    select coalesce(sum(amount), 0) as minor from bank_explanation where money_id = ${moneyId}`.execute(tx);
  return rows[0]?.minor ?? 0n;
}

/**
 * Explained bookings that the bank may have returned by a held one, in whole or in part: the other way, at its account, not after it, and as much is not
 * returned yet. Those of which nothing else would remain come first, then the latest, 100 at most; or `only` one by its id. `openMinor` is without sign.
 */
export async function findReturnable(
  tx: PlatformTx,
  moneyId: string,
  { only }: { only?: string } = {},
): Promise<(MoneyRow & { openMinor: bigint })[]> {
  const { rows } = await sql<MoneyRow & { openMinor: bigint }>`
    select ${columns}, open.minor as "openMinor" from ${source}
    join bank_money held on held.id = ${moneyId} and held.state in ('suspense', 'charged') and not held.is_undetailed
    cross join lateral (select abs(sum(x.amount)) as minor from bank_explanation x where x.money_id = m.id) open
    where m.collection_id = held.collection_id and m.state in ('fees', 'cards') and m.reversed_by_id is null
      and sign(m.amount) = -sign(held.amount) and open.minor >= abs(held.amount)
      and (m.booked_on is null or held.booked_on is null or m.booked_on <= held.booked_on)
      and (${only ?? null}::uuid is null or m.id = ${only ?? null})
    order by open.minor = abs(held.amount) desc, m.booked_on desc nulls last, m.id desc limit ${returnableMost}`.execute(
    tx,
  );
  return rows;
}

/** The bookings by which the bank returned of an explained one, the first first. */
export async function findReturnsOf(tx: PlatformTx, moneyId: string, most: number): Promise<MoneyRow[]> {
  const { rows } = await sql<MoneyRow>`
    select ${columns} from ${source} join bank_explanation x on x.by_id = m.id and x.step = 'returned' and x.money_id = ${moneyId} and ${inForce}
    order by x.created_at, x.id limit ${most}`.execute(tx);
  return rows;
}

export interface ShareRow {
  companyId: string;
  companyName: string;
  amountMinor: bigint;
  companies: number;
}

/** Which company's part of an explanation, or of a return, is how large; the largest first. */
export async function findShares(tx: PlatformTx, explanationId: string, most: number): Promise<ShareRow[]> {
  const { rows } = await sql<ShareRow>`
    select s.company_id as "companyId", coalesce(y.name, '') as "companyName", s.amount as "amountMinor", (count(*) over ())::integer as companies
    from bank_explained_share s left join company y on y.company_id = s.company_id
    where s.explanation_id = ${explanationId} order by abs(s.amount) desc, s.company_id limit ${most}`.execute(tx);
  return rows;
}
