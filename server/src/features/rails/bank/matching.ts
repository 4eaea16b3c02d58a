import type { Database, PlatformTx } from '../../../platform/database/database.ts';
import { nearNumbers, referencesIn } from './references.ts';
import {
  announcedOf,
  holderOf,
  ownersOfNumbers,
  ownersOfReferences,
  paidBefore,
  type Suggestion,
  type Unmatched,
  type UnsettledMoney,
} from './store.ts';

/**
 * Whose a money is that came in: the owner of the account that it was paid to; of the reference in the field for it; of the reference in
 * what the payer wrote; of several that it names, the one that announced the amount; or the one company that announced this amount and that this payer is known to. Otherwise no company's: it is
 * never credited by guess (decisions, "Wallets and deposits").
 */
export type Match =
  | { companyId: string; by: 'account' | 'reference' | 'text' | 'notice' }
  | { companyId: null; unmatched: Unmatched; suggestions: Suggestion[] };

/** Matches moneys of one currency at one bank that came in. */
export async function matchAll(database: Database, moneys: readonly UnsettledMoney[]): Promise<Match[]> {
  const matches: Match[] = [];
  const [first] = moneys;
  if (!first) return matches;
  const numbers = moneys.flatMap(({ creditorAccount, collectionNumber }) =>
    creditorAccount === null ? collectionNumber : [creditorAccount, collectionNumber],
  );
  const inText = new Map(moneys.map((money) => [money.id, referencesIn(money.remittance)]));
  const references = moneys.flatMap((money) => [...money.creditorReferences, ...(inText.get(money.id) ?? [])]);
  const owners = await database.withoutCompany(async (tx) => ({
    byNumber: await ownersOfNumbers(tx, first, [...new Set(numbers)]),
    byReference: await ownersOfReferences(tx, first, [...new Set(references)]),
  }));
  for (const money of moneys) {
    const byNames = matchByNames(money, inText.get(money.id) ?? [], owners);
    if (byNames === null) matches.push(await matchByNotice(database, money));
    else if (byNames.companyId !== null || byNames.unmatched !== 'several') matches.push(byNames);
    else matches.push(await matchAmongNamed(database, money, byNames));
  }
  return matches;
}

interface Owners {
  byNumber: ReadonlyMap<string, string>;
  byReference: ReadonlyMap<string, string>;
}

/** Null where neither account nor reference says anything: pure. */
function matchByNames(
  money: UnsettledMoney,
  inText: readonly string[],
  { byNumber, byReference }: Owners,
): Match | null {
  if (money.isUndetailed) return { companyId: null, unmatched: 'undetailed', suggestions: [] };
  const byAccount = byNumber.get(money.creditorAccount ?? '') ?? byNumber.get(money.collectionNumber);
  if (byAccount !== undefined) return { companyId: byAccount, by: 'account' };
  for (const [by, given] of [
    ['reference', money.creditorReferences],
    ['text', inText],
  ] as const) {
    const named = given.flatMap((reference) => {
      const companyId = byReference.get(reference);
      return companyId === undefined ? [] : [{ companyId, reference }];
    });
    const [first, ...others] = [...new Set(named.map(({ companyId }) => companyId))];
    if (first === undefined) continue;
    if (others.length === 0) return { companyId: first, by };
    const suggestions = named.map(
      ({ companyId, reference }): Suggestion => ({ companyId, why: 'reference', value: reference }),
    );
    return { companyId: null, unmatched: 'several', suggestions };
  }
  return null;
}

/** It has the references of several companies, and exactly one of these has announced this amount. */
async function matchAmongNamed(
  database: Database,
  money: UnsettledMoney,
  several: Extract<Match, { companyId: null }>,
): Promise<Match> {
  const named = new Set(several.suggestions.map(({ companyId }) => companyId));
  const announced = await database.withoutCompany((tx) => announcedOf(tx, money));
  const [only, ...others] = new Set(announced.flatMap(({ companyId }) => (named.has(companyId) ? companyId : [])));
  return only === undefined || others.length > 0 ? several : { companyId: only, by: 'reference' };
}

/** Exactly one company announced the amount, once, and knows the payer. */
async function matchByNotice(database: Database, money: UnsettledMoney): Promise<Match> {
  const { announced, before, near } = await database.withoutCompany(async (tx) => ({
    announced: await announcedOf(tx, money),
    before: await paidBefore(tx, money),
    near: await ownersNear(tx, money),
  }));
  const [only, ...others] = announced;
  if (only && others.length === 0) {
    const isKnown = before.includes(only.companyId) || (await isOwnName(database, only.companyId, money));
    if (isKnown) return { companyId: only.companyId, by: 'notice' };
  }
  return {
    companyId: null,
    unmatched: 'nothing',
    suggestions: [
      ...near.map(([value, companyId]): Suggestion => ({ companyId, why: 'accountNear', value })),
      ...announced.map(({ companyId, noticeId }): Suggestion => ({ companyId, why: 'noticeOpen', value: noticeId })),
      ...before.map((companyId): Suggestion => ({ companyId, why: 'payerBefore', value: money.payerAccount ?? '' })),
    ],
  };
}

/** The company pays in its own money. */
async function isOwnName(
  database: Database,
  companyId: string,
  { bank, asset, payerName }: UnsettledMoney,
): Promise<boolean> {
  const holder = await database.withCompany(companyId, (tx) => holderOf(tx, bank, asset), { readOnly: true });
  return payerName !== null && holder !== null && plain(payerName) !== '' && plain(payerName) === plain(holder);
}

function plain(name: string): string {
  return name
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

async function ownersNear(tx: PlatformTx, money: UnsettledMoney): Promise<[string, string][]> {
  const near = nearNumbers(money.creditorAccount ?? '');
  return near.length === 0 ? [] : [...(await ownersOfNumbers(tx, money, near))].slice(0, 10);
}
