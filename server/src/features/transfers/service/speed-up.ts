import type { Body, OutputInput, Query } from '@causeway/contract/call.ts';
import { formatAmount, sayAmount } from '@causeway/contract/money.ts';
import type { quoteSpeedUp, SpeedUpOffer, speedUpTransfer } from '@causeway/contract/transfers.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Seal } from '../../../platform/crypto/seal.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import { accelerationType, isStillFair, offerRaise, type RaisedFee, raiseFee, sealRaised } from '../../rails/index.ts';
import { type LifecycleRow, lockTransaction, readLifecycle } from '../../transactions/index.ts';
import { holdFreezes, isWalletFrozen } from '../../wallets/index.ts';
import { readSubmission, type SubmissionRow } from '../store/submission.ts';
import { blocksOf, usdOf } from './network-fees.ts';

/**
 * A transfer that waits for a block gets a higher fee, and a dearer transaction in its place. Only its initiator asks for it, and pays no more
 * than the next block costs: so it needs no code (docs/adr/0089).
 */

interface Raise {
  transfer: LifecycleRow;
  row: SubmissionRow;
  offer: RaisedFee;
}

/** @throws DomainError notFound, transferNotOwn, speedUpUnavailable, networkFeeUnknown, feeRatesStale */
async function raiseOf(tx: Tx, { session }: SignedInContext, transfer: LifecycleRow | null): Promise<Raise> {
  if (!transfer) throw new DomainError('notFound');
  if (transfer.type !== 'chain_withdraw' && transfer.type !== accelerationType)
    throw new DomainError('speedUpUnavailable');
  if (transfer.initiatorId !== session.userId) throw new DomainError('transferNotOwn');
  const offer = await offerRaise(tx, transfer);
  if (offer === 'noRates') throw new DomainError('networkFeeUnknown');
  if (offer === 'staleRates') throw new DomainError('feeRatesStale');
  const row = await readSubmission(tx, { id: null, walletId: transfer.walletId, payeeId: null });
  if (offer === null || !row) throw new DomainError('speedUpUnavailable');
  return { transfer, row, offer };
}

/** @throws DomainError as `raiseOf` */
export async function describeSpeedUp(
  tx: Tx,
  context: SignedInContext,
  { id }: Query<typeof quoteSpeedUp>,
): Promise<OutputInput<typeof quoteSpeedUp>> {
  return offerOf(await raiseOf(tx, context, await readLifecycle(tx, id)), context.clock.now());
}

function offerOf({ transfer, row, offer }: Raise, now: Date): SpeedUpOffer {
  const say = (minor: bigint) => formatAmount(minor, row.decimals);
  const extraMinor = offer.networkFeeMinor - offer.formerMinor;
  return {
    fee: say(transfer.feeMinor),
    feeRate: rateText(offer.formerMinor, offer.formerVsize),
    newFee: say(transfer.feeMinor + extraMinor),
    newFeeRate: rateText(offer.networkFeeMinor, offer.vsize),
    extra: say(extraMinor),
    extraUsd: usdOf(row, extraMinor, now),
    expectedSeconds: Math.round((blocksOf.urgent * row.blockTimeMs) / 1000),
  };
}

/** Satoshis per virtual byte. */
const rateText = (minor: bigint, vsize: number): string => formatAmount((minor * 1000n) / BigInt(vsize), 3);

/** @throws DomainError as `raiseOf`; walletFrozen, amountFormat, amountTooManyDecimals, amountTooLarge, feeChanged, insufficientBalance */
export async function speedUp(
  tx: Tx,
  context: SignedInContext & { seal: Seal },
  { id, fee }: Body<typeof speedUpTransfer>,
): Promise<OutputInput<typeof speedUpTransfer>> {
  await holdFreezes(tx);
  const { transfer, row, offer } = await raiseOf(tx, context, await lockTransaction(tx, id));
  const { coin, decimals } = row;
  if (await isWalletFrozen(tx, transfer.walletId)) throw refusal('walletFrozen', {}, 'walletId');
  const networkFeeMinor = offer.formerMinor + amountOf(fee, { asset: coin, decimals }, 'fee') - transfer.feeMinor;
  // Nodes take it in the other's place from here on (BIP 125, rule 4).
  const leastMinor = offer.formerMinor + BigInt(offer.vsize);
  if (networkFeeMinor < leastMinor || !isStillFair(networkFeeMinor, offer.networkFeeMinor)) {
    const now = sayAmount(transfer.feeMinor + offer.networkFeeMinor - offer.formerMinor, decimals);
    throw refusal('feeChanged', { fee: now, coin }, 'fee');
  }
  const raisedMinor = await raiseFee(tx, transfer, offer, networkFeeMinor);
  const sealed = { transferId: id, chainId: row.walletChainId, feeMinor: networkFeeMinor };
  await sealRaised(tx, context, { ...sealed, initiatorId: context.session.userId });
  const say = (minor: bigint) => sayAmount(minor, decimals);
  await audit(tx, {
    actor: actorOf(context),
    action: 'transfers.speedUp',
    subjectKind: 'transaction',
    subjectId: id,
    detail: { fee: `${say(raisedMinor)} ${coin}`, extra: `${say(networkFeeMinor - offer.formerMinor)} ${coin}` },
  });
  await announce(tx, [live('transaction', id), live('balance', transfer.walletId)]);
  return { id, fee: formatAmount(raisedMinor, decimals), stage: transfer.stage };
}
