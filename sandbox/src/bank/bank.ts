import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ApiServer, startApi } from './api-server.ts';
import { BANK_USER, CLIENT_ID, ensureBankSecrets } from './connections.ts';
import { clockOf, closeDays, pushClock, setFirstClock } from './days.ts';
import { type FileExchange, openExchange } from './file-exchange.ts';
import { openAccounts, type Turn } from './ledger.ts';
import { settleDue } from './outcomes.ts';
import { type SftpServer, startSftp } from './sftp-server.ts';
import { openBankStore, type Reader } from './store.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

export type BankOptions = {
  /** Where the bank lives; made when missing. Without it the bank is ephemeral: a new directory, removed by `stop`. */
  dir?: string;
  /** Ports of the SFTP server and the HTTP API; 0, the default, takes any free port. */
  ports?: Readonly<{ files: number; http: number }>;
  /** Time of this machine, for tests. */
  machine?: () => number;
  /** How often the bank looks at its folders, clock and events without being asked; default 1000. */
  everyMs?: number;
  webhookRetryMs?: number;
  /** Where events of the HTTP bank go until the desk names another place; nowhere without it. */
  webhookUrl?: string;
};

export type Bank = {
  dir: string;
  sftp: SftpServer;
  api: ApiServer;
  files: FileExchange;
  webhooks: Webhooks;
  /** Milliseconds since 1970 by the bank's own clock. */
  now(): number;
  records: Reader;
  /** One change of the records and what follows from it at once: days that end, payments that are due, files and events. */
  change<Result>(work: (turn: Turn) => Result): Promise<Result>;
  pushClock(to: 'day' | 'workingDay'): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts the sandbox's bank: one core behind an SFTP server (Harbour Bank) and an HTTP API (Meridian Payments). Nothing that was
 * acknowledged is lost by `kill -9`.
 *
 * @throws SandboxFailure port_taken, damaged
 */
export async function startBank(options: BankOptions = {}): Promise<Bank> {
  const isEphemeral = options.dir === undefined;
  const dir = options.dir === undefined ? await mkdtemp(join(tmpdir(), 'causeway-bank-')) : resolve(options.dir);
  const machine = options.machine ?? Date.now;
  const secrets = await ensureBankSecrets(join(dir, 'keys'));
  const store = await openBankStore(join(dir, 'books'));
  const now = (): number => machine() + clockOf(store).offsetMs;
  const plainChange = <Result>(work: (turn: Turn) => Result): Promise<Result> =>
    store.change((tx) => {
      const clock = clockOf(tx);
      return work({ ...tx, now: machine() + clock.offsetMs, notifications: new Map() });
    });
  await plainChange((turn) => {
    openAccounts(turn);
    setFirstClock(turn, machine());
  });
  const read = (): Reader => store;
  const files = await openExchange({ dir, read, change: plainChange });

  /** What is due by itself: the end of days, payments, files. */
  async function advance(): Promise<void> {
    await plainChange((turn) => {
      closeDays(turn);
      settleDue(turn);
    });
    await files.run();
    // A file that was just taken may hold payments of today.
    const settled = await plainChange(settleDue);
    if (settled > 0) await files.run();
  }

  async function change<Result>(work: (turn: Turn) => Result): Promise<Result> {
    const result = await plainChange(work);
    await advance();
    deliver();
    return result;
  }

  const webhooks = createWebhooks({
    secret: secrets.webhookSecret,
    read,
    change: plainChange,
    ...(options.webhookRetryMs === undefined ? {} : { firstRetryMs: options.webhookRetryMs }),
    ...(options.webhookUrl === undefined ? {} : { usualUrl: options.webhookUrl }),
  });
  const complain = (error: unknown): void => console.error('the bank failed:', error);
  const deliver = (): void => {
    webhooks.deliver().catch(complain);
  };
  const look = (): void => {
    advance().then(deliver, complain);
  };

  const sftp = await startSftp({
    port: options.ports?.files ?? 0,
    root: files.root,
    user: BANK_USER,
    clientKey: secrets.clientPublicKey,
    hostKeys: { usual: secrets.hostKey, other: secrets.otherHostKey },
    onChange: look,
  });
  const api = await startApi({
    port: options.ports?.http ?? 0,
    clientId: CLIENT_ID,
    apiKey: secrets.apiKey,
    read,
    change,
  }).catch(async (error: unknown) => {
    await sftp.stop();
    await store.close();
    throw error;
  });
  const timer = setInterval(look, options.everyMs ?? 1_000);
  await advance();
  return {
    dir,
    sftp,
    api,
    files,
    webhooks,
    now,
    records: store,
    change,
    async pushClock(to) {
      await change((turn) => pushClock(turn, machine(), to));
    },
    async stop() {
      clearInterval(timer);
      await Promise.all([sftp.stop(), api.stop()]);
      await webhooks.stop();
      await files.run();
      await store.close();
      if (isEphemeral) await rm(dir, { recursive: true, force: true });
    },
  };
}
