import type { AccountId, Entry, EntryDetail } from '../messages/model.ts';
import { isIso11649 } from '../messages/references.ts';
import { signedMinor } from './signed.ts';

/** One money as one entry shows it: pure. */
export interface SeenMoney {
  /** Minor units; positive came in. */
  amountMinor: bigint;
  bookedOn: string | null;
  valueOn: string | null;
  /** The bank's own reference of this money alone. */
  reference: string | null;
  /** What else the bank calls it: of the detail, where its entry is about it alone. */
  otherReference: string | null;
  /** Of the entry that it is a part of. */
  entryReference: string | null;
  transactionReference: string | null;
  endToEnd: string | null;
  uetr: string | null;
  /** In place of a reference, where the bank gives none. */
  said: string;
  isReversal: boolean;
  /** A batch whose parts are not said. */
  isUndetailed: boolean;
  /** The other side: who paid, or of a debit who was paid. */
  payerName: string | null;
  payerAccount: string | null;
  payerBank: string | null;
  creditorAccount: string | null;
  creditorReferences: string[];
  remittance: string;
  returnReason: string | null;
  /** What the bank says beside it. */
  returnWords: string | null;
  /** What the bank writes of the booking: of the detail, else of its entry. */
  bankWords: string | null;
}

/**
 * The moneys of a booked entry: one, or one for each detail of a batch where these come to the entry's amount; a batch whose parts are
 * missing, or come to something else, is one money that is not detailed. A batch's total is never a money beside its parts.
 */
export function moneysOf(entry: Entry): SeenMoney[] {
  const { details } = entry;
  const [only] = details;
  const said = entry.batches.reduce((sum, { count }) => sum + (count ?? 0), 0);
  if (details.length <= 1) {
    if (said > 1) return [undetailed(entry)];
    const detailReference = known(only?.references.accountServicer);
    const reference = known(entry.accountServicerReference) ?? detailReference;
    return [
      {
        ...one(entry, only ?? null, reference),
        otherReference: detailReference === reference ? null : detailReference,
      },
    ];
  }
  const parts = details.map((detail) =>
    detail.amount?.currency === entry.amount.currency
      ? signedMinor(detail.amount.minor, detail.direction ?? entry.direction)
      : null,
  );
  const sum = parts.reduce<bigint | null>((all, part) => (all === null || part === null ? null : all + part), 0n);
  const isWhole = sum === signedMinor(entry.amount.minor, entry.direction) && parts.every((part) => part !== 0n);
  if (!isWhole) return [undetailed(entry)];
  const given = details.map((detail) => known(detail.references.accountServicer));
  return details.map((detail, index) => {
    const reference = given[index] ?? null;
    // A reference that several parts have is their batch's.
    const isOwn =
      reference !== entry.accountServicerReference && given.filter((each) => each === reference).length === 1;
    return { ...one(entry, detail, isOwn ? reference : null), amountMinor: parts[index] ?? 0n };
  });
}

function undetailed(entry: Entry): SeenMoney {
  return { ...one(entry, null, null), isUndetailed: true };
}

function one(entry: Entry, detail: EntryDetail | null, reference: string | null): SeenMoney {
  const isIn = (detail?.direction ?? entry.direction) === 'credit';
  const structured = detail?.remittance.structured ?? [];
  const creditorReferences = structured
    .filter(({ reference: text }) => isIso11649(text))
    .map(({ reference: text }) => compact(text));
  const words = [
    ...(detail?.remittance.unstructured ?? []),
    ...structured.filter(({ reference: text }) => !isIso11649(text)).map(({ reference: text }) => text),
    ...(detail?.remittance.additional ?? []),
  ];
  const remittance = words.join(' ').trim();
  const party = isIn ? (detail?.debtor ?? detail?.ultimateDebtor) : (detail?.creditor ?? detail?.ultimateCreditor);
  const agent = isIn ? detail?.debtorAgent : detail?.creditorAgent;
  const endToEnd = known(detail?.references.endToEnd ?? null);
  return {
    amountMinor: signedMinor(entry.amount.minor, entry.direction),
    bookedOn: entry.bookingDate?.date ?? entry.valueDate?.date ?? null,
    valueOn: entry.valueDate?.date ?? entry.bookingDate?.date ?? null,
    reference,
    otherReference: null,
    entryReference: known(entry.accountServicerReference),
    transactionReference: known(detail?.references.transaction ?? null),
    endToEnd,
    uetr: detail?.references.uetr ?? null,
    said: endToEnd ?? creditorReferences[0] ?? (remittance || (entry.additional ?? '')),
    isReversal: entry.isReversal || (!isIn && detail?.returned != null),
    isUndetailed: false,
    payerName: party?.name ?? null,
    payerAccount: numberOf(isIn ? (detail?.debtorAccount ?? null) : (detail?.creditorAccount ?? null)),
    payerBank: agent?.bic ?? agent?.name ?? agent?.clearingMember ?? null,
    creditorAccount: isIn ? numberOf(detail?.creditorAccount ?? null) : null,
    creditorReferences,
    remittance,
    returnReason: detail?.returned?.reason?.code ?? null,
    returnWords: wordsOf(detail?.returned?.texts ?? []),
    bankWords: wordsOf([detail?.additional ?? entry.additional ?? '']),
  };
}

/** ISO 20022 cuts a text into pieces of 105 characters. */
function wordsOf(texts: readonly string[]): string | null {
  const words = texts.map((text) => text.trim()).filter((text) => text !== '');
  return words.length === 0 ? null : words.join(' ');
}

/** What banks write where they have no reference. */
const fillers = new Set(['NONREF', 'NOTPROVIDED', 'NOT PROVIDED', 'N/A', 'NA', '-', '0']);

function known(reference: string | null | undefined): string | null {
  if (reference === null || reference === undefined || fillers.has(reference.trim().toUpperCase())) return null;
  return reference.trim() === '' ? null : reference.trim();
}

/** IBAN or number, letters and digits alone. */
export function numberOf(account: Pick<AccountId, 'iban' | 'number'> | null): string | null {
  const text = compact(account?.iban ?? account?.number ?? '');
  return text === '' ? null : text;
}

function compact(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase();
}
