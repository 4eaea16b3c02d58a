import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { declineTrade, disputeTrade } from '@causeway/contract/trades.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { addMessage } from '../store/messages.ts';
import { addLine, lockTrade, setPhase, setState } from '../store/trades.ts';
import { asBuyer, isOpen } from './content.ts';

/** What its buyer says of a trade that moves no money. */

/** @throws DomainError tradeNotFound, tradeNotBuyer, tradeNotConfirmable */
export async function decline(
  tx: Tx,
  context: SignedInContext,
  { id, reason }: Body<typeof declineTrade>,
): Promise<OutputInput<typeof declineTrade>> {
  const trade = asBuyer(await lockTrade(tx, id));
  if (!isOpen(trade)) throw new DomainError('tradeNotConfirmable');
  await setState(tx, id, { state: 'declined', frozenMinor: 0n });
  await addLine(tx, id, { step: 'declined', ...byOf(context), note: reason });
  await addMessage(tx, id, 'trade.declined', { tradeNumber: trade.number, version: trade.version, reason });
  await audit(tx, {
    actor: actorOf(context),
    action: 'trades.decline',
    subjectKind: 'trade',
    subjectId: id,
    detail: { name: trade.number, reason },
  });
  await announce(tx, [live('trade', id)]);
  return { id, state: 'cancelled' };
}

/** @throws DomainError tradeNotFound, tradeNotBuyer, tradeNotFrozen, tradeDisputed */
export async function dispute(
  tx: Tx,
  context: SignedInContext,
  { id, reason }: Body<typeof disputeTrade>,
): Promise<OutputInput<typeof disputeTrade>> {
  const trade = asBuyer(await lockTrade(tx, id));
  if (trade.state !== 'frozen' || trade.frozenMinor === 0n) throw new DomainError('tradeNotFrozen');
  if (trade.phase === 'disputed') throw new DomainError('tradeDisputed');
  await setPhase(tx, id, 'disputed');
  await addLine(tx, id, { step: 'disputed', ...byOf(context), phase: 'disputed', note: reason });
  await addMessage(tx, id, 'trade.disputed', { tradeNumber: trade.number, version: trade.version, reason });
  await audit(tx, {
    actor: actorOf(context),
    action: 'trades.dispute',
    subjectKind: 'trade',
    subjectId: id,
    detail: { name: trade.number, reason },
  });
  await announce(tx, [live('trade', id)]);
  return { id, phase: 'disputed' };
}

function byOf({ session }: SignedInContext) {
  return { by: session.userName, byId: session.userId };
}
