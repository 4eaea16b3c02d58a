/** Asks for all files of a page, by its route's path. Made by `vite/boot.js`; there is none in development. */
declare var preloadPage: ((path: string) => void) | undefined;

declare module 'virtual:texts' {
  import type { Messages } from '@lingui/core';

  /** Group of texts → language → its lazily loaded, compiled catalogue. Made by `vite/texts.ts`. */
  export const catalogues: Record<string, Record<string, () => Promise<{ messages: Messages }>>>;
}

declare module 'virtual:contract' {
  /** Every call of this console, with its schemas. Made by `vite/calls.ts`. */
  export const calls: readonly import('@causeway/contract/call.ts').Call[];
}

// The calls of each file of the contract without their schemas, made by `vite/calls.ts`.

declare module 'virtual:calls/alerts' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/alerts.ts')>;
  export = calls;
}

declare module 'virtual:calls/approvals' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/approvals.ts')>;
  export = calls;
}

declare module 'virtual:calls/audit' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/audit.ts')>;
  export = calls;
}

declare module 'virtual:calls/bank-payees' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/bank-payees.ts')>;
  export = calls;
}

declare module 'virtual:calls/cards-payments' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/cards-payments.ts')>;
  export = calls;
}

declare module 'virtual:calls/cards-receipts' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/cards-receipts.ts')>;
  export = calls;
}

declare module 'virtual:calls/cards-limits' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/cards-limits.ts')>;
  export = calls;
}

declare module 'virtual:calls/cards' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/cards.ts')>;
  export = calls;
}

declare module 'virtual:calls/control' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/control.ts')>;
  export = calls;
}

declare module 'virtual:calls/files' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/files.ts')>;
  export = calls;
}

declare module 'virtual:calls/home' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/home.ts')>;
  export = calls;
}

declare module 'virtual:calls/identity' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/identity.ts')>;
  export = calls;
}

declare module 'virtual:calls/identity-account' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/identity-account.ts')>;
  export = calls;
}

declare module 'virtual:calls/live' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/live.ts')>;
  export = calls;
}

declare module 'virtual:calls/notices' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/notices.ts')>;
  export = calls;
}

declare module 'virtual:calls/operator' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/operator.ts')>;
  export = calls;
}

declare module 'virtual:calls/operator-announcements' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/operator-announcements.ts')>;
  export = calls;
}

declare module 'virtual:calls/operator-audit' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/operator-audit.ts')>;
  export = calls;
}

declare module 'virtual:calls/operator-cards' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/operator-cards.ts')>;
  export = calls;
}
declare module 'virtual:calls/operator-bank-explanations' {
  const calls: import('./lib/light-call.ts').LightCalls<
    typeof import('@causeway/contract/operator-bank-explanations.ts')
  >;
  export = calls;
}
declare module 'virtual:calls/operator-bank-debits' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/operator-bank-debits.ts')>;
  export = calls;
}

declare module 'virtual:calls/operator-bank-uploads' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/operator-bank-uploads.ts')>;
  export = calls;
}

declare module 'virtual:calls/operator-banks' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/operator-banks.ts')>;
  export = calls;
}

declare module 'virtual:calls/operator-exchange' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/operator-exchange.ts')>;
  export = calls;
}

declare module 'virtual:calls/operator-health' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/operator-health.ts')>;
  export = calls;
}

declare module 'virtual:calls/operator-outputs' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/operator-outputs.ts')>;
  export = calls;
}

declare module 'virtual:calls/operator-treasury' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/operator-treasury.ts')>;
  export = calls;
}

declare module 'virtual:calls/operator-transactions' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/operator-transactions.ts')>;
  export = calls;
}

declare module 'virtual:calls/operator-solvency' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/operator-solvency.ts')>;
  export = calls;
}

declare module 'virtual:calls/operator-companies' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/operator-companies.ts')>;
  export = calls;
}

declare module 'virtual:calls/operator-freezing' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/operator-freezing.ts')>;
  export = calls;
}

declare module 'virtual:calls/operator-look' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/operator-look.ts')>;
  export = calls;
}

declare module 'virtual:calls/operator-queue' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/operator-queue.ts')>;
  export = calls;
}

declare module 'virtual:calls/operator-exceptions' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/operator-exceptions.ts')>;
  export = calls;
}

declare module 'virtual:calls/operator-companies' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/operator-companies.ts')>;
  export = calls;
}

declare module 'virtual:calls/operator-prices' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/operator-prices.ts')>;
  export = calls;
}

declare module 'virtual:calls/batches' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/batches.ts')>;
  export = calls;
}

declare module 'virtual:calls/otc' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/otc.ts')>;
  export = calls;
}

declare module 'virtual:calls/operator-trades' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/operator-trades.ts')>;
  export = calls;
}

declare module 'virtual:calls/operator-otc' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/operator-otc.ts')>;
  export = calls;
}

declare module 'virtual:calls/organisation' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/organisation.ts')>;
  export = calls;
}

declare module 'virtual:calls/payees' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/payees.ts')>;
  export = calls;
}

declare module 'virtual:calls/exchange' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/exchange.ts')>;
  export = calls;
}

declare module 'virtual:calls/batch-runs' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/batch-runs.ts')>;
  export = calls;
}

declare module 'virtual:calls/payout-templates' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/payout-templates.ts')>;
  export = calls;
}

declare module 'virtual:calls/standing-orders' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/standing-orders.ts')>;
  export = calls;
}

declare module 'virtual:calls/payment-requests' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/payment-requests.ts')>;
  export = calls;
}

declare module 'virtual:calls/payment-requests-public' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/payment-requests-public.ts')>;
  export = calls;
}

declare module 'virtual:calls/payment-requests-refund' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/payment-requests-refund.ts')>;
  export = calls;
}

declare module 'virtual:calls/payments' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/payments.ts')>;
  export = calls;
}

declare module 'virtual:calls/rates' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/rates.ts')>;
  export = calls;
}

declare module 'virtual:calls/recharges' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/recharges.ts')>;
  export = calls;
}

declare module 'virtual:calls/risk' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/risk.ts')>;
  export = calls;
}

declare module 'virtual:calls/risk-lists' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/risk-lists.ts')>;
  export = calls;
}

declare module 'virtual:calls/statements' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/statements.ts')>;
  export = calls;
}

declare module 'virtual:calls/trades' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/trades.ts')>;
  export = calls;
}

declare module 'virtual:calls/transactions' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/transactions.ts')>;
  export = calls;
}

declare module 'virtual:calls/transfers' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/transfers.ts')>;
  export = calls;
}

declare module 'virtual:calls/wallets' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/wallets.ts')>;
  export = calls;
}

declare module 'virtual:calls/webhooks' {
  const calls: import('./lib/light-call.ts').LightCalls<typeof import('@causeway/contract/webhooks.ts')>;
  export = calls;
}
