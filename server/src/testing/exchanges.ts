import { sql } from 'kysely';
import pg from 'pg';
import { newId } from '../platform/ids.ts';
import type { TestCompany } from './company.ts';
import type { TestDatabase } from './database.ts';

/** An exchange as the position reads it: what the platform took and gave, in minor units, and the middle prices in US dollars. */
export interface TestExchange {
  sell: keyof TestCompany['wallets'];
  buy: keyof TestCompany['wallets'];
  sold: bigint;
  bought: bigint;
  fee?: bigint;
  /** A currency in place of what the sold wallet holds: the position looks at assets, not at wallets. */
  currency?: string;
  sellUsd?: string;
  buyUsd?: string;
  executedAt?: string;
}

/** Writes an executed exchange, as the HTTP process does; returns its id. Without the postings, which no position reads. */
export async function executedExchange(db: TestDatabase, company: TestCompany, given: TestExchange): Promise<string> {
  const [id, boughtId, quoteId] = [newId(), newId(), newId()];
  const { sell, buy, sold, bought, fee = 0n, sellUsd = '2500', buyUsd = '1' } = given;
  const at = given.executedAt ?? new Date().toISOString();
  const [sellWallet, buyWallet] = [company.wallets[sell], company.wallets[buy]];
  await db.app.withCompany(company.id, async (tx) => {
    await sql`
      insert into exchange_quote (company_id, id, member_id, sell_wallet_id, buy_wallet_id, sell_asset, buy_asset, fixed, sold, fee, bought, mid,
        rate, spread_bp, fee_bp, sell_usd, buy_usd, sources, rated_at, digest, expires_at)
      values (company_id(), ${quoteId}, ${newId()}, ${sellWallet}, ${buyWallet}, ${given.currency ?? sell}, ${buy}, 'sell', ${sold}, ${fee}, ${bought},
        ${sellUsd}::numeric / ${buyUsd}::numeric, ${sellUsd}::numeric / ${buyUsd}::numeric, 0, 0, ${sellUsd}, ${buyUsd}, '{test}', now(),
        decode(repeat('00', 32), 'hex'), now() + interval '30 seconds')`.execute(tx);
    await sql`
      insert into exchange (company_id, transaction_id, sell_wallet_id, buy_wallet_id, sell_asset, buy_asset, fixed, sold, fee, bought, bound,
        submitted_quote_id, executed_quote_id, executed_sold, executed_fee, executed_bought, bought_transaction_id, executed_at)
      values (company_id(), ${id}, ${sellWallet}, ${buyWallet}, ${given.currency ?? sell}, ${buy}, 'sell', ${sold}, ${fee}, ${bought}, ${bought}, ${quoteId},
        ${quoteId}, ${sold}, ${fee}, ${bought}, ${boughtId}, ${at})`.execute(tx);
    await sql`
      insert into transaction (company_id, id, type, status, stage, direction, wallet_id, chain_id, coin, quantity, fee, notes, created_at, stage_at,
        completed_at)
      values (company_id(), ${id}, 'crypto_exchange_out', 'completed', 'completed', 'out', ${sellWallet}, 'ethereum', ${sell}, ${sold}, ${fee}, '',
        ${at}, ${at}, ${at})`.execute(tx);
  });
  return id;
}

export interface TestLimit {
  mostLong?: string | null;
  mostShort?: string | null;
  hedgeFrom?: string | null;
  hedgeTo?: string | null;
}

/** Sets the limits of an asset, in minor units, as two operators do; `agreed: false`: as the console of one operator would. */
export async function setLimit(
  db: TestDatabase,
  asset: string,
  limit: TestLimit,
  { agreed = true } = {},
): Promise<void> {
  const values = { mostLong: null, mostShort: null, hedgeFrom: null, hedgeTo: null, ...limit };
  await asConsole(db, { kind: 'exchange.limit', subject: asset, input: values }, async (client, { by, proposal }) => {
    const { mostLong, mostShort, hedgeFrom, hedgeTo } = values;
    await client.query(
      `insert into exchange_limit (id, asset_id, most_long, most_short, hedge_from, hedge_to, reason, set_by, proposal_id)
      values ($1, $2, $3, $4, $5, $6, 'test', $7, $8)`,
      [newId(), asset, mostLong, mostShort, hedgeFrom, hedgeTo, by, agreed ? proposal : null],
    );
  });
}

export interface TestTerms {
  companyId?: string;
  sell?: string;
  buy?: string;
  fromUsdCents?: string;
  basisPoints: number | null;
}

/** Sets what is added to the spread of a pair, from now on, as two operators do. */
export async function setTerms(db: TestDatabase, terms: TestTerms): Promise<void> {
  const { companyId = null, sell = null, buy = null, fromUsdCents = '0', basisPoints } = terms;
  const input = { companyId, sell, buy, fromUsdCents, basisPoints, validFrom: null };
  await asConsole(db, { kind: 'exchange.terms', subject: newId(), input }, async (client, { proposal }) => {
    await client.query(
      `insert into exchange_terms (id, company_id, sell_asset, buy_asset, from_usd_cents, basis_points, valid_from, proposal_id)
      values ($1, coalesce($2, '00000000-0000-0000-0000-000000000000'::uuid), $3, $4, $5, $6, now(), $7)`,
      [newId(), companyId, sell, buy, fromUsdCents, basisPoints, proposal],
    );
  });
}

/** With a proposal that was confirmed, in the rights of the operator's console. */
async function asConsole(
  db: TestDatabase,
  { kind, subject, input }: { kind: string; subject: string; input: unknown },
  work: (client: pg.Client, made: { by: string; proposal: string }) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: db.superuserUrl });
  await client.connect();
  try {
    const [by, confirmedBy, proposal] = [newId(), newId(), newId()];
    await client.query('set search_path = causeway');
    await client.query(
      `insert into operator_account (id, email, name, role, state, language)
      select id, id || '@operator.test', id, 'treasury', 'invited', 'en_US' from unnest($1::uuid[]) as id`,
      [[by, confirmedBy]],
    );
    await client.query(
      `insert into operator_proposal (id, kind, subject_kind, subject_id, input, before, reason, proposed_by, expires_at, state, decided_by, decided_at)
      values ($1, $2, 'asset', $3, $4, '{}', 'test', $5, now() + interval '1 day', 'confirmed', $6, now())`,
      [proposal, kind, subject, JSON.stringify(input), by, confirmedBy],
    );
    await client.query('set role causeway_console');
    await work(client, { by, proposal });
  } finally {
    await client.end();
  }
}
