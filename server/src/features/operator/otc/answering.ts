import type { Body, OutputInput } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type * as calls from '@causeway/contract/operator-otc.ts';
import { isOtcOpen } from '@causeway/contract/otc-rules.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { findRestoreMode } from '../../../platform/database/restore-mode.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf } from '../../../platform/session.ts';
import { checkPair, quoteDigest } from '../../exchange/index.ts';
import { amountOf } from '../../ledger/index.ts';
import { type DeskRow, findMinimumCents } from '../../otc/index.ts';
import type { StaffContext } from '../console/dependencies.ts';
import { requireActing } from '../console/service/proposals.ts';
import { hasRoom, priceRequest } from './pricing.ts';
import { requestOf } from './reading.ts';
import { type DeskProblem, insertMinimum, writeQuote, writeReply } from './store.ts';

/**
 * The desk's steps, each by one operator: a price no better for the company than the middle prices, within the limits of the position. The database holds
 * the same rules (`otc_desk_quote`).
 */

const refusals = {
  closed: () => new DomainError('otcNotOpen'),
  changed: () => new DomainError('otcChanged'),
  frozen: () => new DomainError('otcCompanyFrozen'),
  // A middle price was replaced between its reading and the quote.
  price: () => new DomainError('otcChanged'),
  above: () => new DomainError('otcRateAboveMid'),
  limit: () => new DomainError('otcBeyondLimit'),
} satisfies Record<DeskProblem, () => DomainError>;

/**
 * @throws DomainError notFound, exchangePairOff, exchangeTooSmall, otcBeyondLimit, otcChanged, otcCompanyFrozen, otcNotOpen, otcRateAboveMid,
 * quoteUnavailable
 */
export async function quote(
  tx: Tx,
  context: StaffContext,
  { id, version, rate, minutes, text }: Body<typeof calls.quoteDeskRequest> & { id: string },
): Promise<OutputInput<typeof calls.quoteDeskRequest>> {
  const { id: operatorId } = await requireActing(tx, context, 'operator.treasury');
  if (await findRestoreMode(tx)) throw new DomainError('quoteUnavailable', { asset: '', why: 'paused' });
  const request = await requestOf(tx, id);
  if (!isOtcOpen(request.state) || request.deadline <= context.clock.now()) throw refusals.closed();
  if (request.version !== version) throw refusals.changed();
  const offered = await priceRequest(tx, request, rate);
  const { sides, mids, priced } = offered;
  requirePair(sides);
  const { spreadBasisPoints } = priced;
  if (spreadBasisPoints === null) throw refusals.above();
  if (!hasRoom(offered)) throw refusals.limit();
  const quoteId = newId();
  const content = {
    companyId: request.companyId,
    id: quoteId,
    memberId: request.memberId,
    sellWalletId: sides.sell.walletId,
    buyWalletId: sides.buy.walletId,
    fixed: request.fixed,
    ...priced,
  };
  const written = await writeQuote(tx, {
    ...{ requestId: id, version, operatorId, text, quoteId, minutes, ...priced, spreadBasisPoints },
    feeBasisPoints: sides.sell.feeBasisPoints,
    sellUsd: mids.sell.usd,
    buyUsd: mids.buy.usd,
    // The rate is the desk's word.
    sources: ['desk'],
    ratedAt: mids.sell.at < mids.buy.at ? mids.sell.at : mids.buy.at,
    digest: quoteDigest(content),
  });
  if (written.problem !== null) throw refusals[written.problem]();
  await record(tx, context, request, 'operator.quoteOtc', {
    rate: `${priced.rate} ${request.sell.asset}/${request.buy.asset}`,
    minutes,
    spread: `${formatAmount(BigInt(spreadBasisPoints), 2)} %`,
  });
  return { quoteId, validUntil: written.endsAt.toISOString() };
}

/** As for any exchange, in the operator's words. @throws DomainError otcCompanyFrozen, exchangePairOff */
function requirePair(sides: Parameters<typeof checkPair>[0]): void {
  try {
    checkPair(sides);
  } catch (error) {
    if (error instanceof DomainError && (error.key === 'companyFrozen' || error.key === 'walletFrozen')) {
      throw refusals.frozen();
    }
    throw error;
  }
}

/** @throws DomainError notFound, otcChanged, otcNotOpen */
export async function decline(
  tx: Tx,
  context: StaffContext,
  { id, version, text }: Body<typeof calls.declineDeskRequest> & { id: string },
): Promise<void> {
  const request = await reply(tx, context, { id, version, text, kind: 'declined' });
  await record(tx, context, request, 'operator.declineOtc', { reason: text });
}

/** @throws DomainError notFound, otcChanged, otcNotOpen */
export async function note(
  tx: Tx,
  context: StaffContext,
  { id, version, text }: Body<typeof calls.noteDeskRequest> & { id: string },
): Promise<void> {
  const request = await reply(tx, context, { id, version, text, kind: 'note' });
  await record(tx, context, request, 'operator.noteOtc', {});
}

async function reply(
  tx: Tx,
  context: StaffContext,
  { id, version, text, kind }: { id: string; version: number; text: string; kind: 'note' | 'declined' },
): Promise<DeskRow> {
  const { id: operatorId } = await requireActing(tx, context, 'operator.treasury');
  const request = await requestOf(tx, id);
  const problem = await writeReply(tx, { requestId: id, version, operatorId, kind, text });
  if (problem !== null) throw refusals[problem]();
  return request;
}

async function record(
  tx: Tx,
  context: StaffContext,
  { id, companyName }: DeskRow,
  action: 'operator.quoteOtc' | 'operator.declineOtc' | 'operator.noteOtc',
  detail: Record<string, string | number>,
): Promise<void> {
  await audit(tx, {
    actor: actorOf(context),
    action,
    subjectKind: 'otcRequest',
    subjectId: id,
    detail: { company: companyName, ...detail },
  });
}

/** @throws DomainError amountFormat, amountTooManyDecimals, amountTooLarge, nothingChanges */
export async function changeMinimum(
  tx: Tx,
  context: StaffContext,
  { usd, reason }: Body<typeof calls.changeOtcMinimum>,
): Promise<void> {
  const { id: setBy } = await requireActing(tx, context, 'operator.treasury');
  const usdCents = amountOf(usd, { asset: 'USD', decimals: 2 }, 'usd');
  if (usdCents === (await findMinimumCents(tx))) throw new DomainError('nothingChanges');
  await insertMinimum(tx, { usdCents, reason, setBy });
  await audit(tx, {
    actor: actorOf(context),
    action: 'operator.setOtcMinimum',
    subjectKind: 'installation',
    subjectId: 'otc',
    detail: { fromUsd: formatAmount(usdCents, 2), reason },
  });
}
