/** The parts of a running sandbox as the desk lists them: each has a text `services.<name>` in every language. */
export const serviceNames = [
  'console',
  'operator',
  'worker',
  'signer',
  'database',
  'chain-primary',
  'chain-secondary',
  'bitcoin-primary',
  'bitcoin-secondary',
  'bitcoin-esplora',
  'inbox',
  'prices',
  'bank-files',
  'bank-http',
  'venue',
  'fx',
  'webhooks',
  'trades',
  'issuer',
] as const;

export type ServiceName = (typeof serviceNames)[number];
