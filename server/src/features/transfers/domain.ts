import { hash } from 'node:crypto';
import { sayAmount } from '@causeway/contract/money.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { ChainFamily } from '../chains/index.ts';
import { refusal } from '../ledger/index.ts';

/** What a transfer's code, approvals and signature are bound to: change any of it, and they no longer hold. */
export interface TransferSubject {
  companyId: string;
  transferId: string;
  walletId: string;
  payeeId: string;
  /** As the chain writes it. */
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
  return hash('sha256', JSON.stringify(parts));
}

/** What the rules of a submission look at; amounts in minor units. */
export interface SubmissionFacts {
  coin: string;
  decimals: number;
  minimumMinor: bigint;
  feeMinor: bigint;
  /** The most that the operator lets the company send at once, and within a day; null: no limit. */
  transferLimitMinor: bigint | null;
  dailyLimitMinor: bigint | null;
  availableMinor: bigint;
  walletFrozen: boolean;
  companyFrozen: boolean;
  walletUsable: boolean;
  /** The operator has switched off the chain, or withdrawals of the coin on it. */
  withdrawalsPaused: boolean;
  walletChainId: string;
  /** The company's account on the chain. */
  ownAddress: string;
  payee: { chainId: string; coin: string; address: string; status: string } | null;
  /** The payee's address is one of the company's on the chain. */
  payeeIsOwn: boolean;
  /** The payee's address is the contract of a token on the list. */
  payeeIsToken: boolean;
  attachmentsFound: number;
}

/**
 * The rules of a transfer (decisions, "Amount rules"): strictly more than the minimum, amount
 * and fee within the available balance, the payee usable and of the wallet's coin and chain, its address paid by the
 * rules of the chain's family, the operator's limit on one transfer. Throws the first that fails; the limit on a day is looked at with risk.
 */
export function checkSubmission(
  facts: SubmissionFacts,
  family: Pick<ChainFamily, 'isSame' | 'isReserved'>,
  request: { amountMinor: bigint; feeMinor: bigint; attachments: number },
): void {
  const inCoins = (minor: bigint) => sayAmount(minor, facts.decimals);
  const { payee } = facts;
  // The route refuses it by the session, which may have been looked up before the freeze.
  if (facts.companyFrozen) throw new DomainError('companyFrozen');
  if (!payee || payee.status === 'deleted') throw refusal('payeeNotFound', {}, 'payeeId');
  if (payee.status === 'waiting') throw refusal('payeeWaiting', {}, 'payeeId');
  if (payee.chainId !== facts.walletChainId || payee.coin !== facts.coin || payee.status !== 'usable') {
    throw refusal('payeeUnusable', {}, 'payeeId');
  }
  if (facts.payeeIsOwn || family.isSame(payee.address, facts.ownAddress)) throw refusal('addressOwn', {}, 'payeeId');
  // Saved before it was refused, or before the token came onto the list.
  if (family.isReserved(payee.address)) throw refusal('addressReserved', {}, 'payeeId');
  if (facts.payeeIsToken) throw refusal('addressIsToken', {}, 'payeeId');
  if (facts.walletFrozen) throw refusal('walletFrozen', {}, 'walletId');
  if (!facts.walletUsable) throw refusal('coinNotOnChain', {}, 'walletId');
  if (facts.withdrawalsPaused) throw refusal('withdrawalsPaused', { coin: facts.coin }, 'walletId');
  if (facts.attachmentsFound !== request.attachments) throw new DomainError('notFound');
  if (request.amountMinor <= facts.minimumMinor) {
    throw refusal('amountBelowMinimum', { minimum: inCoins(facts.minimumMinor), coin: facts.coin }, 'amount');
  }
  if (facts.transferLimitMinor !== null && request.amountMinor > facts.transferLimitMinor) {
    throw refusal('amountAboveTransferLimit', { limit: inCoins(facts.transferLimitMinor), coin: facts.coin }, 'amount');
  }
  if (request.feeMinor !== facts.feeMinor) {
    throw refusal('feeChanged', { fee: inCoins(facts.feeMinor), coin: facts.coin }, 'fee');
  }
  if (request.amountMinor + facts.feeMinor > facts.availableMinor) {
    const most = facts.availableMinor - facts.feeMinor;
    throw refusal('amountAboveBalanceMinusFee', { most: inCoins(most > 0n ? most : 0n), coin: facts.coin }, 'amount');
  }
}
