import type { Support } from '@causeway/contract/live.ts';
import * as z from 'zod';
import { type BatchLimits, defaultBatchLimits } from '../batching.ts';
import { databaseAddressProblem } from '../database/primary.ts';
import { defaultHttpLimits, type HttpLimits } from '../http/http-limits.ts';
import { StartFailure } from '../process/start-failure.ts';
import { explainVariable, toBeFilledIn } from './config-examples.ts';
import {
  amountsByCoin,
  evmAddress,
  jwk,
  networks,
  ports,
  previousKeys,
  previousSecrets,
  proxies,
  secret,
  signingSecret,
  truth,
  wei,
} from './config-values.ts';
import { answeringIssuer, askingIssuer } from './issuer.ts';

/**
 * Configuration: one environment file (`node --env-file=…`), checked as a whole at start. Every process reads the same
 * file and takes the part it needs, so that a process never holds a secret it has no use for.
 */

const port = z.coerce.number().int().min(1).max(65_535);
/** One host, or several with `target_session_attrs=read-write`. */
const databaseUrl = z.string().superRefine((url, context) => {
  const problem = databaseAddressProblem(url);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});

const milliseconds = (usual: number) => z.coerce.number().int().min(50).max(3_600_000).default(usual);

const shared = {
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  CHAINS_FILE: z.string().min(1),
};

/** Whom companies contact at the firm; shown to everyone who opens the console. */
const supporting = {
  SUPPORT_EMAIL: z.email().max(254).optional(),
  SUPPORT_PHONE: z
    .string()
    .regex(/^\+?[0-9][0-9 ()-]{3,30}$/)
    .optional(),
};

/** What bounds the clients of a process that listens for people; each is explained in `http-limits.ts`. */
const listening = {
  /** The proxies whose X-Forwarded-For is believed; empty trusts none. */
  TRUSTED_PROXIES: proxies,
  HTTP_HEADERS_TIMEOUT_MS: milliseconds(defaultHttpLimits.headersTimeoutMs),
  HTTP_BODY_GRACE_MS: milliseconds(defaultHttpLimits.bodyGraceMs),
  HTTP_BODY_MIN_BYTES_PER_SECOND: z.coerce.number().int().min(1).default(defaultHttpLimits.bodyMinBytesPerSecond),
  HTTP_IDLE_TIMEOUT_MS: milliseconds(defaultHttpLimits.idleTimeoutMs),
  HTTP_KEEP_ALIVE_TIMEOUT_MS: milliseconds(defaultHttpLimits.keepAliveTimeoutMs),
  HTTP_CHECK_INTERVAL_MS: milliseconds(defaultHttpLimits.checkIntervalMs),
  HTTP_MAX_CONNECTIONS: z.coerce.number().int().min(1).default(defaultHttpLimits.maxConnections),
  HTTP_MAX_CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).default(defaultHttpLimits.maxConnectionsPerAddress),
  /** From SIGTERM, when /readyz turns 503, to the end of listening: longer than the proxy's interval of checks. */
  DRAIN_MS: z.coerce.number().int().min(0).max(60_000).default(5000),
  PASSWORD_MAX_LENGTH: z.coerce.number().int().min(8).max(128).default(16),
};

const announcing = {
  PUBLIC_URL: z.url({ protocol: /^https?$/ }),
  /** Shared by main and worker alone: codes on their way to a mail are sealed with it, so that no queue shows them. */
  MAIL_SECRET: secret,
};

/** Webhooks to companies' own systems: main keeps their secrets, the worker signs and sends. */
const sendingWebhooks = {
  WEBHOOK_SECRET: secret,
  WEBHOOK_SECRET_PREVIOUS: previousSecrets,
  /** Networks inside, whose systems may be sent to although their addresses are not public. */
  WEBHOOK_ALLOWED_NETWORKS: networks,
  WEBHOOK_PORTS: ports('443,8443'),
  /** For the sandbox: without TLS, and to allowed networks alone. */
  WEBHOOK_ALLOW_HTTP: truth,
};

/** The trade platform (docs/adr/0101-…): what verifies its events, in main. Without a secret no platform is connected. */
const receivingTrades = {
  TRADE_EVENTS_SECRET: signingSecret.optional(),
  TRADE_EVENTS_SECRET_PREVIOUS: signingSecret.optional(),
};
/** Where the worker sends confirmations, and what it signs them with. */
const confirmingTrades = {
  TRADE_PLATFORM_URL: z.url({ protocol: /^https?$/ }).optional(),
  TRADE_CONFIRMATION_SECRET: signingSecret.optional(),
};

/** Working days of banks where the program's own tables are not right; without it those hold. */
const calendars = { BANK_CALENDAR_FILE: z.string().min(1).optional() };

const mainSchema = z.object({
  ...shared,
  ...announcing,
  ...sendingWebhooks,
  ...receivingTrades,
  ...askingIssuer,
  ...answeringIssuer,
  ...calendars,
  ...supporting,
  ...listening,
  DATABASE_APP_URL: databaseUrl,
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(12),
  /** Of submissions that are served together: `batching.ts`. */
  BATCH_CONNECTIONS: z.coerce.number().int().min(1).max(16).default(defaultBatchLimits.connections),
  BATCH_MAX_SIZE: z.coerce.number().int().min(1).max(100).default(defaultBatchLimits.maxSize),
  HTTP_HOST: z.string().default('127.0.0.1'),
  HTTP_PORT: port,
  FILES_DIR: z.string().min(1),
  WEB_DIR: z.string().min(1).optional(),
  APP_SECRET: secret,
  APP_SECRET_PREVIOUS: previousSecrets,
  AUTHORISATION_KEY: jwk('Ed25519', 'private'),
  AUTHORISATION_PUBLIC_KEY_PREVIOUS: previousKeys('Ed25519', 'public'),
  PASSWORD_KEY: jwk('RSA', 'private'),
  PASSWORD_KEY_PREVIOUS: previousKeys('RSA', 'private'),
  /** Whose events are taken, and the files of their secrets; without it none are. */
  BANK_CONNECTIONS_FILE: z.string().min(1).optional(),
});

/** The operator's console: it shares no secret with the companies' processes, but that the worker sends its mails. */
const operatorMainSchema = z.object({
  LOG_LEVEL: shared.LOG_LEVEL,
  /** Needed where addresses are of a test network of Bitcoin: nothing else of the file is used. */
  CHAINS_FILE: shared.CHAINS_FILE.optional(),
  ...calendars,
  ...supporting,
  ...listening,
  DATABASE_CONSOLE_URL: databaseUrl,
  // The queue keeps one for its lock and uses another.
  OPERATOR_DATABASE_POOL_SIZE: z.coerce.number().int().min(3).max(200).default(6),
  OPERATOR_HTTP_HOST: z.string().default('127.0.0.1'),
  OPERATOR_HTTP_PORT: port,
  OPERATOR_URL: z.url({ protocol: /^https?$/ }),
  OPERATOR_WEB_DIR: z.string().min(1).optional(),
  // Seeing a company as it sees itself: without the first two there is no such thing.
  OPERATOR_LOOK_PORT: port.optional(),
  OPERATOR_LOOK_URL: z.url({ protocol: /^https?$/ }).optional(),
  OPERATOR_LOOK_WEB_DIR: z.string().min(1).optional(),
  /** Needed where looks are served: the address that companies' links lead to. */
  PUBLIC_URL: announcing.PUBLIC_URL.optional(),
  /** Documents about companies: a folder that no company's process can read. */
  OPERATOR_FILES_DIR: z.string().min(1),
  OPERATOR_SECRET: secret,
  OPERATOR_SECRET_PREVIOUS: previousSecrets,
  OPERATOR_MAIL_SECRET: secret,
  /** Seals collections of fees, which the signer verifies. */
  OPERATOR_AUTHORISATION_KEY: jwk('Ed25519', 'private'),
  OPERATOR_PASSWORD_KEY: jwk('RSA', 'private'),
  OPERATOR_PASSWORD_KEY_PREVIOUS: previousKeys('RSA', 'private'),
});

const workerSchema = z.object({
  ...shared,
  ...announcing,
  ...sendingWebhooks,
  ...confirmingTrades,
  ...askingIssuer,
  ...calendars,
  ...supporting,
  /** The worker alone sends mail: no other process holds these. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }),
  MAIL_FROM: z.string().min(3),
  MAIL_SECRET_PREVIOUS: previousSecrets,
  /** Opens the mails of the operator's console; without it there is no such console, and none are sent. */
  OPERATOR_MAIL_SECRET: secret.optional(),
  OPERATOR_MAIL_SECRET_PREVIOUS: previousSecrets,
  DATABASE_WORKER_URL: databaseUrl,
  WORKER_HTTP_PORT: port,
  FILES_DIR: z.string().min(1),
  PRICES_URL: z.url(),
  PRICES_API_KEY: z.string().optional(),
  /** Further sources of prices; without it there is CoinGecko alone, and nothing is quoted. */
  PRICE_SOURCES_FILE: z.string().min(1).optional(),
  SIGNER_SOCKET: z.string().min(1).max(100),
  EVM_XPUB: z.string().startsWith('xpub'),
  EVM_GAS_TANK: evmAddress,
  EVM_TREASURY: evmAddress,
  /** Needed where a chain of Bitcoin is configured. */
  BITCOIN_XPUB: z
    .string()
    .regex(/^[xt]pub/)
    .optional(),
  BITCOIN_TREASURY: z.string().min(1).optional(),
  /** The connections to banks; without it there are none. */
  BANK_CONNECTIONS_FILE: z.string().min(1).optional(),
  /** The venues at which the platform hedges; without it nothing is hedged. */
  LIQUIDITY_FILE: z.string().min(1).optional(),
  /** What it orders from a bank was authorised by the HTTP process: needed where there is a connection to a bank. */
  AUTHORISATION_PUBLIC_KEY: jwk('Ed25519', 'public').optional(),
  AUTHORISATION_PUBLIC_KEY_PREVIOUS: previousKeys('Ed25519', 'public'),
});

const signerSchema = z.object({
  ...shared,
  DATABASE_SIGNER_URL: databaseUrl,
  SIGNER_HTTP_PORT: port,
  SIGNER_SOCKET: z.string().min(1).max(100),
  /** 0660 lets the group of the socket's folder in, so that worker and signer can be different users. */
  SIGNER_SOCKET_MODE: z.enum(['0600', '0660']).default('0600'),
  KEYSTORE_FILE: z.string().min(1),
  KEYSTORE_PASSPHRASE: z.string().min(16),
  AUTHORISATION_PUBLIC_KEY: jwk('Ed25519', 'public'),
  AUTHORISATION_PUBLIC_KEY_PREVIOUS: previousKeys('Ed25519', 'public'),
  /** Without it there is no operator's console, and no fees are collected. */
  OPERATOR_AUTHORISATION_PUBLIC_KEY: jwk('Ed25519', 'public').optional(),
  OPERATOR_AUTHORISATION_PUBLIC_KEY_PREVIOUS: previousKeys('Ed25519', 'public'),
  /** What was ever signed: kept apart from the database and from everything that is restored with it. */
  SIGNER_JOURNAL_FILE: z.string().min(1),
  /** Limits beyond which the signer always refuses: network fee of one payment, one advance of the gas tank. */
  SIGNER_MAX_NETWORK_FEE_WEI: wei.default(50_000_000_000_000_000n),
  SIGNER_MAX_ADVANCE_WEI: wei.default(100_000_000_000_000_000n),
  SIGNER_MAX_ADVANCES_PER_HOUR: z.coerce.number().int().min(0).max(1_000_000).default(1000),
  /**
   * The same on Bitcoin: satoshis per virtual byte, percent of what a transaction pays where the fee is not small, what is small in satoshis,
   * and transactions that accelerate others.
   */
  SIGNER_BITCOIN_MAX_FEE_RATE: z.coerce.number().int().min(1).max(100_000).default(500),
  SIGNER_BITCOIN_MAX_FEE_PERCENT: z.coerce.number().int().min(0).max(100).default(10),
  SIGNER_BITCOIN_SMALL_FEE: z.coerce.number().int().min(0).max(100_000_000).default(100_000),
  SIGNER_BITCOIN_MAX_ACCELERATIONS_PER_HOUR: z.coerce.number().int().min(0).max(1_000_000).default(60),
  /** The most that leaves the treasury within 24 hours, by coin; a coin that is not named does not leave. By default a million dollars or so of each. */
  SIGNER_TREASURY_PER_DAY: amountsByCoin.default(
    new Map([
      ['USDT', 1_000_000_000_000n],
      ['USDC', 1_000_000_000_000n],
      ['HKDT', 8_000_000_000_000n],
      ['ETH', 300_000_000_000_000_000_000n],
      ['BTC', 1_000_000_000n],
    ]),
  ),
});

const keystoreSchema = z.object({ KEYSTORE_FILE: z.string().min(1), KEYSTORE_PASSPHRASE: z.string().min(16) });
const rewrapSchema = keystoreSchema.extend({
  KEYSTORE_NEW_FILE: z.string().min(1),
  KEYSTORE_NEW_PASSPHRASE: z.string().min(16),
});
/** What a verified key store is compared with, as far as it is known where the copy is tested. */
const keystoreRecordSchema = z.object({
  EVM_XPUB: z.string().optional(),
  EVM_GAS_TANK: z.string().optional(),
  EVM_TREASURY: z.string().optional(),
  BITCOIN_XPUB: z.string().optional(),
  BITCOIN_TREASURY: z.string().optional(),
});

/** The command that makes the signer's journal good again. */
const journalSchema = z.object({
  DATABASE_SIGNER_URL: databaseUrl,
  SIGNER_JOURNAL_FILE: z.string().min(1),
  KEYSTORE_FILE: z.string().min(1),
  KEYSTORE_PASSPHRASE: z.string().min(16),
});

const operatorSchema = z.object({
  ...shared,
  DATABASE_OPERATOR_URL: databaseUrl,
  /** The address of the operator's console, for the links that `staff add` prints. */
  OPERATOR_URL: z.url({ protocol: /^https?$/ }).optional(),
});
/** The verifiers read across companies as the operator does, and hold no secret. */
const verifySchema = z.object({ ...shared, DATABASE_OPERATOR_URL: databaseUrl });

const migrateSchema = z.object({
  ...shared,
  /** The banks of this installation; without it those in the database stay as they are. */
  BANK_REGISTRY_FILE: z.string().min(1).optional(),
  DATABASE_OWNER_URL: databaseUrl,
  DATABASE_APP_URL: databaseUrl,
  DATABASE_WORKER_URL: databaseUrl,
  DATABASE_SIGNER_URL: databaseUrl,
  DATABASE_OPERATOR_URL: databaseUrl,
  DATABASE_CONSOLE_URL: databaseUrl.optional(),
});

export const configSchemas = {
  main: mainSchema,
  operatorMain: operatorMainSchema,
  worker: workerSchema,
  signer: signerSchema,
  operator: operatorSchema,
  migrate: migrateSchema,
  keystore: keystoreSchema,
  rewrap: rewrapSchema,
  keystoreRecord: keystoreRecordSchema,
  journal: journalSchema,
  verify: verifySchema,
};

export type MainConfig = z.output<typeof mainSchema>;
export type OperatorMainConfig = z.output<typeof operatorMainSchema>;

/** What of the configuration says where webhooks may lead. */
export type WebhookConfig = Pick<MainConfig, 'WEBHOOK_ALLOWED_NETWORKS' | 'WEBHOOK_PORTS' | 'WEBHOOK_ALLOW_HTTP'>;

/** The same as rules; by default public addresses, with TLS, at the usual ports. */
export function webhookRulesOf(config: Partial<WebhookConfig>): {
  allowedNetworks: readonly string[];
  ports: readonly number[];
  allowHttp: boolean;
} {
  return {
    allowedNetworks: config.WEBHOOK_ALLOWED_NETWORKS ?? [],
    ports: config.WEBHOOK_PORTS ?? [443, 8443],
    allowHttp: config.WEBHOOK_ALLOW_HTTP ?? false,
  };
}

export type SupportConfig = Partial<Pick<MainConfig, 'SUPPORT_EMAIL' | 'SUPPORT_PHONE'>>;

/** The part of it that bounds slow clients and connections. */
export function httpLimitsOf(config: MainConfig | OperatorMainConfig): HttpLimits {
  return {
    headersTimeoutMs: config.HTTP_HEADERS_TIMEOUT_MS,
    bodyGraceMs: config.HTTP_BODY_GRACE_MS,
    bodyMinBytesPerSecond: config.HTTP_BODY_MIN_BYTES_PER_SECOND,
    idleTimeoutMs: config.HTTP_IDLE_TIMEOUT_MS,
    keepAliveTimeoutMs: config.HTTP_KEEP_ALIVE_TIMEOUT_MS,
    checkIntervalMs: config.HTTP_CHECK_INTERVAL_MS,
    maxConnections: config.HTTP_MAX_CONNECTIONS,
    maxConnectionsPerAddress: config.HTTP_MAX_CONNECTIONS_PER_ADDRESS,
  };
}

export function supportOf({ SUPPORT_EMAIL: email, SUPPORT_PHONE: phone }: SupportConfig): Support {
  return { email: email ?? null, phone: phone ?? null };
}

export function batchLimitsOf(config: MainConfig): BatchLimits {
  return { connections: config.BATCH_CONNECTIONS, maxSize: config.BATCH_MAX_SIZE };
}

/** What the operator's process needs as well where it serves looks; null where it serves none. */
export function lookConfigOf(config: OperatorMainConfig): { port: number; url: string; publicUrl: string } | null {
  const { OPERATOR_LOOK_PORT: port, OPERATOR_LOOK_URL: url, PUBLIC_URL: publicUrl } = config;
  if (port === undefined || url === undefined) return null;
  if (publicUrl === undefined) throw unusable([explainVariable('PUBLIC_URL', null)]);
  return { port, url, publicUrl };
}

export type WorkerConfig = z.output<typeof workerSchema>;
export type SignerConfig = z.output<typeof signerSchema>;
export type MigrateConfig = z.output<typeof migrateSchema>;

/** Names every variable that is missing or wrong, never its value. */
export class ConfigError extends StartFailure {}

/** Reads one process's part of the environment; throws `ConfigError` with one line for each wrong variable. */
export function readConfig<S extends z.ZodType>(schema: S, environment: NodeJS.ProcessEnv): z.output<S> {
  // An empty variable counts as missing, so that a line may be left open.
  const env = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = schema.safeParse(env);
  const wrong = new Map<string, string | null>();
  if (schema instanceof z.ZodObject) {
    for (const name of Object.keys(schema.shape)) {
      if (env[name]?.includes(toBeFilledIn)) wrong.set(name, `is still to be filled in (${toBeFilledIn})`);
    }
  }
  if (result.success && wrong.size === 0) return result.data;
  for (const { path, code, message } of result.error?.issues ?? []) {
    const name = String(path[0]);
    if (!wrong.has(name)) wrong.set(name, problemOf(env[name], code, message));
  }
  throw unusable([...wrong].map(([name, problem]) => explainVariable(name, problem)));
}

/** @param explained a line for each wrong variable */
function unusable(explained: readonly string[]): ConfigError {
  const lines = explained.map((line) => `  ${line}`);
  return new ConfigError(
    `The configuration is not usable:\n${lines.join('\n')}\nStart the program with its environment file: node --env-file=FILE … (docs/OPERATIONS.md, "Configuration").`,
  );
}

/** Messages of our own say what is wrong; the library's would only name types. Null: the variable is missing. */
function problemOf(value: string | undefined, code: string, message: string): string | null {
  if (value === undefined) return null;
  return code === 'custom' ? message : 'is not usable';
}

/** What of the configuration verifies events of the trade platform. */
export type TradeEventsConfig = Pick<MainConfig, 'TRADE_EVENTS_SECRET' | 'TRADE_EVENTS_SECRET_PREVIOUS'>;

/** The current secret and the one before; empty: no platform is connected. */
export function tradeEventSecretsOf(config: Partial<TradeEventsConfig>): string[] {
  const { TRADE_EVENTS_SECRET: current, TRADE_EVENTS_SECRET_PREVIOUS: previous } = config;
  return current === undefined ? [] : [current, ...(previous === undefined ? [] : [previous])];
}
