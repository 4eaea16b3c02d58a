import { sql } from 'kysely';
import { fail, reopen, settle } from '../features/outgoing/index.ts';
import { changeStage, type LifecycleRow, lockTransaction } from '../features/transactions/index.ts';
import type { Tx } from '../platform/database/database.ts';
import { present } from './present.ts';
import type { TradeWorld, Trading } from './trades.ts';

/** What a chain makes of payments to sellers, and what the platform is sent. */

type Of = Pick<TradeWorld, 'db'>;

/** As a rail does it, in one transaction that has locked the payment. */
const asRail = ({ db }: Of, { company }: Trading, id: string, work: (tx: Tx, payment: LifecycleRow) => Promise<void>) =>
  db.worker.withCompany(company.id, async (tx) => work(tx, present(await lockTransaction(tx, id))));

export const sentRelease = (of: Of, trade: Trading, id: string) =>
  asRail(of, trade, id, async (tx) => {
    await changeStage(tx, id, ['approved'], { stage: 'signing' });
    await changeStage(tx, id, ['signing'], { stage: 'broadcast', hash: '0xabc' });
  });
export const failedRelease = (of: Of, trade: Trading, id: string) =>
  asRail(of, trade, id, (tx, payment) => fail(tx, payment, { reason: 'stage.reason.reverted', hash: '0xabc' }));
export const settledRelease = (of: Of, trade: Trading, id: string) =>
  asRail(of, trade, id, (tx, payment) => settle(tx, payment, { contra: 'chain', finals: 0, hash: '0xabc' }));
export const reopenedRelease = (of: Of, trade: Trading, id: string) =>
  asRail(of, trade, id, (tx) =>
    reopen(tx, id, {
      finals: 0,
      stage: 'broadcast',
      reason: 'stage.reason.reorganised',
      walletId: trade.company.wallets.USDT,
    }),
  );

/** Bodies of the messages of a trade to the platform, in their order. */
export async function tradeMessages({ db }: Of, { company, said }: Trading): Promise<Record<string, unknown>[]> {
  const { rows } = await db.app.withCompany(company.id, (tx) =>
    sql<{ body: string }>`
      select body from trade_message where company_id = company_id() and trade_id = ${said.id} order by number`.execute(
      tx,
    ),
  );
  return rows.map(({ body }) => JSON.parse(body));
}
