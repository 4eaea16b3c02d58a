import { sql } from 'kysely';
import type { PlatformTx } from '../../platform/database/database.ts';
import { type Said, sumUp } from './domain.ts';

/** One thing about cards that is not as it must be. */
export interface CardMismatch {
  companyId: string;
  /** The purchase, wallet or refund. */
  id: string;
  /** As the command line says it. */
  problem: string;
}

/** What the issuer is owed in a currency, minor units. */
export interface CardOwed {
  asset: string;
  minor: bigint;
}

const batch = 2000;

/**
 * Recomputes what cards hold and what was cleared from requests and events, and compares it with the purchases, the ledger and the transactions: of each purchase, what is
 * held and cleared; of each wallet, the account of what the issuer is owed. Runs as a role that reads across companies.
 */
export async function verifyCards(
  tx: PlatformTx,
): Promise<{ purchases: number; mismatches: CardMismatch[]; owed: CardOwed[] }> {
  const mismatches: CardMismatch[] = [];
  let purchases = 0;
  for (let after: { companyId: string; id: string } | null = null; ; ) {
    const rows = await readBatch(tx, after);
    for (const row of rows) mismatches.push(...checked(row));
    purchases += rows.length;
    after = rows.at(-1) ?? null;
    if (rows.length < batch || after === null) break;
  }
  mismatches.push(...(await ledgerMismatches(tx)));
  const { rows: owed } = await sql<CardOwed>`
    select asset_id as asset, sum(balance) as minor from ledger_account where kind = 'card' group by 1 order by 1`.execute(
    tx,
  );
  return { purchases, mismatches, owed };
}

interface PurchaseToCheck {
  companyId: string;
  id: string;
  heldMinor: bigint;
  clearedMinor: bigint;
  quantityMinor: bigint;
  status: string;
  said: {
    type: Said['type'];
    token: string;
    requestToken: string | null;
    amount: string | null;
    isLast: boolean;
    at: string;
  }[];
}

async function readBatch(tx: PlatformTx, after: { companyId: string; id: string } | null): Promise<PurchaseToCheck[]> {
  const { rows } = await sql<PurchaseToCheck>`
    select p.company_id as "companyId", p.id, p.held as "heldMinor", p.cleared as "clearedMinor", t.quantity as "quantityMinor", t.status,
      coalesce((select jsonb_agg(jsonb_build_object('type', s.type, 'token', s.token, 'requestToken', s.request_token, 'amount', s.amount::text,
          'isLast', s.is_last, 'at', s.at)) from (
        select 'requested' as type, q.token, null as request_token, q.approved as amount, false as is_last, q.at from card_request q
        where q.company_id = p.company_id and q.purchase_token = p.token and q.approved > 0
        union all
        select e.type, e.token, e.request_token, e.amount, e.is_last, e.at from card_event e
        where e.company_id = p.company_id and e.purchase_token = p.token and e.type not in ('refunded', 'refundReversed')) s), '[]') as said
    from card_purchase p join transaction t on t.company_id = p.company_id and t.id = p.id
    where ${after?.companyId ?? null}::uuid is null or (p.company_id, p.id) > (${after?.companyId ?? null}::uuid, ${after?.id ?? null}::uuid)
    order by p.company_id, p.id limit ${batch}`.execute(tx);
  return rows;
}

function checked(row: PurchaseToCheck): CardMismatch[] {
  const { companyId, id, heldMinor, clearedMinor, quantityMinor, status } = row;
  const said = row.said.map(
    ({ amount, at, ...each }): Said => ({
      ...each,
      amountMinor: amount === null ? null : BigInt(amount),
      at: new Date(at),
    }),
  );
  const sums = sumUp(said);
  const problems: string[] = [];
  if (sums.heldMinor !== heldMinor || sums.clearedMinor !== clearedMinor) {
    problems.push(
      `card purchase: held ${heldMinor}, cleared ${clearedMinor}; what was said of it makes ${sums.heldMinor} and ${sums.clearedMinor}`,
    );
  }
  if (heldMinor + clearedMinor > 0n && quantityMinor !== heldMinor + clearedMinor) {
    problems.push(
      `card purchase: its transaction has ${quantityMinor}, held and cleared are ${heldMinor + clearedMinor}`,
    );
  }
  const expected = heldMinor > 0n ? 'pending' : clearedMinor > 0n ? 'completed' : 'failed';
  if (status !== expected) problems.push(`card purchase: its transaction is ${status}, and should be ${expected}`);
  return problems.map((problem) => ({ companyId, id, problem }));
}

/** Of each wallet what its purchases have in `outbound`, and what is owed to the issuer. */
async function ledgerMismatches(tx: PlatformTx): Promise<CardMismatch[]> {
  const { rows } = await sql<CardMismatch>`
    with posted as (
      select e.company_id, p.source_id, sum(e.amount) filter (where a.kind = 'outbound') as held, sum(e.amount) filter (where a.kind = 'card') as cleared
      from ledger_posting p
      join ledger_entry e on e.company_id = p.company_id and e.posting_id = p.id
      join ledger_account a on a.company_id = e.company_id and a.id = e.account_id
      where p.kind like 'card.%' group by 1, 2
    )
    select p.company_id as "companyId", p.id, format('card purchase: held %s, cleared %s; the ledger has %s and %s', p.held, p.cleared,
      coalesce(l.held, 0), coalesce(l.cleared, 0)) as problem
    from card_purchase p left join posted l on l.company_id = p.company_id and l.source_id = p.id
    where p.held <> coalesce(l.held, 0) or p.cleared <> coalesce(l.cleared, 0)
    union all
    select r.company_id, r.id, format('card refund: %s; the ledger has %s', case when r.reversed_by is null then -r.amount else 0 end, coalesce(l.cleared, 0))
    from card_refund r left join posted l on l.company_id = r.company_id and l.source_id = r.id
    where (case when r.reversed_by is null then -r.amount else 0 end) <> coalesce(l.cleared, 0)
    union all
    select l.company_id, l.source_id, 'card posting: no purchase or refund explains it' from posted l
    where not exists (select from card_purchase p where p.company_id = l.company_id and p.id = l.source_id)
      and not exists (select from card_refund r where r.company_id = l.company_id and r.id = l.source_id)
    union all
    select a.company_id, a.owner_id, format('wallet: cards owe %s; cleared less refunds less settled is %s', a.balance, k.owed)
    from ledger_account a
    cross join lateral (select
      (select coalesce(sum(p.cleared), 0) from card_purchase p where p.company_id = a.company_id and p.wallet_id = a.owner_id)
      - (select coalesce(sum(r.amount), 0) from card_refund r join card c on c.company_id = r.company_id and c.id = r.card_id
        where r.company_id = a.company_id and c.wallet_id = a.owner_id and r.reversed_by is null)
      - (select coalesce(sum(s.amount), 0) from bank_explained_share s join bank_explanation x on x.id = s.explanation_id and x.about = 'cards'
        where s.company_id = a.company_id and s.wallet_id = a.owner_id) as owed) k
    where a.kind = 'card' and a.balance <> k.owed`.execute(tx);
  return rows;
}
