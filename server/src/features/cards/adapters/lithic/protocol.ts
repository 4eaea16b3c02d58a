import { readSignedId, signingKeys } from '../../../../platform/crypto/webhook-signature.ts';
import type {
  AuthorizationAnswer,
  AuthorizationRequest,
  IssuerCard,
  IssuerDeclineCode,
  IssuerMessage,
  IssuerProtocol,
  SignedRequest,
} from '../../issuer.ts';
import { eventsOf, isOnlineAt, merchantAmountOf, merchantOf, sizeOf, unreadOf } from './events.ts';
import { type ApprovalRequest, approvalRequest, cardEvent, eventType, names, transaction } from './shapes.ts';

/** `whsec_…`: the current secrets, and those before while they are being changed. */
export interface LithicSecrets {
  authorization: readonly string[];
  events: readonly string[];
}

const kinds: Readonly<Record<ApprovalRequest['status'], AuthorizationRequest['kind']>> = {
  AUTHORIZATION: 'authorization',
  FINANCIAL_AUTHORIZATION: 'final',
  BALANCE_INQUIRY: 'inquiry',
  CREDIT_AUTHORIZATION: 'credit',
  FINANCIAL_CREDIT_AUTHORIZATION: 'credit',
};

/** Lithic's words for ours; any word that is not APPROVED declines. */
const results: Readonly<Record<IssuerDeclineCode, string>> = {
  card_closed: 'CARD_PAUSED',
  card_paused: 'CARD_PAUSED',
  card_inactive: 'CARD_PAUSED',
  expired: 'CARD_PAUSED',
  insufficient_funds: 'INSUFFICIENT_FUNDS',
  velocity_exceeded: 'VELOCITY_EXCEEDED',
  unauthorized_merchant: 'UNAUTHORIZED_MERCHANT',
  suspected_fraud: 'SUSPECTED_FRAUD',
  currency: 'CURRENCY_NOT_SUPPORTED',
  declined: 'DECLINED',
};

/**
 * How Lithic speaks to us: Auth Stream Access and events, both signed as Standard Webhooks has it (https://www.standardwebhooks.com). A request without `event_token`
 * is not read, and so declined: by that token its event is known again.
 */
export function lithicProtocol(secrets: LithicSecrets): IssuerProtocol {
  const authorizationKeys = signingKeys(secrets.authorization);
  const eventKeys = signingKeys(secrets.events);
  return {
    readAuthorization(request, now) {
      if (readSignedId(request, authorizationKeys, now) === null) return null;
      const parsed = approvalRequest.safeParse(bodyOf(request));
      return parsed.success ? requestOf(parsed.data) : null;
    },
    writeAnswer: answerOf,
    readMessage(request, now) {
      if (readSignedId(request, eventKeys, now) === null) return null;
      return messageOf(bodyOf(request));
    },
  };
}

function requestOf(request: ApprovalRequest): AuthorizationRequest {
  const { cardholder, hold } = request.amounts;
  // Where the programme has Lithic hold more than the merchant asks for (tips, fuel), that is what is held.
  const asked = hold?.currency === cardholder.currency ? hold : cardholder;
  return {
    token: request.event_token,
    purchaseToken: request.token,
    cardToken: request.card.token,
    kind: kinds[request.status],
    amountMinor: sizeOf(asked.amount),
    currency: cardholder.currency,
    merchant: merchantOf(request.merchant),
    merchantAmount: merchantAmountOf(request.amounts),
    isOnline: isOnlineAt(request.pos),
    mayBePartial: request.pos?.terminal?.partial_approval_capable === true,
    at: request.created,
  };
}

function answerOf(request: AuthorizationRequest, answer: AuthorizationAnswer): unknown {
  const token = request.purchaseToken;
  if (answer.outcome === 'declined') return { token, result: results[answer.code] };
  const { approvedMinor, availableMinor } = answer;
  const isPartial = request.mayBePartial && approvedMinor < request.amountMinor;
  // A part where none may be approved is no approval.
  if (approvedMinor < request.amountMinor && !isPartial) return { token, result: results.insufficient_funds };
  const available = availableMinor === null ? null : numberOf(availableMinor);
  return {
    ...{ token, result: 'APPROVED' },
    ...(isPartial && { approved_amount: numberOf(approvedMinor) }),
    ...(available !== null && { balance: { amount: available, available } }),
  };
}

/** Families of events that are about neither purchases nor what we keep of cards. */
const otherFamilies: readonly string[] = [
  ...[
    'account_activity',
    'account_holder',
    'account_holder_document',
    'auth_rules',
    'balance',
    'book_transfer_transaction',
  ],
  ...['card_authorization', 'card_transaction_enhanced_data', 'digital_wallet', 'dispute', 'dispute_evidence'],
  ...['external_bank_account', 'external_payment', 'financial_account', 'funding_event', 'internal_transaction'],
  ...['loan_tape', 'management_operation', 'network_total', 'payment_transaction', 'settlement_report', 'statements'],
  ...['three_ds_authentication', 'tokenization', 'tokenization_two_factor_authentication', 'transaction_monitoring'],
];
const otherCardEvents: readonly string[] = ['card.created', 'card.converted', 'card.renewed', 'card.reissued'];

function messageOf(body: unknown): IssuerMessage {
  const typed = eventType.safeParse(body);
  if (!typed.success) return unread('unreadable', '', body);
  const { event_type: type } = typed.data;
  if (type === 'card_transaction.updated') {
    const parsed = transaction.safeParse(body);
    if (!parsed.success) return unread('unreadable', type, body);
    return { kind: 'purchase', events: eventsOf(parsed.data), unread: unreadOf(parsed.data) };
  }
  if (type !== 'card.updated' && type !== 'card.shipped') {
    const isOther = otherFamilies.includes(type.split('.')[0] ?? '') || otherCardEvents.includes(type);
    return isOther ? { kind: 'other' } : unread('unknownType', type, body);
  }
  const parsed = cardEvent.safeParse(body);
  return parsed.success ? { kind: 'card', card: cardOf(parsed.data) } : unread('unreadable', type, body);
}

function unread(problem: 'unreadable' | 'unknownType', type: string, body: unknown): IssuerMessage {
  const { data } = names.safeParse(body);
  const isPurchase = type === 'card_transaction.updated';
  return {
    ...{ kind: 'unread', problem, type, token: null },
    ...{ purchaseToken: isPurchase ? (data?.token ?? null) : null, cardToken: data?.card_token ?? null },
  };
}

/** What an event says of a card: its number’s end and its date are not in it. */
function cardOf({
  card_token: token,
  state,
  tracking_number: tracking,
  event_type: type,
}: ReturnType<typeof cardEvent.parse>): IssuerCard {
  const isShipped = type === 'card.shipped';
  const isPending = isShipped || state === 'PENDING_ACTIVATION' || state === 'PENDING_FULFILLMENT';
  return {
    token,
    state: state === 'CLOSED' ? 'closed' : state === 'PAUSED' ? 'paused' : 'open',
    isActivated: !isPending,
    lastFour: null,
    expires: null,
    shipping: isShipped ? { state: 'shipped', tracking: tracking ?? null, expectedOn: null } : null,
  };
}

function bodyOf({ body }: SignedRequest): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** A balance beyond what JSON holds exactly becomes the largest that it does. */
function numberOf(minor: bigint): number {
  return Number(minor > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : minor);
}
