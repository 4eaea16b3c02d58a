import { bankNumbersCheck } from './features/banks/index.ts';
import { type CardIssuer, cardIssuerCheck } from './features/cards/index.ts';
import {
  type ChainGateway,
  gasTankCheck,
  isEvmGateway,
  nodeChecks,
  nodesOf,
  signerCheck,
  watcherCheck,
} from './features/chains/index.ts';
import { hedgingCheck } from './features/exchange/index.ts';
import { solvencyCheck } from './features/operator/index.ts';
import { holdsCheck, tracesCheck } from './features/rails/index.ts';
import { midsCheck, priceSourceCheck, pricesCheck } from './features/rates/index.ts';
import { tradePlatformCheck } from './features/trades/index.ts';
import { frozenWalletsCheck } from './features/wallets/index.ts';
import { webhooksCheck } from './features/webhooks/index.ts';
import type { ChainConfig } from './platform/config/chains.ts';
import type { Database } from './platform/database/database.ts';
import { restoreModeCheck } from './platform/database/restore-mode.ts';
import { createHealth, type Health } from './platform/process/health.ts';
import {
  databaseCheck,
  failedJobsCheck,
  fileStoreCheck,
  jobsCheck,
  migrationsCheck,
  relayCheck,
} from './platform/process/health-checks.ts';
import { mailCheck, type SmtpMailer } from './platform/text/mail.ts';

export interface WorkerParts {
  database: Database;
  chains: readonly ChainConfig[];
  gateways: ReadonlyMap<string, ChainGateway>;
  mailer: Pick<SmtpMailer, 'verify'>;
  signerSocket: string;
  filesDirectory: string;
  /** The configured sources of prices, by name. */
  priceSources: readonly string[];
  /** Null: no issuer of cards is connected. */
  cardIssuer: CardIssuer | null;
  /** A trade platform takes what companies confirm. */
  hasTradePlatform: boolean;
}

/** Everything that the worker depends on, by name. Without its database it can do nothing; all else it waits for. */
export function createWorkerHealth(parts: WorkerParts): Health {
  const { database, chains, gateways, mailer } = parts;
  const health = createHealth();
  const checks = [
    databaseCheck(database),
    migrationsCheck(database),
    fileStoreCheck(parts.filesDirectory),
    relayCheck(database),
    jobsCheck(database),
    failedJobsCheck(database),
    mailCheck(mailer),
    pricesCheck(database),
    midsCheck(database),
    ...parts.priceSources.map((source) => priceSourceCheck(database, source)),
    hedgingCheck(database),
    signerCheck(parts.signerSocket),
    frozenWalletsCheck(database),
    bankNumbersCheck(database),
    solvencyCheck(database),
    webhooksCheck(database),
    ...(parts.hasTradePlatform ? [tradePlatformCheck(database)] : []),
    ...(parts.cardIssuer ? [cardIssuerCheck(parts.cardIssuer)] : []),
    // Deposits and everything else go on while it holds.
    restoreModeCheck(database, 'degraded'),
    ...chains.flatMap((chain) => nodeChecks(chain.id, nodesOf(chain))),
    ...chains.map((chain) => watcherCheck(database, chain)),
    ...chains.map(({ id }) => holdsCheck(database, id)),
    ...chains.map(({ id }) => tracesCheck(database, id)),
    ...[...gateways.values()].filter(isEvmGateway).map((gateway) => gasTankCheck(database, gateway)),
  ];
  for (const check of checks) health.register(check);
  return health;
}
