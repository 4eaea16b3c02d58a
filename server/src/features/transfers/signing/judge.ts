import type { Address } from 'viem';
import { keccak256 } from 'viem/utils';
import type { ChainConfig } from '../../../platform/config.ts';
import type { Database, PlatformTx } from '../../../platform/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { OpenSeal } from '../../../platform/seal.ts';
import type { DecisionClaims } from '../../approvals/index.ts';
import { callOf, type Keys, type Refusal, type SignAnswer, type SignRequest } from '../../chains/index.ts';
import { type AuthorisationClaims, transferDigest } from '../domain.ts';
import {
  advancesSince,
  type Intent,
  lockJournal,
  readSealedDecisions,
  readSigningRecord,
  relatedIntents,
  type SigningRecord,
  writeIntent,
} from '../store/signing.ts';
import { isPassed } from './review.ts';

/**
 * The signer's own judgement. It is asked by the worker and believes nothing of it: it reads the record, recomputes its
 * digest, checks the seal that only the HTTP process can make, and derives the addresses from its own seed. Its intent
 * is committed to its journal before anything is signed.
 */

export interface SigningLimits {
  /** The most that one payment may cost in network fees, in wei. */
  maxNetworkFeeWei: bigint;
  /** The most that one advance of the gas tank may be, in wei. */
  maxAdvanceWei: bigint;
  maxAdvancesPerHour: number;
}

export interface JudgeDependencies {
  /** As causeway_signer: reads records, writes the journal, nothing else. */
  database: Database;
  keys: Keys;
  openSeal: OpenSeal;
  limits: SigningLimits;
  /** The signer's own list of chains and contracts, from its own configuration: the registry could be rewritten. */
  chains: readonly Pick<ChainConfig, 'id' | 'chainId' | 'nativeCoin' | 'tokens'>[];
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

function refuseUnless(condition: unknown, refusal: Refusal): asserts condition {
  if (!condition) throw new Refused(refusal);
}

/** Signs what the records allow. The same request gets the same bytes again, since the signature is deterministic. */
export function createJudge(deps: JudgeDependencies): (request: SignRequest) => Promise<SignAnswer> {
  return async (request) => {
    let isJournaled = false;
    try {
      const { intent, record } = await deps.database.withoutCompany(async (tx) => {
        await lockJournal(tx);
        const record = await readSigningRecord(tx, request.companyId, request.transferId);
        refuseUnless(record, 'unknown');
        const intended = intentOf(deps.keys, request, record);
        const related = await relatedIntents(tx, intended);
        isJournaled = related.some((known) => known.paymentId === intended.paymentId);
        await check(deps, tx, request, record, related);
        checkJournal(intended, related);
        if (!related.some((known) => isSame(known, intended))) await writeIntent(tx, intended);
        return { intent: intended, record };
      });
      return await sign(deps.keys, intent, record);
    } catch (error) {
      if (error instanceof Refused) return { signed: false, refusal: error.refusal, journaled: isJournaled };
      throw error;
    }
  };
}

function intentOf(keys: Keys, request: SignRequest, record: SigningRecord): Intent {
  const { companyId, transferId, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = request;
  const common = { companyId, transferId, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas };
  const { chainId, coin, amountMinor } = record;
  if (request.kind === 'gas') {
    return {
      ...common,
      kind: 'gas',
      paymentId: request.paymentId,
      chainId,
      fromAddress: keys.gasTank.address,
      toAddress: record.address,
      coin: 'native',
      amountMinor: request.amountWei,
    };
  }
  refuseUnless(record.payeeAddress !== null, 'forged');
  return {
    ...common,
    kind: 'transfer',
    paymentId: transferId,
    chainId,
    fromAddress: record.address,
    toAddress: record.payeeAddress,
    coin,
    amountMinor,
  };
}

async function check(
  deps: JudgeDependencies,
  tx: PlatformTx,
  request: SignRequest,
  record: SigningRecord,
  related: readonly Intent[],
): Promise<void> {
  const { limits, keys } = deps;
  refuseUnless(record.type === 'chain_withdraw', 'unknown');
  // Whoever can write to the address table must not lead money to an address of his own.
  const { derivationIndex } = record;
  refuseUnless(derivationIndex !== null && keys.company(derivationIndex).address === record.address, 'foreign-address');
  refuseUnless(request.gasLimit * request.maxFeePerGas <= limits.maxNetworkFeeWei, 'cost-cap');
  await checkAuthorisation(deps, tx, record);
  refuseUnless(isConfigured(deps.chains, record), 'other-coin');
  if (request.kind === 'transfer') {
    refuseUnless(!record.hasEnded, 'ended');
    refuseUnless(!record.isFrozen, 'frozen');
    return;
  }
  refuseUnless(request.gasLimit === advanceGas, 'cost-cap');
  refuseUnless(request.amountWei <= limits.maxAdvanceWei, 'top-up-cap');
  if (related.some((known) => known.paymentId === request.paymentId)) return;
  const advances = await advancesSince(tx, new Date(Date.now() - hourMs));
  refuseUnless(advances < limits.maxAdvancesPerHour, 'top-up-rate');
}

/** Whether the registry says of this chain and coin what the signer's own configuration says. */
function isConfigured(chains: JudgeDependencies['chains'], record: SigningRecord): boolean {
  const chain = chains.find(({ id }) => id === record.chainId);
  if (chain?.chainId !== record.evmChainId) return false;
  if (record.contract === null) return record.coin === chain.nativeCoin;
  const token = chain.tokens.find(({ coin }) => coin === record.coin);
  return token?.contract.toLowerCase() === record.contract.toLowerCase();
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

/** One payment has one nonce and one content for ever, and a nonce serves one payment. */
function checkJournal(intent: Intent, related: readonly Intent[]): void {
  for (const known of related) {
    refuseUnless(known.paymentId === intent.paymentId, 'nonce-taken');
    const isSamePayment =
      known.chainId === intent.chainId &&
      known.fromAddress === intent.fromAddress &&
      known.nonce === intent.nonce &&
      known.toAddress === intent.toAddress &&
      known.coin === intent.coin &&
      known.amountMinor === intent.amountMinor &&
      known.transferId === intent.transferId;
    refuseUnless(isSamePayment, 'other-payment');
  }
}

function isSame(a: Intent, b: Intent): boolean {
  return (
    a.gasLimit === b.gasLimit && a.maxFeePerGas === b.maxFeePerGas && a.maxPriorityFeePerGas === b.maxPriorityFeePerGas
  );
}

/** Builds the transaction (EIP-1559) from the journaled intent and signs it. */
async function sign(keys: Keys, intent: Intent, record: SigningRecord): Promise<SignAnswer> {
  const isAdvance = intent.kind === 'gas';
  const call = callOf({
    to: intent.toAddress as Address,
    contract: isAdvance ? null : (record.contract as Address | null),
    amountMinor: intent.amountMinor,
  });
  invariant(record.derivationIndex !== null, 'an address that was checked has its index');
  const account = isAdvance ? keys.gasTank : keys.company(record.derivationIndex);
  invariant(account.address === intent.fromAddress, 'the key is the sender’s');
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: record.evmChainId,
    nonce: intent.nonce,
    gas: intent.gasLimit,
    maxFeePerGas: intent.maxFeePerGas,
    maxPriorityFeePerGas: intent.maxPriorityFeePerGas,
    ...call,
  });
  return { signed: true, raw, hash: keccak256(raw) };
}
