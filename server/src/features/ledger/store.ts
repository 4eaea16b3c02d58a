import { type RawBuilder, sql } from 'kysely';
import { type CompaniesTx, databaseError, type Tx } from '../../platform/database/database.ts';
import { DomainError, invariant } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import { type AccountKind, accountNormals, type Posting, settledLegs } from './domain.ts';

/** One account's current state; `balanceMinor` in the asset's minor units, signed. */
export interface Account {
  id: string;
  ownerId: string;
  kind: AccountKind;
  assetId: string;
  balanceMinor: bigint;
  version: number;
}

/**
 * Posts; the only way entries come to be. The database locks the accounts in order, keeps the balances, and refuses a
 * posting that is unbalanced, names a foreign account, or breaks a balance's sign.
 * A source has each kind of posting once; a second is a unique violation and ends the transaction: ask `findPosting` first.
 * @throws DomainError insufficientBalance
 */
export async function post(tx: Tx, posting: Posting): Promise<void> {
  const legs = settledLegs(posting.legs);
  invariant(legs.length > 0, `posting ${posting.kind} moves something`);
  try {
    await sql`select ledger_post(${posting.id}, ${posting.kind}, ${posting.sourceId}, ${posting.description},
      ${posting.correctsId ?? null}, ${legs.map((leg) => leg.accountId)}::uuid[],
      ${legs.map((leg) => leg.amountMinor.toString())}::numeric[])`.execute(tx);
  } catch (error) {
    if (isBrokenBalance(error)) throw new DomainError('insufficientBalance');
    throw error;
  }
}

/** What became of one posting of a batch; `repeated`: its source has had this kind of posting before. */
type PostingOutcome = 'posted' | 'repeated' | 'insufficient';

/**
 * Posts many in one call: each is decided in turn, as if it were posted alone; those refused leave no trace
 * and do not hold up the others. Returns results in the order of the postings. Corrections are not for batches.
 */
export async function postBatch(tx: Tx, postings: readonly Omit<Posting, 'correctsId'>[]): Promise<PostingOutcome[]> {
  const { rows } = await sql<{ outcomes: PostingOutcome[] }>`
    select ledger_post_batch(${columnsOf(postings)}) as outcomes`.execute(tx);
  return rows[0]?.outcomes ?? [];
}

/**
 * Posts all of them, of one or several companies, or throws. Each posting names its company, which the transaction must have
 * been begun for; its accounts are looked for in that company. Corrections are not for batches.
 * A source that has had this kind of posting already is a unique violation and ends the transaction.
 * @throws DomainError insufficientBalance
 */
export async function postAll(
  tx: CompaniesTx,
  postings: readonly (Omit<Posting, 'correctsId'> & { companyId: string })[],
): Promise<void> {
  if (postings.length === 0) return;
  try {
    await sql`select ledger_post_all(${postings.map(({ companyId }) => companyId)}::uuid[], ${columnsOf(postings)})`.execute(
      tx,
    );
  } catch (error) {
    if (isBrokenBalance(error)) throw new DomainError('insufficientBalance');
    throw error;
  }
}

/** The postings and their legs, as the posting functions for many take them. */
function columnsOf(postings: readonly Omit<Posting, 'correctsId'>[]): RawBuilder<unknown> {
  const legs = postings.flatMap((posting, index) =>
    settledLegs(posting.legs).map((leg) => ({ ...leg, item: index + 1 })),
  );
  invariant(new Set(legs.map((leg) => leg.item)).size === postings.length, 'each posting of a batch moves something');
  return sql`${postings.map((posting) => posting.id)}::uuid[], ${postings.map((posting) => posting.kind)}::text[],
    ${postings.map((posting) => posting.sourceId)}::uuid[], ${postings.map((posting) => posting.description)}::text[],
    ${legs.map((leg) => leg.item)}::integer[], ${legs.map((leg) => leg.accountId)}::uuid[],
    ${legs.map((leg) => leg.amountMinor.toString())}::numeric[]`;
}

/** Whether a database error says that a balance would have broken its sign. */
function isBrokenBalance(error: unknown): boolean {
  const known = databaseError(error);
  return known?.state === '23514' && known.constraint === 'ledger_account_balance';
}

/** Whether this source has had this kind of posting; null, or the posting's id. */
export async function findPosting(tx: Tx, sourceId: string, kind: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from ledger_posting where company_id = company_id() and source_id = ${sourceId} and kind = ${kind}`.execute(
    tx,
  );
  return rows[0]?.id ?? null;
}

/** The legs of a posting as they were posted. */
export async function legsOf(tx: Tx, postingId: string): Promise<{ accountId: string; amountMinor: bigint }[]> {
  const { rows } = await sql<{ accountId: string; amountMinor: bigint }>`
    select account_id as "accountId", amount as "amountMinor" from ledger_entry
    where company_id = company_id() and posting_id = ${postingId} order by account_id`.execute(tx);
  return rows;
}

/** The owners of accounts. */
export async function ownersOf(tx: Tx, accountIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct owner_id as id from ledger_account
    where company_id = company_id() and id = any (${[...accountIds]}::uuid[]) order by 1`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Opens the accounts of one owner (a wallet) in one asset; those it has already stay as they are. */
export async function openAccounts(
  tx: Tx,
  ownerId: string,
  assetId: string,
  kinds: readonly AccountKind[],
): Promise<void> {
  await sql`select ledger_open(${ownerId}, ${assetId}, ${kinds.map(() => newId())}::uuid[], ${[...kinds]}::text[],
    ${kinds.map((kind) => accountNormals[kind])}::text[])`.execute(tx);
}

/** Every account of these owners. */
export async function accountsOf(tx: Tx, ownerIds: readonly string[]): Promise<Account[]> {
  const { rows } = await sql<Account>`
    select id, owner_id as "ownerId", kind, asset_id as "assetId", balance as "balanceMinor", version
    from ledger_account where company_id = company_id() and owner_id = any (${[...ownerIds]}::uuid[])`.execute(tx);
  return rows;
}

/** The accounts of one owner by kind; asserts that it has those asked for. */
export async function accountsByKind<K extends AccountKind>(
  tx: Tx,
  ownerId: string,
  kinds: readonly K[],
): Promise<Record<K, Account>> {
  const found = new Map((await accountsOf(tx, [ownerId])).map((account) => [account.kind, account]));
  const byKind: Partial<Record<K, Account>> = {};
  for (const kind of kinds) {
    const account = found.get(kind);
    invariant(account, `owner ${ownerId} has an account ${kind}`);
    byKind[kind] = account;
  }
  return byKind as Record<K, Account>;
}

/** One line of a statement; amounts in minor units. */
export interface StatementLine {
  sequence: number;
  at: Date;
  kind: string;
  description: string;
  sourceId: string;
  amountMinor: bigint;
  balanceMinor: bigint;
}

/** An account's entries, newest first, from below `beforeSequence` (exclusive) on. */
export async function statement(
  tx: Tx,
  accountId: string,
  limit: number,
  beforeSequence: number | null,
): Promise<StatementLine[]> {
  const { rows } = await sql<StatementLine>`
    select e.sequence, e.created_at as at, p.kind, p.description, p.source_id as "sourceId", e.amount as "amountMinor",
      e.balance_after as "balanceMinor"
    from ledger_entry e join ledger_posting p on p.company_id = e.company_id and p.id = e.posting_id
    where e.company_id = company_id() and e.account_id = ${accountId}
      and (${beforeSequence}::bigint is null or e.sequence < ${beforeSequence})
    order by e.sequence desc limit ${limit}`.execute(tx);
  return rows;
}

/**
 * The balances of accounts just before each of some instants, and the number of the entry that each is after; an account without
 * an entry by then has 0 and 0. Within an account time never runs backwards, so it is enough that one entry in 64 is indexed by
 * time: from the last of those before the instant it is at most 64 places to the entry asked for.
 */
export async function balancesAt(
  tx: Tx,
  accountIds: readonly string[],
  instants: readonly Date[],
): Promise<{ accountId: string; at: Date; balanceMinor: bigint; sequence: number }[]> {
  const { rows } = await sql<{ accountId: string; at: Date; balanceMinor: bigint; sequence: number }>`
    select a.id as "accountId", t.at, coalesce(e.balance_after, 0) as "balanceMinor", coalesce(e.sequence, 0) as sequence
    from unnest(${[...accountIds]}::uuid[]) as a (id) cross join unnest(${[...instants]}::timestamptz[]) as t (at)
    cross join lateral (
      -- Named here: behind a row-level policy, a comparison with an expression is no condition of an index.
      select coalesce(max(sequence), 0) as first, coalesce(max(sequence), 0) + 64 as last from (
        select sequence from ledger_entry
        where company_id = company_id() and account_id = a.id and sequence % 64 = 0 and created_at < t.at
        order by created_at desc, sequence desc limit 1
      ) found
    ) indexed
    left join lateral (
      select balance_after, sequence from ledger_entry
      where company_id = company_id() and account_id = a.id and created_at < t.at
        and sequence >= indexed.first and sequence <= indexed.last
      order by sequence desc limit 1
    ) e on true`.execute(tx);
  return rows;
}

/** Watches an account: a balance below `belowMinor`, and one that is back, is announced as `ledgerEvents.crossed`; null: no longer. */
export async function watchBelow(tx: Tx, accountId: string, belowMinor: bigint | null): Promise<void> {
  await sql`select ledger_watch(${accountId}, ${belowMinor?.toString() ?? null}::numeric)`.execute(tx);
}

/** The thresholds of watched accounts of some owners, minor units. */
export async function watchesOf(tx: Tx, ownerIds: readonly string[], kind: AccountKind): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ ownerId: string; belowMinor: bigint }>`
    select owner_id as "ownerId", watch_below as "belowMinor" from ledger_account
    where company_id = company_id() and owner_id = any (${[...ownerIds]}::uuid[]) and kind = ${kind}
      and watch_below is not null`.execute(tx);
  return new Map(rows.map(({ ownerId, belowMinor }) => [ownerId, belowMinor]));
}
