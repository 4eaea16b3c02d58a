import { sayAmount } from '@causeway/contract/money.ts';
import { sql } from 'kysely';
import { nilCompany } from '../../identity/index.ts';
import { type Cause, mostCauses, type Source } from './cause.ts';
import { kept, type Phrase } from './words.ts';

/** Causes about cards and their issuer (docs/adr/0102-…). */

/** An event may come before the card's making was answered. */
const unknownCardAfterMinutes = 10;
/** A hold is looked up at the issuer from its fifteenth minute on, every five minutes. */
const unconfirmedAfterMinutes = 30;
/** Until then it is another service that fails. */
const silentAfterMinutes = 15;
/** So many characters of a message are in the item. */
const shownCharacters = 1000;
/** So many of its events. */
const mostEvents = 20;

const cardName = sql`concat_ws(' ', c.name, '·· ' || c.last_four)`;
/** One that a person has closed stays closed. */
const notClosed = (kind: string, subject: string) => sql`not exists (select from operator_item i where i.kind = ${kind}
  and i.subject = ${sql.raw(subject)}::text and i.state = 'resolved' and i.resolved_by is not null)`;

/** Of each wallet with blocked cards whose deficit is not made good. */
const overdrawn: Source = {
  kind: 'cardOverdrawn',
  async find(tx) {
    const { rows } = await sql<{
      walletId: string;
      companyId: string;
      since: Date;
      asset: string;
      decimals: number;
      minor: bigint;
      card: string;
      merchant: string | null;
    }>`
      select c.wallet_id as "walletId", c.company_id as "companyId", min(c.blocked_at) as since, a.id as asset, a.decimals, -d.balance as minor,
        string_agg(${cardName}, ', ' order by c.blocked_at) as card, max(p.merchant) as merchant
      from card c
      join ledger_account d on d.company_id = c.company_id and d.owner_id = c.wallet_id and d.kind = 'deficit' and d.balance < 0
      join asset a on a.id = d.asset_id
      left join lateral (select p.merchant from card_purchase p
        where p.company_id = c.company_id and p.card_id = c.id and p.overdrawn > 0 order by p.at desc limit 1) p on true
      where c.blocked_at is not null
      group by c.company_id, c.wallet_id, a.id, a.decimals, d.balance order by c.company_id, c.wallet_id limit ${mostCauses}`.execute(
      tx,
    );
    return rows.map(({ walletId, companyId, since, card, merchant, ...money }) => ({
      subject: `${companyId}/${walletId}`,
      ...{ companyId, since, money },
      facts: { card, ...(merchant !== null && { merchant }) },
    }));
  },
};

interface MessageRow {
  id: string;
  companyId: string;
  since: Date;
  problem: string;
  card: string | null;
  merchant: string | null;
  purchase: string | null;
  currency: string | null;
  asset: string | null;
  decimals: number | null;
  minor: bigint | null;
  /** All that was said of it, the earliest first. */
  events: { type: string; minor: string | null; currency: string | null; decimals: number | null }[];
  received: string;
  lastAt: string;
}

/**
 * What the issuer said and could not be booked, or contradicts what it said before: of one purchase, and for one reason, one item, with each event that is
 * concerned. What comes after a person has closed it is another item.
 */
const messages = (kind: 'cardContradicted' | 'cardEventUnread', problems: readonly string[]): Source => ({
  kind,
  async find(tx) {
    const { rows } = await sql<MessageRow>`
      with said as (
        select m.*, coalesce(m.purchase_token, m.id::text) as about, a.id as asset, a.decimals
        from card_message m left join asset a on a.id = m.currency and m.amount is not null
        where m.problem = any (${[...problems]}::text[]) and m.ended_at is null
          and (m.problem <> 'unknownCard' or m.received_at < clock_timestamp() - make_interval(mins => ${unknownCardAfterMinutes}))
      ), open as (
        select s.* from said s where not exists (
          select from said c join operator_item i on i.kind = ${kind} and i.subject = c.id::text and i.state = 'resolved' and i.resolved_by is not null
          where c.company_id = s.company_id and c.problem = s.problem and c.about = s.about
            and (c.id = s.id or s.received_at <= (i.facts ->> 'lastAt')::timestamptz))
      )
      select first.id, first.company_id as "companyId", first.received_at as since, first.problem, ${cardName} as card, p.merchant,
        first.purchase_token as purchase, last.currency, last.asset, last.decimals, last.amount as minor, every.events,
        left(last.body, ${shownCharacters}) || case when length(last.body) > ${shownCharacters} then '…' else '' end as received,
        last.received_at::text as "lastAt"
      from (select distinct on (company_id, problem, about) * from open order by company_id, problem, about, received_at, id) first
      cross join lateral (select * from open o where o.company_id = first.company_id and o.problem = first.problem and o.about = first.about
        order by o.received_at desc, o.id desc limit 1) last
      cross join lateral (select jsonb_agg(jsonb_build_object('type', o.type, 'minor', o.amount::text, 'currency', o.currency, 'decimals', o.decimals)
          order by o.received_at, o.id) as events
        from open o where o.company_id = first.company_id and o.problem = first.problem and o.about = first.about) every
      left join card c on c.company_id = first.company_id and c.id = first.card_id
      left join card_purchase p on p.company_id = first.company_id and p.token = first.purchase_token
      order by first.received_at, first.id limit ${mostCauses}`.execute(tx);
    return rows.map(causeOf);
  },
});

function causeOf({ id, companyId, since, problem, asset, decimals, minor, events, ...named }: MessageRow): Cause {
  return {
    subject: id,
    companyId: companyId === nilCompany ? null : companyId,
    since,
    money: asset === null || decimals === null || minor === null ? null : { asset, decimals, minor },
    facts: facts({ ...named, event: events.slice(0, mostEvents).map(sayEvent).join(', '), next: problem }),
  };
}

/** Its type, which the reader's language has a word for, and its amount. */
function sayEvent({ type, minor, currency, decimals }: MessageRow['events'][number]): string {
  if (minor === null || currency === null || decimals === null) return type;
  return `${type} ${sayAmount(BigInt(minor), decimals)} ${currency}`;
}

/** Those that are known. */
function facts(named: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(named).filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== ''),
  );
}

const contradicted = messages('cardContradicted', [
  'otherCard',
  'otherCurrency',
  'otherContent',
  'declinedAfterCleared',
]);
const unread = messages('cardEventUnread', ['unreadable', 'unknownType', 'unknownCard']);

interface PurchaseCause {
  id: string;
  companyId: string;
  since: Date;
  asset: string;
  decimals: number;
  minor: bigint;
  card: string;
  merchant: string;
  purchase: string;
}

const ofPurchase = ({ id, companyId, since, card, merchant, purchase, ...money }: PurchaseCause): Cause => ({
  ...{ subject: id, companyId, since, money },
  facts: { card, merchant, purchase },
});

/** Approved by us and held, and the issuer has not said what became of it. */
const unconfirmed: Source = {
  kind: 'cardUnconfirmed',
  async find(tx) {
    const { rows } = await sql<PurchaseCause>`
      select p.id, p.company_id as "companyId", p.at as since, a.id as asset, a.decimals, p.held as minor, ${cardName} as card, p.merchant,
        p.token as purchase
      from card_purchase p join card c on c.company_id = p.company_id and c.id = p.card_id join asset a on a.id = c.asset_id
      where p.held > 0 and p.at < clock_timestamp() - make_interval(mins => ${unconfirmedAfterMinutes})
        and not exists (select from card_event e where e.company_id = p.company_id and e.purchase_token = p.token)
      order by p.at, p.id limit ${mostCauses}`.execute(tx);
    return rows.map(ofPurchase);
  },
};

/** Approved by us, unknown to the issuer, and released; until the issuer says something of it. */
const notFound: Source = {
  kind: 'cardNotFound',
  async find(tx) {
    const { rows } = await sql<PurchaseCause>`
      select p.id, p.company_id as "companyId", e.received_at as since, a.id as asset, a.decimals, t.quantity as minor, ${cardName} as card,
        p.merchant, p.token as purchase
      from card_event e
      join card_purchase p on p.company_id = e.company_id and p.token = e.purchase_token
      join transaction t on t.company_id = p.company_id and t.id = p.id
      join card c on c.company_id = p.company_id and c.id = p.card_id join asset a on a.id = c.asset_id
      where starts_with(e.token, 'unknown-') and ${notClosed('cardNotFound', 'p.id')}
        and not exists (select from card_event x
          where x.company_id = e.company_id and x.purchase_token = e.purchase_token and not starts_with(x.token, 'unknown-'))
      order by e.received_at, p.id limit ${mostCauses}`.execute(tx);
    return rows.map(ofPurchase);
  },
};

/** The health check of the worker asks it all the time. */
const silent: Source = {
  kind: 'cardIssuerSilent',
  async find(tx) {
    const { rows } = await sql<{ since: Date; reason: string; said: Phrase | null }>`
      select since, reason, said from component_state
      where name = 'card-issuer' and state = 'failed' and since < now() - make_interval(mins => ${silentAfterMinutes})`.execute(
      tx,
    );
    return rows.map(({ since, reason, said }) => ({
      ...{ subject: 'card-issuer', companyId: null, since, money: null },
      facts: { error: reason, ...(said && { errorSaid: kept(said) }) },
    }));
  },
};

interface SettlementRow {
  id: string;
  bank: string;
  account: string;
  asset: string;
  decimals: number;
  minor: bigint;
  next: 'paid' | 'received';
  reference: string | null;
  bookedOn: string | null;
  at: Date;
  /** Whether the bank returned so much, rather than that it was settled. */
  isBack: boolean;
}

/** Of each booking by which the bank returned a settlement with the issuer, or a part of one, until as much was settled the same way at the bank after it. */
const settlementBack: Source = {
  kind: 'cardSettlementBack',
  async find(tx) {
    const { rows } = await sql<SettlementRow>`
      with step as (
        select coalesce(x.by_id, m.id) as id, m.id as money_id, c.bank_id as bank, c.number as account, c.asset_id as asset, x.amount,
          sign(m.amount) as direction, m.reference, m.transaction_reference, m.booked_on, x.created_at as at, x.by_id is not null as is_back,
          coalesce(b.booked_on, b.created_at::date) as day
        from bank_explanation x join bank_money m on m.id = x.money_id join bank_collection c on c.id = m.collection_id
        join bank_money b on b.id = coalesce(x.by_id, m.id)
        where x.about = 'cards' and x.step <> 'withdrawn' and not exists (select from bank_explanation w where w.withdraws_id = x.id)
      ), back as (
        select s.* from step s where s.is_back and ${notClosed('cardSettlementBack', 's.id')} and ${notClosed('cardSettlementBack', 's.money_id')}
      )
      select s.id, s.bank, s.account, s.asset, a.decimals, abs(s.amount) as minor, case when s.direction < 0 then 'paid' else 'received' end as next,
        coalesce(s.reference, s.transaction_reference) as reference, s.booked_on::text as "bookedOn", s.at, s.is_back as "isBack"
      from (select * from back union all
        select * from step s where not s.is_back and exists (select from back b where b.bank = s.bank and b.asset = s.asset
          and b.direction = s.direction and (b.day, b.id) < (s.day, s.id))) s
      join asset a on a.id = s.asset
      order by s.day, s.id`.execute(tx);
    return unsettled(rows).slice(0, mostCauses).map(ofSettlement);
  },
};

/** Rows are in the order in which the bank booked them, whenever that was recorded: what is settled makes good what was returned before it, the oldest first. */
function unsettled(rows: readonly SettlementRow[]): SettlementRow[] {
  const open: { row: SettlementRow; leftMinor: bigint }[] = [];
  for (const row of rows) {
    if (row.isBack) {
      open.push({ row, leftMinor: row.minor });
      continue;
    }
    let paid = row.minor;
    for (const each of open) {
      if (each.row.bank !== row.bank || each.row.asset !== row.asset || each.row.next !== row.next) continue;
      const part = each.leftMinor < paid ? each.leftMinor : paid;
      each.leftMinor -= part;
      paid -= part;
    }
  }
  return open.filter(({ leftMinor }) => leftMinor > 0n).map(({ row }) => row);
}

const ofSettlement = ({ id, at, asset, decimals, minor, ...named }: SettlementRow): Cause => ({
  ...{ subject: id, companyId: null, since: at, money: { asset, decimals, minor } },
  facts: facts({
    bank: named.bank,
    account: named.account,
    next: named.next,
    reference: named.reference,
    bookedOn: named.bookedOn,
  }),
});

export const cardSources: readonly Source[] = [
  overdrawn,
  contradicted,
  unread,
  unconfirmed,
  notFound,
  silent,
  settlementBack,
];
