import { newAuthorisationKeys, newPasswordKey, newSecret } from '../crypto/new-keys.ts';
import { configSchemas } from './config.ts';
import { toBeFilledIn, variableHelp } from './config-examples.ts';

/** Where an installation keeps its things. */
export interface Places {
  chainsFile: string;
  keystoreFile: string;
  webDir: string;
  operatorWebDir: string;
  httpHost: string;
  trustedProxies: string;
}

export interface NewInstallation {
  /** PostgreSQL without user and password: `postgres://db.internal:5432/causeway?sslmode=verify-full`. */
  database: URL;
  publicUrl: string;
  places: Places;
}

export interface NewFile {
  name: string;
  content: string;
}

const databaseRoles: Readonly<Record<string, string>> = {
  DATABASE_OWNER_URL: 'causeway_admin',
  DATABASE_APP_URL: 'causeway_app',
  DATABASE_WORKER_URL: 'causeway_worker',
  DATABASE_SIGNER_URL: 'causeway_signer',
  DATABASE_OPERATOR_URL: 'causeway_operator',
  DATABASE_CONSOLE_URL: 'causeway_console',
};

/** Each process's file, with the variables that its schema reads and no others. */
const files = ['migrate', 'main', 'worker', 'signer', 'operator', 'operatorMain'] as const;

/**
 * Makes all secrets of a new installation and spreads them over one environment file for each process, so that none
 * holds a secret that it has no use for. `database.sql` makes owner and database.
 */
export async function newEnvironmentFiles(installation: NewInstallation): Promise<NewFile[]> {
  const values = await newValues(installation);
  const environment = files.map((name) => ({
    name: `${fileNameOf(name)}.env`,
    content: environmentFile(name, Object.keys(configSchemas[name].shape), values),
  }));
  return [...environment, { name: 'database.sql', content: databaseSql(installation.database, values) }];
}

/** `operator-main.env`: as the process is called. */
function fileNameOf(name: (typeof files)[number]): string {
  return name === 'operatorMain' ? 'operator-main' : name;
}

async function newValues({ database, publicUrl, places }: NewInstallation): Promise<Map<string, string>> {
  const authorisation = await newAuthorisationKeys();
  const operatorAuthorisation = await newAuthorisationKeys();
  const databases = Object.entries(databaseRoles).map(([name, role]): [string, string] => {
    const url = new URL(database);
    url.username = role;
    url.password = newSecret();
    return [name, url.href];
  });
  return new Map([
    ...databases,
    ['CHAINS_FILE', places.chainsFile],
    ['PUBLIC_URL', publicUrl],
    ['HTTP_HOST', places.httpHost],
    ['HTTP_PORT', '8080'],
    ['WORKER_HTTP_PORT', '8081'],
    ['SIGNER_HTTP_PORT', '8082'],
    ['TRUSTED_PROXIES', places.trustedProxies],
    ['FILES_DIR', '/var/lib/causeway/files'],
    ['WEB_DIR', places.webDir],
    ['OPERATOR_HTTP_HOST', '127.0.0.1'],
    ['OPERATOR_HTTP_PORT', '8083'],
    ['OPERATOR_WEB_DIR', places.operatorWebDir],
    ['OPERATOR_FILES_DIR', '/var/lib/causeway-operator/files'],
    ['PRICES_URL', 'https://pro-api.coingecko.com'],
    ['PRICES_API_KEY', toBeFilledIn],
    ['APP_SECRET', newSecret()],
    ['MAIL_SECRET', newSecret()],
    ['WEBHOOK_SECRET', newSecret()],
    ['AUTHORISATION_KEY', authorisation.privateKey],
    ['AUTHORISATION_PUBLIC_KEY', authorisation.publicKey],
    ['PASSWORD_KEY', await newPasswordKey()],
    ['OPERATOR_SECRET', newSecret()],
    ['OPERATOR_MAIL_SECRET', newSecret()],
    ['OPERATOR_AUTHORISATION_KEY', operatorAuthorisation.privateKey],
    ['OPERATOR_AUTHORISATION_PUBLIC_KEY', operatorAuthorisation.publicKey],
    ['OPERATOR_PASSWORD_KEY', await newPasswordKey()],
    ['SIGNER_SOCKET', '/run/causeway/signer.sock'],
    ['SIGNER_SOCKET_MODE', '0660'],
    ['SIGNER_JOURNAL_FILE', '/var/lib/causeway-signer/journal.jsonl'],
    ['KEYSTORE_FILE', places.keystoreFile],
    ['KEYSTORE_PASSPHRASE', newSecret()],
  ]);
}

function environmentFile(process: string, names: readonly string[], values: ReadonlyMap<string, string>): string {
  const lines = names.map((name) => {
    const { is, example } = variableHelp[name] ?? { is: '', example: '' };
    const value = values.get(name);
    if (value !== undefined) return `# ${is}\n${name}=${value}`;
    return isOptional(process, name)
      ? `# ${is}\n#${name}=`
      : `# ${is}, for example ${example}\n${name}=${toBeFilledIn}`;
  });
  return `# ${process} of Causeway. Made by "keys create"; docs/OPERATIONS.md explains each variable. Values are not quoted.\n\n${lines.join('\n\n')}\n`;
}

function isOptional(process: string, name: string): boolean {
  const schema = configSchemas[process as (typeof files)[number]];
  const missing = schema.safeParse({});
  return missing.success || !missing.error.issues.some(({ path }) => path[0] === name);
}

/** For the superuser, once. The role may create roles, and owns the database; migrate makes the other roles. */
function databaseSql(database: URL, values: ReadonlyMap<string, string>): string {
  const { username, password } = new URL(values.get('DATABASE_OWNER_URL') ?? '');
  const name = `"${decodeURIComponent(database.pathname.slice(1)).replaceAll('"', '""')}"`;
  return `create role ${username} login createrole password '${password}';\ncreate database ${name} owner ${username};\n`;
}
