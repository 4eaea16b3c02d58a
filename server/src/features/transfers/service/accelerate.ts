import type { Body, OutputInput, Query } from '@causeway/contract/call.ts';
import { formatAmount, sayAmount } from '@causeway/contract/money.ts';
import type { AccelerationOption, accelerateDeposit, quoteAcceleration } from '@causeway/contract/transfers.ts';
import { type FeeLevel, feeLevels } from '@causeway/contract/transfers-rules.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Seal } from '../../../platform/crypto/seal.ts';
import { databaseError, type Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { amountOf, move, post, refusal } from '../../ledger/index.ts';
import { outgoingEvents } from '../../outgoing/index.ts';
import {
  type AccelerableDeposit,
  type AccelerationQuote,
  accelerationType,
  type FeeRates,
  findAccelerable,
  findFeeRates,
  insertAcceleration,
  isStillFair,
  lockAccelerating,
  quoteAccelerating,
  sealAcceleration,
} from '../../rails/index.ts';
import { lockRisk } from '../../risk/index.ts';
import { insertTransactions, readLifecycle, relate } from '../../transactions/index.ts';
import { holdFreezes, isWalletFrozen } from '../../wallets/index.ts';
import { insertPromised } from '../store/network-fees.ts';
import { readSubmission, type SubmissionRow } from '../store/submission.ts';
import { blocksOf, freshRates, usdOf } from './network-fees.ts';

/**
 * A deposit that waits for a block is accelerated by a member who may transfer out (docs/adr/0091). It pays no one new, and no more than the
 * next block costs: so it needs no code and no approval, as speeding up a transfer.
 */

interface Accelerable {
  deposit: AccelerableDeposit;
  row: SubmissionRow;
  rates: FeeRates;
}

/** @throws DomainError notFound, accelerationUnavailable, networkFeeUnknown, feeRatesStale */
async function accelerableOf(tx: Tx, depositId: string): Promise<Accelerable> {
  const transaction = await readLifecycle(tx, depositId);
  if (!transaction) throw new DomainError('notFound');
  const deposit = await findAccelerable(tx, depositId);
  const row = deposit && (await readSubmission(tx, { id: null, walletId: deposit.walletId, payeeId: null }));
  if (!deposit || !row) throw new DomainError('accelerationUnavailable');
  return { deposit, row, rates: freshRates(await findFeeRates(tx, deposit.chainId)) };
}

/** @throws DomainError as `accelerableOf`; accelerationNotNeeded, accelerationTooSmall */
export async function describeAcceleration(
  tx: Tx,
  context: SignedInContext,
  { depositId }: Query<typeof quoteAcceleration>,
): Promise<OutputInput<typeof quoteAcceleration>> {
  const accelerable = await accelerableOf(tx, depositId);
  const { deposit } = accelerable;
  const quotes = feeLevels.map((level) => ({ level, quote: quoteAccelerating(deposit, accelerable.rates, level) }));
  const items = quotes.flatMap(({ level, quote }) =>
    quote === null || quote === 'tooSmall' ? [] : [optionOf(accelerable, level, quote, context.clock.now())],
  );
  if (items.length === 0) {
    throw new DomainError(
      quotes.some(({ quote }) => quote === 'tooSmall') ? 'accelerationTooSmall' : 'accelerationNotNeeded',
    );
  }
  return {
    feeRate: rateText(deposit.parent.feeMinor, deposit.parent.vsize),
    items,
    walletId: deposit.walletId,
  };
}

function optionOf(
  { deposit: { parent }, row }: Accelerable,
  level: FeeLevel,
  { networkFeeMinor, vsize, worthMinor }: AccelerationQuote,
  now: Date,
): AccelerationOption {
  return {
    level,
    fee: formatAmount(networkFeeMinor, row.decimals),
    feeRate: rateText(parent.feeMinor + networkFeeMinor, parent.vsize + vsize),
    feeUsd: usdOf(row, networkFeeMinor, now),
    worth: formatAmount(worthMinor, row.decimals),
    expectedSeconds: Math.round((blocksOf[level] * row.blockTimeMs) / 1000),
  };
}

/** Satoshis per virtual byte. */
const rateText = (minor: bigint, vsize: number): string => formatAmount((minor * 1000n) / BigInt(vsize), 3);

/**
 * Holds the fee and hands the acceleration to the worker. Of two members who accelerate one deposit at once, one does.
 * @throws DomainError as `describeAcceleration`; idTaken, walletFrozen, coinNotOnChain, withdrawalsPaused, amountFormat, amountTooManyDecimals,
 *   amountTooLarge, feeChanged, insufficientBalance
 */
export async function accelerate(
  tx: Tx,
  context: SignedInContext & { seal: Seal },
  { id, depositId, feeLevel, fee }: Body<typeof accelerateDeposit>,
): Promise<OutputInput<typeof accelerateDeposit>> {
  // As everything that makes a transaction of an id that a member chose: it waits until queued rows, whose ids are fixed, are entered.
  await lockRisk(tx, [tx.companyId]);
  await holdFreezes(tx);
  await lockAccelerating(tx, depositId);
  const { deposit, row, rates } = await accelerableOf(tx, depositId);
  const { walletId, chainId, output } = deposit;
  const { coin, decimals, availableAccountId, outboundAccountId } = row;
  if (row.companyFrozen) throw new DomainError('companyFrozen');
  if (await isWalletFrozen(tx, walletId)) throw refusal('walletFrozen', {}, 'walletId');
  if (!row.walletUsable) throw refusal('coinNotOnChain', {}, 'walletId');
  if (row.withdrawalsPaused) throw refusal('withdrawalsPaused', { coin }, 'walletId');
  const quote = quoteAccelerating(deposit, rates, feeLevel);
  if (quote === null) throw refusal('accelerationNotNeeded', {}, 'feeLevel');
  if (quote === 'tooSmall') throw refusal('accelerationTooSmall', {}, 'feeLevel');
  const feeMinor = amountOf(fee, { asset: coin, decimals }, 'fee');
  if (!isStillFair(feeMinor, quote.networkFeeMinor)) {
    throw refusal('feeChanged', { fee: sayAmount(quote.networkFeeMinor, decimals), coin }, 'fee');
  }
  if (feeMinor > row.availableMinor) throw refusal('insufficientBalance', {}, 'feeLevel');
  const initiator = { id: context.session.userId, name: context.session.userName };
  await insertTransactions(tx, [
    {
      id,
      type: accelerationType,
      walletId,
      coin,
      quantityMinor: 0n,
      feeMinor,
      payeeAccount: output.address,
      payerName: row.companyName,
      payerAccount: row.ownAddress,
      initiator,
      relatedId: depositId,
      chain: { chainId },
      timeline: [{ stage: 'submitted', actor: initiator }, { stage: 'approved' }],
    },
  ]).catch((error: unknown) => {
    throw databaseError(error)?.constraint === 'transaction_pkey' ? new DomainError('idTaken') : error;
  });
  await relate(tx, depositId, id);
  const legs = move(availableAccountId, outboundAccountId, feeMinor);
  await post(tx, { id: newId(), kind: 'transfer.reserve', sourceId: id, description: 'held for payment', legs });
  const { companyId, userId } = context.session;
  await Promise.all(
    insertPromised(tx, [{ companyId, id, level: feeLevel, networkFeeMinor: feeMinor, vsize: quote.vsize }]),
  );
  await insertAcceleration(tx, id, deposit);
  await sealAcceleration(tx, context, { transferId: id, chainId, ...output, feeMinor, initiatorId: userId });
  const said = `${sayAmount(feeMinor, decimals)} ${coin}`;
  await audit(tx, {
    actor: actorOf(context),
    action: 'transfers.accelerate',
    subjectKind: 'transaction',
    subjectId: id,
    detail: { fee: said },
  });
  await announce(tx, [
    { name: outgoingEvents.approved, payload: { transactionId: id } },
    live('transaction', id),
    live('transaction', depositId),
    live('balance', walletId),
  ]);
  return { id, fee: formatAmount(feeMinor, decimals), stage: 'approved' };
}
