import { randomBytes } from 'node:crypto';
import type { CardKind } from '@causeway/contract/cards-rules.ts';
import { sql } from 'kysely';
import type { Bounds } from '../features/cards/domain.ts';
import type { AuthorizationAnswer, AuthorizationRequest, CardEvent, IssuerMessage } from '../features/cards/issuer.ts';
import { insertCard, writeIssuerCard } from '../features/cards/store/cards.ts';
import type { Clock } from '../platform/clock.ts';
import { newId } from '../platform/ids.ts';
import { creditAtBank, openTestBank, openTestBankWallet } from './banks.ts';
import { big, createTestIssuer, createTestProtocol, signatureOf, type TestIssuer, unbig } from './card-issuer.ts';
import { walletBalances } from './company-books.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type MainApp, mainApp, type Tenant } from './main-app.ts';

/** A console with a card issuer that the test plays: it signs as the product expects, and remembers what was asked of it. */

export interface CardWorld {
  db: TestDatabase;
  world: MainApp;
  issuer: TestIssuer;
  secret: string;
  close(): Promise<void>;
}

export async function cardWorld(clock?: Clock): Promise<CardWorld> {
  const db = await testDatabase();
  await openTestBank(db);
  const secret = randomBytes(16).toString('hex');
  const issuer = createTestIssuer();
  const world = await mainApp(db, clock, { cards: { issuer, protocol: createTestProtocol(secret) } });
  return {
    ...{ db, world, issuer, secret },
    async close() {
      await world.close();
      await db.close();
    },
  };
}

export const noBounds: Bounds = {
  limits: { each: null, day: null, month: null, total: null },
  categories: null,
  countries: null,
  online: true,
};

export const testShipTo = {
  ...{ name: 'Ada Wong', line1: '1 Queen’s Road', line2: '', city: 'Hong Kong', region: '', postalCode: '' },
  ...{ country: 'HK', phone: '' },
};

export interface Carded {
  company: Tenant;
  walletId: string;
  cardId: string;
  /** The issuer's name of it. */
  token: string;
}

/** A company with a wallet of Hong Kong dollars, and a card on it that the administrator holds. Cents. */
export async function carded(
  { db, world }: Pick<CardWorld, 'db' | 'world'>,
  {
    cents = 100_000n,
    bounds = {},
    kind = 'virtual' as CardKind,
  }: { cents?: bigint; bounds?: Partial<Bounds>; kind?: CardKind } = {},
): Promise<Carded> {
  const company = await world.company();
  const { id: walletId } = await openTestBankWallet(db, company.id, 'HKD');
  if (cents > 0n) await creditAtBank(db, company.id, walletId, cents);
  return { company, walletId, ...(await insertTestCard(db, company, walletId, { bounds, kind })) };
}

/** A card that the issuer has made. */
export async function insertTestCard(
  db: TestDatabase,
  company: Tenant,
  walletId: string,
  {
    bounds = {},
    holderId = company.admin.session.userId,
    kind = 'virtual',
  }: { bounds?: Partial<Bounds>; kind?: CardKind; holderId?: string } = {},
): Promise<{ cardId: string; token: string }> {
  const cardId = newId();
  const token = `card_${cardId}`;
  await db.app.withCompany(company.id, async (tx) => {
    await insertCard(tx, {
      ...{ id: cardId, originId: cardId, kind, holderId, name: 'Travel', walletId, asset: 'HKD' },
      ...{
        bounds: { ...noBounds, ...bounds },
        validUntil: null,
        shipTo: kind === 'physical' ? testShipTo : null,
        replaces: null,
        madeAs: null,
      },
    });
    const made = {
      token,
      state: 'open',
      isActivated: true,
      lastFour: '4242',
      expires: '2031-12',
      shipping: null,
    } as const;
    await writeIssuerCard(tx, cardId, made, 'active');
  });
  return { cardId, token };
}

export function asking(card: Pick<Carded, 'token'>, also: Partial<AuthorizationRequest> = {}): AuthorizationRequest {
  return {
    ...{
      token: newId(),
      purchaseToken: newId(),
      cardToken: card.token,
      kind: 'authorization',
      amountMinor: 10_000n,
      currency: 'HKD',
    },
    merchant: { name: 'Star Ferry Café', mcc: '5812', city: 'Hong Kong', country: 'HK' },
    ...{ merchantAmount: null, isOnline: false, mayBePartial: false, at: new Date() },
    ...also,
  };
}

export function eventOf(
  of: Pick<AuthorizationRequest, 'cardToken' | 'purchaseToken'>,
  also: Partial<CardEvent>,
): CardEvent {
  const { cardToken, purchaseToken } = of;
  return {
    ...{
      token: newId(),
      purchaseToken,
      cardToken,
      type: 'cleared',
      amountMinor: null,
      currency: 'HKD',
      requestToken: null,
      isLast: false,
    },
    merchant: { name: 'Star Ferry Café', mcc: '5812', city: 'Hong Kong', country: 'HK' },
    ...{ merchantAmount: null, isOnline: false, note: '', at: new Date() },
    ...also,
  };
}

export interface SendingCards {
  secret?: string;
  at?: Date;
  /** What is sent, where that is not what was signed. */
  sent?: string;
  ip?: string;
}

async function send(
  { world, secret }: Pick<CardWorld, 'world' | 'secret'>,
  url: string,
  payload: unknown,
  how: SendingCards = {},
) {
  const body = JSON.stringify(payload, big);
  const at = String((how.at ?? new Date()).getTime());
  return world.app.inject({
    method: 'POST',
    url,
    payload: how.sent ?? body,
    remoteAddress: how.ip ?? '127.0.0.9',
    headers: {
      'content-type': 'application/json',
      'x-at': at,
      'x-signature': signatureOf(how.secret ?? secret, at, body),
    },
  });
}

/** Asks as the issuer does. @returns its answer; null: refused */
export async function askCard(
  of: Pick<CardWorld, 'world' | 'secret'>,
  asked: AuthorizationRequest,
  how?: SendingCards,
): Promise<AuthorizationAnswer | null> {
  const response = await send(of, '/hooks/cards/authorization', asked, how);
  return response.statusCode === 200 ? (JSON.parse(response.body, unbig) as AuthorizationAnswer) : null;
}

/** @returns the status and the error’s key */
export async function sayOfCard(
  of: Pick<CardWorld, 'world' | 'secret'>,
  message: IssuerMessage | readonly CardEvent[],
  how?: SendingCards,
): Promise<{ status: number; key: string | undefined }> {
  const payload = Array.isArray(message) ? { kind: 'purchase', events: message } : message;
  const response = await send(of, '/hooks/cards/events', payload, how);
  return { status: response.statusCode, key: response.json<{ key?: string }>().key };
}

/** What the wallet of a card has, in cents: what is available, held, owed to the issuer, and missing. */
export async function moneyOf({ db }: Pick<CardWorld, 'db'>, { company, walletId }: Carded) {
  const { available = 0n, outbound = 0n, card = 0n, deficit = 0n } = await walletBalances(db, company.id, walletId);
  return [available, outbound, card, deficit] as const;
}

/** The rows of a company's list of transactions that are of cards: type, stage, amount in cents. */
export async function cardRows({ db }: Pick<CardWorld, 'db'>, { company }: Carded): Promise<string[]> {
  const { rows } = await db.app.withCompany(company.id, (tx) =>
    sql<{ said: string }>`
      select type || ' ' || stage || ' ' || quantity as said from transaction where company_id = company_id() and type like 'card%' order by created_at, id`.execute(
      tx,
    ),
  );
  return rows.map(({ said }) => said);
}
