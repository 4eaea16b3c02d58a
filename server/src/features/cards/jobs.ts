import { type CardForcedHow, cardReceiptReminderDays } from '@causeway/contract/cards-rules.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/database.ts';
import type { CronJob } from '../../platform/jobs/cron.ts';
import type { JobDefinition } from '../../platform/jobs/jobs.ts';
import { type NoticeToGive, notify } from '../notices/index.ts';
import { forcedOf } from './domain.ts';
import { cardEvents, type PurchaseNews } from './events.ts';
import type { CardIssuer } from './issuer.ts';
import { managers, tellOfDecline, tellOfFraud } from './service/declines.ts';
import { syncCardJob } from './service/sync.ts';
import { readSaidOfAll } from './store/purchases.ts';

/** What cards do later: the issuer is informed, people are notified. A notice is given once however often its event comes. */
export function cardJobs(issuer: CardIssuer | null): JobDefinition[] {
  return [
    syncCardJob(issuer),
    {
      name: 'cards.declined',
      on: [cardEvents.declined],
      run: ({ companyId, database }, { requestId }) =>
        database.withCompany(companyId, (tx) => tellOfDecline(tx, String(requestId))),
    },
    {
      name: 'cards.fraudSuspected',
      on: [cardEvents.fraudSuspected],
      run: ({ companyId, database }, { eventId }) =>
        database.withCompany(companyId, (tx) => tellOfFraud(tx, String(eventId))),
    },
    {
      name: 'cards.purchase',
      on: [cardEvents.purchase],
      run: ({ companyId, database }, { transactionId, kind }) =>
        database.withCompany(companyId, (tx) => notifyOfPurchase(tx, String(transactionId), kind as PurchaseNews)),
    },
  ];
}

const link = (cardId: string) => `/app/wallet/credit-card/${cardId}`;
/** Where the receipt of a payment is added, on a phone by a photo. */
const receiptLink = (paymentId: string) => `/app/wallet/credit-card/receipt/${paymentId}`;
const missingLink = '/app/wallet/credit-card/payments?receipt=missing&mine=true';

interface Said {
  cardId: string;
  card: string;
  holderId: string;
  merchant: string;
  amountMinor: bigint;
  asset: string;
  decimals: number;
}

const valuesOf = ({ card, merchant, amountMinor, asset, decimals }: Said) => ({
  ...{ card, merchant, coin: asset },
  amount: sayAmount(amountMinor, decimals),
});

async function notifyOfPurchase(tx: Tx, transactionId: string, kind: PurchaseNews): Promise<void> {
  const { rows } = await sql<Said & { overdrawnMinor: bigint; receipt: string }>`
    select c.id as "cardId", c.name as card, c.holder_id as "holderId", coalesce(p.merchant, r.merchant) as merchant, t.quantity as "amountMinor",
      c.asset_id as asset, a.decimals, coalesce(p.overdrawn, 0) as "overdrawnMinor",
      coalesce(p.receipt_state, 'none') as receipt
    from transaction t
    left join card_purchase p on p.company_id = t.company_id and p.id = t.id
    left join card_refund r on r.company_id = t.company_id and r.id = t.id
    join card c on c.company_id = t.company_id and c.id = coalesce(p.card_id, r.card_id)
    join asset a on a.id = c.asset_id
    where t.company_id = company_id() and t.id = ${transactionId}`.execute(tx);
  const [said] = rows;
  if (!said) return;
  const base = { sourceId: transactionId, link: link(said.cardId), values: valuesOf(said) };
  const notices: Partial<Record<PurchaseNews, () => Promise<NoticeToGive>>> = {
    // Asks for the receipt, by mail too: the holder has it in hand now.
    paid: async () => ({
      ...base,
      ...(said.receipt === 'missing'
        ? { kind: 'card.paid', link: receiptLink(transactionId) }
        : { kind: 'card.paidWithReceipt' }),
      to: [said.holderId],
    }),
    refunded: async () => ({ ...base, kind: 'card.refunded', to: [said.holderId], mailTo: [] }),
    refundReversed: async () => ({
      ...base,
      kind: 'card.refundReversed',
      to: [said.holderId, ...(await managers(tx))],
    }),
    overdrawn: async () => ({
      ...{ ...base, kind: 'card.overdrawn', to: [said.holderId, ...(await managers(tx))] },
      values: { ...base.values, missing: sayAmount(said.overdrawnMinor, said.decimals) },
    }),
    forced: async () => ({
      ...{ ...base, to: [said.holderId, ...(await managers(tx))], mailTo: [] },
      ...(await forcedNotice(tx, transactionId, said)),
    }),
  };
  const notice = await notices[kind]?.();
  if (notice) await notify(tx, { ...notice, to: [...new Set(notice.to)] });
}

/** Says how a purchase was forced; the general kind where a message that came later covers it. */
async function forcedNotice(tx: Tx, purchaseId: string, said: Said): Promise<Pick<NoticeToGive, 'kind' | 'values'>> {
  const values = valuesOf(said);
  const forced = forcedOf((await readSaidOfAll(tx, [purchaseId])).get(purchaseId) ?? []);
  if (forced === null) return { kind: 'card.forced', values };
  const say = (minor: bigint) => sayAmount(minor, said.decimals);
  return {
    kind: forcedKinds[forced.how],
    values: { ...values, taken: say(forced.takenMinor), held: say(forced.heldMinor) },
  };
}

const forcedKinds: Record<CardForcedHow, string> = {
  unasked: 'card.forcedUnasked',
  above: 'card.forcedAbove',
  released: 'card.forcedReleased',
  byIssuer: 'card.forcedByIssuer',
};

/** Reminds holders of receipts that have been missing for a week, once of each payment. */
export function cardRemindersJob(): CronJob {
  return {
    name: 'cards.receipts',
    schedule: '20 * * * *',
    async run({ database, log, signal }) {
      const companies = await database.withoutCompany(async (tx) => {
        const { rows } = await sql<{ companyId: string }>`
          select company_id as "companyId" from card_receipts_due(${cardReceiptReminderDays})`.execute(tx);
        return rows;
      });
      for (const { companyId } of companies) {
        if (signal?.aborted) return;
        await database
          .withCompany(companyId, remindOfReceipts)
          .catch((error: unknown) => log.warn({ err: error, companyId }, 'reminders of receipts could not be given'));
      }
    },
  };
}

export async function remindOfReceipts(tx: Tx): Promise<void> {
  const { rows } = await sql<{ holderId: string; count: number; ids: string[] }>`
    select c.holder_id as "holderId", count(*)::integer as count, array_agg(p.id) as ids
    from card_purchase p join card c on c.company_id = p.company_id and c.id = p.card_id
    where p.company_id = company_id() and p.receipt_state = 'missing' and p.reminded_at is null
      and p.cleared_at < now() - make_interval(days => ${cardReceiptReminderDays})
    group by c.holder_id`.execute(tx);
  for (const { holderId, count, ids } of rows) {
    const [first] = ids;
    if (first === undefined) continue;
    await notify(tx, {
      ...{ kind: 'card.receiptsMissing', sourceId: first, values: { count }, to: [holderId] },
      link: count === 1 ? receiptLink(first) : missingLink,
    });
    await sql`update card_purchase set reminded_at = now() where company_id = company_id() and id = any (${ids}::uuid[])`.execute(
      tx,
    );
  }
}
