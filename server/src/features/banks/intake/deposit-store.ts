import { sql } from 'kysely';
import type { Database, PlatformTx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';

/** Deposits of a bank with an HTTP API as they were last stored, and the events that the bank sent about them. */

/** What an adapter remembers between its visits; each is a transaction of its own. */
export interface DepositMemory {
  /** When the newest known one began. */
  newest(): Promise<Date | null>;
  /** The states in which these were stored, by id. */
  states(ids: readonly string[]): Promise<Map<string, string>>;
  /** Those on their way that were asked about least recently. */
  pending(most: number): Promise<string[]>;
  /** Notes the state in which one was stored, or was found again. */
  remember(deposit: RememberedDeposit): Promise<void>;
  /** Lets the pages of the account's company read again what is arriving. */
  announce(account: string, currency: string): Promise<void>;
  /** Events about deposits and transfers that wait to be asked about. */
  waitingEvents(): Promise<WaitingEvent[]>;
  answered(eventIds: readonly string[]): Promise<void>;
  /** Keeps what the bank states, minor units by currency; currencies that are not held there are left out. */
  keepStated(balances: ReadonlyMap<string, bigint>): Promise<void>;
}

export interface WaitingEvent {
  id: string;
  kind: 'deposit' | 'transfer';
  /** What it is about; null: it does not say. */
  objectId: string | null;
}

export interface RememberedDeposit {
  id: string;
  status: string;
  begunAt: Date;
  /** The number of the account that it is for; null: unknown. */
  account: string | null;
  currency: string | null;
  /** Minor units. */
  amountMinor: bigint | null;
  /** Who pays, and what they wrote, as far as the bank says so. */
  payer: string | null;
  reference: string | null;
}

export function createDepositMemory(database: Database, bank: string): DepositMemory {
  const run = <T>(work: (tx: PlatformTx) => Promise<T>) => database.withoutCompany(work);
  return {
    newest: () => run((tx) => findNewest(tx, bank)),
    states: (ids) => run((tx) => findStates(tx, bank, ids)),
    pending: (most) => run((tx) => findPending(tx, bank, most)),
    remember: (deposit) => run((tx) => writeDeposit(tx, bank, deposit)),
    async announce(account, currency) {
      for (const companyId of await run((tx) => findOwners(tx, bank, currency, account))) {
        await database.withCompany(companyId, (tx) => announce(tx, [live('balance')]));
      }
    },
    waitingEvents: () => run((tx) => findWaitingEvents(tx, bank)),
    answered: (eventIds) => run((tx) => markAsked(tx, bank, eventIds)),
    keepStated: (balances) => run((tx) => writeStated(tx, bank, balances)),
  };
}

async function findNewest(tx: PlatformTx, bank: string): Promise<Date | null> {
  const { rows } = await sql<{ newest: Date | null }>`
    select max(begun_at) as newest from bank_deposit where bank_id = ${bank}`.execute(tx);
  return rows[0]?.newest ?? null;
}

async function findStates(tx: PlatformTx, bank: string, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; status: string }>`
    select id, status from bank_deposit where bank_id = ${bank} and id = any (${[...ids]}::text[])`.execute(tx);
  return new Map(rows.map(({ id, status }) => [id, status]));
}

async function findPending(tx: PlatformTx, bank: string, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from bank_deposit where bank_id = ${bank} and status = 'PENDING' order by asked_at, id limit ${most}`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

async function writeDeposit(tx: PlatformTx, bank: string, deposit: RememberedDeposit): Promise<void> {
  const { id, status, begunAt, account, currency, amountMinor, payer, reference } = deposit;
  await sql`
    insert into bank_deposit as d (bank_id, id, status, begun_at, account_number, asset_id, amount, payer_name, reference)
    values (${bank}, ${id}, ${status}, ${begunAt}, ${account}, ${currency}, ${amountMinor?.toString() ?? null},
      ${payer}, ${reference})
    on conflict (bank_id, id) do update set status = excluded.status, asked_at = now(), account_number = excluded.account_number,
      asset_id = excluded.asset_id, amount = excluded.amount, payer_name = excluded.payer_name, reference = excluded.reference,
      status_at = case when d.status = excluded.status then d.status_at else now() end`.execute(tx);
}

async function findOwners(tx: PlatformTx, bank: string, asset: string, account: string): Promise<string[]> {
  const { rows } = await sql<{ companyId: string }>`
    select company_id as "companyId" from bank_owners(${bank}, ${asset}, array[${account}])`.execute(tx);
  return rows.map(({ companyId }) => companyId);
}

async function findWaitingEvents(tx: PlatformTx, bank: string): Promise<WaitingEvent[]> {
  const { rows } = await sql<WaitingEvent>`
    select id, case when name like 'deposit.%' then 'deposit' else 'transfer' end as kind, object_id as "objectId" from bank_event
    where bank_id = ${bank} and asked_at is null and (name like 'deposit.%' or name like 'payout.transfer.%')
    order by received_at, id limit 200`.execute(tx);
  return rows;
}

async function markAsked(tx: PlatformTx, bank: string, ids: readonly string[]): Promise<void> {
  await sql`
    update bank_event set asked_at = now() where bank_id = ${bank} and id = any (${[...ids]}::text[]) and asked_at is null`.execute(
    tx,
  );
}

async function writeStated(tx: PlatformTx, bank: string, balances: ReadonlyMap<string, bigint>): Promise<void> {
  await sql`
    insert into bank_stated as s (bank_id, asset_id, amount)
    select a.bank_id, a.asset_id, given.amount
    from unnest(${[...balances.keys()]}::text[], ${[...balances.values()].map(String)}::numeric[]) as given (asset, amount)
    join bank_asset a on a.bank_id = ${bank} and a.asset_id = given.asset
    on conflict (bank_id, asset_id) do update set amount = excluded.amount, stated_at = now()`.execute(tx);
}

/** An event that a bank sent, as it came. */
export interface BankEvent {
  bank: string;
  id: string;
  name: string;
  objectId: string | null;
  body: Uint8Array;
}

/** Stores an event, once however often it comes; it is the caller's to have verified it. */
export async function insertEvent(tx: PlatformTx, { bank, id, name, objectId, body }: BankEvent): Promise<void> {
  await sql`
    insert into bank_event (bank_id, id, name, object_id, body)
    values (${bank}, ${id}, ${name}, ${objectId}, ${Buffer.from(body)}) on conflict (bank_id, id) do nothing`.execute(
    tx,
  );
}

export interface DepositPlace {
  /** The installation's own account, to which the bank books what companies' accounts receive. */
  collectingAccount: string;
  /** IANA, of the bank. */
  timeZone: string;
  /** A money of this reference is in the books. */
  isKnown: boolean;
}

/** Where a deposit in a currency at a bank is booked; null: the currency is not held there. */
export async function findDepositPlace(
  tx: PlatformTx,
  bank: string,
  asset: string,
  reference: string,
): Promise<DepositPlace | null> {
  const { rows } = await sql<DepositPlace>`
    select a.collecting_account as "collectingAccount", b.time_zone as "timeZone",
      exists (select from bank_money m join bank_collection c on c.id = m.collection_id
        where c.bank_id = ${bank} and c.asset_id = ${asset} and m.reference = ${reference}) as "isKnown"
    from bank_asset a join bank b on b.id = a.bank_id
    where a.bank_id = ${bank} and a.asset_id = ${asset} and a.collecting_account is not null`.execute(tx);
  return rows[0] ?? null;
}
