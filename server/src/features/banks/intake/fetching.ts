import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Database } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/process/log.ts';
import {
  BankConnectionError,
  type BankGateway,
  type BankVisit,
  type OrderFolder,
  type TransferDesk,
  type WaitingMessage,
} from '../gateway.ts';
import { keepMessage } from './keeping.ts';
import { writeConnection } from './message-store.ts';

export interface FetchingDependencies {
  database: Database;
  log: Log;
  /** Gives the bank what we have for it (features to the right). */
  deliver?: (bank: string, orders: OrderFolder | TransferDesk) => Promise<unknown>;
}

/**
 * Visits a bank: delivers what we have for it, stores each message that it has for us, then confirms it. A process that dies in between finds the message again, knows
 * its content, and confirms it. One message that cannot be fetched does not hold up the others, nor does what cannot be delivered.
 * @returns how many were new
 */
export async function fetchMessages(
  { database, log, deliver }: FetchingDependencies,
  gateway: BankGateway,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-bank-'));
  let fetched = 0;
  let found: BankConnectionError | null = null;
  let failure = null as { error: unknown } | null;
  try {
    await gateway.visit(async (visit) => {
      const { orders } = visit;
      await deliver?.(gateway.bank, orders).catch((error: unknown) => {
        if (!(error instanceof BankConnectionError)) failure = { error };
        else if (error.problem === 'unreachable') throw error;
        else found = error;
      });
      for (const message of await visit.messages()) {
        try {
          if (await fetchOne(database, gateway, visit, message, folder)) fetched += 1;
        } catch (error) {
          if (!(error instanceof BankConnectionError) || error.problem === 'unreachable') throw error;
          found = error;
        }
      }
    });
  } catch (error) {
    if (!(error instanceof BankConnectionError)) throw error;
    found = error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const problem = found as BankConnectionError | null;
  if (problem)
    log.warn(
      { bank: gateway.bank, problem: problem.problem, detail: problem.detail },
      'a bank could not be visited as agreed',
    );
  await database.withoutCompany((tx) => writeConnection(tx, gateway.bank, problem, fetched > 0));
  if (failure) throw failure.error;
  return fetched;
}

async function fetchOne(
  database: Database,
  { bank, source }: BankGateway,
  visit: BankVisit,
  message: WaitingMessage,
  folder: string,
): Promise<boolean> {
  // On this machine's disk first: no transaction is open while a bank is waited for.
  const path = join(folder, 'message');
  await pipeline(visit.content(message), createWriteStream(path));
  const known = await keepMessage(database, { bank, name: message.name, path, source });
  await visit.confirm(message);
  return known === null;
}
