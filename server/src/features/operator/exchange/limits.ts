import type { Body } from '@causeway/contract/call.ts';
import type { changeExchangeLimit } from '@causeway/contract/operator-exchange.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf } from '../../../platform/session.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import type { StaffContext } from '../console/dependencies.ts';
import { propose, requireActing } from '../console/service/proposals.ts';
import { lockStaff } from '../console/store/accounts.ts';
import { findAssets } from '../pricing/store.ts';
import { inDigits, inUnits, isNarrower, type LimitName, type Limits, limitNames } from './domain.ts';
import { findLimits, insertLimits } from './store.ts';

/** Limits of positions: one operator narrows them at once, two widen them. The database holds the same rule (`keep_exchange_limit`). */

/**
 * @throws DomainError assetUnknown, amountFormat, amountTooManyDecimals, amountTooLarge, priceOutOfRange where the target is not below the level, nothingChanges,
 * proposalOpen
 */
export async function changeLimit(
  tx: Tx,
  context: StaffContext,
  { asset, reason, ...texts }: Body<typeof changeExchangeLimit> & { asset: string },
): Promise<{ proposalId: string | null }> {
  await lockStaff(tx);
  const { id: setBy } = await requireActing(tx, context, 'operator.treasury');
  const [known] = await findAssets(tx, asset);
  if (!known) throw refusal('assetUnknown', {}, 'asset');
  const { decimals } = known;
  const read = (name: LimitName) => {
    const text = texts[name];
    return text === null ? null : amountOf(text, { asset, decimals }, name);
  };
  const wanted = Object.fromEntries(limitNames.map((name) => [name, read(name)])) as unknown as Limits;
  requireTarget(wanted);
  const held = await findLimits(tx, asset, { lock: true });
  if (limitNames.every((name) => held[name] === wanted[name])) throw new DomainError('nothingChanges');
  if (!isNarrower(held, wanted)) {
    const input = { asset, decimals, ...inDigits(wanted) };
    return {
      proposalId: await propose(tx, context, {
        kind: 'exchange.limit',
        subjectId: asset,
        subjectName: asset,
        input,
        reason,
      }),
    };
  }
  await insertLimits(tx, { ...wanted, id: newId(), asset, reason, setBy, proposalId: null });
  await audit(tx, {
    actor: actorOf(context),
    action: 'operator.setExchangeLimit',
    subjectKind: 'exchangeLimit',
    subjectId: asset,
    detail: { ...inUnits(wanted, decimals), reason },
  });
  return { proposalId: null };
}

function requireTarget({ hedgeFrom, hedgeTo }: Limits): void {
  if ((hedgeFrom === null) !== (hedgeTo === null))
    throw refusal('priceOutOfRange', {}, hedgeTo === null ? 'hedgeTo' : 'hedgeFrom');
  if (hedgeFrom !== null && hedgeTo !== null && hedgeTo >= hedgeFrom) throw refusal('priceOutOfRange', {}, 'hedgeTo');
}
