import type { HttpConnection } from '../../../platform/config/bank-connections.ts';
import type { Database } from '../../../platform/database/database.ts';
import { globalAccountNumber, openGlobalAccount } from '../api/accounts.ts';
import { type BankApi, BankApiError, createBankApi, timeOf } from '../api/client.ts';
import { currentBalances, depositById, depositsSince, type ListedDeposit } from '../api/deposits.ts';
import { type BankAccountOpener, BankConnectionError, type BankGateway, type WaitingMessage } from '../gateway.ts';
import { createDepositMemory, type DepositMemory } from '../intake/deposit-store.ts';
import { minorOf } from '../intake/deposits.ts';
import type { VisitedBank } from '../intake/loops.ts';

/** What began this long before the newest known one is listed again: the bank's list may be behind itself. */
const overlapMs = 60 * 60_000;
/** So often everything of the last weeks is listed again: a deposit may be taken back, and its event lost. */
const sweepEveryMs = 60 * 60_000;
const sweepBackMs = 45 * 24 * 60 * 60_000;
/** Deposits on their way that one visit asks about. */
const askedAtOnce = 100;

/**
 * A bank that is reached by Airwallex's public HTTP API. Each state of a deposit is a message, stored as the bank reports it. It lists what
 * is new, asks about what is on its way and about what events named, and, once everything that it found is stored, keeps what the
 * bank states as its balances.
 */
export function httpGateway(
  connection: HttpConnection,
  memory: DepositMemory,
  api: BankApi = createBankApi(connection),
): BankGateway {
  const numbers = new Map<string, string>();
  let sweptAt = Number.NEGATIVE_INFINITY;

  async function find(isSweep: boolean, named: readonly string[]): Promise<ListedDeposit[]> {
    const newest = await memory.newest();
    const back = isSweep ? sweepBackMs : overlapMs;
    const listed = await depositsSince(api, newest && new Date(newest.getTime() - back));
    const found = new Map(listed.map((deposit) => [deposit.id, deposit]));
    for (const id of new Set([...named, ...(await memory.pending(askedAtOnce))])) {
      const deposit = found.get(id) ?? (await depositById(api, id));
      if (deposit) found.set(id, deposit);
    }
    return [...found.values()];
  }

  async function numberOf({ global_account_id: id }: ListedDeposit): Promise<string | null> {
    if (!id) return null;
    const number = numbers.get(id) ?? (await globalAccountNumber(api, id));
    if (number !== null) numbers.set(id, number);
    return number;
  }

  async function remember(deposit: ListedDeposit): Promise<void> {
    const { id, status, created_at: createdAt, currency = null, amount } = deposit;
    const amountMinor = currency && amount ? minorOf(amount, currency) : null;
    await memory.remember({
      ...{ id, status, begunAt: timeOf(createdAt) },
      ...{ account: await numberOf(deposit), currency, amountMinor },
    });
  }

  /** The states that are not stored yet, by the names of their messages. */
  async function fresh(deposits: readonly ListedDeposit[]): Promise<Map<string, ListedDeposit>> {
    const known = await memory.states(deposits.map(({ id }) => id));
    for (const deposit of deposits) {
      // Asked, and no further: the next visit asks about others first.
      if (deposit.status === 'PENDING' && known.get(deposit.id) === 'PENDING') await remember(deposit);
    }
    const changed = deposits.filter(({ id, status }) => known.get(id) !== status);
    return new Map(changed.map((deposit) => [`deposit ${deposit.id} ${deposit.status}`, deposit]));
  }

  return {
    bank: connection.bank,
    source: 'api',
    visit: (work) =>
      asConnection(async () => {
        const isSweep = performance.now() - sweptAt >= sweepEveryMs;
        const events = await memory.waitingEvents();
        const before = isSweep || events.length > 0 ? await currentBalances(api) : null;
        const named = events.flatMap(({ depositId }) => depositId ?? []);
        const waiting = await fresh(await find(isSweep, named));
        const contents = new Map<string, Buffer>();
        for (const [name, deposit] of waiting) {
          const stored = { account: await numberOf(deposit), deposit };
          contents.set(name, Buffer.from(JSON.stringify(stored)));
        }
        const confirmed = new Set<string>();
        const result = await work({
          orders: null,
          async messages() {
            return [...contents].map(([name, { length }]): WaitingMessage => ({ name, bytes: length }));
          },
          async *content({ name }) {
            yield contents.get(name) ?? Buffer.alloc(0);
          },
          async confirm({ name }) {
            const deposit = waiting.get(name);
            if (deposit) await remember(deposit);
            confirmed.add(name);
            const account = deposit ? await numberOf(deposit) : null;
            if (account && deposit?.currency) await memory.announce(account, deposit.currency);
          },
        });
        if (confirmed.size < waiting.size) return result;
        await memory.answered(events.map(({ id }) => id));
        if (isSweep) sweptAt = performance.now();
        if (before !== null) await keepStated(before);
        return result;
      }),
  };

  /** Only what the bank stated before and after: nothing arrived in between that is not stored. */
  async function keepStated(before: ReadonlyMap<string, string>): Promise<void> {
    const after = await currentBalances(api);
    const stable = [...after].flatMap(([currency, amount]) => {
      const minor = before.get(currency) === amount ? minorOf(amount, currency) : null;
      return minor === null ? [] : [[currency, minor] as const];
    });
    await memory.keepStated(new Map(stable));
  }
}

/** A bank as the worker's loops visit it: by the clock, and at once when an event names a deposit. */
export function visitedByHttp(database: Database, connection: HttpConnection, api: BankApi): VisitedBank {
  const memory = createDepositMemory(database, connection.bank);
  return {
    gateway: httpGateway(connection, memory, api),
    pollIntervalMs: connection.pollIntervalMs,
    hasNews: async () => (await memory.waitingEvents()).length > 0,
  };
}

/** Opens companies' accounts over the same API. */
export function httpAccounts(connection: HttpConnection, api: BankApi = createBankApi(connection)): BankAccountOpener {
  return {
    bank: connection.bank,
    open: (companyId, currency) =>
      asConnection(() => {
        const country = connection.accountCountries[currency] ?? usualCountries[currency] ?? currency.slice(0, 2);
        return openGlobalAccount(api, { companyId, bank: connection.bank, currency, country });
      }),
  };
}

/** Of currencies whose first two letters are no country. */
const usualCountries: Readonly<Record<string, string>> = { EUR: 'DE' };

async function asConnection<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BankApiError)) throw error;
    const { outcome, status, isSignIn, message } = error;
    const isUnusable = outcome === 'refused' || (status !== null && status < 300);
    const problem = isSignIn ? 'signInRefused' : isUnusable ? 'answerUnusable' : 'unreachable';
    throw new BankConnectionError(problem, message);
  }
}
