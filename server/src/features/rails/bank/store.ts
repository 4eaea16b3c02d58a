import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';

/** Moneys of banks on their way into the books. Amounts in minor units; positive came in. */

export interface UnsettledMoney {
  id: string;
  bank: string;
  asset: string;
  collectionId: string;
  /** The account of the installation that its statement is about. */
  collectionNumber: string;
  amountMinor: bigint;
  state: 'new' | 'suspense' | 'charged';
  isReversal: boolean;
  isUndetailed: boolean;
  reference: string | null;
  transactionReference: string | null;
  endToEnd: string | null;
  uetr: string | null;
  payerName: string | null;
  payerAccount: string | null;
  creditorAccount: string | null;
  creditorReferences: string[];
  remittance: string;
  bookedOn: string | null;
  valueOn: string | null;
  returnReason: string | null;
  /** The bank's own words beside it. */
  returnWords: string | null;
  /** The bank itself says that a payment comes back: by a reason, a reversal, or its code of the booking (ISO 20022, RRTN). */
  isReturn: boolean;
}

const columns = sql`m.id, c.bank_id as bank, c.asset_id as asset, c.id as "collectionId", c.number as "collectionNumber", m.amount as "amountMinor",
  m.state, m.is_reversal as "isReversal", m.is_undetailed as "isUndetailed", m.reference, m.transaction_reference as "transactionReference",
  m.end_to_end as "endToEnd", m.uetr, m.payer_name as "payerName", m.payer_account as "payerAccount", m.creditor_account as "creditorAccount",
  m.creditor_references as "creditorReferences", m.remittance, m.booked_on::text as "bookedOn", m.value_on::text as "valueOn",
  m.return_reason as "returnReason", m.return_words as "returnWords", m.return_reason is not null or m.is_reversal or exists (select from bank_entry e
    where e.id in (m.booked_entry_id, m.announced_entry_id) and e.code like '%-RRTN') as "isReturn"`;

/** What waits to be posted, and what is looked at again, in the order in which it was read; `after` an id. */
export async function unsettledMoneys(tx: PlatformTx, after: string | null, most: number): Promise<UnsettledMoney[]> {
  const { rows } = await sql<UnsettledMoney>`
    select ${columns} from bank_money m join bank_collection c on c.id = m.collection_id
    where (m.state = 'new' or m.unmatched = 'again') and (${after}::uuid is null or m.id > ${after}) order by m.id limit ${most}`.execute(
    tx,
  );
  return rows;
}

/** Reads moneys that are still to be settled, and locks them until the transaction's end; another worker may have been quicker. */
export async function lockUnsettled(tx: PlatformTx, ids: readonly string[]): Promise<UnsettledMoney[]> {
  const { rows } = await sql<UnsettledMoney>`
    select ${columns} from bank_money m join bank_collection c on c.id = m.collection_id
    where m.id = any (${[...ids]}::uuid[]) and (m.state = 'new' or m.unmatched = 'again') order by m.id for update of m`.execute(
    tx,
  );
  return rows;
}

/**
 * Money in suspense that names several companies is looked at again when one company announces its amount. What names none is left to an
 * operator: an announcement proves nothing.
 */
export async function lookAgain(tx: Tx, noticeId: string): Promise<void> {
  await sql`
    update bank_money m set unmatched = 'again'
    from recharge_notice n join wallet w on w.company_id = n.company_id and w.id = n.wallet_id
    join bank_collection c on c.bank_id = w.bank_id and c.asset_id = w.asset_id
    where n.company_id = company_id() and n.id = ${noticeId} and n.status = 'waiting'
      and m.collection_id = c.id and m.state = 'suspense' and m.unmatched = 'several' and m.amount = n.amount`.execute(
    tx,
  );
}

/** Locks money in suspense until the transaction's end; null when it is no longer held. */
export async function lockHeld(tx: PlatformTx, id: string): Promise<UnsettledMoney | null> {
  const { rows } = await sql<UnsettledMoney>`
    select ${columns} from bank_money m join bank_collection c on c.id = m.collection_id
    where m.id = ${id} and m.state = 'suspense' and m.reversed_by_id is null for update of m`.execute(tx);
  return rows[0] ?? null;
}

export async function ownersOfNumbers(
  tx: PlatformTx,
  { bank, asset }: Pick<UnsettledMoney, 'bank' | 'asset'>,
  numbers: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ number: string; companyId: string }>`
    select number, company_id as "companyId" from bank_owners(${bank}, ${asset}, ${[...numbers]}::text[])`.execute(tx);
  return new Map(rows.map(({ number, companyId }) => [number, companyId]));
}

export async function ownersOfReferences(
  tx: PlatformTx,
  { bank, asset }: Pick<UnsettledMoney, 'bank' | 'asset'>,
  references: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ reference: string; companyId: string }>`
    select reference, company_id as "companyId"
    from bank_reference_owners(${bank}, ${asset}, ${[...references]}::text[])`.execute(tx);
  return new Map(rows.map(({ reference, companyId }) => [reference, companyId]));
}

/** Announced payments of this amount, at most ten. */
export async function announcedOf(
  tx: PlatformTx,
  { bank, asset, amountMinor }: UnsettledMoney,
): Promise<{ companyId: string; noticeId: string }[]> {
  const { rows } = await sql<{ companyId: string; noticeId: string }>`
    select company_id as "companyId", notice_id as "noticeId"
    from bank_announced(${bank}, ${asset}, ${amountMinor.toString()}::numeric)`.execute(tx);
  return rows;
}

/** Companies that this payer's account has paid before. */
export async function paidBefore(tx: PlatformTx, { bank, asset, payerAccount }: UnsettledMoney): Promise<string[]> {
  if (payerAccount === null) return [];
  const { rows } = await sql<{ companyId: string }>`
    select company_id as "companyId" from bank_paid_before(${bank}, ${asset}, ${payerAccount}) as company_id`.execute(
    tx,
  );
  return rows.map(({ companyId }) => companyId);
}

/** The name in which the company has its account. */
export async function holderOf(tx: Tx, bank: string, asset: string): Promise<string | null> {
  const { rows } = await sql<{ holder: string }>`
    select holder_name as holder from bank_account
    where company_id = company_id() and bank_id = ${bank} and asset_id = ${asset}`.execute(tx);
  return rows[0]?.holder ?? null;
}

/** A company's wallet at a bank, with what a deposit needs. */
export interface CreditWallet {
  walletId: string;
  accountNumber: string;
  feeMinor: bigint;
  bankId: string;
  availableId: string;
  feeId: string;
  deficitMinor: bigint;
}

export async function creditWallet(tx: Tx, bank: string, asset: string): Promise<CreditWallet | null> {
  const { rows } = await sql<CreditWallet>`
    select w.id as "walletId", b.account_number as "accountNumber", ba.recharge_fee as "feeMinor",
      (array_agg(a.id) filter (where a.kind = 'bank'))[1] as "bankId",
      (array_agg(a.id) filter (where a.kind = 'available'))[1] as "availableId",
      (array_agg(a.id) filter (where a.kind = 'fee'))[1] as "feeId",
      sum(a.balance) filter (where a.kind = 'deficit') as "deficitMinor"
    from wallet w
    join bank_account b on b.company_id = w.company_id and b.bank_id = w.bank_id and b.asset_id = w.asset_id
    join bank_asset ba on ba.bank_id = w.bank_id and ba.asset_id = w.asset_id
    join ledger_account a on a.company_id = w.company_id and a.owner_id = w.id
    where w.company_id = company_id() and w.bank_id = ${bank} and w.asset_id = ${asset}
    group by w.id, b.account_number, ba.recharge_fee`.execute(tx);
  return rows[0] ?? null;
}

export interface Credit {
  transactionId: string;
  money: UnsettledMoney;
  matchedBy: string;
}

/** Notes which deposits of the company moneys are. */
export async function insertCredits(tx: Tx, credits: readonly Credit[]): Promise<void> {
  const rows = credits.map(({ transactionId, money, matchedBy }) => ({
    transaction_id: transactionId,
    money_id: money.id,
    bank_id: money.bank,
    asset_id: money.asset,
    reference: money.reference ?? money.transactionReference,
    end_to_end: money.endToEnd,
    booked_on: money.bookedOn,
    matched_by: matchedBy,
  }));
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (transaction_id uuid, money_id uuid, bank_id text, asset_id text,
        reference text, end_to_end text, booked_on date, matched_by text)
    ), settled as (
      update bank_money m set state = 'credited', matched_by = g.matched_by, unmatched = null, suggestions = '[]', settled_at = now()
      from given g where m.id = g.money_id
    )
    insert into bank_credit (company_id, transaction_id, money_id, bank_id, asset_id, reference, end_to_end, booked_on)
    select company_id(), transaction_id, money_id, bank_id, asset_id, reference, end_to_end, booked_on from given`.execute(
    tx,
  );
}

/** Gives free what the installation's books hold of a money; false when they hold nothing of it. */
export async function release(tx: PlatformTx, moneyId: string, postingId: string): Promise<boolean> {
  const { rows } = await sql<{ released: boolean }>`select bank_release(${moneyId}, ${postingId}) as released`.execute(
    tx,
  );
  return rows[0]?.released ?? false;
}

/** Why money was not credited: `payout`, it names a payment of ours and does not fit it; `undetailed`, `several` (it names more than one company), `reversal` (of what?), `nothing` fits. */
export type Unmatched = 'payout' | 'undetailed' | 'several' | 'reversal' | 'nothing';

export interface Suggestion {
  companyId: string;
  /** payerBefore, accountNear, noticeOpen, reference: how the company was found; `value` is what was found. */
  why: 'payerBefore' | 'accountNear' | 'noticeOpen' | 'reference';
  value: string;
}

export async function markHeld(
  tx: PlatformTx,
  money: { id: string; amountMinor: bigint },
  { unmatched, suggestions }: { unmatched: Unmatched; suggestions: readonly Suggestion[] },
): Promise<void> {
  await sql`
    update bank_money set state = ${money.amountMinor > 0n ? 'suspense' : 'charged'}, unmatched = ${unmatched},
      suggestions = ${JSON.stringify(suggestions)}::jsonb, settled_at = coalesce(settled_at, now())
    where id = ${money.id}`.execute(tx);
}

/**
 * Moneys that the bank may take back by another: the same amount the other way, and one of the bank's or the payer's names of it. What came in, what was
 * collected of fees, or what settled with the issuer of cards in either direction.
 */
export async function reversible(
  tx: PlatformTx,
  taken: UnsettledMoney,
): Promise<{ id: string; state: 'credited' | 'suspense' | ExplainedAs }[]> {
  const { reference, transactionReference, uetr, endToEnd, collectionId, amountMinor } = taken;
  const { rows } = await sql<{ id: string; state: 'credited' | 'suspense' | ExplainedAs }>`
    select id, state from bank_money
    where collection_id = ${collectionId} and amount = ${(-amountMinor).toString()}::numeric and state in ('credited', 'suspense', 'fees', 'cards')
      and reversed_by_id is null and (reference = ${reference} or transaction_reference = ${transactionReference}
        or uetr = ${uetr} or end_to_end = ${endToEnd})
    order by id limit 2`.execute(tx);
  return rows;
}

/** Whether a money has a name of one, the other way at its account, that operators explained: of whatever amount, returned or withdrawn since. */
export async function namesExplained(tx: PlatformTx, money: UnsettledMoney): Promise<boolean> {
  const { reference, transactionReference, uetr, endToEnd, collectionId, amountMinor } = money;
  const { rows } = await sql`
    select from bank_money m
    where m.collection_id = ${collectionId} and sign(m.amount) = ${amountMinor < 0n ? 1 : -1} and (m.reference = ${reference}
        or m.transaction_reference = ${transactionReference} or m.uetr = ${uetr} or m.end_to_end = ${endToEnd})
      and exists (select from bank_explanation x where x.money_id = m.id) limit 1`.execute(tx);
  return rows.length > 0;
}

/** Locks both sides of a reversal; false when one of them is settled otherwise by now. */
export async function lockReversal(tx: PlatformTx, takenId: string, originalId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from bank_money where (id = ${takenId} and state = 'new')
      or (id = ${originalId} and state in ('credited', 'suspense') and reversed_by_id is null)
    order by id for update`.execute(tx);
  return rows.length === 2;
}

/** Locks money in suspense and the debit that sent it back; false unless both are still held, at one account and of one amount. */
export async function lockReturn(tx: PlatformTx, heldId: string, takenId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string; place: string; size: bigint }>`
    select id, collection_id as place, abs(amount) as size from bank_money
    where (id = ${heldId} and state = 'suspense' and reversed_by_id is null)
      or (id = ${takenId} and state = 'charged' and reverses_id is null)
    order by id for update`.execute(tx);
  const [one, other] = rows;
  return one !== undefined && other !== undefined && one.place === other.place && one.size === other.size;
}

export async function markReversed(tx: PlatformTx, takenId: string, originalId: string): Promise<void> {
  await sql`
    update bank_money set state = 'reversal', reverses_id = ${originalId}, settled_at = now() where id = ${takenId}`.execute(
    tx,
  );
  await sql`
    update bank_money set reversed_by_id = ${takenId}, unmatched = null,
      state = case state when 'suspense' then 'returned' else state end where id = ${originalId}`.execute(tx);
}

/** `short`: the fees of companies do not cover it. `settled`: it is no debit that is held and explained by nothing. */
export type FeesOutcome = 'collected' | 'short' | 'settled';

/** Sets a debit that is held off against companies' fees in its currency at its bank, the oldest first (migration 0663). */
export async function collectFees(tx: PlatformTx, moneyId: string): Promise<FeesOutcome> {
  const { rows } = await sql<{ outcome: FeesOutcome }>`select bank_collect_fees(${moneyId}) as outcome`.execute(tx);
  return rows[0]?.outcome ?? 'settled';
}

/** `short`: less is owed to the issuer of cards, or by it. `settled`: it is no money that is held and explained by nothing. */
export type CardsOutcome = 'explained' | 'short' | 'settled';

/** Sets a held money off against what companies' cards owe in its currency at its bank (migration 0663). */
export async function settleCards(tx: PlatformTx, moneyId: string): Promise<CardsOutcome> {
  const { rows } = await sql<{ outcome: CardsOutcome }>`select bank_settle_cards(${moneyId}) as outcome`.execute(tx);
  return rows[0]?.outcome ?? 'settled';
}

/** What operators explain a booking as: the firm's transfer of fees, or settled with the issuer of cards. */
export type ExplainedAs = 'fees' | 'cards';

/**
 * Returns what the booking `explainedId` was explained as, all of it or a part, as the bank did by `returnedId` (migration 0664). False where either is
 * settled otherwise by now, they do not belong together, or more would be returned than was explained.
 */
export async function returnExplained(
  tx: PlatformTx,
  {
    returnedId,
    explainedId,
    about,
    by,
  }: { returnedId: string; explainedId: string; about: ExplainedAs; by: 'operator' | null },
): Promise<boolean> {
  const { rows } = await sql<{ isReturned: boolean }>`
    select bank_return_explained(${returnedId}, ${explainedId}, ${about}, ${by}) as "isReturned"`.execute(tx);
  return rows[0]?.isReturned ?? false;
}

/**
 * `other`: it was withdrawn before, the bank has returned of it, or it is the bank's own word. `short`: what a return had put back was collected or settled
 * since.
 */
export type WithdrawalOutcome = 'withdrawn' | 'short' | 'other';

/** Withdraws an explanation, or a return that operators recorded, by its id: its booking is held as before (migration 0664). */
export async function withdrawExplanation(tx: PlatformTx, explanationId: string): Promise<WithdrawalOutcome> {
  const { rows } = await sql<{ outcome: WithdrawalOutcome }>`
    select bank_withdraw_explanation(${explanationId}) as outcome`.execute(tx);
  return rows[0]?.outcome ?? 'other';
}

/** Of a money: its bank's name, and its amount without sign. */
export async function settlementPlace(
  tx: PlatformTx,
  moneyId: string,
): Promise<{ bank: string; asset: string; decimals: number; sizeMinor: bigint }> {
  const { rows } = await sql<{ bank: string; asset: string; decimals: number; sizeMinor: bigint }>`
    select b.name as bank, a.id as asset, a.decimals, abs(m.amount) as "sizeMinor"
    from bank_money m join bank_collection c on c.id = m.collection_id join bank b on b.id = c.bank_id join asset a on a.id = c.asset_id
    where m.id = ${moneyId}`.execute(tx);
  const [row] = rows;
  invariant(row, `money ${moneyId} is at a bank`);
  return row;
}

export async function companyCredited(tx: PlatformTx, moneyId: string): Promise<string | null> {
  const { rows } = await sql<{ companyId: string | null }>`
    select bank_credited_to(${moneyId}) as "companyId"`.execute(tx);
  return rows[0]?.companyId ?? null;
}

export async function depositOf(tx: Tx, moneyId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select transaction_id as id from bank_credit where company_id = company_id() and money_id = ${moneyId}`.execute(tx);
  return rows[0]?.id ?? null;
}
