import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the product under test stands: ports beside those of `npm start`, so that both can run. */
const ports = {
  HTTP: 43000,
  DESK: 43001,
  WORKER: 43002,
  SIGNER: 43003,
  WEB: 43004,
  MAIL: 43025,
  PRICES: 43080,
  DB: 43432,
  CHAIN: 43545,
  CHAIN_2: 43546,
} as const;

export const addresses = {
  console: `http://localhost:${ports.HTTP}`,
  desk: `http://127.0.0.1:${ports.DESK}`,
  chain: `http://127.0.0.1:${ports.CHAIN}`,
} as const;

// Playwright reads its configuration in every worker; the directory is made once and handed down.
process.env['CAUSEWAY_DATA_DIR'] ??= mkdtempSync(join(tmpdir(), 'causeway-e2e-'));

export const sandboxEnvironment: Record<string, string> = {
  ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [`CAUSEWAY_PORT_${name}`, String(port)])),
  CAUSEWAY_DATA_DIR: process.env['CAUSEWAY_DATA_DIR'],
  PATH: `${join(import.meta.dirname, '../node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
};
