import type { Body, OutputInput } from '@causeway/contract/call.ts';
import { type askOtc, type getOtcTerms, otcMostOpen } from '@causeway/contract/otc.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { findRestoreMode } from '../../../platform/database/restore-mode.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { checkPair, readSides, usable } from '../../exchange/index.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import { findMids, formatUsd, usdValue } from '../../rates/index.ts';
import { requireDeadline, requireWorth } from '../domain.ts';
import { findMinimumCents } from '../store/minimum.ts';
import { countOpen, insertRequest } from '../store/steps.ts';

export async function terms(tx: Tx): Promise<OutputInput<typeof getOtcTerms>> {
  return { minimumUsd: formatUsd(await findMinimumCents(tx)) };
}

/**
 * Asks the desk for a price. It moves and holds nothing.
 * @throws DomainError amountFormat, amountTooManyDecimals, amountTooLarge, companyFrozen, exchangePairOff, exchangeSameWallet, exchangeTooSmall, idTaken,
 * otcBelowMinimum, otcDeadline, otcTooMany, quoteUnavailable, walletFrozen, walletNotFound
 */
export async function ask(
  tx: Tx,
  context: SignedInContext,
  input: Body<typeof askOtc>,
): Promise<OutputInput<typeof askOtc>> {
  const { key, sellWalletId, buyWalletId, fixed, amount, note } = input;
  const { session } = context;
  if (await findRestoreMode(tx)) throw new DomainError('quoteUnavailable', { asset: '', why: 'paused' });
  const sides = await readSides(tx, { sellWalletId, buyWalletId });
  if (!sides) throw new DomainError('walletNotFound');
  checkPair(sides);
  const { sell, buy } = sides;
  const side = fixed === 'sell' ? sell : buy;
  const amountMinor = amountOf(amount, side);
  if (amountMinor <= 0n) throw refusal('exchangeTooSmall', {}, 'amount');
  const deadline = new Date(input.deadline);
  requireDeadline(deadline, context.clock.now());
  const [sellMid, buyMid] = (await findMids(tx, [sell.asset, buy.asset])).map(usable);
  invariant(sellMid && buyMid, 'each asset that is asked about has an answer');
  const usdCents = usdValue(amountMinor, side.decimals, fixed === 'sell' ? sellMid.usd : buyMid.usd);
  requireWorth(usdCents, await findMinimumCents(tx));
  if ((await countOpen(tx)) >= otcMostOpen) throw new DomainError('otcTooMany', { most: otcMostOpen });
  const id = newId();
  const isNew = await insertRequest(tx, {
    ...{ id, key, sellWalletId, buyWalletId, fixed, amountMinor, usdCents, deadline, note },
    memberId: session.userId,
    memberName: session.userName,
    sellAsset: sell.asset,
    buyAsset: buy.asset,
  });
  if (!isNew) throw new DomainError('idTaken');
  await audit(tx, {
    actor: actorOf(context),
    action: 'otc.ask',
    subjectKind: 'otcRequest',
    subjectId: id,
    detail: { asset: sell.asset, boughtAsset: buy.asset, amount: `${amount} ${side.asset}`, deadline: input.deadline },
  });
  await announce(tx, [live('otc', id)]);
  return { id };
}
