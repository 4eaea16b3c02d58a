import { PROGRAMS } from './currencies.ts';
import type { Card, EventType, Merchant, Step, Subscription, Transaction } from './model.ts';

/** Records as the vendor's API shows them (SDK 0.145.0). */

export const ACCOUNT = '8f5bd0c6-2c1e-4a53-9c4e-6a0f6f1d7b11';

const CREDITS: readonly EventType[] = [
  'AUTHORIZATION_EXPIRY',
  'AUTHORIZATION_REVERSAL',
  'CREDIT_AUTHORIZATION',
  'CREDIT_AUTHORIZATION_ADVICE',
  'FINANCIAL_CREDIT_AUTHORIZATION',
  'RETURN',
];

export function currencyOf(card: Pick<Card, 'program'>): string {
  return PROGRAMS.find(({ token }) => token === card.program)?.currency ?? 'USD';
}

/** Neither number nor security code: those are for the frame. */
export function cardShape(card: Readonly<Card>) {
  return {
    token: card.token,
    account_token: ACCOUNT,
    card_program_token: card.program,
    cardholder_currency: currencyOf(card),
    created: time(card.createdAt),
    funding: null,
    last_four: card.pan.slice(-4),
    exp_month: card.expMonth,
    exp_year: card.expYear,
    memo: card.memo,
    comment: card.comment,
    hostname: '',
    pin_status: 'NOT_SET',
    spend_limit: card.spendLimit,
    spend_limit_duration: card.spendLimitDuration,
    state: card.state,
    substatus: card.substatus,
    type: card.type,
    replacement_for: card.replacementFor,
    auth_rule_tokens: [],
    pending_commands: [],
    product_id: null,
    network_program_token: null,
    digital_card_art_token: null,
    bulk_order_token: null,
  };
}

export function programShape({ token, name, currency, panStart, createdAt }: (typeof PROGRAMS)[number]) {
  return {
    token,
    name,
    created: time(createdAt),
    account_level_management_enabled: false,
    cardholder_currency: currency,
    settlement_currencies: [currency],
    pan_range_start: panStart.padEnd(16, '0'),
    pan_range_end: panStart.padEnd(16, '9'),
  };
}

export function transactionShape(transaction: Readonly<Transaction>) {
  const { billingCurrency: billing, merchantCurrency: currency, rate, held, settled, steps } = transaction;
  return {
    token: transaction.token,
    account_token: ACCOUNT,
    card_token: transaction.card,
    financial_account_token: null,
    acquirer_fee: 0,
    acquirer_reference_number: null,
    amount: settled === 0 ? transaction.authorised : settled,
    amounts: {
      cardholder: { amount: held + settled, conversion_rate: rate, currency: billing },
      hold: { amount: held, currency: billing },
      merchant: { amount: transaction.merchantSettled, currency },
      settlement: { amount: settled, currency: billing },
    },
    authorization_amount: transaction.authorised,
    authorization_code: codeOf(transaction.token),
    avs: null,
    cardholder_authentication: null,
    created: time(transaction.createdAt),
    updated: time(transaction.updatedAt),
    merchant: merchantShape(transaction.merchant),
    merchant_amount: settled === 0 ? transaction.merchantAuthorised : transaction.merchantSettled,
    merchant_authorization_amount: transaction.merchantAuthorised,
    merchant_currency: currency,
    network: 'VISA',
    network_risk_score: null,
    pos: posShape(transaction),
    result: transaction.result,
    service_location: null,
    settled_amount: settled,
    status: transaction.status,
    tags: {},
    token_info: null,
    events: steps.map((step) => stepShape(step, transaction)),
  };
}

function stepShape(step: Readonly<Step>, { billingCurrency: billing, merchantCurrency, rate }: Readonly<Transaction>) {
  return {
    token: step.token,
    type: step.type,
    created: time(step.at),
    amount: step.amount,
    amounts: {
      cardholder: { amount: step.amount, conversion_rate: rate, currency: billing },
      merchant: { amount: step.merchantAmount, currency: merchantCurrency },
      settlement: step.isFinancial ? { amount: step.amount, conversion_rate: rate, currency: billing } : null,
    },
    result: step.result,
    detailed_results: [step.detailedResult],
    effective_polarity: step.amount < 0 || CREDITS.includes(step.type) ? 'CREDIT' : 'DEBIT',
    network_info: null,
    rule_results: [],
    network_specific_data: null,
  };
}

/** The request to the programme's responder. An increment has the transaction's own token and asks for the further amount alone. */
export function approvalShape(card: Readonly<Card>, transaction: Readonly<Transaction>, step: Readonly<Step>) {
  const { billingCurrency: billing, merchantCurrency, rate, merchant } = transaction;
  return {
    event_type: 'card_authorization.approval_request',
    token: transaction.token,
    event_token: step.token,
    status: step.type,
    created: time(step.at),
    acquirer_fee: 0,
    amount: step.amount,
    authorization_amount: step.amount,
    amounts: {
      cardholder: { amount: step.amount, conversion_rate: rate, currency: billing },
      hold: { amount: step.amount, currency: billing },
      merchant: { amount: step.merchantAmount, currency: merchantCurrency },
      settlement: null,
    },
    avs: { address: '', address_on_file_match: 'NOT_PRESENT', zipcode: '' },
    card: {
      token: card.token,
      last_four: card.pan.slice(-4),
      memo: card.memo,
      spend_limit: card.spendLimit,
      spend_limit_duration: card.spendLimitDuration,
      state: card.state,
      type: card.type,
    },
    cardholder_currency: billing,
    cash_amount: 0,
    conversion_rate: Number(rate),
    merchant: merchantShape(merchant),
    merchant_amount: step.merchantAmount,
    merchant_currency: merchantCurrency,
    name_validation: null,
    network: 'VISA',
    network_risk_score: null,
    pos: posShape(transaction),
    service_location: null,
    settled_amount: transaction.settled,
    token_info: null,
    transaction_initiator: 'CARDHOLDER',
  };
}

export function subscriptionShape({ token, url, description, isDisabled, eventTypes }: Readonly<Subscription>) {
  return { token, url, description, disabled: isDisabled, event_types: eventTypes };
}

function merchantShape({ acceptorId, descriptor, mcc, city, state, country }: Readonly<Merchant>) {
  const address = { phone_number: null, postal_code: null, street_address: null };
  return {
    acceptor_id: acceptorId,
    acquiring_institution_id: '191231',
    city,
    country,
    descriptor,
    mcc,
    state,
    ...address,
  };
}

function posShape({ isOnline, isPartialCapable }: Readonly<Transaction>) {
  return {
    entry_mode: {
      card: isOnline ? 'NOT_PRESENT' : 'PRESENT',
      cardholder: isOnline ? 'ELECTRONIC_ORDER' : 'PRESENT',
      pan: isOnline ? 'ECOMMERCE' : 'CONTACTLESS',
      pin_entered: false,
    },
    terminal: {
      acceptor_terminal_id: null,
      attended: !isOnline,
      card_retention_capable: false,
      on_premise: !isOnline,
      operator: isOnline ? 'CARDHOLDER' : 'CARD_ACCEPTOR',
      partial_approval_capable: isPartialCapable,
      pin_capability: 'UNSPECIFIED',
      type: isOnline ? 'ECOMMERCE' : 'POS_TERMINAL',
    },
  };
}

/** Six digits that follow from the token. */
function codeOf(token: string): string {
  return String(Number.parseInt(token.slice(0, 8), 16) % 1_000_000).padStart(6, '0');
}

export function time(ms: number): string {
  return new Date(ms).toISOString();
}
