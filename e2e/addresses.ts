import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `E2E_PORT_BASE` moves all ports, for several clones that run their journeys at the same time. */
const base = Number(process.env['E2E_PORT_BASE'] ?? 25_000);

/** Ports of the product under test: beside those of `npm start`, so that both can run. */
const ports = {
  HTTP: base,
  DESK: base + 1,
  WORKER: base + 2,
  SIGNER: base + 3,
  WEB: base + 4,
  OPERATOR: base + 5,
  LOOK: base + 7,
  MAIL: base + 25,
  PRICES: base + 80,
  BANK_FILES: base + 22,
  BANK_HTTP: base + 81,
  VENUE: base + 83,
  FX: base + 84,
  WEBHOOKS: base + 85,
  TRADES: base + 89,
  ISSUER: base + 86,
  DB: base + 432,
  CHAIN: base + 545,
  CHAIN_2: base + 546,
  BITCOIN: base + 547,
  BITCOIN_2: base + 548,
  BITCOIN_ESPLORA: base + 549,
} as const;

export const addresses = {
  console: `http://localhost:${ports.HTTP}`,
  operator: `http://localhost:${ports.OPERATOR}`,
  look: `http://localhost:${ports.LOOK}`,
  desk: `http://127.0.0.1:${ports.DESK}`,
  chain: `http://127.0.0.1:${ports.CHAIN}`,
  webhooks: `http://127.0.0.1:${ports.WEBHOOKS}`,
} as const;

// Playwright reads its configuration in every worker; the directory is made once and handed down.
process.env['CAUSEWAY_DATA_DIR'] ??= mkdtempSync(join(tmpdir(), 'causeway-e2e-'));

export const sandboxEnvironment: Record<string, string> = {
  ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [`CAUSEWAY_PORT_${name}`, String(port)])),
  CAUSEWAY_DATA_DIR: process.env['CAUSEWAY_DATA_DIR'],
  PATH: `${join(import.meta.dirname, '../node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
};
