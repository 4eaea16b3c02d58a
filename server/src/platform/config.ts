import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { databaseAddressProblem } from './primary.ts';

/**
 * Configuration: one environment file (`node --env-file=…`), checked as a whole at start. Every process reads the same
 * file and takes the part it needs, so that a process never holds a secret it has no use for.
 */

const port = z.coerce.number().int().min(1).max(65_535);
const jwk = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    context.addIssue({ code: 'custom', message: 'is not a JSON Web Key' });
    return z.NEVER;
  }
});
/** One host, or several with `target_session_attrs=read-write`. */
const databaseUrl = z.string().superRefine((url, context) => {
  const problem = databaseAddressProblem(url);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});
const secret = z.string().regex(/^[A-Za-z0-9_-]{43,}$/, 'wants at least 32 random bytes, base64url');

const wei = z
  .string()
  .regex(/^\d{1,30}$/, 'wants whole wei')
  .transform((text) => BigInt(text));

const shared = {
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  CHAINS_FILE: z.string().min(1),
};

const announcing = {
  PUBLIC_URL: z.url({ protocol: /^https?$/ }),
  /** Shared by main and worker alone: codes on their way to a mail are sealed with it, so that no queue shows them. */
  MAIL_SECRET: secret,
};

const mainSchema = z.object({
  ...shared,
  ...announcing,
  DATABASE_APP_URL: databaseUrl,
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(12),
  HTTP_HOST: z.string().default('127.0.0.1'),
  HTTP_PORT: port,
  /** How many proxies in front may set X-Forwarded-For; 0 trusts none. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(8).default(0),
  /** From SIGTERM, when /readyz turns 503, to the end of listening: longer than the proxy's interval of checks. */
  DRAIN_MS: z.coerce.number().int().min(0).max(60_000).default(5000),
  FILES_DIR: z.string().min(1),
  WEB_DIR: z.string().min(1).optional(),
  APP_SECRET: secret,
  AUTHORISATION_KEY: jwk,
  PASSWORD_KEY: jwk,
  PASSWORD_MAX_LENGTH: z.coerce.number().int().min(8).max(128).default(16),
});

const workerSchema = z.object({
  ...shared,
  ...announcing,
  /** The worker alone sends mail: no other process holds these. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }),
  MAIL_FROM: z.string().min(3),
  DATABASE_WORKER_URL: databaseUrl,
  WORKER_HTTP_PORT: port,
  FILES_DIR: z.string().min(1),
  PRICES_URL: z.url(),
  PRICES_API_KEY: z.string().optional(),
  SIGNER_SOCKET: z.string().min(1).max(100),
  EVM_XPUB: z.string().startsWith('xpub'),
  EVM_GAS_TANK: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
});

const signerSchema = z.object({
  ...shared,
  DATABASE_SIGNER_URL: databaseUrl,
  SIGNER_HTTP_PORT: port,
  SIGNER_SOCKET: z.string().min(1).max(100),
  KEYSTORE_FILE: z.string().min(1),
  KEYSTORE_PASSPHRASE: z.string().min(16),
  AUTHORISATION_PUBLIC_KEY: jwk,
  /** Beyond these the signer refuses, whoever asks: network fee of one payment, one advance of the gas tank. */
  SIGNER_MAX_NETWORK_FEE_WEI: wei.default(50_000_000_000_000_000n),
  SIGNER_MAX_ADVANCE_WEI: wei.default(100_000_000_000_000_000n),
  SIGNER_MAX_ADVANCES_PER_HOUR: z.coerce.number().int().min(0).max(1_000_000).default(1000),
});

const keystoreSchema = z.object({ KEYSTORE_FILE: z.string().min(1), KEYSTORE_PASSPHRASE: z.string().min(16) });

const operatorSchema = z.object({ ...shared, DATABASE_OPERATOR_URL: databaseUrl, APP_SECRET: secret });
/** The verifiers read across companies as the operator does, and hold no secret. */
const verifySchema = z.object({ ...shared, DATABASE_OPERATOR_URL: databaseUrl });

const migrateSchema = z.object({
  ...shared,
  DATABASE_OWNER_URL: databaseUrl,
  DATABASE_APP_URL: databaseUrl,
  DATABASE_WORKER_URL: databaseUrl,
  DATABASE_SIGNER_URL: databaseUrl,
  DATABASE_OPERATOR_URL: databaseUrl,
});

export const configSchemas = {
  main: mainSchema,
  worker: workerSchema,
  signer: signerSchema,
  operator: operatorSchema,
  migrate: migrateSchema,
  keystore: keystoreSchema,
  verify: verifySchema,
};

export type MainConfig = z.output<typeof mainSchema>;
export type WorkerConfig = z.output<typeof workerSchema>;
export type SignerConfig = z.output<typeof signerSchema>;
export type MigrateConfig = z.output<typeof migrateSchema>;

/** Names every variable that is missing or wrong, never its value. */
export class ConfigError extends Error {}

/** Reads one process's part of the environment; throws `ConfigError` with one line for each wrong variable. */
export function readConfig<S extends z.ZodType>(schema: S, env: NodeJS.ProcessEnv): z.output<S> {
  const result = schema.safeParse(env);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(`The configuration is not usable:\n${lines.join('\n')}`);
}

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);

const chainsSchema = z.object({
  chains: z
    .array(
      z.object({
        id: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
        family: z.literal('evm'),
        name: z.string().min(1),
        /** EIP-155. */
        chainId: z.number().int().positive(),
        rpcUrls: z.array(z.url({ protocol: /^https?$/ })).min(1),
        confirmations: z.number().int().min(1).max(10_000),
        /** Where the first watch begins; without it 1,000 blocks before the head. Means nothing once the chain is followed. */
        startBlock: z.number().int().min(0).optional(),
        pollIntervalMs: z.number().int().min(50).max(60_000).default(1000),
        rpcTimeoutMs: z.number().int().min(100).max(120_000).default(10_000),
        nativeCoin: z.string(),
        explorerUrl: z.url().nullable().default(null),
        tokens: z.array(z.object({ coin: z.string(), contract: address })),
      }),
    )
    .min(1),
});

export type ChainConfig = z.output<typeof chainsSchema>['chains'][number];

/** The chains of this installation, from the JSON file that CHAINS_FILE names. */
export function readChains(file: string): ChainConfig[] {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigError(
      `CHAINS_FILE ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const result = chainsSchema.safeParse(content);
  if (result.success) return result.data.chains;
  const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(`CHAINS_FILE ${file} is not usable:\n${lines.join('\n')}`);
}
