import type { Database, PlatformTx } from '../../../platform/database.ts';
import { LogUnwritable } from '../../../platform/linked-log.ts';
import type { Log } from '../../../platform/log.ts';
import { findRestoreMode } from '../../../platform/restore-mode.ts';
import type { OpenSeal } from '../../../platform/seal.ts';
import type { DecisionClaims } from '../../approvals/index.ts';
import type { Keys, PaymentRequest, Refusal, SignAnswer, SignRequest } from '../../chains/index.ts';
import { type AuthorisationClaims, transferDigest } from '../domain.ts';
import { lockJournal, storeEntry } from '../store/journal.ts';
import { readSealedDecisions, readSigningRecord, type SigningRecord } from '../store/signing.ts';
import { agreesNow, type Compared, compareJournal } from './comparing.ts';
import type { Journal } from './journal.ts';
import { type Intent, isSameAttempt, refusalOf } from './journal-rules.ts';
import { isPassed } from './review.ts';
import { contractOf, isSignable, nativeCoin, type SigningChains, signIntent } from './transaction.ts';

/**
 * The signer's own judgement. It is asked by the worker and believes nothing of it: it reads the record, recomputes its
 * digest, checks the seal that only the HTTP process can make, and derives the addresses from its own seed. Its intent is on
 * the disk, in its own journal, before anything is signed; then the database gets a copy; then the worker gets the bytes.
 */

export interface SigningLimits {
  /** The most that one payment may cost in network fees, in wei. */
  maxNetworkFeeWei: bigint;
  /** The most that one advance of the gas tank may be, in wei. */
  maxAdvanceWei: bigint;
  maxAdvancesPerHour: number;
}

export interface JudgeDependencies {
  /** As causeway_signer: reads records, stores the journal's copy, nothing else. */
  database: Database;
  keys: Keys;
  openSeal: OpenSeal;
  limits: SigningLimits;
  chains: SigningChains;
  journal: Journal;
  log: Log;
}

export interface Judge {
  /** Signs what the records allow. The same request gets the same bytes again, since the signature is deterministic. */
  sign(request: SignRequest): Promise<SignAnswer>;
  /** Compares the journal with the database; restore mode begins when the database was put back. */
  compare(): Promise<Compared>;
}

const advanceGas = 21_000n;
const hourMs = 3_600_000;

class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

/** The database does not end in the journal's last entry. */
class Disagreement extends Error {}

function refuseUnless(condition: unknown, refusal: Refusal): asserts condition {
  if (!condition) throw new Refused(refusal);
}

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
  const isJournaled = () => deps.journal.entriesOf(paymentOf(request)).length > 0;
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
      // The entry may be on the disk all the same, so its nonce is not free.
      return { signed: false, refusal: 'journal-unwritable', journaled: true };
    }
    throw error;
  }
}

async function judge(deps: JudgeDependencies, request: SignRequest): Promise<SignAnswer> {
  const { journal, keys, chains } = deps;
  const signed = await deps.database.withoutCompany(async (tx) => {
    await lockJournal(tx);
    if (!(await agreesNow(deps, tx))) throw new Disagreement();
    refuseUnless((await findRestoreMode(tx)) === null, 'restoring');
    if (request.kind === 'again') return signAgain(deps, request);
    const record = await readSigningRecord(tx, request.companyId, request.transferId);
    refuseUnless(record, 'unknown');
    const intent = intentOf(keys, request, record);
    const related = journal.related(intent);
    await check(deps, tx, request, record, related);
    const refusal = refusalOf(intent, related);
    if (refusal !== null) throw new Refused(refusal);
    if (related.some((known) => isSameAttempt(known, intent))) return signIntent(keys, chains, intent);
    const entry = journal.append(intent, new Date());
    const bytes = await signIntent(keys, chains, intent);
    await storeEntry(tx, entry, { txHash: bytes.hash, imported: false });
    return bytes;
  });
  journal.markStored();
  return { signed: true, ...signed };
}

/** The bytes of the payment's last entry: they may be on their way already, so they allow nothing new. */
function signAgain({ journal, keys, chains }: JudgeDependencies, request: SignRequest) {
  const entry = journal.entriesOf(paymentOf(request)).at(-1);
  refuseUnless(entry?.companyId === request.companyId && entry.transferId === request.transferId, 'unknown');
  refuseUnless(isSignable(chains, entry), 'other-coin');
  return signIntent(keys, chains, entry);
}

function paymentOf(request: SignRequest): string {
  return request.kind === 'transfer' ? request.transferId : request.paymentId;
}

function intentOf(keys: Keys, request: PaymentRequest, record: SigningRecord): Intent {
  const { companyId, transferId, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = request;
  const common = { companyId, transferId, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas };
  const { chainId, coin, amountMinor } = record;
  if (request.kind === 'gas') {
    return {
      ...common,
      kind: 'gas',
      paymentId: paymentOf(request),
      chainId,
      fromAddress: keys.gasTank.address,
      derivationIndex: null,
      toAddress: record.address,
      coin: nativeCoin,
      amountMinor: request.amountWei,
    };
  }
  refuseUnless(record.payeeAddress !== null, 'forged');
  return {
    ...common,
    kind: 'transfer',
    paymentId: paymentOf(request),
    chainId,
    fromAddress: record.address,
    derivationIndex: record.derivationIndex,
    toAddress: record.payeeAddress,
    coin,
    amountMinor,
  };
}

async function check(
  deps: JudgeDependencies,
  tx: PlatformTx,
  request: PaymentRequest,
  record: SigningRecord,
  related: readonly Intent[],
): Promise<void> {
  const { limits, keys } = deps;
  refuseUnless(record.type === 'chain_withdraw', 'unknown');
  // Whoever can write to the address table must not lead money to an address of his own.
  const { derivationIndex } = record;
  refuseUnless(derivationIndex !== null && keys.company(derivationIndex).address === record.address, 'foreign-address');
  refuseUnless(request.gasLimit * request.maxFeePerGas <= limits.maxNetworkFeeWei, 'cost-cap');
  // A payment that the journal knows was authorised when it was first signed, and its content cannot change any more.
  const isKnown = related.some((known) => known.paymentId === paymentOf(request));
  if (!isKnown) await checkAuthorisation(deps, tx, record);
  refuseUnless(isConfigured(deps.chains, record), 'other-coin');
  if (request.kind === 'transfer') {
    refuseUnless(!record.hasEnded, 'ended');
    refuseUnless(!record.isFrozen, 'frozen');
    return;
  }
  refuseUnless(request.gasLimit === advanceGas, 'cost-cap');
  refuseUnless(request.amountWei <= limits.maxAdvanceWei, 'top-up-cap');
  if (isKnown) return;
  const advances = deps.journal.advancesSince(new Date(Date.now() - hourMs));
  refuseUnless(advances < limits.maxAdvancesPerHour, 'top-up-rate');
}

/** Whether the registry says of this chain and coin what the signer's own configuration says. */
function isConfigured(chains: SigningChains, record: SigningRecord): boolean {
  if (chains.find(({ id }) => id === record.chainId)?.chainId !== record.evmChainId) return false;
  const contract = contractOf(chains, record.chainId, record.coin);
  if (contract === undefined) return false;
  return (contract?.toLowerCase() ?? null) === (record.contract?.toLowerCase() ?? null);
}

/** The record must be, to the last attachment, what the HTTP process sealed when the initiator proved it by a code. */
async function checkAuthorisation(deps: JudgeDependencies, tx: PlatformTx, record: SigningRecord): Promise<void> {
  const { companyId, transferId, walletId, payeeId, payeeAddress, chainId, coin, amountMinor, notes } = record;
  refuseUnless(record.jws !== null && payeeId !== null && payeeAddress !== null, 'forged');
  const claims = deps.openSeal('causeway-transfer', record.jws) as AuthorisationClaims | null;
  refuseUnless(claims !== null && (claims.version === 1 || claims.version === 2), 'forged');
  const digest = transferDigest({
    companyId,
    transferId,
    walletId,
    payeeId,
    payeeAddress,
    chainId,
    coin,
    amountMinor,
    notes,
    attachmentIds: record.attachmentIds,
  });
  const isWhatWasSealed =
    claims.companyId === companyId && claims.transferId === transferId && claims.digest === digest;
  refuseUnless(isWhatWasSealed, 'forged');
  if (claims.review === 'off') return;
  const sealed = await readSealedDecisions(tx, companyId, claims.review.taskId);
  const decisions = sealed.map((jws) => deps.openSeal('causeway-decision', jws) as DecisionClaims | null);
  const genuine = decisions.filter((decision) => decision !== null);
  refuseUnless(claims.version === 2 && isPassed(claims, claims.review, genuine), 'forged');
}
