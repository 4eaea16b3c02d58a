import type { CardBounds } from '@causeway/contract/cards-limits.ts';
import {
  type CardBound,
  type CardDeclineReason,
  type CardForcedHow,
  type CardFreezer,
  type CardLimitName,
  type CardState,
  cardForcedHows,
  cardLimitNames,
  type MerchantGroup,
} from '@causeway/contract/cards-rules.ts';
import { minorUnitsOf } from '@causeway/contract/iso-4217.ts';

/** What a card may pay, and what a purchase comes to: pure. Amounts in minor units of the card's currency. */

export type Limits = Record<CardLimitName, bigint | null>;

/** What a card or a rule above it allows. */
export interface Bounds extends Pick<CardBounds, 'categories' | 'countries' | 'online'> {
  limits: Limits;
}

/** Where bounds come from. `name`: of the department or role. */
export interface Sourced<B extends Bounds = Bounds> {
  source: 'card' | 'company' | 'department' | 'role';
  name: string | null;
  ruleId: string | null;
  bounds: B;
}

/** A request of the issuer, as far as it decides. */
export interface Asked {
  kind: 'authorization' | 'incremental' | 'final' | 'inquiry' | 'credit';
  amountMinor: bigint;
  currency: string;
  group: MerchantGroup;
  country: string | null;
  isOnline: boolean | null;
  mayBePartial: boolean;
}

/** What a request is decided by, read under the card's lock. */
export interface Facts {
  isRestoring: boolean;
  companyFrozen: boolean;
  walletFrozen: boolean;
  holderActive: boolean;
  state: CardState;
  frozenBy: CardFreezer | null;
  /** A payment took more than the wallet had, and it is not made good. */
  isBlocked: boolean;
  isExpired: boolean;
  asset: string;
  availableMinor: bigint;
  /** Held and cleared: of this calendar day, this month, in all, and of this purchase so far. */
  spent: { day: bigint; month: bigint; total: bigint; purchase: bigint };
  bounds: readonly Bounds[];
}

export type Decision =
  | { outcome: 'approved'; approvedMinor: bigint; availableMinor: bigint }
  | { outcome: 'declined'; reason: CardDeclineReason };

const limitReasons = {
  each: 'limitEach',
  day: 'limitDay',
  month: 'limitMonth',
  total: 'limitTotal',
} as const satisfies Record<CardLimitName, CardDeclineReason>;

/** Decides a request; what is not plainly allowed is declined. */
export function decide(asked: Asked, facts: Facts): Decision {
  // Money that comes is no spending: of a known card it is always taken.
  if (asked.kind === 'credit') return { outcome: 'approved', approvedMinor: 0n, availableMinor: facts.availableMinor };
  const refused = refusalOf(asked, facts);
  if (refused !== null) return { outcome: 'declined', reason: refused };
  const rooms = cardLimitNames.flatMap((name) => {
    const limit = strictest(facts.bounds, name);
    return limit === null ? [] : [{ reason: limitReasons[name], roomMinor: limit - spentOf(name, facts) }];
  });
  const funds = { reason: 'funds' as const, roomMinor: facts.availableMinor };
  const tightest = [...rooms, funds].reduce((one, other) => (other.roomMinor < one.roomMinor ? other : one));
  const roomMinor = tightest.roomMinor > 0n ? tightest.roomMinor : 0n;
  if (asked.kind === 'inquiry') return { outcome: 'approved', approvedMinor: 0n, availableMinor: roomMinor };
  if (asked.amountMinor <= roomMinor) {
    return { outcome: 'approved', approvedMinor: asked.amountMinor, availableMinor: roomMinor - asked.amountMinor };
  }
  if (asked.mayBePartial && roomMinor > 0n)
    return { outcome: 'approved', approvedMinor: roomMinor, availableMinor: 0n };
  const first = rooms.find((room) => asked.amountMinor > room.roomMinor);
  return { outcome: 'declined', reason: (first ?? funds).reason };
}

/** The first reason to decline that is no question of the amount. */
function refusalOf(asked: Asked, facts: Facts): CardDeclineReason | null {
  const checks: readonly (readonly [boolean, CardDeclineReason])[] = [
    [facts.isRestoring, 'restoring'],
    [facts.companyFrozen, 'companyFrozen'],
    [facts.walletFrozen, 'walletFrozen'],
    [!facts.holderActive, 'holderInactive'],
    [facts.state === 'closed', 'cardClosed'],
    [facts.state !== 'active' && facts.state !== 'closed', 'cardInactive'],
    [facts.frozenBy === 'holder', 'cardFrozenByHolder'],
    [facts.frozenBy === 'administrator', 'cardFrozenByAdministrator'],
    [facts.isBlocked, 'cardBlocked'],
    [facts.isExpired, 'cardExpired'],
    [asked.currency !== facts.asset, 'currency'],
    [facts.bounds.some(({ categories }) => !passes(categories?.mode, categories?.groups, asked.group)), 'category'],
    [facts.bounds.some(({ countries }) => !passes(countries?.mode, countries?.codes, asked.country)), 'country'],
    // Where it is not known, it counts as online.
    [asked.isOnline !== false && facts.bounds.some(({ online }) => !online), 'online'],
  ];
  return checks.find(([applies]) => applies)?.[1] ?? null;
}

/** What is not known is on no allow list. */
function passes(
  mode: 'allow' | 'deny' | undefined,
  list: readonly string[] | undefined,
  value: string | null,
): boolean {
  if (mode === undefined || list === undefined) return true;
  const isListed = value !== null && list.includes(value);
  return mode === 'allow' ? isListed : !isListed;
}

function spentOf(name: CardLimitName, { spent }: Facts): bigint {
  return name === 'each' ? spent.purchase : spent[name];
}

/** The lowest limit of a kind; null: none. */
export function strictest(bounds: readonly Pick<Bounds, 'limits'>[], name: CardLimitName): bigint | null {
  const given = bounds.flatMap(({ limits }) => (limits[name] === null ? [] : [limits[name]]));
  return given.length === 0 ? null : given.reduce((one, other) => (other < one ? other : one));
}

/** What binds, and where it comes from; of equal limits the first source. */
export function bindingOf(
  sources: readonly Sourced[],
): { bound: CardBound; from: Sourced; limitMinor: bigint | null }[] {
  const limits = cardLimitNames.flatMap((name) => {
    const lowest = strictest(
      sources.map(({ bounds }) => bounds),
      name,
    );
    const from = sources.find(({ bounds }) => lowest !== null && bounds.limits[name] === lowest);
    return from ? [{ bound: name, from, limitMinor: lowest }] : [];
  });
  const listed = (bound: 'categories' | 'countries' | 'online', binds: (bounds: Bounds) => boolean) =>
    sources.filter(({ bounds }) => binds(bounds)).map((from) => ({ bound, from, limitMinor: null }));
  return [
    ...limits,
    ...listed('categories', ({ categories }) => categories !== null),
    ...listed('countries', ({ countries }) => countries !== null),
    ...listed('online', ({ online }) => !online),
  ];
}

/** Whether `after` allows nothing that `before` did not. What is not proved stricter widens (docs/adr/0044-…). */
export function isStricter(before: Bounds, after: Bounds): boolean {
  const limits = cardLimitNames.every((name) => {
    const [was, is] = [before.limits[name], after.limits[name]];
    return was === null || (is !== null && is <= was);
  });
  return (
    limits &&
    (before.online || !after.online) &&
    isListStricter(
      listOf(before.categories?.mode, before.categories?.groups),
      listOf(after.categories?.mode, after.categories?.groups),
    ) &&
    isListStricter(
      listOf(before.countries?.mode, before.countries?.codes),
      listOf(after.countries?.mode, after.countries?.codes),
    )
  );
}

type List = { mode: 'allow' | 'deny'; values: readonly string[] } | null;

function listOf(mode: 'allow' | 'deny' | undefined, values: readonly string[] | undefined): List {
  return mode === undefined || values === undefined ? null : { mode, values };
}

function isListStricter(before: List, after: List): boolean {
  if (before === null) return true;
  if (after === null) return false;
  const [was, is] = [new Set(before.values), new Set(after.values)];
  if (before.mode === 'deny')
    return after.mode === 'deny' ? [...was].every((one) => is.has(one)) : ![...is].some((one) => was.has(one));
  return after.mode === 'allow' && [...is].every((one) => was.has(one));
}

/** Something that was said of a purchase: what we approved, or an event of the issuer. */
export interface Said {
  type: 'requested' | 'authorized' | 'declined' | 'adjusted' | 'reversed' | 'expired' | 'cleared';
  token: string;
  /** Of the issuer's word on a request. */
  requestToken: string | null;
  amountMinor: bigint | null;
  isLast: boolean;
  at: Date;
}

export interface Sums {
  heldMinor: bigint;
  clearedMinor: bigint;
  /** Cleared without having been held, or held without our having been asked. */
  isForced: boolean;
}

/** All that was said of a purchase, in the order of the issuer's clock, whatever the order of arrival. */
export function sumUp(said: readonly Said[]): Sums {
  return tally(said).sums;
}

/** How a purchase came to what had not been approved, and the figures that say so; minor units. */
export interface Forced {
  how: CardForcedHow;
  /** Cleared in all where it is `above`; otherwise what was cleared, or approved by the issuer, in this way. */
  takenMinor: bigint;
  /** How much of what was cleared had been held; 0 unless it is `above`. */
  heldMinor: bigint;
}

/** @returns null where all that was said covers the purchase: what was forced when it came in may be covered by a message that came later */
export function forcedOf(said: readonly Said[]): Forced | null {
  const { sums, beyond } = tally(said);
  const how = cardForcedHows.find((each) => beyond[each] > 0n);
  if (how === undefined) return null;
  if (how !== 'above') return { how, takenMinor: beyond[how], heldMinor: 0n };
  return { how, takenMinor: sums.clearedMinor, heldMinor: sums.clearedMinor - beyond.above - beyond.released };
}

/** The sums, and how much was forced in which way. */
function tally(said: readonly Said[]): { sums: Sums; beyond: Record<CardForcedHow, bigint> } {
  const asked = new Set(said.flatMap(({ type, token }) => (type === 'requested' ? [token] : [])));
  const answered = new Set(
    said.flatMap(({ type, requestToken }) =>
      (type === 'authorized' || type === 'declined') && requestToken !== null ? [requestToken] : [],
    ),
  );
  const sums: Sums = { heldMinor: 0n, clearedMinor: 0n, isForced: false };
  const beyond: Record<CardForcedHow, bigint> = { unasked: 0n, above: 0n, released: 0n, byIssuer: 0n };
  let wasHeld = false;
  for (const each of said.toSorted(byTime)) {
    const amountMinor = each.amountMinor ?? 0n;
    wasHeld ||= sums.heldMinor > 0n;
    switch (each.type) {
      case 'requested':
        // The issuer's word replaces ours.
        if (!answered.has(each.token)) sums.heldMinor += amountMinor;
        break;
      case 'authorized':
        sums.heldMinor += amountMinor;
        if (each.requestToken === null || !asked.has(each.requestToken)) {
          sums.isForced = true;
          beyond.byIssuer += amountMinor;
        }
        break;
      case 'adjusted':
        sums.heldMinor = positive(amountMinor - sums.clearedMinor);
        break;
      case 'reversed':
        sums.heldMinor = each.amountMinor === null ? 0n : positive(sums.heldMinor - amountMinor);
        break;
      case 'expired':
        sums.heldMinor = 0n;
        break;
      case 'cleared':
        if (amountMinor > sums.heldMinor) {
          sums.isForced = true;
          beyond[!wasHeld ? 'unasked' : sums.heldMinor > 0n ? 'above' : 'released'] += amountMinor - sums.heldMinor;
        }
        sums.clearedMinor += amountMinor;
        sums.heldMinor = each.isLast ? 0n : positive(sums.heldMinor - amountMinor);
        break;
      case 'declined':
        break;
    }
  }
  return { sums, beyond };
}

/**
 * Whether what was said of a purchase cannot all be so: the same request approved and declined by the issuer, or money cleared of one of which every request was declined.
 */
export function isContradictory(said: readonly Said[]): boolean {
  const declined = new Set(
    said.flatMap(({ type, requestToken }) => (type === 'declined' && requestToken !== null ? [requestToken] : [])),
  );
  if (declined.size === 0) return false;
  const authorized = said.filter(({ type }) => type === 'authorized');
  if (authorized.some(({ requestToken }) => requestToken !== null && declined.has(requestToken))) return true;
  const isApproved =
    authorized.length > 0 || said.some(({ type, token }) => type === 'requested' && !declined.has(token));
  return !isApproved && said.some(({ type, amountMinor }) => type === 'cleared' && (amountMinor ?? 0n) > 0n);
}

/** What happens at one instant begins with what is held. */
const turns = ['requested', 'authorized', 'declined', 'adjusted', 'reversed', 'cleared', 'expired'] as const;

function byTime(one: Said, other: Said): number {
  return (
    one.at.getTime() - other.at.getTime() ||
    turns.indexOf(one.type) - turns.indexOf(other.type) ||
    (one.token < other.token ? -1 : Number(one.token > other.token))
  );
}

function positive(minor: bigint): bigint {
  return minor > 0n ? minor : 0n;
}

/** What is to be moved so that the books agree with the sums: signed; what comes back to `available` is positive. */
export function movesOf(
  before: Pick<Sums, 'heldMinor' | 'clearedMinor'>,
  after: Pick<Sums, 'heldMinor' | 'clearedMinor'>,
): { outboundMinor: bigint; cardMinor: bigint; availableMinor: bigint } {
  const outboundMinor = after.heldMinor - before.heldMinor;
  const cardMinor = after.clearedMinor - before.clearedMinor;
  return { outboundMinor, cardMinor, availableMinor: -outboundMinor - cardMinor };
}

/** An amount in the merchant's currency, whole units, with all decimals of that currency (ISO 4217): "10" of USD is "10.00". More decimals than it has are kept. */
export function merchantFigure(amount: string | null, currency: string | null): string | null {
  if (amount === null || currency === null) return amount;
  const [whole = '', fraction = ''] = amount.split('.');
  const decimals = fraction.padEnd(minorUnitsOf(currency) ?? 0, '0');
  return decimals === '' ? whole : `${whole}.${decimals}`;
}
