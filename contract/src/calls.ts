import * as alerts from './alerts.ts';
import * as approvals from './approvals.ts';
import * as audit from './audit.ts';
import * as bankPayees from './bank-payees.ts';
import * as batchRuns from './batch-runs.ts';
import * as batches from './batches.ts';
import type { Call } from './call.ts';
import * as cards from './cards.ts';
import * as cardLimits from './cards-limits.ts';
import * as cardPayments from './cards-payments.ts';
import * as cardReceipts from './cards-receipts.ts';
import * as control from './control.ts';
import * as exchange from './exchange.ts';
import * as files from './files.ts';
import * as home from './home.ts';
import * as identity from './identity.ts';
import * as identityAccount from './identity-account.ts';
import * as live from './live.ts';
import * as notices from './notices.ts';
import * as organisation from './organisation.ts';
import * as otc from './otc.ts';
import * as payees from './payees.ts';
import * as paymentRequests from './payment-requests.ts';
import * as paymentRequestsPublic from './payment-requests-public.ts';
import * as paymentRequestsRefund from './payment-requests-refund.ts';
import * as payments from './payments.ts';
import * as payoutTemplates from './payout-templates.ts';
import * as rates from './rates.ts';
import * as recharges from './recharges.ts';
import * as risk from './risk.ts';
import * as riskLists from './risk-lists.ts';
import * as standingOrders from './standing-orders.ts';
import * as statements from './statements.ts';
import * as trades from './trades.ts';
import * as transactions from './transactions.ts';
import * as transfers from './transfers.ts';
import * as wallets from './wallets.ts';
import * as webhooks from './webhooks.ts';

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;
}

const features = [
  identity,
  identityAccount,
  organisation,
  files,
  notices,
  rates,
  payees,
  bankPayees,
  wallets,
  recharges,
  transactions,
  statements,
  risk,
  riskLists,
  approvals,
  control,
  transfers,
  alerts,
  webhooks,
  payments,
  exchange,
  standingOrders,
  trades,
  paymentRequests,
  paymentRequestsRefund,
  paymentRequestsPublic,
  batches,
  batchRuns,
  payoutTemplates,
  otc,
  cards,
  cardLimits,
  cardPayments,
  cardReceipts,
  audit,
  live,
  home,
] as const;

/** Every call of the contract, in the order of the features. */
export const calls: readonly Call[] = features.flatMap((feature): unknown[] => Object.values(feature)).filter(isCall);

type CallsOf<Feature> = Feature extends unknown ? Extract<Feature[keyof Feature], Call> : never;
/** Any of them, by its type. */
export type EveryCall = CallsOf<(typeof features)[number]>;
