import { createHmac, timingSafeEqual } from 'node:crypto';
import type {
  AuthorizationRequest,
  CardEvent,
  CardIssuer,
  CardOrder,
  IssuerCard,
  IssuerMessage,
  IssuerProtocol,
  SignedRequest,
} from '../features/cards/issuer.ts';

/** A card issuer that a test plays: it signs as the product expects, and remembers what was asked of it. */

export const big = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);
export const unbig = (key: string, value: unknown) => {
  if (typeof value === 'string' && /^\d+n$/.test(value)) return BigInt(value.slice(0, -1));
  return key === 'at' && typeof value === 'string' ? new Date(value) : value;
};

export function createTestProtocol(secret: string): IssuerProtocol {
  const read = ({ headers, body }: SignedRequest, now: Date): unknown => {
    const [at, given] = [headers['x-at'], headers['x-signature']];
    if (typeof at !== 'string' || typeof given !== 'string' || Math.abs(now.getTime() - Number(at)) > 300_000)
      return null;
    const own = signatureOf(secret, at, body);
    if (own.length !== given.length || !timingSafeEqual(Buffer.from(own), Buffer.from(given))) return null;
    try {
      return JSON.parse(body, unbig);
    } catch {
      return { kind: 'unread', problem: 'unreadable', type: '', token: null, purchaseToken: null, cardToken: null };
    }
  };
  return {
    readAuthorization: (request, now) => read(request, now) as AuthorizationRequest | null,
    writeAnswer: (_, answer) => JSON.parse(JSON.stringify(answer, big)),
    readMessage: (request, now) => read(request, now) as IssuerMessage | null,
  };
}

export function signatureOf(secret: string, at: string, body: string): string {
  return createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
}

/** An issuer that keeps its cards in memory. */
export interface TestIssuer extends CardIssuer {
  cards: Map<string, IssuerCard>;
  asked: string[];
  /** What the next calls throw, each once. */
  failures: Error[];
  purchases: Map<string, CardEvent[]>;
}

export function createTestIssuer(): TestIssuer {
  const byOrder = new Map<string, IssuerCard>();
  const issuer: TestIssuer = {
    name: 'test',
    currencies: ['HKD', 'JPY', 'USD', 'EUR'],
    ...{ cards: new Map(), asked: [], failures: [], purchases: new Map() },
    async issue(order: CardOrder) {
      enter(`issue ${order.id}`);
      const made = byOrder.get(order.id) ?? {
        ...{
          token: `card_${order.id}`,
          state: 'open' as const,
          isActivated: order.kind === 'virtual',
          lastFour: '4242',
          expires: '2031-12',
        },
        shipping: order.shipTo === null ? null : { state: 'ordered' as const, tracking: null, expectedOn: null },
      };
      byOrder.set(order.id, made);
      issuer.cards.set(made.token, made);
      return made;
    },
    async setState(token, state) {
      enter(`setState ${token} ${state}`);
      return change(token, { state });
    },
    async activate(token) {
      enter(`activate ${token}`);
      return change(token, { isActivated: true });
    },
    async setCeiling(token) {
      enter(`setCeiling ${token}`);
    },
    async readCard(token) {
      enter(`readCard ${token}`);
      return issuer.cards.get(token) ?? null;
    },
    async readPurchase(token) {
      enter(`readPurchase ${token}`);
      return issuer.purchases.get(token) ?? null;
    },
    frame: (token, expiresAt, locale) =>
      `https://issuer.example/frame?card=${token}&until=${expiresAt.getTime()}&locale=${locale}`,
    async check() {
      enter('check');
    },
  };
  function enter(call: string) {
    const failure = issuer.failures.shift();
    if (failure) throw failure;
    issuer.asked.push(call);
  }
  function change(token: string, also: Partial<IssuerCard>): IssuerCard {
    const known = issuer.cards.get(token);
    if (!known) throw new Error(`the issuer has no card ${token}`);
    const changed = { ...known, ...also };
    issuer.cards.set(token, changed);
    return changed;
  }
  return issuer;
}

/** One that answers, and sends nothing. */
export function testIssuer(): { issuer: TestIssuer; protocol: IssuerProtocol } {
  return { issuer: createTestIssuer(), protocol: createTestProtocol('of no one') };
}
