import type { Database } from '../../../platform/database/database.ts';
import { nilCompany } from '../../identity/index.ts';
import { creditMoneys } from './crediting.ts';
import { type Held, holdMoneys } from './holding.ts';
import { type Match, matchAll } from './matching.ts';
import { bookPayout, holdStrange, payoutsOf } from './payouts/booking.ts';
import { takeBackReversed } from './reversing.ts';
import { namesExplained, type UnsettledMoney, unsettledMoneys } from './store.ts';

/** So many moneys are matched together, and those of one company posted together; so many companies side by side. */
const atOnce = 5000;
const sideBySide = 4;

/**
 * Posts every money that was read and is not in the books yet, in the order in which it was read. Each is posted in the transaction that
 * marks it, under its lock: of two workers one posts it, and one that is killed leaves it as it was.
 * @returns how many were looked at
 */
export async function settleMoneys(database: Database, signal?: AbortSignal): Promise<number> {
  let settled = 0;
  for (let after: string | null = null; !signal?.aborted; ) {
    const moneys = await database.withoutCompany((tx) => unsettledMoneys(tx, after, atOnce));
    const last = moneys.at(-1);
    if (!last) break;
    after = last.id;
    settled += moneys.length;
    for (const group of Map.groupBy(moneys, ({ bank, asset }) => `${bank}/${asset}`).values()) {
      await settleGroup(database, group);
    }
  }
  return settled;
}

/**
 * Moneys of one currency at one bank. First those of our own payments: what was made, then what came back of it. Then what came in, before what was
 * taken: a reversal may be of the same file.
 */
async function settleGroup(database: Database, all: readonly UnsettledMoney[]): Promise<void> {
  const moneys = await settlePayouts(database, all);
  const incoming: UnsettledMoney[] = [];
  const held = new Map<string, Map<string, Held>>();
  for (const money of moneys.filter(cameIn)) {
    if (!money.isReturn) incoming.push(money);
    else if (!(await takeBackReversed(database, money))) {
      // What the bank returns of what two operators explained is no company's, also where it does not fit it.
      const isExplained = await database.withoutCompany((tx) => namesExplained(tx, money));
      if (isExplained) put(held, money.collectionId, money.id, { unmatched: 'reversal', suggestions: [] });
      else incoming.push(money);
    }
  }
  const matches = await matchAll(database, incoming);
  const byCompany = new Map<string, Map<string, string>>();
  for (const [index, money] of incoming.entries()) {
    const match: Match | undefined = matches[index];
    if (!match) continue;
    if (match.companyId === null) put(held, money.collectionId, money.id, match);
    else put(byCompany, match.companyId, money.id, match.by);
  }
  const [first] = moneys;
  if (!first) return;
  const companies = byCompany.entries();
  const creditNext = async () => {
    for (const [companyId, matched] of companies) {
      await database.withCompany(companyId, (tx) => creditMoneys(tx, first, matched));
    }
  };
  await allEnded(Array.from({ length: sideBySide }, creditNext));
  await holdEach(database, first.asset, held);
  const charged = new Map<string, Map<string, Held>>();
  for (const money of moneys.filter(wasTaken)) {
    if (money.isReversal && (await takeBackReversed(database, money))) continue;
    put(charged, money.collectionId, money.id, {
      unmatched: money.isReversal ? 'reversal' : 'nothing',
      suggestions: [],
    });
  }
  await holdEach(database, first.asset, charged);
}

/** @returns the moneys that have nothing to do with a payment of ours */
async function settlePayouts(database: Database, all: readonly UnsettledMoney[]): Promise<UnsettledMoney[]> {
  const others: UnsettledMoney[] = [];
  const [made, back] = [all.filter(wasTaken), all.filter(cameIn)];
  for (const moneys of [made, back]) {
    const payouts = await database.withoutCompany((tx) => payoutsOf(tx, moneys));
    for (const money of moneys) {
      const line = payouts.get(money.id);
      if (!line) others.push(money);
      else while (!((await bookPayout(database, money.id, line)) || (await holdStrange(database, money, line))));
    }
  }
  return others;
}

function cameIn({ amountMinor }: UnsettledMoney): boolean {
  return amountMinor > 0n;
}

function wasTaken({ amountMinor }: UnsettledMoney): boolean {
  return amountMinor < 0n;
}

async function holdEach(
  database: Database,
  asset: string,
  held: ReadonlyMap<string, ReadonlyMap<string, Held>>,
): Promise<void> {
  for (const [collectionId, each] of held) {
    await database.withCompany(nilCompany, (tx) => holdMoneys(tx, { collectionId, asset }, each));
  }
}

function put<T>(groups: Map<string, Map<string, T>>, group: string, key: string, value: T): void {
  const known = groups.get(group) ?? new Map<string, T>();
  known.set(key, value);
  groups.set(group, known);
}

/** Waits for all of them, then throws what the first that failed threw: none goes on unseen. */
async function allEnded(works: readonly Promise<void>[]): Promise<void> {
  const outcomes = await Promise.allSettled(works);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}
