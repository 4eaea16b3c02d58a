import type { languages } from '@causeway/contract/locale.ts';
import type {
  PaymentRequestCause,
  PaymentRequestKind,
  PaymentRequestPricing,
  PaymentRequestState,
} from '@causeway/contract/payment-requests-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import type { Method, Period, Standing } from '../domain.ts';

export type Language = (typeof languages)[number];

/** A payment request of the company; amounts in minor units of its asset. */
export interface RequestRow {
  id: string;
  token: string;
  kind: PaymentRequestKind;
  pricing: PaymentRequestPricing;
  asset: string | null;
  decimals: number | null;
  amountMinor: bigint | null;
  toleranceMinor: bigint;
  tolerancePercent: string | null;
  title: string;
  reference: string;
  note: string;
  payerName: string | null;
  payerEmail: string | null;
  payerLanguage: Language | null;
  /** YYYY-MM-DD. */
  dueOn: string | null;
  reminderDays: number[];
  remindersStoppedAt: Date | null;
  expiresAt: Date | null;
  /** As the latest change left it. */
  state: PaymentRequestState;
  causes: PaymentRequestCause[];
  paidMinor: bigint;
  version: number;
  openedAt: Date | null;
  closedAs: 'accepted' | 'by_hand' | null;
  closedValueMinor: bigint | null;
  cancelledAt: Date | null;
  createdBy: string;
  createdByName: string;
  createdAt: Date;
  updatedAt: Date;
}

export const requestJoins = sql`payment_request q left join asset qa on qa.id = q.asset_id`;

export const requestColumns: RawBuilder<RequestRow> = sql`q.id, q.token, q.kind, q.pricing, q.asset_id as asset, qa.decimals, q.amount as "amountMinor",
  q.tolerance as "toleranceMinor", q.tolerance_percent as "tolerancePercent", q.title, q.reference, q.note, q.payer_name as "payerName",
  q.payer_email as "payerEmail", q.payer_language as "payerLanguage", q.due_on::text as "dueOn", q.reminder_days as "reminderDays",
  q.reminders_stopped_at as "remindersStoppedAt", q.expires_at as "expiresAt", q.state, q.causes, q.paid as "paidMinor", q.version,
  q.opened_at as "openedAt", q.closed_as as "closedAs", q.closed_value as "closedValueMinor", q.cancelled_at as "cancelledAt",
  q.created_by as "createdBy", q.created_by_name as "createdByName", q.created_at as "createdAt", q.updated_at as "updatedAt"`;

export async function readRequest(tx: Tx, id: string): Promise<RequestRow | null> {
  const { rows } = await sql<RequestRow>`
    select ${requestColumns} from ${requestJoins} where q.company_id = company_id() and q.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/** Locked until the transaction's end, and read behind the lock. */
export async function lockRequest(tx: Tx, id: string): Promise<RequestRow | null> {
  await sql`select from payment_request where company_id = company_id() and id = ${id} for no key update`.execute(tx);
  return readRequest(tx, id);
}

/** Whose request the token of a link is of; null: of none. */
export async function findByToken(
  tx: PlatformTx,
  token: string,
): Promise<{ companyId: string; requestId: string } | null> {
  const { rows } = await sql<{ companyId: string; requestId: string }>`
    select company_id as "companyId", request_id as "requestId" from payment_request_by_token(${token})`.execute(tx);
  return rows[0] ?? null;
}

export async function readPeriods(tx: Tx, requestId: string): Promise<Period[]> {
  const { rows } = await sql<Period>`
    select starts_at as "startsAt", expires_at as "expiresAt" from payment_request_period
    where company_id = company_id() and request_id = ${requestId} order by number`.execute(tx);
  return rows;
}

/** A request as rules see it. */
export function standingOf(row: RequestRow, periods: readonly Period[], methods: readonly Method[]): Standing {
  const { kind, pricing, amountMinor, toleranceMinor, decimals, openedAt, closedAs, closedValueMinor, cancelledAt } =
    row;
  return {
    ...{ kind, pricing, amountMinor, toleranceMinor, decimals, periods, methods, cancelledAt },
    isOpened: openedAt !== null,
    closed: closedAs === null ? null : { as: closedAs, valueMinor: closedValueMinor ?? 0n },
  };
}

/** A rate that holds for a period. */
export interface RateRow {
  period: number;
  coin: string;
  /** Units of the currency for one whole coin, a plain decimal. */
  rate: string;
  rateAt: Date;
}

/** The latest period first. */
export async function readRates(tx: Tx, requestId: string): Promise<RateRow[]> {
  const { rows } = await sql<RateRow>`
    select period, coin, rate::text, rate_at as "rateAt" from payment_request_rate
    where company_id = company_id() and request_id = ${requestId} order by period desc, coin`.execute(tx);
  return rows;
}

/** A coin on a chain that a request accepts. */
export interface OptionRow {
  chainId: string;
  chainName: string;
  coin: string;
  decimals: number;
  walletId: string;
  /** Of deposits, as it is now; in the coin's minor units. */
  minimumMinor: bigint;
  /** Null while the request is being prepared. */
  address: string | null;
}

export async function readOptions(tx: Tx, requestId: string): Promise<OptionRow[]> {
  const { rows } = await sql<OptionRow>`
    select o.chain_id as "chainId", c.name as "chainName", o.coin, a.decimals, o.wallet_id as "walletId", d.address,
      coalesce(priced.recharge_minimum, a.minimum) as "minimumMinor"
    from payment_request_option o join chain c on c.id = o.chain_id join asset a on a.id = o.coin
    left join payment_request_address d on d.company_id = o.company_id and d.request_id = o.request_id and d.chain_id = o.chain_id
    cross join lateral prices_at(o.company_id, o.coin, o.chain_id, now()) priced
    where o.company_id = company_id() and o.request_id = ${requestId} order by o.coin, c.name`.execute(tx);
  return rows;
}

/** A way to pay as rules see it, with the rate of the latest period. */
export function methodOf({ coin, decimals, minimumMinor }: OptionRow, rates: readonly RateRow[]): Method {
  return { decimals, minimumMinor, rate: frozenFor(coin, rates)?.rate ?? null };
}

/** The latest period is first. */
export function frozenFor(coin: string, rates: readonly RateRow[]): RateRow | undefined {
  return rates.find((each) => each.coin === coin);
}

export async function readAddresses(
  tx: Tx,
  requestId: string,
): Promise<{ chainId: string; chainName: string; address: string; isAccepted: boolean }[]> {
  const { rows } = await sql<{ chainId: string; chainName: string; address: string; isAccepted: boolean }>`
    select d.chain_id as "chainId", c.name as "chainName", d.address,
      exists (select from payment_request_option o where o.company_id = d.company_id and o.request_id = d.request_id
        and o.chain_id = d.chain_id) as "isAccepted"
    from payment_request_address d join chain c on c.id = d.chain_id
    where d.company_id = company_id() and d.request_id = ${requestId} order by c.name`.execute(tx);
  return rows;
}

/** Writes where a request is; its version rises. The worker has the right to these columns alone. */
export async function setJudged(
  tx: Tx,
  id: string,
  {
    state,
    causes,
    paidMinor,
  }: { state: PaymentRequestState; causes: readonly PaymentRequestCause[]; paidMinor: bigint },
): Promise<void> {
  await sql`
    update payment_request set state = ${state}, causes = ${[...causes]}::text[], paid = ${paidMinor.toString()}::numeric,
      version = version + 1, updated_at = clock_timestamp()
    where company_id = company_id() and id = ${id}`.execute(tx);
}
