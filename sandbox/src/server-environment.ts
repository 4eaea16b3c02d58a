import { execFile } from 'node:child_process';
import { createHash, generateKeyPair, type KeyObject, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import * as z from 'zod/mini';
import { bankRegistryFile, writeBankRegistry } from './bank-registry.ts';
import { CORE_PASSWORD, CORE_USER } from './bitcoin/core-node.ts';
import { readJson, writeDurably } from './durable-file.ts';
import { hasCode, SandboxFailure } from './failure.ts';
import { PROGRAMS } from './issuer/currencies.ts';
import { issuerSecrets } from './issuer/secrets.ts';
import type { Postgres } from './postgres.ts';
import { priceSourcesConfig } from './price-sources.ts';
import type { Settings } from './settings.ts';
import { CHAIN_ID, TOKENS } from './tokens.ts';
import { ensureTradeSecrets } from './trade-platform/secrets.ts';

const run = promisify(execFile);
const generate = promisify(generateKeyPair);

/** Block depth at which the sandbox's chain counts as final: enough to see it grow, short enough to wait for. */
export const CONFIRMATIONS = 6;
export const BITCOIN_CONFIRMATIONS = 2;
const DATABASE = 'causeway';
/** A socket's path may hold about 100 characters on the strictest system. */
const LONGEST_SOCKET_PATH = 95;

export type ServerEnvironment = {
  file: string;
  gasTank: string;
  treasury: string;
  /** Its address on the Bitcoin chain. */
  bitcoinTreasury: string;
  /** What the file says, by name. */
  values: Readonly<Record<string, string>>;
};

/**
 * Writes what an operator would write by hand: the environment file, the list of chains and that of banks. Secrets and keys are made
 * once and kept; addresses follow the ports in use; other lines of the file stay.
 *
 * @throws SandboxFailure damaged
 */
export async function writeServerEnvironment(settings: Settings, postgres: Postgres): Promise<ServerEnvironment> {
  const file = join(settings.dataDir, 'causeway.env');
  const keystoreFile = join(settings.dataDir, 'keystore.json');
  const known = await readKnown(file);
  await refuseSeparated(file, known, keystoreFile);
  const secrets = await makeSecrets(known ?? {});
  const addresses = await makeAddresses(settings, postgres, known ?? {});
  let values: Record<string, string> = {
    LOG_LEVEL: 'info',
    MAIL_FROM: 'Causeway <no-reply@causeway.example>',
    SUPPORT_EMAIL: 'support@causeway.example',
    SUPPORT_PHONE: '+852 5550 0100',
    ...known,
    ...secrets,
    ...addresses,
    ...(await tradeValues(settings)),
    ...(await issuerVariables(settings)),
  };
  await writeChains(settings);
  await writeBankRegistry(settings.dataDir);
  const prices = priceSourcesConfig(`http://127.0.0.1:${settings.ports.prices}`);
  await writeDurably(join(settings.dataDir, 'price-sources.json'), JSON.stringify(prices, null, 2));
  await writeDurably(file, print(values));
  if (values['EVM_XPUB'] === undefined || values['EVM_GAS_TANK'] === undefined) {
    // A first start that was cut off right after the store was made: no address was ever given out from it.
    if (await exists(keystoreFile)) await rename(keystoreFile, `${keystoreFile}.unused-${Date.now()}`);
    values = { ...values, ...(await publicKeysOf(settings.root, values, 'create')) };
    await writeDurably(file, print(values));
  }
  if (values['EVM_TREASURY'] === undefined || values['BITCOIN_XPUB'] === undefined) {
    // A key store of before coins were exchanged, or before Bitcoin: what is missing follows from its seed.
    values = { ...values, ...(await publicKeysOf(settings.root, values, 'show')) };
    await writeDurably(file, print(values));
  }
  return {
    file,
    gasTank: values['EVM_GAS_TANK'] ?? '',
    treasury: values['EVM_TREASURY'] ?? '',
    bitcoinTreasury: values['BITCOIN_TREASURY'] ?? '',
    values,
  };
}

/** What the sandbox's trade platform and the console share. */
async function tradeValues({ dataDir, ports }: Settings): Promise<Record<string, string>> {
  const { events, confirmations } = await ensureTradeSecrets(dataDir);
  return {
    TRADE_EVENTS_SECRET: events,
    TRADE_PLATFORM_URL: `http://127.0.0.1:${ports.trades}/confirmations`,
    TRADE_CONFIRMATION_SECRET: confirmations,
  };
}

/** Key store and passphrase belong together: a new store would be of no use for the addresses that are given out. */
async function refuseSeparated(
  file: string,
  known: Readonly<Record<string, string>> | undefined,
  keystoreFile: string,
): Promise<void> {
  const isStored = (await readJson(keystoreFile)) !== undefined;
  if (isStored && known?.['KEYSTORE_PASSPHRASE'] === undefined) {
    throw new SandboxFailure(
      'damaged',
      `The key store ${keystoreFile} is there, but its passphrase is not in ${file}.`,
    );
  }
  if (isStored || known?.['EVM_XPUB'] === undefined) return;
  throw new SandboxFailure(
    'damaged',
    `The key store ${keystoreFile}, to which the addresses in use belong, is missing.`,
  );
}

async function readKnown(file: string): Promise<Record<string, string> | undefined> {
  try {
    const parsed = parseEnv(await readFile(file, 'utf8'));
    return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, value ?? '']));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function makeSecrets(known: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const secret = (name: string): string => known[name] ?? randomBytes(32).toString('base64url');
  const { AUTHORISATION_KEY, AUTHORISATION_PUBLIC_KEY, PASSWORD_KEY } = known;
  const passwordKey = PASSWORD_KEY ?? (await makePasswordKey());
  const authorisation =
    AUTHORISATION_KEY === undefined || AUTHORISATION_PUBLIC_KEY === undefined
      ? await makeAuthorisationKeys()
      : { AUTHORISATION_KEY, AUTHORISATION_PUBLIC_KEY };
  return {
    APP_SECRET: secret('APP_SECRET'),
    MAIL_SECRET: secret('MAIL_SECRET'),
    WEBHOOK_SECRET: secret('WEBHOOK_SECRET'),
    OPERATOR_SECRET: secret('OPERATOR_SECRET'),
    OPERATOR_MAIL_SECRET: secret('OPERATOR_MAIL_SECRET'),
    ...(await operatorKeys(known)),
    OPERATOR_PASSWORD_KEY: known['OPERATOR_PASSWORD_KEY'] ?? (await makePasswordKey()),
    KEYSTORE_PASSPHRASE: secret('KEYSTORE_PASSPHRASE'),
    PASSWORD_KEY: passwordKey,
    ...authorisation,
  };
}

async function operatorKeys(known: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const { OPERATOR_AUTHORISATION_KEY, OPERATOR_AUTHORISATION_PUBLIC_KEY } = known;
  if (OPERATOR_AUTHORISATION_KEY !== undefined && OPERATOR_AUTHORISATION_PUBLIC_KEY !== undefined) {
    return { OPERATOR_AUTHORISATION_KEY, OPERATOR_AUTHORISATION_PUBLIC_KEY };
  }
  const made = await makeAuthorisationKeys();
  return {
    OPERATOR_AUTHORISATION_KEY: made.AUTHORISATION_KEY,
    OPERATOR_AUTHORISATION_PUBLIC_KEY: made.AUTHORISATION_PUBLIC_KEY,
  };
}

async function makePasswordKey(): Promise<string> {
  const { privateKey } = await generate('rsa', { modulusLength: 3072 });
  return jwk(privateKey, { alg: 'RSA-OAEP-256', use: 'enc' });
}

async function makeAuthorisationKeys(): Promise<Record<'AUTHORISATION_KEY' | 'AUTHORISATION_PUBLIC_KEY', string>> {
  const { privateKey, publicKey } = await generate('ed25519');
  const about = { alg: 'EdDSA', use: 'sig' };
  return { AUTHORISATION_KEY: jwk(privateKey, about), AUTHORISATION_PUBLIC_KEY: jwk(publicKey, about) };
}

/** A JSON Web Key on one line, with a short name of its own (RFC 7517). */
function jwk(key: KeyObject, about: Readonly<Record<string, string>>): string {
  const exported = key.export({ format: 'jwk' });
  const kid = createHash('sha256')
    .update(JSON.stringify([exported.n, exported.x]))
    .digest('base64url')
    .slice(0, 16);
  return JSON.stringify({ ...exported, ...about, kid });
}

async function makeAddresses(
  settings: Settings,
  postgres: Postgres,
  known: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const { dataDir, ports, root } = settings;
  const database = (role: string): string =>
    postgres.urlFor(DATABASE, `causeway_${role}`, passwordIn(known[`DATABASE_${role.toUpperCase()}_URL`]));
  for (const folder of ['files', 'operator-files'])
    await mkdir(join(dataDir, folder), { recursive: true, mode: 0o700 });
  await mkdir(join(dataDir, 'signer'), { recursive: true, mode: 0o700 });
  return {
    DATABASE_OWNER_URL: postgres.urlFor(DATABASE),
    DATABASE_APP_URL: database('app'),
    DATABASE_WORKER_URL: database('worker'),
    DATABASE_SIGNER_URL: database('signer'),
    DATABASE_OPERATOR_URL: database('operator'),
    DATABASE_CONSOLE_URL: database('console'),
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: String(ports.http),
    // No proxy in front has to notice.
    DRAIN_MS: '0',
    WORKER_HTTP_PORT: String(ports.worker),
    SIGNER_HTTP_PORT: String(ports.signer),
    OPERATOR_HTTP_PORT: String(ports.operator),
    OPERATOR_URL: `http://localhost:${ports.operator}`,
    OPERATOR_WEB_DIR: join(root, 'web', 'dist-operator'),
    OPERATOR_LOOK_PORT: String(ports.look),
    OPERATOR_LOOK_URL: `http://localhost:${ports.look}`,
    OPERATOR_LOOK_WEB_DIR: join(root, 'web', 'dist'),
    OPERATOR_FILES_DIR: join(dataDir, 'operator-files'),
    PUBLIC_URL: `http://localhost:${ports.http}`,
    SMTP_URL: `smtp://127.0.0.1:${ports.mail}`,
    CHAINS_FILE: join(dataDir, 'chains.json'),
    BANK_REGISTRY_FILE: bankRegistryFile(dataDir),
    BANK_CONNECTIONS_FILE: join(dataDir, 'bank-connections.json'),
    LIQUIDITY_FILE: join(dataDir, 'liquidity.json'),
    PRICES_URL: `http://127.0.0.1:${ports.prices}`,
    // The sandbox's receiver is on this machine, and speaks no TLS.
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_PORTS: `443,8443,${ports.webhooks}`,
    PRICE_SOURCES_FILE: join(dataDir, 'price-sources.json'),
    FILES_DIR: join(dataDir, 'files'),
    WEB_DIR: join(root, 'web', 'dist'),
    KEYSTORE_FILE: join(dataDir, 'keystore.json'),
    SIGNER_JOURNAL_FILE: join(dataDir, 'signer', 'journal.jsonl'),
    SIGNER_SOCKET: await socketPath(dataDir),
    // Whatever is tried out here in a day.
    SIGNER_TREASURY_PER_DAY: ['USDT', 'USDC', 'HKDT', 'ETH', 'BTC'].map((coin) => `${coin}=${10n ** 27n}`).join(','),
  };
}

/** The issuer's own secrets: both sides read the same files. */
async function issuerVariables({ dataDir, ports }: Settings): Promise<Record<string, string>> {
  const { apiKey, responder, events } = await issuerSecrets(join(dataDir, 'issuer'));
  return {
    ISSUER_URL: `http://127.0.0.1:${ports.issuer}`,
    ISSUER_API_KEY: apiKey,
    ISSUER_PROGRAMS: PROGRAMS.map(({ currency, token }) => `${currency}=${token}`).join(','),
    ISSUER_AUTHORIZATION_SECRET: responder,
    ISSUER_EVENTS_SECRET: events,
  };
}

function passwordIn(url: string | undefined): string {
  const kept = url !== undefined && URL.canParse(url) ? decodeURIComponent(new URL(url).password) : '';
  return kept === '' ? randomBytes(32).toString('base64url') : kept;
}

async function socketPath(dataDir: string): Promise<string> {
  const beside = join(dataDir, 'signer.sock');
  if (beside.length <= LONGEST_SOCKET_PATH) return beside;
  const short = join(tmpdir(), `causeway-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`);
  await mkdir(short, { recursive: true, mode: 0o700 });
  return join(short, 'signer.sock');
}

function coreUrl(port: number): string {
  return `http://${CORE_USER}:${CORE_PASSWORD}@127.0.0.1:${port}`;
}

async function writeChains({ dataDir, ports }: Settings): Promise<void> {
  const ethereum = {
    id: 'ethereum',
    family: 'evm',
    name: 'Ethereum',
    chainId: CHAIN_ID,
    rpcUrls: [`http://127.0.0.1:${ports.chain}`, `http://127.0.0.1:${ports.chainSecond}`],
    confirmations: CONFIRMATIONS,
    pollIntervalMs: 500,
    // As the sandbox's miner has it (chain.ts); a payment's fee is raised after two minutes.
    blockTimeMs: 1000,
    replaceAfterBlocks: 120,
    nativeCoin: 'ETH',
    explorerUrl: null,
    tokens: TOKENS.filter(({ coin }) => coin !== 'FAKE').map(({ coin, address }) => ({ coin, contract: address })),
  };
  const bitcoin = {
    id: 'bitcoin',
    family: 'bitcoin',
    name: 'Bitcoin',
    network: 'regtest',
    nodes: [ports.bitcoin, ports.bitcoinSecond].map((port) => ({ protocol: 'core', url: coreUrl(port) })),
    confirmations: BITCOIN_CONFIRMATIONS,
    pollIntervalMs: 500,
    // As the sandbox's miner has it (bitcoin/bitcoin.ts).
    blockTimeMs: 1000,
    replaceAfterBlocks: 120,
    nativeCoin: 'BTC',
    explorerUrl: null,
    fees: { floor: 1, ceiling: 500, fallback: 20 },
  };
  const chains = [ethereum, bitcoin];
  await writeDurably(join(dataDir, 'chains.json'), `${JSON.stringify({ chains }, null, 2)}\n`);
}

const publicKeys = z.object({
  evmXpub: z.string(),
  gasTank: z.string(),
  treasury: z.string(),
  families: z.object({ bitcoin: z.object({ testXpub: z.string(), regtestTreasury: z.string() }) }),
});

/** What the key store prints: made (`create`), or as it is (`show`). */
async function publicKeysOf(
  root: string,
  values: Readonly<Record<string, string>>,
  command: 'create' | 'show',
): Promise<Record<'EVM_XPUB' | 'EVM_GAS_TANK' | 'EVM_TREASURY' | 'BITCOIN_XPUB' | 'BITCOIN_TREASURY', string>> {
  const { PATH } = process.env;
  const { KEYSTORE_FILE, KEYSTORE_PASSPHRASE } = values;
  const { stdout } = await run(process.execPath, [join(root, 'server/src/keystore.ts'), command], {
    env: { PATH, KEYSTORE_FILE, KEYSTORE_PASSPHRASE },
    cwd: root,
  });
  const printed = publicKeys.safeParse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
  if (!printed.success) throw new Error('the key store is there, but its public part was not printed');
  const { evmXpub, gasTank, treasury, families } = printed.data;
  return {
    EVM_XPUB: evmXpub,
    EVM_GAS_TANK: gasTank,
    EVM_TREASURY: treasury,
    // The sandbox's Bitcoin chain is a regtest one.
    BITCOIN_XPUB: families.bitcoin.testXpub,
    BITCOIN_TREASURY: families.bitcoin.regtestTreasury,
  };
}

function print(values: Readonly<Record<string, string>>): string {
  const head = '# Written by the sandbox. Secrets stay as they are, addresses follow the ports in use.\n';
  const quoted = (value: string): string => (/^[\w.:/@<> -]*$/.test(value) ? `"${value}"` : `'${value}'`);
  // Sorted, so that an unchanged configuration gives an unchanged file.
  const lines = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return head + lines.map(([name, value]) => `${name}=${quoted(value)}\n`).join('');
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
