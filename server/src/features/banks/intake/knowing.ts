import type { SeenMoney } from './moneys.ts';

/**
 * Which money of an entry is known already: pure. One booking is announced, booked, alone or in a batch, and detailed; it is one money.
 * It is known by the bank's reference of it, then the bank's transaction id, then its UETR; where the bank gives none of them, by day,
 * amount and what the payer wrote, and of equal ones each is claimed once.
 */

/** A money as it is kept. `announced` and `booked` are the statements whose entries have it. */
export interface KnownMoney {
  id: string;
  amountMinor: bigint;
  bookedOn: string | null;
  reference: string | null;
  otherReference: string | null;
  entryReference: string | null;
  transactionReference: string | null;
  uetr: string | null;
  said: string;
  isUndetailed: boolean;
  announcedEntryId: string | null;
  announcedStatementId: string | null;
  bookedEntryId: string | null;
  bookedStatementId: string | null;
}

/** Where the entries come from: which of a money's two places they fill. */
export interface Source {
  kind: 'statement' | 'notification';
  statementId: string;
}

export type Knowing =
  /** A money that no other entry of this kind had. */
  | { is: 'claimed'; money: KnownMoney }
  /** Another statement of this kind had it. */
  | { is: 'repeated'; money: KnownMoney }
  | { is: 'new' };

export function entryOf(money: KnownMoney, { kind }: Source): string | null {
  return kind === 'statement' ? money.bookedEntryId : money.announcedEntryId;
}

function statementOf(money: KnownMoney, { kind }: Source): string | null {
  return kind === 'statement' ? money.bookedStatementId : money.announcedStatementId;
}

type Named = Pick<SeenMoney, 'reference' | 'otherReference' | 'transactionReference' | 'uetr'>;

/** How the bank names a money, the surest first. */
const names: readonly ((money: Named) => string[])[] = [
  ({ reference, otherReference }) => [reference ?? [], otherReference ?? []].flat(),
  ({ transactionReference }) => (transactionReference === null ? [] : [transactionReference]),
  ({ uetr }) => (uetr === null ? [] : [uetr]),
];

/** Finds a money among the known ones, of which those claimed meanwhile have their place filled. */
export function know(seen: SeenMoney, known: readonly KnownMoney[], source: Source): Knowing {
  const alike = known.filter(
    (money) => money.isUndetailed === seen.isUndetailed && money.amountMinor > 0n === seen.amountMinor > 0n,
  );
  for (const [at, name] of names.entries()) {
    const given = new Set(name(seen));
    if (given.size === 0) continue;
    // What is surer must not speak against it: two references are two bookings, even of one payment of the payer's.
    const named = alike.filter(
      (money) => name(money).some((each) => given.has(each)) && !differs(money, seen, names.slice(0, at)),
    );
    const free = named.find((money) => entryOf(money, source) === null);
    if (free) return { is: 'claimed', money: free };
    // Twice in one statement is two bookings; in two statements it is the same one again.
    const elsewhere = named.find((money) => statementOf(money, source) !== source.statementId);
    if (elsewhere) return { is: 'repeated', money: elsewhere };
  }
  const free = alike.find(
    (money) =>
      entryOf(money, source) === null &&
      money.amountMinor === seen.amountMinor &&
      money.bookedOn === seen.bookedOn &&
      money.said === seen.said &&
      !differs(money, seen, names),
  );
  return free ? { is: 'claimed', money: free } : { is: 'new' };
}

/** Both have a name of one of these kinds, and it is another. */
function differs(money: Named, seen: Named, kinds: typeof names): boolean {
  return kinds.some((name) => {
    const [known, given] = [name(money), name(seen)];
    return known.length > 0 && given.length > 0 && !known.some((each) => given.includes(each));
  });
}

/** The parts of a batch that an entry without details is about: all that have its reference, if they come to its amount. */
export function partsKnown(seen: SeenMoney, known: readonly KnownMoney[], source: Source): KnownMoney[] {
  if (!seen.isUndetailed || seen.entryReference === null) return [];
  const parts = known.filter(
    (money) => !money.isUndetailed && money.entryReference === seen.entryReference && entryOf(money, source) === null,
  );
  const sum = parts.reduce((all, { amountMinor }) => all + amountMinor, 0n);
  return sum === seen.amountMinor ? parts : [];
}

/** The batch without details that these parts of one entry are. */
export function wholeKnown(parts: readonly SeenMoney[], known: readonly KnownMoney[]): KnownMoney | null {
  const entryReference = parts[0]?.entryReference ?? null;
  if (entryReference === null || parts.some(({ isUndetailed }) => isUndetailed)) return null;
  const sum = parts.reduce((all, { amountMinor }) => all + amountMinor, 0n);
  return (
    known.find((money) => money.isUndetailed && money.entryReference === entryReference && money.amountMinor === sum) ??
    null
  );
}
