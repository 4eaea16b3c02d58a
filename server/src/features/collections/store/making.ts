import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import type { Rate } from '../service/rates.ts';
import type { Language, RequestRow } from './requests.ts';

/** What members write of requests; amounts in minor units. */

/** A coin on a chain that the company has an open wallet of. */
export interface AcceptableCoin {
  chainId: string;
  chainName: string;
  coin: string;
  decimals: number;
  walletId: string;
  /** Of deposits. */
  minimumMinor: bigint;
}

/** Those that are switched on and can be received. */
export async function findAcceptable(tx: Tx): Promise<AcceptableCoin[]> {
  const { rows } = await sql<AcceptableCoin>`
    select w.chain_id as "chainId", c.name as "chainName", w.asset_id as coin, a.decimals, w.id as "walletId",
      coalesce(priced.recharge_minimum, a.minimum) as "minimumMinor"
    from wallet w join chain c on c.id = w.chain_id and c.enabled and not c.paused
    join chain_asset ca on ca.chain_id = w.chain_id and ca.coin = w.asset_id and ca.enabled and not ca.deposits_paused
    join asset a on a.id = w.asset_id
    join chain_address d on d.company_id = w.company_id and d.chain_id = w.chain_id and d.derivation_index is not null
    cross join lateral prices_at(company_id(), w.asset_id, w.chain_id, now()) priced
    where w.company_id = company_id() order by w.asset_id, c.name, c.id`.execute(tx);
  return rows;
}

export async function countRunning(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from payment_request
    where company_id = company_id() and state in ('preparing', 'open', 'processing', 'unresolved')`.execute(tx);
  return rows[0]?.count ?? 0;
}

export type NewRequest = Pick<
  RequestRow,
  | ('id' | 'token' | 'kind' | 'pricing' | 'asset' | 'amountMinor' | 'toleranceMinor' | 'tolerancePercent' | 'title')
  | ('reference' | 'note' | 'payerName' | 'payerEmail' | 'payerLanguage' | 'dueOn' | 'reminderDays' | 'expiresAt')
  | ('createdBy' | 'createdByName' | 'createdAt')
> & {
  /** SHA-256 of what it is made from. */
  madeAs: Buffer;
};

const numeric = (minor: bigint | null) => sql`${minor?.toString() ?? null}::numeric`;

export async function insertRequest(tx: Tx, made: NewRequest): Promise<void> {
  await sql`
    insert into payment_request (company_id, id, token, kind, pricing, asset_id, amount, tolerance, tolerance_percent, title, reference, note,
      payer_name, payer_email, payer_language, due_on, reminder_days, expires_at, created_by, created_by_name, created_at, made_as)
    values (company_id(), ${made.id}, ${made.token}, ${made.kind}, ${made.pricing}, ${made.asset}, ${numeric(made.amountMinor)},
      ${numeric(made.toleranceMinor)}, ${made.tolerancePercent}, ${made.title}, ${made.reference}, ${made.note}, ${made.payerName},
      ${made.payerEmail}, ${made.payerLanguage}, ${made.dueOn}::date, ${made.reminderDays}::integer[], ${made.expiresAt}, ${made.createdBy},
      ${made.createdByName}, ${made.createdAt}, ${made.madeAs})`.execute(tx);
}

export async function isMadeAs(tx: Tx, id: string, madeAs: Buffer): Promise<boolean> {
  const { rows } = await sql`
    select from payment_request where company_id = company_id() and id = ${id} and made_as = ${madeAs}`.execute(tx);
  return rows.length > 0;
}

export async function insertOptions(
  tx: Tx,
  requestId: string,
  options: readonly Pick<AcceptableCoin, 'chainId' | 'coin' | 'walletId'>[],
): Promise<void> {
  await sql`
    insert into payment_request_option (company_id, request_id, chain_id, coin, wallet_id)
    select company_id(), ${requestId}, o.chain_id, o.coin, o.wallet_id
    from unnest(${options.map(({ chainId }) => chainId)}::text[], ${options.map(({ coin }) => coin)}::text[],
      ${options.map(({ walletId }) => walletId)}::uuid[]) as o (chain_id, coin, wallet_id)`.execute(tx);
}

/** A period, with the rates that hold in it and what lacks in each coin by them. */
export async function insertPeriod(
  tx: Tx,
  requestId: string,
  period: {
    number: number;
    startsAt: Date;
    expiresAt: Date | null;
    amountMinor: bigint | null;
    rates: readonly (Rate & { amountMinor: bigint })[];
  },
): Promise<void> {
  const { number, startsAt, expiresAt, amountMinor, rates } = period;
  await sql`
    insert into payment_request_period (company_id, request_id, number, starts_at, expires_at, amount)
    values (company_id(), ${requestId}, ${number}, ${startsAt}, ${expiresAt}, ${numeric(amountMinor)})`.execute(tx);
  if (rates.length === 0) return;
  await sql`
    insert into payment_request_rate (company_id, request_id, period, coin, rate, rate_at, amount)
    select company_id(), ${requestId}, ${number}, r.* from unnest(${rates.map(({ coin }) => coin)}::text[],
      ${rates.map(({ rate }) => rate)}::numeric[], ${rates.map(({ at }) => at)}::timestamptz[],
      ${rates.map((rate) => rate.amountMinor.toString())}::numeric[]) as r`.execute(tx);
}

export async function setEditable(
  tx: Tx,
  id: string,
  edit: {
    note: string;
    payerName: string | null;
    payerEmail: string | null;
    payerLanguage: Language | null;
    reminderDays: readonly number[];
  },
): Promise<void> {
  await sql`
    update payment_request set note = ${edit.note}, payer_name = ${edit.payerName}, payer_email = ${edit.payerEmail},
      payer_language = ${edit.payerLanguage}, reminder_days = ${[...edit.reminderDays]}::integer[],
      reminders_stopped_at = case when payer_email is not distinct from ${edit.payerEmail} then reminders_stopped_at end,
      version = version + 1, updated_at = clock_timestamp()
    where company_id = company_id() and id = ${id}`.execute(tx);
}

export async function setCancelled(tx: Tx, id: string, at: Date): Promise<void> {
  await sql`update payment_request set cancelled_at = ${at} where company_id = company_id() and id = ${id}`.execute(tx);
}

export async function setClosed(
  tx: Tx,
  id: string,
  { as, at, valueMinor }: { as: 'accepted' | 'by_hand'; at: Date; valueMinor: bigint },
): Promise<void> {
  await sql`
    update payment_request set closed_as = ${as}, closed_at = ${at}, closed_value = ${numeric(valueMinor)}
    where company_id = company_id() and id = ${id}`.execute(tx);
}

export async function setExpiry(tx: Tx, id: string, expiresAt: Date): Promise<void> {
  await sql`update payment_request set expires_at = ${expiresAt}, end_judged = false where company_id = company_id() and id = ${id}`.execute(
    tx,
  );
}

/** That a member has decided on payments. */
export async function setDecided(tx: Tx, transactionIds: readonly string[], at: Date): Promise<void> {
  await sql`
    update payment_request_payment set decided_at = ${at}
    where company_id = company_id() and transaction_id = any (${[...transactionIds]}::uuid[]) and decided_at is null`.execute(
    tx,
  );
}

/** A transfer that gives a payment back; in minor units of its coin. */
export async function insertRefund(
  tx: Tx,
  refund: { transactionId: string; requestId: string; paymentId: string; amountMinor: bigint },
): Promise<void> {
  await sql`
    insert into payment_request_refund (company_id, transaction_id, request_id, payment_id, amount)
    values (company_id(), ${refund.transactionId}, ${refund.requestId}, ${refund.paymentId}, ${numeric(refund.amountMinor)})`.execute(
    tx,
  );
}
