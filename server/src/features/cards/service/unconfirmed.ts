import { sql } from 'kysely';
import type { Database, PlatformTx, Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { type Loop, startLoop } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';
import type { CardEvent, CardIssuer } from '../issuer.ts';
import { takeInEvents } from './take-in.ts';
import { takeInUnknownCards } from './unknown-cards.ts';

/**
 * Holds that have been open for long are looked up at the issuer: what it says is taken in, and a hold that it knows nothing of is released. So no hold outlives an answer that
 * never arrived, or an event that was lost.
 */
export interface Reconciling {
  database: Database;
  issuer: CardIssuer;
  log: Log;
  /** How old a hold is before it is looked up, and how often it is done. */
  afterMs?: number;
  everyMs?: number;
}

const defaultAfterMs = 15 * 60_000;
const defaultEveryMs = 5 * 60_000;

export function startCardReconciling({ everyMs = defaultEveryMs, ...reconciling }: Reconciling): Loop {
  return startLoop({
    name: 'cards.reconcile',
    everyMs,
    log: reconciling.log,
    step: () => reconcileHolds(reconciling, new Date(), reconciling.afterMs ?? defaultAfterMs),
  });
}

/** One that cannot be looked up keeps no other from it, and is looked up in the next round. */
export async function reconcileHolds(
  { database, issuer, log }: Reconciling,
  now: Date,
  afterMs: number,
): Promise<void> {
  await takeInUnknownCards(database, issuer).catch((error: unknown) =>
    log.warn({ err: error }, 'events of cards that were unknown could not be taken in'),
  );
  const before = new Date(now.getTime() - afterMs);
  for (const { companyId, id } of await database.withoutCompany((tx) => findHeld(tx, before))) {
    await reconcileOne(database, issuer, companyId, id, now).catch((error: unknown) =>
      log.warn({ err: error, companyId, purchaseId: id }, 'a hold could not be looked up at the issuer'),
    );
  }
}

async function findHeld(tx: PlatformTx, before: Date): Promise<{ companyId: string; id: string }[]> {
  const { rows } = await sql<{ companyId: string; id: string }>`
    select company_id as "companyId", id from card_purchases_held(${before})`.execute(tx);
  return rows;
}

interface HeldRow {
  token: string;
  cardToken: string;
  asset: string;
  merchant: string;
  mcc: string;
  city: string;
  country: string | null;
}

async function findHeldPurchase(tx: Tx, id: string): Promise<HeldRow | null> {
  const { rows } = await sql<HeldRow>`
    select p.token, c.issuer_token as "cardToken", c.asset_id as asset, p.merchant, p.mcc, p.city, p.country
    from card_purchase p join card c on c.company_id = p.company_id and c.id = p.card_id
    where p.company_id = company_id() and p.id = ${id} and p.held > 0`.execute(tx);
  return rows[0] ?? null;
}

async function reconcileOne(
  database: Database,
  issuer: CardIssuer,
  companyId: string,
  id: string,
  now: Date,
): Promise<void> {
  const purchase = await database.withCompany(companyId, (tx) => findHeldPurchase(tx, id));
  if (!purchase) return;
  const events = await issuer.readPurchase(purchase.token);
  await takeInEvents(database, events ?? [unknownAtIssuer(purchase, now)]);
}

/** The issuer has no such purchase: our answer never reached it. */
function unknownAtIssuer({ token, cardToken, asset, merchant, mcc, city, country }: HeldRow, at: Date): CardEvent {
  return {
    ...{
      token: `unknown-${newId()}`,
      purchaseToken: token,
      cardToken,
      type: 'expired',
      amountMinor: null,
      currency: asset,
    },
    ...{
      requestToken: null,
      isLast: false,
      merchant: { name: merchant, mcc, city, country },
      merchantAmount: null,
      isOnline: null,
    },
    ...{ note: '', at },
  };
}
