import type { CardKind, CardShippingState } from '@causeway/contract/cards-rules.ts';

/**
 * The port to a card issuer (docs/adr/0102-…): what we ask of it, and what it sends. Adapters are in `adapters/`. Amounts are minor units of the card's currency unless a
 * comment says otherwise. No shape here has a place for a card number, and an adapter passes none on.
 */

export type IssuerCardState = 'open' | 'paused' | 'closed';

/** A card as the issuer says it is. */
export interface IssuerCard {
  token: string;
  state: IssuerCardState;
  /** False: a physical card that is still to be activated. */
  isActivated: boolean;
  lastFour: string | null;
  /** `2029-11` */
  expires: string | null;
  shipping: { state: CardShippingState; tracking: string | null; expectedOn: string | null } | null;
}

export interface ShippingAddress {
  name: string;
  line1: string;
  line2: string;
  city: string;
  region: string;
  postalCode: string;
  country: string;
  phone: string;
}

export interface CardOrder {
  /** Ours; a repeated order with the same id is the same card. */
  id: string;
  kind: CardKind;
  /** Shown to people at the issuer. */
  name: string;
  holderName: string;
  /** ISO 4217. */
  currency: string;
  shipTo: ShippingAddress | null;
  /** The card that it replaces, by the issuer's name. */
  replaces: string | null;
}

/**
 * What we ask of the issuer. Each call is safe to repeat.
 * @throws IssuerRefusedError where it says no for good, IssuerUnavailableError where it is not known whether it did it
 */
export interface CardIssuer {
  /** Lasting, of lower-case letters: in events and reports. */
  name: string;
  /** The currencies that it bills in, ISO 4217: wallets of others cannot have cards. */
  currencies: readonly string[];
  issue(order: CardOrder, signal?: AbortSignal): Promise<IssuerCard>;
  setState(token: string, state: IssuerCardState, signal?: AbortSignal): Promise<IssuerCard>;
  /** Activates a physical card. */
  activate(token: string, signal?: AbortSignal): Promise<IssuerCard>;
  /** A ceiling at the issuer beside our own decisions, for the time in which we cannot be asked; null: none. */
  setCeiling(
    token: string,
    ceiling: { eachMinor: bigint | null; monthMinor: bigint | null },
    signal?: AbortSignal,
  ): Promise<void>;
  readCard(token: string, signal?: AbortSignal): Promise<IssuerCard | null>;
  /** All that happened to a purchase; null: the issuer has none of this name. */
  readPurchase(token: string, signal?: AbortSignal): Promise<CardEvent[] | null>;
  /** The address of the issuer's page that shows the number; it can be opened until `expiresAt`. Answers at once, without a request. */
  frame(token: string, expiresAt: Date, locale: string): string;
  /** For `/readyz` and the operator's report. */
  check(signal?: AbortSignal): Promise<void>;
}

/** It says no, and would again. `reason`: its words, for people. */
export class IssuerRefusedError extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`the issuer refused: ${reason}`);
    this.reason = reason;
  }
}

/** It could not be reached, or did not answer as agreed: whether it did what was asked is not known. */
export class IssuerUnavailableError extends Error {}

export interface Merchant {
  name: string;
  /** ISO 18245, four digits. */
  mcc: string;
  city: string;
  /** ISO 3166-1 alpha-2; null where it is not known. */
  country: string | null;
}

/** In the merchant's currency where that is not the card's. `amount`: whole units, plain decimal. `rate`: of the card's currency for one of it. */
export interface MerchantAmount {
  amount: string;
  currency: string;
  rate: string | null;
}

/**
 * What the issuer asks before it answers a merchant. `authorization`: the first of a purchase. `incremental`: `amountMinor` more. `final`: cleared with the authorisation, no clearing
 * follows apart from its event. `inquiry`: what is available. `credit`: money that is to come.
 */
export interface AuthorizationRequest {
  /** Of this request; a repetition has the same. */
  token: string;
  /** Of the purchase, the same in all that belongs to it. */
  purchaseToken: string;
  cardToken: string;
  kind: 'authorization' | 'incremental' | 'final' | 'inquiry' | 'credit';
  amountMinor: bigint;
  /** ISO 4217, that of the card. */
  currency: string;
  merchant: Merchant;
  merchantAmount: MerchantAmount | null;
  /** Null: not known, which counts as online where online payments are off. */
  isOnline: boolean | null;
  /** A part may be approved, as at a petrol pump. */
  mayBePartial: boolean;
  /** By the issuer's clock. */
  at: Date;
}

export type IssuerDeclineCode =
  | 'card_closed'
  | 'card_paused'
  | 'card_inactive'
  | 'expired'
  | 'insufficient_funds'
  | 'velocity_exceeded'
  | 'unauthorized_merchant'
  | 'suspected_fraud'
  | 'currency'
  | 'declined';

export type AuthorizationAnswer =
  | { outcome: 'approved'; approvedMinor: bigint; availableMinor: bigint | null }
  | { outcome: 'declined'; code: IssuerDeclineCode };

/**
 * What the issuer says happened, each by its own token.
 * `authorized`: it approved, by our answer (`requestToken`) or in our place (null); `amountMinor` is of this step.
 * `declined`: it declined, whatever we answered. `adjusted`: the whole authorised amount is now `amountMinor`, what was cleared included.
 * `reversed`: the merchant releases `amountMinor`, or all (null). `expired`: nothing is held any more.
 * `cleared`: `amountMinor` is taken; `isLast`: no clearing follows, what is still held is released.
 * `refunded`, `refundReversed`: the merchant gives back, and takes back again.
 */
export interface CardEvent {
  token: string;
  purchaseToken: string;
  cardToken: string;
  type: 'authorized' | 'declined' | 'adjusted' | 'reversed' | 'expired' | 'cleared' | 'refunded' | 'refundReversed';
  /** Of a decline, what was asked for, null where that is not known; null for `expired`, and a reversal of all. */
  amountMinor: bigint | null;
  currency: string;
  requestToken: string | null;
  isLast: boolean;
  merchant: Merchant;
  merchantAmount: MerchantAmount | null;
  isOnline: boolean | null;
  /** The issuer's words, of a decline. */
  note: string;
  /** Of a decline: the issuer suspects fraud. */
  suspectsFraud?: boolean;
  /** By the issuer's clock; its order decides, not that of arrival. */
  at: Date;
}

/** What could not be understood of a signed message, as far as its names could be read. `unknownType`: well-formed, and of a kind that this release does not know. */
export interface UnreadMessage {
  problem: 'unreadable' | 'unknownType';
  type: string;
  token: string | null;
  purchaseToken: string | null;
  cardToken: string | null;
}

export type IssuerMessage =
  /** `unread`: steps of the purchase that this release does not know. */
  | { kind: 'purchase'; events: readonly CardEvent[]; unread?: readonly UnreadMessage[] }
  | { kind: 'card'; card: IssuerCard }
  /** Signed, and kept for a person: it may be about money. */
  | ({ kind: 'unread' } & UnreadMessage)
  /** Signed, and of no concern to us. */
  | { kind: 'other' };

/** A request as it arrived: the signature is of the bytes. */
export interface SignedRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

/** How an issuer speaks to us: reading and proving what it sends, and writing our answer. Pure but for the clock given. */
export interface IssuerProtocol {
  /** Null: not signed by the issuer, too old, or not readable. */
  readAuthorization(request: SignedRequest, now: Date): AuthorizationRequest | null;
  /** The body of the answer, JSON. */
  writeAnswer(request: AuthorizationRequest, answer: AuthorizationAnswer): unknown;
  /** Null: not signed by the issuer, or too old. What is signed and cannot be read is `unread`. */
  readMessage(request: SignedRequest, now: Date): IssuerMessage | null;
}
