import type { CardEvent, Merchant, MerchantAmount, UnreadMessage } from '../../issuer.ts';
import { alpha2Of } from './countries.ts';
import type { ApprovalRequest, Step, Transaction } from './shapes.ts';

/** Lithic's events in the port's words. Their sign says nothing here: what an event does follows from its type. */

const suspicions = ['SUSPECTED_FRAUD', 'FRAUD_ADVICE'];

type Shown = Pick<CardEvent, 'type' | 'amountMinor' | 'isLast'>;

/** Everything that happened to a purchase, in Lithic's order; what does not move or hold money is left out. */
export function eventsOf(transaction: Transaction): CardEvent[] {
  const { events, card_token: cardToken, token: purchaseToken, pos } = transaction;
  const merchant = merchantOf(transaction.merchant);
  return events.flatMap((step, index) => {
    const shown = shownAs(step, transaction, index);
    if (shown === null) return [];
    const isRequest = step.type === 'AUTHORIZATION' || step.type === 'FINANCIAL_AUTHORIZATION';
    return [
      {
        ...{ token: step.token, purchaseToken, cardToken, ...shown, merchant },
        currency: step.amounts.cardholder.currency,
        // The request to us had the token of the event that it became.
        requestToken: isRequest ? step.token : null,
        merchantAmount: merchantAmountOf(step.amounts),
        isOnline: isOnlineAt(pos),
        suspectsFraud: suspicions.some((word) => word === step.result || step.detailed_results?.includes(word)),
        note: step.result === 'APPROVED' ? '' : (step.detailed_results?.join(', ') ?? step.result),
        at: step.created,
      },
    ];
  });
}

/** What holds and moves nothing: inquiries, and credits that are to come. */
const idle: readonly string[] = ['BALANCE_INQUIRY', 'CREDIT_AUTHORIZATION', 'CREDIT_AUTHORIZATION_ADVICE'];
const known: readonly string[] = [
  ...idle,
  ...['AUTHORIZATION', 'AUTHORIZATION_ADVICE', 'AUTHORIZATION_EXPIRY', 'AUTHORIZATION_REVERSAL', 'CLEARING'],
  ...['CORRECTION_CREDIT', 'CORRECTION_DEBIT', 'FINANCIAL_AUTHORIZATION', 'FINANCIAL_CREDIT_AUTHORIZATION'],
  ...['RETURN', 'RETURN_REVERSAL'],
];

/** Steps of a type that is not Lithic's of SDK 0.145.0: they may move money. */
export function unreadOf({ events, card_token: cardToken, token: purchaseToken }: Transaction): UnreadMessage[] {
  return events.flatMap(({ type, token }) =>
    known.includes(type) ? [] : [{ problem: 'unknownType' as const, type, token, purchaseToken, cardToken }],
  );
}

function shownAs(step: Step, transaction: Transaction, index: number): Shown | null {
  const amountMinor = sizeOf(step.amounts.cardholder.amount);
  const isApproved = step.result === 'APPROVED';
  const declined: Shown = { type: 'declined', amountMinor, isLast: false };
  const shown = (type: CardEvent['type'], isLast = false): Shown => ({ type, amountMinor, isLast });
  switch (step.type) {
    case 'AUTHORIZATION':
      return isApproved ? shown('authorized') : declined;
    case 'FINANCIAL_AUTHORIZATION':
      return isApproved ? shown('cleared', true) : declined;
    case 'AUTHORIZATION_ADVICE':
      // Lithic says what is pending now, the port what is authorised in all.
      return isApproved
        ? { ...shown('adjusted'), amountMinor: amountMinor + clearedBefore(transaction, index) }
        : declined;
    case 'AUTHORIZATION_REVERSAL':
      return isApproved ? shown('reversed') : null;
    case 'AUTHORIZATION_EXPIRY':
      return { type: 'expired', amountMinor: null, isLast: false };
    case 'CLEARING':
      return step.amounts.cardholder.amount < 0
        ? shown('refunded')
        : shown('cleared', isLastClearing(transaction, index));
    case 'CORRECTION_DEBIT':
      return shown('cleared');
    case 'FINANCIAL_CREDIT_AUTHORIZATION':
      return isApproved ? shown('refunded') : null;
    case 'RETURN':
    case 'CORRECTION_CREDIT':
      return shown('refunded');
    case 'RETURN_REVERSAL':
      return shown('refundReversed');
    default:
      return null;
  }
}

function clearedBefore({ events }: Transaction, index: number): bigint {
  return events
    .slice(0, index)
    .filter(({ type, amounts }) => type === 'CLEARING' && amounts.cardholder.amount > 0)
    .reduce((sum, { amounts }) => sum + sizeOf(amounts.cardholder.amount), 0n);
}

/** Lithic holds nothing more, and nothing follows: what it releases then has no event of its own. */
function isLastClearing({ amounts, events }: Transaction, index: number): boolean {
  return amounts.hold.amount === 0 && index === events.length - 1;
}

export function merchantOf({ descriptor, mcc, city, country }: ApprovalRequest['merchant']): Merchant {
  const code = /^\d{4}$/.test(mcc ?? '') ? (mcc ?? '') : '0000';
  return { name: descriptor, mcc: code, city, country: alpha2Of(country ?? '') };
}

/** @returns null where the merchant's currency is the card's */
export function merchantAmountOf({
  cardholder,
  merchant,
}: Pick<ApprovalRequest['amounts'], 'cardholder' | 'merchant'>): MerchantAmount | null {
  if (cardholder.currency === merchant.currency) return null;
  const { conversion_rate: rate } = cardholder;
  const isPlain = typeof rate === 'string' && /^\d{1,12}(\.\d{1,18})?$/.test(rate);
  return {
    amount: wholeUnits(sizeOf(merchant.amount), placesOf(merchant.currency)),
    currency: merchant.currency,
    rate: isPlain ? rate : null,
  };
}

export function isOnlineAt(pos: ApprovalRequest['pos']): boolean | null {
  const presence = pos?.entry_mode?.card;
  return presence === 'PRESENT' ? false : presence === 'NOT_PRESENT' ? true : null;
}

export function sizeOf(amount: number): bigint {
  return BigInt(Math.abs(amount));
}

/** The decimals of a currency by ISO 4217, as ICU has them. */
function placesOf(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

function wholeUnits(minor: bigint, places: number): string {
  if (places === 0) return String(minor);
  const digits = String(minor).padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
