import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { merchantFigure } from '../domain.ts';
import { shownDigits } from './cards.ts';

/** What cards know of transactions. */

export type CardOfTransaction = NonNullable<TransactionDetail['card']>;

/** By their ids, the purchases and refunds by card among these. */
export async function cardsOfTransactions(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CardOfTransaction>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<CardOfTransaction & { transactionId: string }>`
    select x.id as "transactionId", c.id, c.name, ${shownDigits} as "lastFour",
      coalesce(nullif(trim(m.first_name || ' ' || m.last_name), ''), m.email) as holder, x.merchant, x.mcc, x.merchant_group as "group", x.city, x.country,
      trim_scale(x.merchant_amount)::text as "merchantAmount", x.merchant_currency as "merchantCurrency", trim_scale(x.rate)::text as rate,
      x.receipt_state as receipt
    from (
      select id, card_id, merchant, mcc, merchant_group, city, country, merchant_amount, merchant_currency, rate, receipt_state from card_purchase
      where company_id = company_id() and id = any (${[...ids]}::uuid[])
      union all
      select id, card_id, merchant, mcc, merchant_group, city, country, merchant_amount, merchant_currency, rate, 'none' from card_refund
      where company_id = company_id() and id = any (${[...ids]}::uuid[])
    ) x
    join card c on c.company_id = company_id() and c.id = x.card_id
    join member m on m.company_id = c.company_id and m.id = c.holder_id`.execute(tx);
  return new Map(
    rows.map(({ transactionId, merchantAmount, ...card }) => [
      transactionId,
      { ...card, merchantAmount: merchantFigure(merchantAmount, card.merchantCurrency) },
    ]),
  );
}

/** The card that paid or was refunded, and where; null: none did. */
export async function cardOfTransaction(tx: Tx, id: string): Promise<CardOfTransaction | null> {
  return (await cardsOfTransactions(tx, [id])).get(id) ?? null;
}
