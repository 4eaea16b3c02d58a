import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';

/** What the sandbox's trade platform keeps; amounts are plain decimal texts in whole units (docs/TRADE-PLATFORM.md). */

const PHASES = ['agreed', 'shipped', 'inspected', 'disputed', 'closed'] as const;
const STATUSES = ['created', 'in_progress', 'success', 'cancelled'] as const;

const amount = z.string().check(z.regex(/^\d{1,15}(\.\d{1,18})?$/, 'not an amount'));
const words = (most: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(most));
const party = z.object({ name: words(200), address: z.string().check(z.maxLength(500)), wallet: words(200) });
const milestone = z.object({ id: words(100), name: words(200), amount, reached: z.boolean() });
const tradeDocument = z.object({ name: words(200), url: z.string(), sha256: z.string() });

const platformTrade = z.object({
  id: z.string(),
  version: z.int(),
  number: words(100),
  status: z.enum(STATUSES),
  phase: z.enum(PHASES),
  network: words(32),
  currency: words(10),
  quantity: amount,
  buyer: party,
  seller: party,
  billOfLading: z.nullable(z.string()),
  actBy: z.nullable(z.string()),
  refunded: amount,
  milestones: z.array(milestone),
  documents: z.array(tradeDocument),
  note: z.string(),
});
export type PlatformTrade = z.output<typeof platformTrade>;

const sentEvent = z.object({
  /** Its `webhook-id`. */
  id: z.string(),
  tradeId: z.string(),
  version: z.int(),
  body: z.string(),
  state: z.enum(['due', 'held', 'delivered']),
  attempts: z.int(),
  nextAt: z.number(),
  lastStatus: z.string(),
});
export type SentEvent = z.output<typeof sentEvent>;

const receivedMessage = z.object({
  id: z.string(),
  receivedAt: z.string(),
  type: z.string(),
  tradeId: z.string(),
  /** How often it came. */
  times: z.int(),
  body: z.string(),
});
export type ReceivedMessage = z.output<typeof receivedMessage>;

export const platformState = z.object({
  trades: z.array(platformTrade),
  events: z.array(sentEvent),
  received: z.array(receivedMessage),
  /** Messages that were refused: badly signed, or too old. */
  refused: z.int(),
});
export type PlatformState = z.output<typeof platformState>;

export const newTrade = z.object({
  number: z.exactOptional(words(100)),
  network: words(32),
  currency: words(10),
  quantity: amount,
  buyer: party,
  seller: party,
  billOfLading: z.exactOptional(words(100)),
  milestones: z.exactOptional(z.array(z.object({ name: words(200), amount }))),
  actInHours: z.exactOptional(z.number().check(z.gt(-1000), z.lt(10_000))),
});
export type NewTrade = z.output<typeof newTrade>;

/** What the platform does with a trade. `hold`: its event is made and not sent, so that a later one overtakes it. */
export const tradeAct = z.object({
  act: z.enum(['ship', 'inspect', 'milestone', 'dispute', 'settle', 'refund', 'cancel', 'close', 'contradict']),
  billOfLading: z.exactOptional(words(100)),
  milestone: z.exactOptional(z.string()),
  amount: z.exactOptional(amount),
  note: z.exactOptional(z.string().check(z.maxLength(500))),
  actInHours: z.exactOptional(z.number().check(z.gt(-1000), z.lt(10_000))),
  hold: z.exactOptional(z.boolean()),
});
export type TradeAct = z.output<typeof tradeAct>;

const hourMs = 3_600_000;
const inHours = (hours: number | undefined): string | null =>
  hours === undefined ? null : new Date(Date.now() + hours * hourMs).toISOString();

/** A trade as two companies agree on it; it is to be frozen. */
export function makeTrade(wish: NewTrade): PlatformTrade {
  const id = randomUUID();
  const { network, currency, quantity, buyer, seller } = wish;
  return {
    ...{
      id,
      version: 1,
      number: wish.number ?? `TG-${id.slice(0, 8).toUpperCase()}`,
      status: 'created',
      phase: 'agreed',
    },
    ...{ network, currency, quantity, buyer, seller, billOfLading: wish.billOfLading ?? null, refunded: '0' },
    actBy: inHours(wish.actInHours),
    milestones: (wish.milestones ?? []).map((each, index) => ({ id: `m${index + 1}`, reached: false, ...each })),
    documents: [],
    note: '',
  };
}

/** A digest as a real document's would be, of what the sandbox would show of it. */
type DocumentMaker = (name: string, text: string) => PlatformTrade['documents'][number];

/** The same trade after an act, one version on. @throws Error where it makes no sense */
export function actOn(trade: PlatformTrade, wish: TradeAct, document: DocumentMaker): PlatformTrade {
  const isOver = trade.status === 'success' || trade.status === 'cancelled';
  if (isOver) throw new Error('the trade is over');
  const actBy = inHours(wish.actInHours);
  const next = { ...trade, version: trade.version + 1, note: wish.note ?? '', actBy };
  switch (wish.act) {
    case 'ship': {
      const billOfLading = wish.billOfLading ?? trade.billOfLading ?? `BL-${trade.id.slice(0, 6).toUpperCase()}`;
      const paper = document(`Bill of lading ${billOfLading}`, `${trade.number} ${billOfLading}`);
      return { ...next, phase: 'shipped', billOfLading, documents: [...trade.documents, paper] };
    }
    case 'inspect':
      return { ...next, phase: 'inspected' };
    case 'milestone': {
      const known = trade.milestones.some(({ id }) => id === wish.milestone);
      if (!known) throw new Error('there is no such milestone');
      const milestones = trade.milestones.map((each) =>
        each.id === wish.milestone ? { ...each, reached: true } : each,
      );
      return { ...next, milestones };
    }
    case 'dispute':
      return { ...next, phase: 'disputed' };
    case 'settle':
      return { ...next, phase: 'inspected' };
    case 'refund': {
      if (wish.amount === undefined) throw new Error('how much is refunded?');
      return { ...next, refunded: sum(trade.refunded, wish.amount) };
    }
    case 'cancel':
      return { ...next, status: 'cancelled', phase: 'closed' };
    case 'close':
      return { ...next, status: 'success', phase: 'closed' };
    case 'contradict':
      return {
        ...next,
        quantity: sum(trade.quantity, trade.quantity),
        seller: { ...trade.seller, name: 'Another Company' },
      };
  }
}

/** The sum of two decimal texts. */
function sum(one: string, other: string): string {
  const places = Math.max(...[one, other].map((text) => text.split('.')[1]?.length ?? 0));
  const minor = (text: string): bigint => {
    const [whole = '0', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(places, '0'));
  };
  const total = (minor(one) + minor(other)).toString().padStart(places + 1, '0');
  return places === 0 ? total : `${total.slice(0, -places)}.${total.slice(-places)}`;
}
