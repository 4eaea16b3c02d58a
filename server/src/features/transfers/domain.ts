import { createHash } from 'node:crypto';
import { sayAmount } from '@causeway/contract/money.ts';
import type { Stage, TransactionStatus } from '@causeway/contract/transfers.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { SealedNode } from '../approvals/index.ts';
import type { ChainTransaction, Receipt } from '../chains/index.ts';
import { refusal } from '../ledger/index.ts';
import { isReserved } from '../payees/index.ts';

/** What a transfer's code, approvals and signature are bound to: change any of it, and they no longer hold. */
export interface TransferSubject {
  companyId: string;
  transferId: string;
  walletId: string;
  payeeId: string;
  /** As the chain writes it (EIP-55). */
  payeeAddress: string;
  chainId: string;
  coin: string;
  amountMinor: bigint;
  /** As stored; empty where none were given. */
  notes: string;
  attachmentIds: readonly string[];
}

/** SHA-256, hex, of the subject in one fixed form; attachments count whatever their order. */
export function transferDigest(subject: TransferSubject): string {
  const parts = [
    'causeway.transfer.2',
    subject.companyId,
    subject.transferId,
    subject.walletId,
    subject.payeeId,
    subject.payeeAddress,
    subject.chainId,
    subject.coin,
    subject.amountMinor.toString(),
    subject.notes,
    ...[...subject.attachmentIds].sort(),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The chain that a transfer must pass, as it was when it was submitted (decisions, "Approvals and risk"). */
export interface SealedReview {
  taskId: string;
  ruleId: string;
  ruleVersion: number;
  nodes: readonly SealedNode[];
}

/** What the authorisation that the signer checks says (sealed by the HTTP process). Version 1 knew no review. */
export interface AuthorisationClaims {
  version: 1 | 2;
  companyId: string;
  transferId: string;
  digest: string;
  initiatorId: string;
  /** How the initiator proved the content: a code by email or the authenticator, and which. */
  proof: { method: string; id: string };
  /** `off`: the company has no review in force, so no decisions are needed. */
  review: 'off' | SealedReview;
  issuedAt: string;
}

/** Up to these stages a transfer can be cancelled; afterwards it is in the signer's hands. */
export const cancellableStages: readonly Stage[] = ['submitted', 'waiting_approval', 'approved'];

export function isCancellable(type: string, status: TransactionStatus, stage: Stage): boolean {
  return type === 'chain_withdraw' && status === 'pending' && cancellableStages.includes(stage);
}

/** What the rules of a submission look at; amounts in minor units. */
export interface SubmissionFacts {
  coin: string;
  decimals: number;
  minimumMinor: bigint;
  feeMinor: bigint;
  availableMinor: bigint;
  walletFrozen: boolean;
  walletUsable: boolean;
  walletChainId: string;
  ownAddress: string;
  payee: { chainId: string; coin: string; address: string; status: string } | null;
  /** The payee's address is the contract of a token on the list. */
  payeeIsToken: boolean;
  attachmentsFound: number;
}

/**
 * The rules of a transfer (specification, section 5; decisions, "Amount rules"): strictly more than the minimum, amount
 * and fee within the available balance, the payee usable and of the wallet's coin and chain. Throws the first that fails.
 */
export function checkSubmission(
  facts: SubmissionFacts,
  request: { amountMinor: bigint; feeMinor: bigint; attachments: number },
): void {
  const inCoins = (minor: bigint) => sayAmount(minor, facts.decimals);
  const { payee } = facts;
  if (!payee || payee.status === 'deleted') throw refusal('payeeNotFound', {}, 'payeeId');
  if (payee.chainId !== facts.walletChainId || payee.coin !== facts.coin || payee.status !== 'usable') {
    throw refusal('payeeUnusable', {}, 'payeeId');
  }
  if (payee.address.toLowerCase() === facts.ownAddress.toLowerCase()) throw refusal('addressOwn', {}, 'payeeId');
  // Saved before it was refused, or before the token came onto the list.
  if (isReserved(payee.address)) throw refusal('addressReserved', {}, 'payeeId');
  if (facts.payeeIsToken) throw refusal('addressIsToken', {}, 'payeeId');
  if (facts.walletFrozen) throw refusal('walletFrozen', {}, 'walletId');
  if (!facts.walletUsable) throw refusal('coinNotOnChain', {}, 'walletId');
  if (facts.attachmentsFound !== request.attachments) throw new DomainError('notFound');
  if (request.amountMinor <= facts.minimumMinor) {
    throw refusal('amountBelowMinimum', { minimum: inCoins(facts.minimumMinor), coin: facts.coin }, 'amount');
  }
  if (request.feeMinor !== facts.feeMinor) {
    throw refusal('feeChanged', { fee: inCoins(facts.feeMinor), coin: facts.coin }, 'fee');
  }
  if (request.amountMinor + facts.feeMinor > facts.availableMinor) {
    const most = facts.availableMinor - facts.feeMinor;
    throw refusal('amountAboveBalanceMinusFee', { most: inCoins(most > 0n ? most : 0n), coin: facts.coin }, 'amount');
  }
}

/** One thing that a transaction took, or was to take, from an address. Amount in minor units, the network fee in wei. */
export interface Movement {
  /** `native`, `log:2`; `none` where nothing that we know moved. */
  output: string;
  to: string | null;
  /** Null where it is no coin of this installation. */
  coin: string | null;
  amountMinor: bigint;
  /** On the first movement of a transaction that the address itself sent. */
  networkFeeWei: bigint;
  succeeded: boolean;
}

/** What a transaction did to an address of ours; `coins` by lower-case contract, `native` for the chain's own. */
export function movementsOf(
  address: string,
  transaction: ChainTransaction,
  receipt: Receipt,
  coins: ReadonlyMap<string, string>,
): Movement[] {
  const isSender = transaction.from === address;
  const networkFeeWei = isSender ? receipt.costWei : 0n;
  const { succeeded } = receipt;
  const coinOf = (contract: string | null) => coins.get(contract?.toLowerCase() ?? 'native') ?? null;
  const { tokenCall, to, valueWei } = transaction;
  const asked = tokenCall ?? { contract: null, to, amountMinor: valueWei };
  if (!succeeded) {
    const { contract, to: payee, amountMinor } = asked;
    return [{ output: 'none', to: payee, coin: coinOf(contract), amountMinor, networkFeeWei, succeeded }];
  }
  const found: Movement[] = receipt.tokenTransfers.flatMap(({ index, contract, from, to: payee, amountMinor }) => {
    const coin = coinOf(contract);
    if (from !== address || coin === null || amountMinor === 0n) return [];
    return [{ output: `log:${index}`, to: payee, coin, amountMinor, networkFeeWei: 0n, succeeded }];
  });
  if (isSender && valueWei > 0n) {
    const output = 'native';
    found.unshift({ output, to, coin: coinOf(null), amountMinor: valueWei, networkFeeWei: 0n, succeeded });
  }
  const [first = { output: 'none', to, coin: null, amountMinor: 0n, succeeded }, ...others] = found;
  return [{ ...first, networkFeeWei }, ...others];
}
