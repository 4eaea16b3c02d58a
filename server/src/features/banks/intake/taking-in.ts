import type { PlatformTx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { Entry } from '../messages/model.ts';
import { entryOf, type Knowing, type KnownMoney, know, partsKnown, type Source, wholeKnown } from './knowing.ts';
import { claimMoneys, findKnown, insertMoneys, markDetailed, type NewMoney } from './money-store.ts';
import { moneysOf, type SeenMoney } from './moneys.ts';
import { signedMinor } from './signed.ts';
import { type EntryRow, insertEntries } from './statement-store.ts';

/** One statement while it is taken in. */
export interface OpenStatement {
  source: Source;
  collectionId: string;
}

/** What became of some entries of a statement, in its order. */
export interface TakenIn {
  totalMinor: bigint;
  /** Another statement had all of them. */
  isRepeat: boolean;
}

/** Writes booked entries of one statement, and finds or makes their moneys. `from`: the number of the first, from 1 on. */
export async function takeInEntries(
  tx: PlatformTx,
  { source, collectionId }: OpenStatement,
  entries: readonly Entry[],
  from: number,
): Promise<TakenIn> {
  const read = entries.map((entry) => ({ entry, seen: moneysOf(entry) }));
  const known = await findKnown(
    tx,
    collectionId,
    read.flatMap(({ seen }) => seen),
    source,
  );
  const fresh: NewMoney[] = [];
  const claims: NewMoney[] = [];
  const rows: EntryRow[] = [];
  const detailed: string[] = [];
  for (const [index, { entry, seen }] of read.entries()) {
    const amountMinor = signedMinor(entry.amount.minor, entry.direction);
    const id = newId();
    const whole = wholeKnown(seen, known);
    if (whole) {
      detailed.push(whole.id);
      known.splice(known.indexOf(whole), 1);
    }
    const outcomes = seen.flatMap((money) => knowEach(money, known, source));
    for (const { money, knowing } of outcomes) place(money, knowing, whole);
    const foundMinor = outcomes.reduce(
      (sum, { money, knowing }) => sum + (knowing.is === 'new' ? money.amountMinor : knowing.money.amountMinor),
      0n,
    );
    rows.push({
      id,
      number: from + index,
      amountMinor,
      bookedOn: entry.bookingDate?.date ?? null,
      valueOn: entry.valueDate?.date ?? null,
      reference: entry.accountServicerReference,
      isReversal: entry.isReversal,
      code: codeOf(entry),
      details: entry.details.length,
      isRepeat: outcomes.every(({ knowing }) => knowing.is === 'repeated'),
      unexplainedMinor: amountMinor - foundMinor,
    });

    function place(money: SeenMoney, knowing: Knowing, of: KnownMoney | null): void {
      const own = source.kind === 'statement' ? { bookedEntryId: id } : { announcedEntryId: id };
      // The parts take the places of the batch that they are.
      const places = {
        announcedEntryId: of?.announcedEntryId ?? null,
        bookedEntryId: of?.bookedEntryId ?? null,
        ...own,
      };
      if (knowing.is === 'new') fresh.push({ ...money, ...places, id: newId() });
      if (knowing.is !== 'claimed') return;
      claims.push({ ...money, ...places, id: knowing.money.id });
      knowing.money.announcedEntryId ??= places.announcedEntryId;
      knowing.money.bookedEntryId ??= places.bookedEntryId;
      if (source.kind === 'statement') knowing.money.bookedStatementId ??= source.statementId;
      else knowing.money.announcedStatementId ??= source.statementId;
    }
  }
  await insertEntries(tx, source.statementId, rows);
  await insertMoneys(tx, collectionId, fresh);
  await claimMoneys(tx, claims);
  for (const id of detailed) await markDetailed(tx, id);
  return {
    totalMinor: rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    isRepeat: rows.every(({ isRepeat }) => isRepeat),
  };
}

/** A batch without details whose parts are known is these parts. */
function knowEach(
  money: SeenMoney,
  known: readonly KnownMoney[],
  source: Source,
): { money: SeenMoney; knowing: Knowing }[] {
  const parts = partsKnown(money, known, source);
  if (parts.length > 0) {
    return parts.map((part) => ({
      money: { ...nothingToAdd(money), bookedOn: part.bookedOn },
      knowing: { is: 'claimed', money: part },
    }));
  }
  const repeated = known.filter(
    (part) =>
      money.isUndetailed &&
      money.entryReference !== null &&
      !part.isUndetailed &&
      part.entryReference === money.entryReference,
  );
  const isKnown =
    repeated.length > 0 && repeated.reduce((sum, part) => sum + part.amountMinor, 0n) === money.amountMinor;
  if (isKnown && repeated.every((part) => entryOf(part, source) !== null)) {
    return repeated.map((part) => ({ money, knowing: { is: 'repeated', money: part } }));
  }
  return [{ money, knowing: know(money, known, source) }];
}

/** The batch's own names and words are none of its parts'. */
function nothingToAdd(money: SeenMoney): SeenMoney {
  return {
    ...money,
    reference: null,
    otherReference: null,
    transactionReference: null,
    uetr: null,
    remittance: '',
    creditorReferences: [],
    payerName: null,
    payerAccount: null,
    payerBank: null,
    creditorAccount: null,
  };
}

function codeOf({ code }: Entry): string | null {
  if (code === null) return null;
  return code.domain === null ? code.proprietary : [code.domain, code.family, code.subFamily].filter(Boolean).join('-');
}
