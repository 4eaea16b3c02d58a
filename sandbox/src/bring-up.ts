import { join } from 'node:path';
import pg from 'pg';
import { writeBankConnections } from './bank/connections.ts';
import type { DemoOperator } from './demo-operators.ts';
import { type DeskClient, deskClient } from './desk-client.ts';
import { SandboxFailure } from './failure.ts';
import { issuerSecrets } from './issuer/secrets.ts';
import { runToEnd, startNode, startServices, startUntilReady } from './node-process.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { endLeftoverPostgres } from './postgres-lock.ts';
import { type ServerEnvironment, writeServerEnvironment } from './server-environment.ts';
import type { Settings } from './settings.ts';
import { type Supervised, supervise } from './supervised.ts';
import { ensureTradeSecrets } from './trade-platform/secrets.ts';
import { writeLiquidity } from './venue/configuration.ts';

export type BringUpOptions = {
  settings: Settings;
  /** With reload: the server's processes watch their sources, and the web app is served by Vite. */
  isDevelopment: boolean;
  /** Whether a company to look at is made on the first start. */
  withDemoCompany: boolean;
  say: (sentence: string) => void;
  /** Takes each part as soon as it runs, so that it is ended whatever happens next. */
  keep: (part: Supervised) => void;
  refuseTakenPorts: (settings: Settings) => Promise<void>;
};

const DATABASE = 'causeway';
/**
 * Mebibytes of young heap. The worker looks for work many times a second; with V8's default of 16 that alone would make it
 * keep 50 MB more.
 */
const WORKER_HEAP = ['--max-semi-space-size=2'];
const GAS_TANK_LOW_ETH = 20;
const GAS_TANK_FILL_ETH = '100';
/** Whole coins: filled when less than `low` is there. */
const TREASURY_LOW_BTC = 10;
const TREASURY_COINS = {
  ETH: { low: 20, fill: '100' },
  USDT: { low: 100_000, fill: '500000' },
  USDC: { low: 100_000, fill: '500000' },
  HKDT: { low: 500_000, fill: '2000000' },
} as const;

/** Starts everything, in parallel where possible, and returns the text that says where to go. */
export async function bringUp(options: BringUpOptions): Promise<string> {
  const { settings, say, keep } = options;
  const databaseDir = join(settings.dataDir, 'database');
  await endLeftoverPostgres(databaseDir);
  await options.refuseTakenPorts(settings);
  const desk = deskClient(`http://127.0.0.1:${settings.ports.desk}`);
  // Once for both sides, which hold halves of the same keys: while the database starts.
  const banks = writeBankConnections(
    join(settings.dataDir, 'bank', 'keys'),
    join(settings.dataDir, 'bank-connections.json'),
    {
      files: settings.ports.bankFiles,
      http: settings.ports.bankHttp,
    },
  );
  const connections = Promise.all([
    banks,
    writeLiquidity(settings),
    ensureTradeSecrets(settings.dataDir),
    issuerSecrets(join(settings.dataDir, 'issuer')),
  ]);
  const outside = supervise({
    name: 'world outside (chains, inbox, prices, banks, card issuer, desk)',
    start: () => connections.then(() => startServices(settings, join(settings.dataDir, 'services.log'))),
    say,
  }).then((part) => {
    keep(part);
    say('Chains, mail inbox, price feed, banks and sandbox desk are up.');
  });
  const inside = startDatabase(databaseDir, options).then(async (postgres) => {
    await connections;
    return startServer(postgres, options);
  });
  // Both are waited for, so that what fails in one is not told while the other is still starting processes.
  const [outsideEnd, insideEnd] = await Promise.allSettled([outside, inside]);
  if (outsideEnd.status === 'rejected') throw outsideEnd.reason;
  if (insideEnd.status === 'rejected') throw insideEnd.reason;
  const environment = insideEnd.value;

  await fillGasTank(desk, environment.gasTank);
  await fillTreasury(desk, environment);
  const invite = (): Promise<string> => createInvitation(settings, environment);
  const [invitation, signIns, operators] = await Promise.all([
    invite(),
    demoCompany(options, desk, invite),
    demoOperators(options, environment),
  ]);
  return describe(options, environment, { invitation, signIns, operators });
}

async function startDatabase(dir: string, { settings, say, keep }: BringUpOptions): Promise<Postgres> {
  let postgres: Postgres | undefined;
  const start = async (): Promise<Postgres> => {
    postgres = await startPostgres({ dir, port: settings.ports.database });
    return postgres;
  };
  keep(await supervise({ name: 'database', start, say }));
  if (postgres === undefined) throw new Error('the database was started and is not there');
  const elsewhere =
    postgres.home === dir ? '' : ` (its files are in ${postgres.home}, where its account can reach them)`;
  say(`The database is up${elsewhere}.`);
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
  return postgres;
}

async function startServer(postgres: Postgres, options: BringUpOptions): Promise<ServerEnvironment> {
  const { settings, say, keep } = options;
  const { root, dataDir, ports } = settings;
  const environment = await writeServerEnvironment(settings, postgres);
  await runToEnd(root, [`--env-file=${environment.file}`, 'server/src/migrate.ts'], 'Migrating the database');
  say('The database schema is up to date.');
  const watch = options.isDevelopment ? ['--watch', '--watch-preserve-output'] : [];
  const start = (name: string, file: string, port: number, heap: readonly string[] = []): Promise<void> =>
    supervise({
      name,
      isServer: true,
      say,
      start: () =>
        startUntilReady({
          name,
          root,
          logFile: join(dataDir, `${file}.log`),
          args: [...watch, ...heap, `--env-file=${environment.file}`, `server/src/${file}.ts`],
          url: `http://127.0.0.1:${port}`,
        }),
    }).then(keep);
  const ends = await Promise.allSettled([
    start('console', 'main', ports.http),
    start("operator's console", 'operator-main', ports.operator),
    start('worker', 'worker', ports.worker, WORKER_HEAP),
    start('signer', 'signer', ports.signer),
    ...(options.isDevelopment ? [startVite(options)] : []),
  ]);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  say("Console, operator's console, worker and signer are up.");
  return environment;
}

/** The two web apps from their sources, with reload; each passes calls on to its server. */
async function startVite({ settings, say, keep }: BringUpOptions): Promise<void> {
  const { root, dataDir, ports } = settings;
  const apps = [
    { name: 'web app in development', config: 'vite.config.ts', port: ports.web, log: 'vite.log' },
    {
      name: "operator's web app in development",
      config: 'vite.operator.config.ts',
      port: ports.webOperator,
      log: 'vite-operator.log',
    },
  ];
  for (const { name, config, port, log } of apps) {
    const start = () =>
      startNode({
        root: join(root, 'web'),
        logFile: join(dataDir, log),
        args: [join(root, 'node_modules/vite/bin/vite.js'), '--config', config, '--port', String(port), '--strictPort'],
        env: { CAUSEWAY_PORT_HTTP: String(ports.http), CAUSEWAY_PORT_OPERATOR: String(ports.operator) },
      });
    keep(await supervise({ name, start, say, isServer: true }));
  }
}

/** The gas tank pays network fees in ETH; here it is filled by a real transfer from the faucet. */
async function fillGasTank(desk: DeskClient, gasTank: string): Promise<void> {
  if (Number(await desk.balance('ETH', gasTank)) < GAS_TANK_LOW_ETH)
    await desk.faucet('ETH', gasTank, GAS_TANK_FILL_ETH);
}

/** The treasury settles what demo companies buy; each coin comes by a real transfer from the faucet. */
async function fillTreasury(
  desk: DeskClient,
  { treasury, bitcoinTreasury }: Pick<ServerEnvironment, 'treasury' | 'bitcoinTreasury'>,
): Promise<void> {
  for (const coin of ['ETH', 'USDT', 'USDC', 'HKDT'] as const) {
    const { low, fill } = TREASURY_COINS[coin];
    if (Number(await desk.balance(coin, treasury)) < low) await desk.faucet(coin, treasury, fill);
  }
  if (Number((await desk.bitcoin.balance(bitcoinTreasury)).confirmed) >= TREASURY_LOW_BTC) return;
  // Several coins, so that several settlements can be sent at once.
  await desk.bitcoin.pay(Array.from({ length: 10 }, () => ({ address: bitcoinTreasury, amount: '5' })));
}

async function createInvitation({ root }: Settings, { file }: ServerEnvironment): Promise<string> {
  const args = [`--env-file=${file}`, 'server/src/operator.ts', 'invitation', 'create', '--json'];
  const answer: unknown = JSON.parse(await runToEnd(root, args, 'Making an invitation code'));
  if (typeof answer === 'object' && answer !== null && 'code' in answer) return String(answer.code);
  throw new SandboxFailure(
    'not_ready',
    'The operator command line printed no invitation code.',
    JSON.stringify(answer),
  );
}

/** Loaded when needed: most starts find the company made. Without it the sandbox is still of use, so it says so and goes on. */
async function demoCompany(
  { settings, say, withDemoCompany }: BringUpOptions,
  desk: DeskClient,
  invite: () => Promise<string>,
): Promise<string[]> {
  if (!withDemoCompany) return ['none'];
  const { ensureDemoCompany } = await import('./demo.ts');
  const consoleUrl = `http://127.0.0.1:${settings.ports.http}`;
  try {
    const people = await ensureDemoCompany({ consoleUrl, desk, dataDir: settings.dataDir, invite, say });
    const width = Math.max(...people.map(({ email }) => email.length));
    return people.map(
      ({ email, password, role }, index) =>
        `${email} / ${password}${' '.repeat(width - email.length)}  (${role}${index === 0 ? '; codes arrive at the sandbox desk' : ''})`,
    );
  } catch (error) {
    say(`The demo company could not be made: ${error instanceof Error ? error.message : String(error)}`);
    return ['none, see above'];
  }
}

/** Likewise: without them the companies' side works all the same. */
async function demoOperators(
  { settings, say, withDemoCompany }: BringUpOptions,
  { file }: ServerEnvironment,
): Promise<string[]> {
  if (!withDemoCompany) return ['none'];
  const { ensureDemoOperators } = await import('./demo-operators.ts');
  const { root, dataDir, ports } = settings;
  const command = async (words: readonly string[]): Promise<unknown> => {
    const args = [`--env-file=${file}`, 'server/src/operator.ts', ...words, '--json'];
    return JSON.parse(await runToEnd(root, args, 'Making a demo operator'));
  };
  try {
    const people = await ensureDemoOperators({ url: `http://127.0.0.1:${ports.operator}`, dataDir, command });
    await demoTerms(`http://127.0.0.1:${ports.operator}`, dataDir, people).catch((error: unknown) =>
      say(`Spreads and limits of exchanges were not set: ${error instanceof Error ? error.message : String(error)}`),
    );
    const width = Math.max(...people.map(({ email }) => email.length));
    return people.map(
      ({ email, password, role, secret }) =>
        `${email.padEnd(width)} / ${password}  (${role}; authenticator secret ${secret})`,
    );
  } catch (error) {
    say(`The demo operators could not be made: ${error instanceof Error ? error.message : String(error)}`);
    return ['none, see above'];
  }
}

/** What the two operators of the treasury agree on, so that exchanges have figures of a kind that people meet. */
async function demoTerms(url: string, dataDir: string, people: readonly DemoOperator[]): Promise<void> {
  const { ensureDemoTerms } = await import('./demo-terms.ts');
  const [one, other] = people.filter(({ role }) => role === 'treasury');
  if (one !== undefined && other !== undefined) await ensureDemoTerms(url, dataDir, [one, other]);
}

function describe(
  { settings, isDevelopment }: BringUpOptions,
  environment: ServerEnvironment,
  {
    invitation,
    signIns,
    operators,
  }: Readonly<{ invitation: string; signIns: readonly string[]; operators: readonly string[] }>,
): string {
  const { ports, dataDir } = settings;
  const address = isDevelopment ? `http://localhost:${ports.web}` : (environment.values['PUBLIC_URL'] ?? '');
  return [
    '',
    `  Causeway is ready:   ${address}`,
    ...signIns.map((signIn, index) => `  ${index === 0 ? 'Demo sign-in:' : '             '}        ${signIn}`),
    `  Invitation code:     ${invitation}  (to sign up a company of your own)`,
    `  Operator's console:  ${isDevelopment ? `http://localhost:${ports.webOperator}` : (environment.values['OPERATOR_URL'] ?? '')}`,
    ...operators.map((signIn, index) => `  ${index === 0 ? 'Operator sign-in:' : '                 '}    ${signIn}`),
    `  Sandbox desk:        http://localhost:${ports.desk}  (mails, faucet, blocks, banks, faults)`,
    `  Data and logs:       ${dataDir}`,
    '',
    '  Ctrl-C stops everything.',
    '',
  ].join('\n');
}
