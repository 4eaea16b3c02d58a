import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../../platform/database/database.ts';
import type { StoredPayment } from '../../../outgoing/index.ts';
import type { StoredInstruction } from './instruction.ts';
import type { StoredTransfer } from './transfer-instruction.ts';

/** Payments on their way to a bank, and the orders that have them. Amounts in minor units. */

export interface OrderLine {
  transactionId: string;
  companyId: string;
  walletId: string;
  bank: string;
  asset: string;
  amountMinor: bigint;
  uetr: string;
  endToEnd: string;
  serviceLevel: string;
  instruction: StoredInstruction | StoredTransfer;
  orderId: string | null;
  state: 'waiting' | 'ordered' | 'accepted' | 'settled' | 'refused' | 'returned';
}

const lineColumns = sql`l.transaction_id as "transactionId", l.company_id as "companyId", l.wallet_id as "walletId", l.bank_id as bank,
  l.asset_id as asset, l.amount as "amountMinor", l.uetr, l.end_to_end as "endToEnd", l.service_level as "serviceLevel", l.instruction,
  l.order_id as "orderId", l.state`;

export async function findLine(tx: PlatformTx, transactionId: string): Promise<OrderLine | null> {
  const { rows } = await sql<OrderLine>`
    select ${lineColumns} from bank_order_line l where l.transaction_id = ${transactionId}`.execute(tx);
  return rows[0] ?? null;
}

/** Under the lock of its transaction, which is taken before. */
export async function lockLine(tx: PlatformTx, transactionId: string): Promise<OrderLine | null> {
  const { rows } = await sql<OrderLine>`
    select ${lineColumns} from bank_order_line l where l.transaction_id = ${transactionId} for update`.execute(tx);
  return rows[0] ?? null;
}

export async function insertLine(tx: PlatformTx, line: Omit<OrderLine, 'orderId' | 'state'>): Promise<void> {
  const { transactionId, companyId, walletId, bank, asset, amountMinor, uetr, endToEnd, serviceLevel, instruction } =
    line;
  await sql`
    insert into bank_order_line (transaction_id, company_id, wallet_id, bank_id, asset_id, amount, uetr, end_to_end, service_level, instruction)
    values (${transactionId}, ${companyId}, ${walletId}, ${bank}, ${asset}, ${amountMinor.toString()}::numeric, ${uetr}, ${endToEnd},
      ${serviceLevel}, ${JSON.stringify(instruction)}::jsonb)`.execute(tx);
}

export async function setLineState(tx: PlatformTx, transactionId: string, state: OrderLine['state']): Promise<void> {
  await sql`update bank_order_line set state = ${state} where transaction_id = ${transactionId}`.execute(tx);
}

/** A stored payment out of a bank, as it was submitted. */
export interface PayoutRecord extends StoredPayment {
  bank: string;
  uetr: string;
  /** The bank takes orders over an API, one for each payment. */
  isByApi: boolean;
  /** Of the company. */
  companyName: string;
  /** False where its currency is to be bought for it and was not, exactly, for at most what was authorised. */
  isBought: boolean;
}

export async function readPayout(tx: Tx, id: string): Promise<PayoutRecord | null> {
  const { rows } = await sql<PayoutRecord & { payingWalletId: string | null; boundMinor: bigint | null }>`
    select t.company_id as "companyId", t.id, t.type, w.id as "walletId", t.payee_id as "payeeId", t.payee_account as "payeeAccount",
      w.chain_id as "chainId", p.asset_id as coin, coalesce(p.amount, t.quantity) as "amountMinor", t.notes, s.jws, p.terms,
      p.bank_id as bank, p.uetr, b.opens_accounts as "isByApi", company.name as "companyName",
      case when p.wallet_id is not null then t.wallet_id end as "payingWalletId", e.bound as "boundMinor",
      p.wallet_id is null or coalesce(e.executed_at is not null and e.buy_wallet_id = p.wallet_id and e.sell_wallet_id = t.wallet_id
        and e.executed_bought = p.amount + p.fee and e.executed_sold + e.executed_fee <= e.bound, false) as "isBought",
      array(select f.file_id::text from outgoing_attachment f
        where f.company_id = t.company_id and f.transaction_id = t.id) as "attachmentIds"
    from transaction t
    join payout p on p.company_id = t.company_id and p.transaction_id = t.id
    join wallet w on w.company_id = t.company_id and w.id = coalesce(p.wallet_id, t.wallet_id) and w.bank_id = p.bank_id
      and w.asset_id = p.asset_id
    join bank b on b.id = p.bank_id
    join company on company.company_id = t.company_id
    left join exchange e on e.company_id = p.company_id and e.transaction_id = p.transaction_id
    left join outgoing_authorisation s on s.company_id = t.company_id and s.transaction_id = t.id
    where t.company_id = company_id() and t.id = ${id}`.execute(tx);
  const [row] = rows;
  if (!row) return null;
  const { payingWalletId, boundMinor, ...payout } = row;
  const isPaidWithCoins = payingWalletId !== null && boundMinor !== null;
  return { ...payout, boughtWith: isPaidWithCoins ? { walletId: payingWalletId, boundMinor } : null };
}

/** What the installation is at a bank, for the head of an order. */
export interface Payer {
  holder: string;
  account: string;
  bic: string;
  bankName: string;
  timeZone: string;
  calendars: string[];
  cutOff: string;
}

export async function readPayer(tx: PlatformTx, bank: string, asset: string): Promise<Payer | null> {
  const { rows } = await sql<Payer>`
    select b.account_holder as holder, ba.collecting_account as account, b.bic, b.name as "bankName", b.time_zone as "timeZone",
      b.calendars, ba.cut_off as "cutOff"
    from bank_asset ba join bank b on b.id = ba.bank_id
    where ba.bank_id = ${bank} and ba.asset_id = ${asset} and ba.collecting_account is not null`.execute(tx);
  return rows[0] ?? null;
}

/** Currencies and service levels in which payments wait for an order. */
export async function waitingGroups(tx: PlatformTx, bank: string): Promise<{ asset: string; serviceLevel: string }[]> {
  const { rows } = await sql<{ asset: string; serviceLevel: string }>`
    select distinct asset_id as asset, service_level as "serviceLevel" from bank_order_line
    where bank_id = ${bank} and state = 'waiting' order by 1, 2`.execute(tx);
  return rows;
}

/**
 * Locks those that may leave, in the order in which they came. The operator's switches and freezes of their companies are held back until the
 * transaction ends; a payment of another company that came meanwhile is left for the next order, since its company could be frozen before
 * this one is written.
 */
export async function lockReady(
  tx: PlatformTx,
  { bank, asset, serviceLevel }: { bank: string; asset: string; serviceLevel: string },
  most: number,
): Promise<OrderLine[]> {
  await sql`select pg_advisory_xact_lock_shared(switch_lock('banks'))`.execute(tx);
  const { rows: held } = await sql<{ companyId: string }>`
    select company_id as "companyId", pg_advisory_xact_lock_shared(lock) from (
      select distinct company_id, freeze_lock(company_id) as lock from bank_order_line
      where transaction_id in (select bank_orders_ready(${bank}, ${asset}, ${serviceLevel}, ${most})) order by 2) locks`.execute(
    tx,
  );
  const companies = held.map(({ companyId }) => companyId);
  const { rows } = await sql<OrderLine>`
    select ${lineColumns} from bank_order_line l
    where l.state = 'waiting' and l.company_id = any (${companies}::uuid[])
      and l.transaction_id in (select bank_orders_ready(${bank}, ${asset}, ${serviceLevel}, ${most}))
    order by l.created_at, l.transaction_id for update skip locked`.execute(tx);
  return rows;
}

export interface NewOrder {
  id: string;
  bank: string;
  asset: string;
  messageId: string;
  /** Null: it is sent over an API. */
  fileName: string | null;
  content: Buffer;
  totalMinor: bigint;
  transactionIds: readonly string[];
}

export async function insertOrder(tx: PlatformTx, order: NewOrder): Promise<void> {
  const { id, bank, asset, messageId, fileName, content, totalMinor, transactionIds } = order;
  await sql`
    insert into bank_order (id, bank_id, asset_id, message_id, file_name, content, payments, total)
    values (${id}, ${bank}, ${asset}, ${messageId}, ${fileName}, ${content}, ${transactionIds.length}, ${totalMinor.toString()}::numeric)`.execute(
    tx,
  );
  await sql`
    update bank_order_line set order_id = ${id}, state = 'ordered' where transaction_id = any (${[...transactionIds]}::uuid[])`.execute(
    tx,
  );
}

/** An order that the bank does not have for certain. */
export interface OpenOrder {
  id: string;
  messageId: string;
  fileName: string;
  content: Buffer;
  state: 'made' | 'uploading' | 'uploaded';
}

/** Those in files. */
export async function openOrders(tx: PlatformTx, bank: string): Promise<OpenOrder[]> {
  const { rows } = await sql<OpenOrder>`
    select id, message_id as "messageId", file_name as "fileName", content, state from bank_order
    where bank_id = ${bank} and state in ('made', 'uploading', 'uploaded') and file_name is not null order by made_at, id`.execute(
    tx,
  );
  return rows;
}

/** Notes a step of an order's delivery. @returns false where it is no longer at the step before */
export async function advanceOrder(
  tx: PlatformTx,
  id: string,
  from: OpenOrder['state'],
  to: 'uploading' | 'uploaded' | 'delivered',
): Promise<boolean> {
  const { rows } = await sql`
    update bank_order set state = ${to}, delivered_at = case when ${to} = 'delivered' then now() else delivered_at end
    where id = ${id} and state = ${from} returning id`.execute(tx);
  return rows.length === 1;
}

/** The payments of an order by company. */
export async function companiesOf(tx: PlatformTx, orderId: string): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ companyId: string; ids: string[] }>`
    select company_id as "companyId", array_agg(transaction_id::text order by transaction_id) as ids from bank_order_line
    where order_id = ${orderId} group by company_id order by company_id`.execute(tx);
  return new Map(rows.map(({ companyId, ids }) => [companyId, ids]));
}

/** Says on payments of the current company in which order they are. @returns those that did not say so yet */
export async function nameOrder(
  tx: Tx,
  ids: readonly string[],
  { messageId, fileName }: { messageId: string; fileName: string | null },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update payout set message_id = ${messageId}, file_name = ${fileName}
    where company_id = company_id() and transaction_id = any (${[...ids]}::uuid[]) and message_id is null
    returning transaction_id as id`.execute(tx);
  return rows.map(({ id }) => id);
}

export async function insertAnswer(
  tx: Tx,
  transactionId: string,
  { status, reason, words }: { status: string | null; reason: string | null; words: string | null },
): Promise<void> {
  await sql`
    insert into payout_answer (company_id, transaction_id, number, status, reason, words)
    select company_id(), ${transactionId}, coalesce(max(number), 0) + 1, ${status}, ${reason}, ${words}
    from payout_answer where company_id = company_id() and transaction_id = ${transactionId}`.execute(tx);
}

/** Notes which money of the bank a payment is. */
export async function insertPayoutMoney(
  tx: Tx,
  { transactionId, kind, moneyId }: { transactionId: string; kind: 'paid' | 'returned'; moneyId: string },
): Promise<void> {
  await sql`
    insert into payout_money (company_id, transaction_id, kind, money_id)
    values (company_id(), ${transactionId}, ${kind}, ${moneyId})`.execute(tx);
  await sql`
    update bank_money set state = ${kind === 'paid' ? 'paid' : 'sentBack'}, matched_by = 'payout', unmatched = null, suggestions = '[]',
      settled_at = now() where id = ${moneyId}`.execute(tx);
}

/** Payments that these names are of: UETR, EndToEndId. */
export async function linesNamed(
  tx: PlatformTx,
  bank: string,
  { uetrs, endToEnds }: { uetrs: readonly string[]; endToEnds: readonly string[] },
): Promise<OrderLine[]> {
  if (uetrs.length + endToEnds.length === 0) return [];
  const { rows } = await sql<OrderLine>`
    select ${lineColumns} from bank_order_line l where l.bank_id = ${bank}
      and (l.uetr = any (${[...uetrs]}::uuid[]) or l.end_to_end = any (${[...endToEnds]}::text[]))`.execute(tx);
  return rows;
}

/** Looks again at what came back of a payment before its own booking was read. */
export async function lookAgain(
  tx: PlatformTx,
  { uetr, endToEnd }: Pick<OrderLine, 'uetr' | 'endToEnd'>,
): Promise<void> {
  await sql`
    update bank_money set unmatched = 'again' where state = 'suspense' and unmatched = 'payout'
      and (uetr = ${uetr} or end_to_end = ${endToEnd})`.execute(tx);
}
