import type { Body, Params } from '@causeway/contract/call.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import type {
  acceptPaymentRequest,
  askRestOfPaymentRequest,
  cancelPaymentRequest,
  editPaymentRequest,
  settlePaymentRequestByHand,
} from '@causeway/contract/payment-requests.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { acceptedValue, decisionsOn, remainingOf } from '../domain.ts';
import type { NewLine } from '../store/lines.ts';
import { insertPeriod, setCancelled, setClosed, setDecided, setEditable, setExpiry } from '../store/making.ts';
import { wholeAtLeast } from '../values.ts';
import { checkExpiry, checkReminders, freezeRates } from './make.ts';
import { type Known, lockKnown } from './reading.ts';
import { keepJudged, writeLine } from './settle.ts';

/** What members decide on a request. Nothing here moves money. */

interface Deciding {
  known: Known;
  can: ReturnType<typeof decisionsOn>;
  now: Date;
}

/** The request, locked. @throws DomainError paymentRequestNotFound; paymentRequestChanged where it is not as it was read */
async function lockDeciding(tx: Tx, { clock }: SignedInContext, id: string, version?: number): Promise<Deciding> {
  const now = clock.now();
  const known = await lockKnown(tx, id, now);
  if (!known) throw new DomainError('paymentRequestNotFound');
  if (version !== undefined && known.row.version !== version) throw new DomainError('paymentRequestChanged');
  return { known, can: decisionsOn(known.standing, known.payments, known.judgement, now), now };
}

/** @throws DomainError paymentRequestNotFound, paymentRequestEnded, paymentRequestReminders */
export async function edit(
  tx: Tx,
  context: SignedInContext,
  { id, note, payer, reminderDays }: Params<typeof editPaymentRequest> & Body<typeof editPaymentRequest>,
): Promise<null> {
  const { known, can, now } = await lockDeciding(tx, context, id);
  if (!can.edit) throw new DomainError('paymentRequestEnded');
  const { kind, dueOn } = known.row;
  checkReminders({ kind, dueOn, email: payer?.email ?? null, reminderDays });
  await setEditable(tx, id, {
    note,
    payerName: payer?.name ?? null,
    payerEmail: payer?.email ?? null,
    payerLanguage: payer?.language ?? null,
    reminderDays,
  });
  await writeLine(tx, known, now, { step: 'edited', by: context.session.userName });
  await record(tx, context, known, 'collections.edit');
  await announce(tx, [live('paymentRequest', id)]);
  return null;
}

/** @throws DomainError paymentRequestNotFound, paymentRequestNotOwn, paymentRequestNotCancellable */
export async function cancel(
  tx: Tx,
  context: SignedInContext,
  { id, reason }: Params<typeof cancelPaymentRequest> & Body<typeof cancelPaymentRequest>,
): Promise<null> {
  const { known, can, now } = await lockDeciding(tx, context, id);
  if (!mayCancel(context, known)) throw new DomainError('paymentRequestNotOwn');
  if (!can.cancel) throw new DomainError('paymentRequestNotCancellable');
  await setCancelled(tx, id, now);
  await decided(tx, context, known, now, { step: 'cancelled', note: reason });
  await record(tx, context, known, 'collections.cancel', reason === '' ? {} : { reason });
  return null;
}

/** Its maker, or a member who manages the company's settings, since a maker who left can cancel nothing. */
export function mayCancel({ session }: Pick<SignedInContext, 'session'>, { row }: Known): boolean {
  return row.createdBy === session.userId || session.permissions.includes('setting.manage');
}

/**
 * Accepts what came as it is; also what is seen and not credited yet: should it be taken back, the request is underpaid.
 * @throws DomainError paymentRequestNotFound, paymentRequestChanged, paymentRequestUndecidable, paymentRequestPaymentNotFound
 */
export async function accept(
  tx: Tx,
  context: SignedInContext,
  { id, version, paymentId, note }: Params<typeof acceptPaymentRequest> & Body<typeof acceptPaymentRequest>,
): Promise<null> {
  const { known, can, now } = await lockDeciding(tx, context, id, version);
  const { row, payments, judgement, standing } = known;
  if (!can.accept || (row.kind === 'single') !== (paymentId === null))
    throw new DomainError('paymentRequestUndecidable');
  if (paymentId !== null) {
    const payment = payments.find((each) => each.id === paymentId);
    if (!payment) throw new DomainError('paymentRequestPaymentNotFound');
    if (!judgement.ofPayments.has(paymentId)) throw new DomainError('paymentRequestUndecidable');
    await setDecided(tx, [paymentId], now);
    const amount = { minor: payment.quantityMinor, asset: payment.coin };
    await decided(tx, context, known, now, { step: 'accepted', amount, transactionId: paymentId, note });
  } else {
    const present = payments.filter(({ state }) => state !== 'taken_back');
    const ids = present.map((each) => each.id);
    await setDecided(tx, ids, now);
    const taken = payments.map((each) => ({ ...each, isDecided: each.isDecided || ids.includes(each.id) }));
    const valueMinor = acceptedValue(standing, taken);
    await setClosed(tx, id, { as: 'accepted', at: now, valueMinor });
    invariant(row.asset !== null, 'a single request has an amount');
    await decided(tx, context, known, now, { step: 'accepted', amount: { minor: valueMinor, asset: row.asset }, note });
  }
  await record(tx, context, known, 'collections.accept', note === '' ? {} : { reason: note });
  return null;
}

/**
 * A further period for what lacks, at the same addresses; late payments count from now on.
 * @throws DomainError paymentRequestNotFound, paymentRequestChanged, paymentRequestUndecidable, paymentRequestExpiry, paymentRequestRateUnavailable
 */
export async function askRest(
  tx: Tx,
  context: SignedInContext,
  asked: Params<typeof askRestOfPaymentRequest> & Body<typeof askRestOfPaymentRequest>,
): Promise<null> {
  const { id, version, note } = asked;
  const { known, can, now } = await lockDeciding(tx, context, id, version);
  const { row, standing, judgement, payments, options } = known;
  if (!can.askRest) throw new DomainError('paymentRequestUndecidable');
  const expiresAt = new Date(asked.expiresAt);
  checkExpiry(expiresAt, now, row.pricing === 'currency');
  const rest = remainingOf(standing, judgement);
  invariant(rest !== null && rest > 0n && row.asset !== null, 'something of the amount lacks');
  const restMinor = wholeAtLeast(rest);
  const rates = await freezeRates(tx, row, options, restMinor);
  const period = { startsAt: now, expiresAt, amountMinor: restMinor, rates };
  await insertPeriod(tx, id, { number: standing.periods.length + 1, ...period });
  await setExpiry(tx, id, expiresAt);
  const late = payments.filter((each) => each.isAccepted && judgement.ofPayments.get(each.id)?.includes('late'));
  await setDecided(
    tx,
    late.map((each) => each.id),
    now,
  );
  await decided(tx, context, known, now, { step: 'rest_asked', amount: { minor: restMinor, asset: row.asset }, note });
  const detail = { amount: sayAmount(restMinor, row.decimals ?? 0), coin: row.asset };
  await record(tx, context, known, 'collections.askRest', detail);
  return null;
}

/** @throws DomainError paymentRequestNotFound, paymentRequestChanged, paymentRequestUndecidable */
export async function settleByHand(
  tx: Tx,
  context: SignedInContext,
  { id, version, reason }: Params<typeof settlePaymentRequestByHand> & Body<typeof settlePaymentRequestByHand>,
): Promise<null> {
  const { known, can, now } = await lockDeciding(tx, context, id, version);
  if (!can.settleByHand) throw new DomainError('paymentRequestUndecidable');
  const { standing, payments } = known;
  await setDecided(
    tx,
    payments.map((each) => each.id),
    now,
  );
  await setClosed(tx, id, { as: 'by_hand', at: now, valueMinor: acceptedValue(standing, payments) });
  await decided(tx, context, known, now, { step: 'settled_by_hand', note: reason });
  await record(tx, context, known, 'collections.settleByHand', { reason });
  return null;
}

/** Writes the line of a decision, and where the request is by it. */
async function decided(tx: Tx, context: SignedInContext, known: Known, now: Date, line: NewLine): Promise<void> {
  const after = await lockKnown(tx, known.row.id, now);
  invariant(after, 'the request is locked');
  await writeLine(tx, after, now, { ...line, by: context.session.userName });
  await keepJudged(tx, after, now);
}

type Action = `collections.${'edit' | 'cancel' | 'accept' | 'askRest' | 'settleByHand'}`;

async function record(
  tx: Tx,
  context: SignedInContext,
  { row }: Known,
  action: Action,
  detail: Record<string, string> = {},
): Promise<void> {
  await audit(tx, {
    actor: actorOf(context),
    action,
    subjectKind: 'paymentRequest',
    subjectId: row.id,
    detail: { name: row.title, ...detail },
  });
}
