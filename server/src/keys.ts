import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError } from './platform/config/config.ts';
import { newEnvironmentFiles, type Places } from './platform/config/environment-files.ts';
import { newAuthorisationKeys, newPasswordKey, newSecret } from './platform/crypto/new-keys.ts';
import { runCommand } from './platform/process/process.ts';

const usage = `Usage: node server/src/keys.ts COMMAND
  create FOLDER --database URL --public-url URL [--for systemd | compose]
      makes every key and secret of a new installation and writes main.env, worker.env, signer.env, operator.env, operator-main.env,
      migrate.env and database.sql into FOLDER, for their owner alone (0600); never overwrites a file
      --database    PostgreSQL without user and password, for example postgres://db.internal:5432/causeway?sslmode=verify-full
      --public-url  where people open the console, for example https://console.example.com
      --for         the paths and addresses that the files name (default: systemd)
  new authorisation | password | secret
      prints one new key for a rotation (docs/OPERATIONS.md, "Rotation")`;

/** Makes the keys and secrets of an installation, and single ones for a rotation. */
async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = read(args);
  const [command, subject, ...others] = positionals;
  if (subject === undefined || others.length > 0) throw new ConfigError(usage);
  if (command === 'create') return create(subject, values);
  if (command === 'new') return printNew(subject);
  throw new ConfigError(usage);
}

interface Options {
  database?: string | undefined;
  'public-url'?: string | undefined;
  for?: string | undefined;
}

function read(args: readonly string[]): { values: Options; positionals: string[] } {
  const text = { type: 'string' } as const;
  try {
    const options = { database: text, 'public-url': text, for: text };
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new ConfigError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}

async function create(given: string, options: Options): Promise<void> {
  const folder = resolve(given);
  const database = addressIn('--database', options.database, ['postgres:', 'postgresql:']);
  const publicUrl = addressIn('--public-url', options['public-url'], ['https:', 'http:']).origin;
  if (database.username !== '' || database.password !== '') {
    throw new ConfigError('--database must not name a user or a password; each process gets its own.');
  }
  if (database.pathname.length < 2)
    throw new ConfigError('--database must name the database, for example …:5432/causeway');
  const made = await newEnvironmentFiles({ database, publicUrl, places: placesFor(options.for ?? 'systemd', folder) });
  const existing = made.map(({ name }) => join(folder, name)).find((file) => existsSync(file));
  if (existing !== undefined)
    throw new ConfigError(`${existing} exists already; keys are never overwritten. Nothing was written.`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const { name, content } of made) writeNew(join(folder, name), content);
  const toFill = made.filter(({ content }) => /^[A-Z_]+=FILL_IN$/m.test(content)).map(({ name }) => name);
  process.stdout.write(`Wrote ${made.map(({ name }) => name).join(', ')} into ${folder}.\n`);
  process.stdout.write(`Next: replace every FILL_IN in ${toFill.join(', ')} (docs/OPERATIONS.md, "Installation").\n`);
}

function placesFor(target: string, folder: string): Places {
  if (target === 'systemd') {
    return {
      chainsFile: join(folder, 'chains.json'),
      keystoreFile: join(folder, 'signer', 'keystore.json'),
      webDir: resolve(import.meta.dirname, '../../web/dist'),
      operatorWebDir: resolve(import.meta.dirname, '../../web/dist-operator'),
      httpHost: '127.0.0.1',
      trustedProxies: '127.0.0.1',
    };
  }
  if (target !== 'compose') throw new ConfigError(`--for is systemd or compose.\n${usage}`);
  return {
    chainsFile: '/etc/causeway/chains.json',
    keystoreFile: '/etc/causeway/keystore.json',
    webDir: '/causeway/web/dist',
    operatorWebDir: '/causeway/web/dist-operator',
    httpHost: '0.0.0.0',
    // The gateway of compose.yaml's network, from which the proxy on the host comes.
    trustedProxies: '172.30.42.1',
  };
}

function addressIn(option: string, text: string | undefined, protocols: readonly string[]): URL {
  if (text !== undefined && URL.canParse(text) && protocols.includes(new URL(text).protocol)) return new URL(text);
  throw new ConfigError(`${option} ${text === undefined ? 'is missing' : 'is not such an address'}.\n${usage}`);
}

function writeNew(file: string, content: string): void {
  const descriptor = openSync(file, 'wx', 0o600);
  writeSync(descriptor, content);
  fsyncSync(descriptor);
  closeSync(descriptor);
}

async function printNew(subject: string): Promise<void> {
  if (subject === 'secret') process.stdout.write(`${newSecret()}\n`);
  else if (subject === 'password') process.stdout.write(`PASSWORD_KEY=${await newPasswordKey()}\n`);
  else if (subject === 'authorisation') {
    const { privateKey, publicKey } = await newAuthorisationKeys();
    process.stdout.write(`AUTHORISATION_KEY=${privateKey}\nAUTHORISATION_PUBLIC_KEY=${publicKey}\n`);
  } else if (subject === 'operator-authorisation') {
    const { privateKey, publicKey } = await newAuthorisationKeys();
    process.stdout.write(`OPERATOR_AUTHORISATION_KEY=${privateKey}\nOPERATOR_AUTHORISATION_PUBLIC_KEY=${publicKey}\n`);
  } else throw new ConfigError(usage);
}

await runCommand(() => main(process.argv.slice(2)));
