import type { Body, Params } from '@causeway/contract/call.ts';
import type { counterOtc, noteOtc, withdrawOtc } from '@causeway/contract/otc.ts';
import { isOtcOpen } from '@causeway/contract/otc-rules.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { readSides } from '../../exchange/index.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import { type LockedRequest, lockRequest, takeStep } from '../store/steps.ts';

/** The company's steps of a request that is open. Of one of them and an acceptance, the desk's answer or its end, one comes first. */

const authorOf = ({ session }: SignedInContext) => ({ authorId: session.userId, authorName: session.userName });

/** @throws DomainError notFound, otcNotOpen */
async function openRequest(tx: Tx, id: string): Promise<LockedRequest> {
  const request = await lockRequest(tx, id);
  if (!request) throw new DomainError('notFound');
  if (!isOtcOpen(request.state)) throw new DomainError('otcNotOpen');
  return request;
}

/**
 * Asks for another rate, or another amount of the side that is not fixed: it is the desk's turn again.
 * @throws DomainError notFound, otcNotOpen, otcChanged, amountFormat, amountTooManyDecimals, amountTooLarge, exchangeTooSmall
 */
export async function counter(
  tx: Tx,
  context: SignedInContext,
  { id, version, rate, wanted, text }: Body<typeof counterOtc> & { id: string },
): Promise<void> {
  const request = await openRequest(tx, id);
  if (request.version !== version) throw new DomainError('otcChanged');
  const { sellWalletId, buyWalletId, fixed } = request;
  const sides = await readSides(tx, { sellWalletId, buyWalletId });
  invariant(sides, 'the wallets of a request stay');
  const other = fixed === 'sell' ? sides.buy : sides.sell;
  const wantedMinor = wanted === undefined ? null : amountOf(wanted, other, 'wanted');
  if (wantedMinor === 0n) throw refusal('exchangeTooSmall', {}, 'wanted');
  await takeStep(tx, request, 'asked', {
    kind: 'countered',
    text,
    rate: rate ?? null,
    wantedMinor,
    ...authorOf(context),
  });
  await audit(tx, {
    actor: actorOf(context),
    action: 'otc.counter',
    subjectKind: 'otcRequest',
    subjectId: id,
    detail: {
      ...(rate !== undefined && { rate }),
      ...(wanted !== undefined && { amount: `${wanted} ${other.asset}` }),
    },
  });
  await announce(tx, [live('otc', id)]);
}

/** Writes to the desk. @throws DomainError notFound, otcNotOpen */
export async function note(
  tx: Tx,
  context: SignedInContext,
  { id, text }: Body<typeof noteOtc> & { id: string },
): Promise<void> {
  const request = await openRequest(tx, id);
  await takeStep(tx, request, 'same', { kind: 'note', text, ...authorOf(context) });
  await announce(tx, [live('otc', id)]);
}

/** Takes a request of one's own back. @throws DomainError notFound, otcNotOpen, otcNotOwn */
export async function withdraw(tx: Tx, context: SignedInContext, { id }: Params<typeof withdrawOtc>): Promise<void> {
  const request = await openRequest(tx, id);
  if (request.memberId !== context.session.userId) throw new DomainError('otcNotOwn');
  await takeStep(tx, request, 'withdrawn', { kind: 'withdrawn', text: '', ...authorOf(context) });
  await audit(tx, { actor: actorOf(context), action: 'otc.withdraw', subjectKind: 'otcRequest', subjectId: id });
  await announce(tx, [live('otc', id)]);
}
