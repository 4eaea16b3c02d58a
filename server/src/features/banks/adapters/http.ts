import type { HttpConnection } from '../../../platform/config/bank-connections.ts';
import type { Database } from '../../../platform/database/database.ts';
import { globalAccountNumber, openGlobalAccount } from '../api/accounts.ts';
import { type BankApi, BankApiError, createBankApi, timeOf } from '../api/client.ts';
import { currentBalances, depositById, depositsSince, type ListedDeposit } from '../api/deposits.ts';
import { type BankAccountOpener, BankConnectionError, type BankGateway, type WaitingMessage } from '../gateway.ts';
import { minorOf } from '../intake/api-entries.ts';
import { createDepositMemory, type DepositMemory, type WaitingEvent } from '../intake/deposit-store.ts';
import { payerOf } from '../intake/deposits.ts';
import type { VisitedBank } from '../intake/loops.ts';
import { createTransferMemory, type TransferMemory } from '../intake/transfer-store.ts';
import { transferDesk, transferFinder } from './http-transfers.ts';

/** What began this long before the newest known one is listed again: the bank's list may be behind itself. */
const overlapMs = 60 * 60_000;
/** So often everything of the last weeks is listed again: a deposit may be taken back or a transfer returned, and its event lost. */
const sweepEveryMs = 60 * 60_000;
const sweepBackMs = 45 * 24 * 60 * 60_000;
/** Deposits on their way that one visit asks about. */
const askedAtOnce = 100;

/** What an adapter keeps between its visits. */
export interface HttpMemory {
  deposits: DepositMemory;
  transfers: TransferMemory;
}

export function createHttpMemory(database: Database, bank: string): HttpMemory {
  return { deposits: createDepositMemory(database, bank), transfers: createTransferMemory(database, bank) };
}

/** Something that the bank reported and that is not stored yet. */
interface Reported {
  content: Buffer;
  /** Once it is stored. */
  remember(): Promise<void>;
}

/**
 * A bank that is reached by Airwallex's public HTTP API. Each state of a deposit or a transfer is a message, stored as the bank reports it.
 * Orders are given first. Then it lists what is new, asks about what is on its way and about what events named, and, once everything that it
 * found is stored, keeps what the bank states as its balances.
 */
export function httpGateway(
  connection: HttpConnection,
  { deposits: memory, transfers }: HttpMemory,
  api: BankApi = createBankApi(connection),
): BankGateway {
  const finder = transferFinder(api, transfers);
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
      ...{ account: await numberOf(deposit), currency, amountMinor, ...payerOf(deposit) },
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

  async function freshDeposits(isSweep: boolean, named: readonly string[]): Promise<[string, Reported][]> {
    const found: [string, Reported][] = [];
    for (const [name, deposit] of await fresh(await find(isSweep, named))) {
      const account = await numberOf(deposit);
      const content = Buffer.from(JSON.stringify({ account, deposit }));
      const keep = async () => {
        await remember(deposit);
        if (account && deposit.currency) await memory.announce(account, deposit.currency);
      };
      found.push([name, { content, remember: keep }]);
    }
    return found;
  }

  async function freshTransfers(
    named: readonly string[],
    since: Parameters<typeof finder.fresh>[1],
  ): Promise<[string, Reported][]> {
    return [...(await finder.fresh(named, since))].map(([name, transfer]) => [
      name,
      { content: Buffer.from(JSON.stringify({ transfer })), remember: () => finder.remember(transfer) },
    ]);
  }

  return {
    bank: connection.bank,
    source: 'api',
    visit: (work) =>
      asConnection(async () => {
        const isSweep = performance.now() - sweptAt >= sweepEveryMs;
        const events = await memory.waitingEvents();
        const isAsked = isSweep || events.length > 0;
        const before = isAsked ? await currentBalances(api) : null;
        const named = (of: WaitingEvent['kind']) =>
          events.flatMap(({ kind, objectId }) => (kind === of && objectId !== null ? [objectId] : []));
        let waiting: ReadonlyMap<string, Reported> | null = null;
        const confirmed = new Set<string>();
        const result = await work({
          orders: transferDesk(api, transfers, asConnection),
          messages: () =>
            asConnection(async () => {
              const since = isAsked ? { backMs: isSweep ? sweepBackMs : overlapMs } : 'open';
              const sent = await freshTransfers(named('transfer'), since);
              waiting = new Map([...(await freshDeposits(isSweep, named('deposit'))), ...sent]);
              return [...waiting].map(([name, { content }]): WaitingMessage => ({ name, bytes: content.length }));
            }),
          async *content({ name }) {
            yield waiting?.get(name)?.content ?? Buffer.alloc(0);
          },
          async confirm({ name }) {
            await waiting?.get(name)?.remember();
            confirmed.add(name);
          },
        });
        const found = waiting as ReadonlyMap<string, Reported> | null;
        if (found === null || confirmed.size < found.size) return result;
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
  const memory = createHttpMemory(database, connection.bank);
  return {
    gateway: httpGateway(connection, memory, api),
    pollIntervalMs: connection.pollIntervalMs,
    hasNews: async () => (await memory.deposits.waitingEvents()).length > 0,
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
    const isUnusable = outcome === 'refused' || (status !== null && (status < 300 || status === 400));
    const problem = isSignIn ? 'signInRefused' : isUnusable ? 'answerUnusable' : 'unreachable';
    throw new BankConnectionError(problem, message);
  }
}
