import { invariant } from '../../platform/domain-error.ts';

/**
 * A statement shows what a wallet's ledger balance is made of: its available account and that of what is on hold, together. A
 * posting that moves between the two is no movement of it.
 */

/** Places in both accounts: how many entries of each lie before. */
export interface Place {
  available: number;
  onHold: number;
}

/** The entries behind `from` and up to `to`. */
export interface Span {
  from: Place;
  to: Place;
}

/** Balances of both accounts, in minor units. */
export interface Balances {
  availableMinor: bigint;
  onHoldMinor: bigint;
}

/** One entry of one of the two accounts, with what its posting did in the others; amounts in minor units. */
export interface Entry {
  sequence: number;
  at: Date;
  postingId: string;
  kind: string;
  description: string;
  sourceId: string;
  amountMinor: bigint;
  /** Of its account, after it. */
  balanceMinor: bigint;
  /** Its posting's place in the other of the two accounts; null where it has none there. */
  otherSequence: number | null;
  /** What its posting took as a fee. */
  feeMinor: bigint;
}

/** What changed the ledger balance; `amountMinor` is signed, fee included. */
export interface Movement {
  place: Place;
  at: Date;
  postingId: string;
  kind: string;
  description: string;
  sourceId: string;
  amountMinor: bigint;
  feeMinor: bigint;
  balanceMinor: bigint;
}

/**
 * Puts the entries of both accounts into one order, and makes a movement of each posting that changes their sum. Entries of an
 * account stay in its order; a posting in both accounts has one place, which the ledger's locks make the same in both. Only
 * between two such postings does the time decide.
 */
export async function* mergeMovements(
  start: Balances,
  span: Span,
  entries: { available: AsyncIterable<Entry>; onHold: AsyncIterable<Entry> },
): AsyncGenerator<Movement> {
  const [available, onHold] = [entries.available[Symbol.asyncIterator](), entries.onHold[Symbol.asyncIterator]()];
  const balances = { ...start };
  const place = { ...span.from };
  let [one, other] = [await following(available), await following(onHold)];
  while (one !== null || other !== null) {
    const next = nextOf(one, other, span);
    if (next.one !== null) {
      invariant(next.one.sequence === place.available + 1, 'an account has no gap');
      place.available = next.one.sequence;
      balances.availableMinor = next.one.balanceMinor;
      one = await following(available);
    }
    if (next.other !== null) {
      invariant(next.other.sequence === place.onHold + 1, 'an account has no gap');
      place.onHold = next.other.sequence;
      balances.onHoldMinor = next.other.balanceMinor;
      other = await following(onHold);
    }
    const movement = movementOf(next.one, next.other, place, balances);
    if (movement !== null) yield movement;
  }
  invariant(
    place.available === span.to.available && place.onHold === span.to.onHold,
    'a statement ends where its period does',
  );
}

async function following(entries: AsyncIterator<Entry>): Promise<Entry | null> {
  const { done, value } = await entries.next();
  return done ? null : value;
}

/** Which of the first entries of both accounts comes next: one of them, or both where they are of one posting. */
function nextOf(
  one: Entry | null,
  other: Entry | null,
  { from, to }: Span,
): { one: Entry | null; other: Entry | null } {
  if (one === null || other === null) return { one, other };
  if (one.postingId === other.postingId) return { one, other };
  const waits = isWithin(one.otherSequence, from.onHold, to.onHold);
  const otherWaits = isWithin(other.otherSequence, from.available, to.available);
  invariant(!(waits && otherWaits), 'two accounts have their common postings in one order');
  if (waits || (!otherWaits && other.at < one.at)) return { one: null, other };
  return { one, other: null };
}

function isWithin(sequence: number | null, from: number, to: number): boolean {
  return sequence !== null && sequence > from && sequence <= to;
}

function movementOf(one: Entry | null, other: Entry | null, place: Place, balances: Balances): Movement | null {
  const amountMinor = (one?.amountMinor ?? 0n) + (other?.amountMinor ?? 0n);
  const entry = one ?? other;
  if (entry === null || amountMinor === 0n) return null;
  const { postingId, kind, description, sourceId, feeMinor } = entry;
  return {
    place: { ...place },
    at: other !== null && other.at > entry.at ? other.at : entry.at,
    postingId,
    kind,
    description,
    sourceId,
    amountMinor,
    feeMinor,
    balanceMinor: balances.availableMinor + balances.onHoldMinor,
  };
}

/** The part of a value that belongs to a part of a quantity, rounded half away from zero; signed as `partMinor` is. */
export function shareOf(valueMinor: bigint, partMinor: bigint, wholeMinor: bigint): bigint {
  const part = partMinor < 0n ? -partMinor : partMinor;
  const share = (2n * valueMinor * part + wholeMinor) / (2n * wholeMinor);
  return partMinor < 0n ? -share : share;
}
