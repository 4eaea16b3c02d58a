/**
 * The one order of features, the same on the server and in the web app (docs/ARCHITECTURE.md, "Directions"): a feature may import
 * those to its left. `legal`, `control` and `home` are the web app's own.
 */
export const features = [
  'legal',
  'identity',
  'audit',
  'control',
  'organisation',
  'files',
  'notices',
  'rates',
  'ledger',
  'chains',
  'banks',
  'payees',
  'wallets',
  'transactions',
  'risk',
  'approvals',
  'outgoing',
  'rails',
  'transfers',
  'payments',
  'exchange',
  'trades',
  'collections',
  'batches',
  'otc',
  'cards',
  'operator',
  'home',
];
