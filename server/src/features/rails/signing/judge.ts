import { LogUnwritable } from '../../../platform/crypto/linked-log.ts';
import type { OpenSeal } from '../../../platform/crypto/seal.ts';
import type { Database, PlatformTx } from '../../../platform/database/database.ts';
import { findRestoreMode } from '../../../platform/database/restore-mode.ts';
import type { Log } from '../../../platform/process/log.ts';
import {
  accelerateKind,
  agreesNow,
  type Compared,
  compareJournal,
  emptyKind,
  type Intent,
  type JoinedPayment,
  type Journal,
  lockJournal,
  type PaymentRequest,
  paymentIdsOf,
  type RecordedCoin,
  Refused,
  refusalOf,
  refuseUnless,
  type SignAnswer,
  type SignedBytes,
  type SignerFamilies,
  type SignerFamily,
  type SigningHistory,
  type SignRequest,
  storeEntry,
  transferKind,
} from '../../chains/index.ts';
import { isAuthorised, type OutgoingKinds } from '../../outgoing/index.ts';
import { accelerationType } from '../bitcoin/acceleration.ts';
import { isSettlementType, settlementTypes } from '../settlement/domain.ts';
import {
  readFailed,
  readOwnAddresses,
  readSigningRecord,
  type SigningRecord,
  type StoredRecord,
} from '../store/signing.ts';
import { sweepType } from '../sweeps/domain.ts';
import { requireAccelerable } from './acceleration.ts';
import { requireReplaceable } from './replacements.ts';
import { settlementLegs } from './settlement.ts';

/**
 * The signer's own judgement. It is asked by the worker and believes nothing of it: it reads the record, recomputes its
 * digest, checks the seal that only the HTTP process can make, and derives the addresses from its own seed. Its intent is on
 * the disk, in its own journal, before anything is signed; then the database gets a copy; then the worker gets the bytes. What
 * a transaction is made of is the family's to say (docs/adr/0056).
 */

export interface JudgeDependencies {
  /** As causeway_signer: reads records, stores the journal's copy, nothing else. */
  database: Database;
  /** Of the chains in the signer's own configuration. */
  families: SignerFamilies;
  /** The kinds of payments that are signed at all. */
  kinds: OutgoingKinds;
  openSeal: OpenSeal;
  journal: Journal;
  log: Log;
}

export interface Judge {
  /** Signs what the records allow. The same request gets the same bytes again, since the signature is deterministic. */
  sign(request: SignRequest): Promise<SignAnswer>;
  /** Compares the journal with the database; restore mode begins when the database was put back. */
  compare(): Promise<Compared>;
}

/** The database does not end in the journal's last entry. */
class Disagreement extends Error {}

/** One request at a time: `serveSigner` asks for a payment after the other, and `compare` waits its turn. */
export function createJudge(deps: JudgeDependencies): Judge {
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work);
    queue = result.catch(() => undefined);
    return result;
  };
  return {
    sign: (request) => inTurn(() => answer(deps, request)),
    compare: () => inTurn(() => compareJournal(deps)),
  };
}

async function answer(deps: JudgeDependencies, request: SignRequest): Promise<SignAnswer> {
  const isJournaled = () => deps.journal.entriesOf(request.paymentId).length > 0;
  try {
    return await judge(deps, request).catch(async (error: unknown) => {
      if (!(error instanceof Disagreement)) throw error;
      const { agrees, isRestoring, finding } = await compareJournal(deps);
      if (isRestoring) deps.log.error({ finding }, 'restore mode: nothing is signed');
      refuseUnless(agrees && !isRestoring, 'restoring');
      return judge(deps, request);
    });
  } catch (error) {
    if (error instanceof Refused) return { signed: false, refusal: error.refusal, journaled: isJournaled() };
    if (error instanceof LogUnwritable) {
      deps.log.fatal({ err: error }, 'the journal cannot be written: nothing is signed');
      // The entry may be on the disk all the same, so what it uses is not free.
      return { signed: false, refusal: 'journal-unwritable', journaled: true };
    }
    throw error;
  }
}

async function judge(deps: JudgeDependencies, request: SignRequest): Promise<SignAnswer> {
  const { journal } = deps;
  const { raw, hash } = await deps.database.withoutCompany(async (tx) => {
    await lockJournal(tx);
    if (!(await agreesNow(deps, tx))) throw new Disagreement();
    refuseUnless((await findRestoreMode(tx)) === null, 'restoring');
    if (!('plan' in request)) return signAgain(deps, request);
    const { family, intent } = await judgeIntent(deps, tx, request);
    const related = journal.related(intent);
    const refusal = refusalOf(family, intent, related, await readFailed(tx, intent, related));
    if (refusal !== null) throw new Refused(refusal);
    if (related.some((known) => family.journal.isSameAttempt(known, intent))) return family.sign(intent);
    const entry = journal.append(intent, new Date());
    const bytes = await family.sign(intent);
    await storeEntry(tx, entry, { txHash: bytes.hash, imported: false });
    return bytes;
  });
  journal.markStored();
  return { signed: true, raw, hash };
}

/** The bytes of the payment's last entry: they may be on their way already, so they allow nothing new. */
async function signAgain({ journal, families }: JudgeDependencies, request: SignRequest): Promise<SignedBytes> {
  const intent = journal.entriesOf(request.paymentId).at(-1);
  refuseUnless(intent?.companyId === request.companyId, 'unknown');
  const transfers = [intent.transferId, ...paymentIdsOf(intent).slice(1)];
  refuseUnless(transfers.includes(request.transferId), 'unknown');
  const family = families.get(intent.family);
  refuseUnless(family?.isSignable(intent) === true, 'other-coin');
  return family.sign(intent);
}

interface Judged {
  family: SignerFamily;
  intent: Intent;
}

/** What the record allows of a request, whatever the journal says. @throws Refused */
async function judgeIntent(deps: JudgeDependencies, tx: PlatformTx, request: PaymentRequest): Promise<Judged> {
  const { companyId, transferId, paymentId, kind } = request;
  const stored =
    (await readSigningRecord(tx, companyId, transferId)) ?? (await readLostRecord(tx, deps.journal, request));
  refuseUnless(stored && deps.kinds.has(stored.type), 'unknown');
  // A payment that the journal knows was authorised when it was first signed, and its content cannot change any more.
  const known = deps.journal.entriesOf(paymentId);
  const isKnown = known.length > 0;
  const isSettlement = isSettlementType(stored.type);
  // An acceleration has seals of its own, which each attempt of it is judged by.
  const isAcceleration = stored.type === accelerationType;
  refuseUnless((kind === accelerateKind) === isAcceleration, 'other-payment');
  const isSweep = stored.type === sweepType;
  const isJudgedApart = isSettlement || isAcceleration || isSweep;
  refuseUnless(isKnown || isJudgedApart || (await isAuthorised(tx, deps, stored)), 'forged');
  // Its legs are settled by it alone: nothing takes its place. Nor that of a sweep, which pays no one.
  refuseUnless(kind !== emptyKind || !(isSettlement || isSweep), 'other-payment');
  refuseUnless(stored.payeeAccount !== null, 'forged');
  // The payee is paid under the transfer's own id, and so once.
  refuseUnless(!paidUnderOwnId.has(kind) || paymentId === transferId, 'other-payment');

  const family = familyOf(deps.families, stored);
  const further = await judgeJoined(deps, tx, family, { request, first: stored });
  const plan = family.plans.get(kind)?.safeParse(request.plan);
  refuseUnless(plan?.success, 'invalid-plan');
  const payer = stored.type === settlementTypes.in ? ('treasury' as const) : ('company' as const);
  const ends = isSweep ? endsOf(stored) : null;
  const addresses = await readOwnAddresses(tx, stored, ends ?? family.addressesIn(plan.data));
  const record = { ...stored, payer, addresses, from: ends?.[0] };
  // Write access to the table of addresses must not lead money to an address of another owner.
  const areOwn = record.addresses.length > 0 && record.addresses.every((address) => family.derives(address));
  refuseUnless(areOwn, 'foreign-address');
  if (isSweep) requireSweepable(family, record);

  let legs = known[0]?.legs;
  if (isSettlement && !isKnown) {
    const own = addresses.map(({ address }) => address);
    const judged = await settlementLegs(tx, { openSeal: deps.openSeal, treasury: family.treasury, own }, stored);
    refuseUnless(judged !== null, 'forged');
    // The network fee that is advanced for a settlement settles nothing.
    if (kind === transferKind) legs = judged;
  }
  const { chainId, coin, amountMinor, payeeAccount: toAddress } = stored;
  const ids = { family: family.journal.name, companyId, transferId, paymentId, kind };
  const joined = further?.map(contentOf);
  const pays = {
    ...{ chainId, toAddress, coin, amountMinor },
    ...(legs === undefined ? {} : { legs }),
    ...(joined === undefined ? {} : { joined }),
  };
  const intent = family.intentOf({ ...ids, ...pays }, plan.data, record);
  const resources = family.journal.resourcesOf(intent);
  refuseUnless(new Set(resources).size === resources.length, 'invalid-plan');
  checkOutputs(family, intent, record);
  family.limit(intent, historyOf(deps, family, isKnown));
  if (kind === transferKind || isAcceleration) {
    refuseUnless(
      [stored, ...(further ?? [])].every(({ hasEnded }) => !hasEnded),
      'ended',
    );
    refuseUnless(!stored.isFrozen, 'frozen');
  }
  if (isAcceleration) await requireAccelerable(tx, deps, intent);
  // Also from what is frozen: it pays nothing, and the reorganisation that makes it necessary may have frozen the wallet.
  if (kind === emptyKind) {
    const hasEnded = [stored, ...(further ?? [])].some(({ isOver }) => isOver);
    await requireReplaceable(tx, deps, family, { intent, known, hasEnded });
  }
  return { family, intent };
}

/** The further address that a sweep is from, and the account that it goes to. */
function endsOf({ payerAccount, payeeAccount }: StoredRecord): readonly [string, string] {
  refuseUnless(payerAccount !== null && payeeAccount !== null, 'forged');
  return [payerAccount, payeeAccount];
}

/**
 * A sweep has no seal: that both its ends were derived from the signer's seed, under the index of one company, is what allows it (docs/adr/0099).
 * Only from a further address to the account, and only where a family pays from accounts.
 * @throws Refused
 */
function requireSweepable(family: SignerFamily, { payeeAccount, from, addresses }: SigningRecord): void {
  const source = addresses.find(({ address }) => address === from);
  const account = addresses.find(({ address }) => address === payeeAccount);
  refuseUnless(family.sweeps === true && source && account, 'foreign-address');
  refuseUnless(source.ordinal > 0 && account.ordinal === 0, 'forged');
  refuseUnless(source.derivationIndex === account.derivationIndex, 'foreign-address');
}

/** A payment that a transaction makes beside its first, as its record says it. */
type JoinedRecord = Pick<StoredRecord, 'id' | 'payeeAccount' | 'amountMinor' | 'hasEnded' | 'isOver'>;

const contentOf = ({ id, payeeAccount, amountMinor }: JoinedRecord): JoinedPayment => {
  refuseUnless(payeeAccount !== null, 'forged');
  return { transferId: id, toAddress: payeeAccount, amountMinor };
};

/**
 * The further records of a request, each judged as a transfer is: of the same company, out of the same wallet, authorised, and named once.
 * Of those that the journal has, a restored database may have lost the record.
 * @returns undefined where the request names none
 * @throws Refused
 */
async function judgeJoined(
  deps: JudgeDependencies,
  tx: PlatformTx,
  { mostJoined = 1 }: SignerFamily,
  { request, first }: { request: PaymentRequest; first: StoredRecord },
): Promise<JoinedRecord[] | undefined> {
  const { companyId, kind, paymentId, joined } = request;
  if (joined === undefined) return undefined;
  const isJoinable = ({ type }: StoredRecord) =>
    !isSettlementType(type) && type !== accelerationType && type !== sweepType;
  refuseUnless(kind === transferKind || kind === emptyKind, 'invalid-plan');
  refuseUnless(
    joined.length < mostJoined && new Set([paymentId, ...joined]).size === joined.length + 1,
    'invalid-plan',
  );
  refuseUnless(isJoinable(first), 'other-payment');
  const records: JoinedRecord[] = [];
  for (const id of joined) {
    const record = await readSigningRecord(tx, companyId, id);
    const known = journaledAs(deps.journal, companyId, id);
    if (record === null) {
      refuseUnless(known, 'unknown');
      records.push({ ...known, hasEnded: false, isOver: false });
      continue;
    }
    refuseUnless(deps.kinds.has(record.type), 'unknown');
    refuseUnless(isJoinable(record), 'other-payment');
    refuseUnless(record.walletId === first.walletId, 'other-payment');
    refuseUnless(record.chainId === first.chainId && record.coin === first.coin, 'other-coin');
    refuseUnless(known !== null || (await isAuthorised(tx, deps, record)), 'forged');
    records.push(record);
  }
  return records;
}

/** What the journal says that a transfer pays, which was signed; null where it was not. */
function journaledAs(
  journal: Journal,
  companyId: string,
  id: string,
): Pick<JoinedRecord, 'id' | 'payeeAccount' | 'amountMinor'> | null {
  for (const { kind, companyId: owner, paymentId, toAddress, amountMinor, joined = [] } of journal.entriesOf(id)) {
    if (kind !== transferKind || owner !== companyId) continue;
    const made = [{ transferId: paymentId, toAddress, amountMinor }, ...joined];
    const own = made.find(({ transferId }) => transferId === id);
    if (own) return { id, payeeAccount: own.toAddress, amountMinor: own.amountMinor };
  }
  return null;
}

/**
 * The first record of payments that were signed together, where a restored database has lost it and has another of them: of the same wallet,
 * with what the journal says that the first one pays.
 */
async function readLostRecord(
  tx: PlatformTx,
  journal: Journal,
  { companyId, transferId, joined = [] }: PaymentRequest,
): Promise<StoredRecord | null> {
  const known = journaledAs(journal, companyId, transferId);
  if (known === null) return null;
  for (const id of joined) {
    const record = await readSigningRecord(tx, companyId, id);
    if (record) return { ...record, ...known, hasEnded: false, isOver: false };
  }
  return null;
}

/** The kinds of which a record is one payment, under its own id. */
const paidUnderOwnId: ReadonlySet<string> = new Set([transferKind, emptyKind, accelerateKind]);

/** The family of the record's chain by the signer's own configuration, which the registry must not contradict. */
function familyOf(families: SignerFamilies, record: RecordedCoin): SignerFamily {
  const family = [...families.values()].find((served) => served.serves(record.chainId));
  refuseUnless(family?.journal.name === record.registered.family && family.isConfigured(record), 'other-coin');
  return family;
}

/**
 * A `transfer` pays the payee what the record says, once, and all else goes back to its payer; other kinds pay the payer alone.
 */
function checkOutputs(
  family: SignerFamily,
  intent: Intent,
  { payeeAccount, coin, amountMinor, payer, addresses }: SigningRecord,
): void {
  const outputs = [...family.outputsOf(intent)];
  const payments = [{ toAddress: payeeAccount, amountMinor }, ...(intent.joined ?? [])];
  for (const payment of intent.kind === transferKind ? payments : []) {
    const due = outputs.findIndex(
      (output) =>
        output.address === payment.toAddress && output.coin === coin && output.amountMinor === payment.amountMinor,
    );
    refuseUnless(due >= 0, 'other-output');
    outputs.splice(due, 1);
  }
  refuseUnless(intent.kind !== emptyKind || intent.amountMinor === 0n, 'other-output');
  const own = new Set(payer === 'treasury' ? [family.treasury] : addresses.map(({ address }) => address));
  refuseUnless(
    outputs.every(({ address }) => own.has(address)),
    'other-output',
  );
}

function historyOf({ journal }: JudgeDependencies, family: SignerFamily, isKnown: boolean): SigningHistory {
  const { name } = family.journal;
  return {
    isKnown,
    countSince: (kind, since) => journal.countSince(name, kind, since),
    treasuryPaidSince: (coin, since) => journal.treasuryPaidSince(name, coin, since),
  };
}
