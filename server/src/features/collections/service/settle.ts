import { formatAmount, sayAmount } from '@causeway/contract/money.ts';
import { type PaymentRequestState, paymentRequestEventOf } from '@causeway/contract/payment-requests-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { newId } from '../../../platform/ids.ts';
import { notify } from '../../notices/index.ts';
import { findPeople } from '../../organisation/index.ts';
import { noteEvent } from '../../webhooks/index.ts';
import { remainingOf } from '../domain.ts';
import { receiptDue } from '../events.ts';
import { addLine, type NewLine } from '../store/lines.ts';
import type { PaymentRow } from '../store/payments.ts';
import { setJudged } from '../store/requests.ts';
import { wholeAtLeast, wholeOf } from '../values.ts';
import type { Known } from './reading.ts';

/** Writes what follows from a change of a request: its state, the lines of its timeline, events for the company's own systems, notices. */

/**
 * Keeps where a locked request is now. A line is written where its state is another, or a cause has come.
 * @param known read behind the lock, after the change
 */
export async function keepJudged(tx: Tx, known: Known, now: Date): Promise<void> {
  const { row, judgement } = known;
  const { state, causes } = judgement;
  await setJudged(tx, row.id, { state, causes, paidMinor: row.kind === 'single' ? wholeOf(judgement.paid) : 0n });
  const isNew = state === 'unresolved' ? causes.some((cause) => !row.causes.includes(cause)) : state !== row.state;
  const step = isNew ? stepOf(row.state, state) : null;
  if (step !== null) {
    const lineId = await writeLine(tx, known, now, { step, ...(state === 'unresolved' ? { causes } : {}) });
    await tell(tx, known, step, lineId);
  }
  if (step === 'settled' && row.payerEmail !== null) await announce(tx, [receiptDue(row.id)]);
  await announce(tx, [live('paymentRequest', row.id)]);
}

/** What the timeline says of a change of state; null: another line says it. */
function stepOf(before: PaymentRequestState, state: PaymentRequestState): NewLine['step'] | null {
  if (state === 'settled' || state === 'unresolved' || state === 'expired') return state;
  if (state === 'open' && before === 'preparing') return 'opened';
  return state === 'open' && before !== 'processing' ? 'reopened' : null;
}

/** A line of the timeline, and the event that it is to the company's own systems. @returns the line's id */
export async function writeLine(
  tx: Tx,
  known: Known,
  now: Date,
  line: NewLine,
  payment: PaymentRow | null = null,
): Promise<string> {
  const id = newId();
  await addLine(tx, known.row.id, { ...line, id });
  const type = paymentRequestEventOf[line.step as keyof typeof paymentRequestEventOf];
  if (type !== undefined) {
    await noteEvent(tx, {
      id,
      type,
      transactionId: null,
      at: now,
      body: JSON.stringify({ type, timestamp: now.toISOString(), data: dataOf(known, payment) }),
    });
  }
  return id;
}

/** As docs/WEBHOOKS.md describes it: fields are added and never renamed or removed. */
function dataOf({ row, standing, judgement }: Known, payment: PaymentRow | null) {
  const { decimals, kind, amountMinor } = row;
  const say = (minor: bigint) => formatAmount(minor, decimals ?? 0);
  const isSingle = kind === 'single';
  const remaining = remainingOf(standing, judgement);
  return {
    requestId: row.id,
    kind,
    title: row.title,
    reference: row.reference,
    state: judgement.state,
    causes: judgement.causes,
    asset: row.asset,
    amount: amountMinor === null ? null : say(amountMinor),
    paid: isSingle ? say(wholeOf(judgement.paid)) : null,
    remaining: remaining === null ? null : say(wholeAtLeast(remaining)),
    payment: payment && {
      transactionId: payment.id,
      asset: payment.coin,
      amount: formatAmount(payment.quantityMinor, payment.decimals),
      chain: payment.chainId,
      hash: payment.hash,
      accepted: payment.isAccepted,
    },
    payerName: row.payerName,
    dueOn: row.dueOn,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

const notices = { settled: 'requestPaid', unresolved: 'requestUnresolved', expired: 'requestExpired' } as const;

/** Notifies its maker; of what must be decided, all who may decide. */
async function tell(tx: Tx, { row, judgement }: Known, step: NewLine['step'], lineId: string): Promise<void> {
  if (!(step in notices)) return;
  const people = (await findPeople(tx)).filter(({ status }) => status === 'active');
  const isDue = step === 'unresolved';
  const to = people.filter(
    ({ id, permissions }) => id === row.createdBy || (isDue && permissions.includes('transfer.create')),
  );
  await notify(tx, {
    kind: notices[step as keyof typeof notices],
    sourceId: lineId,
    values: {
      title: row.title,
      reference: row.reference === '' ? '' : ` (${row.reference})`,
      amount: row.amountMinor === null ? '' : `${sayAmount(row.amountMinor, row.decimals ?? 0)} ${row.asset}`,
      cause: { text: `paymentRequest.cause.${judgement.causes[0] ?? 'underpaid'}` },
    },
    link: `/app/u-collection/${row.id}`,
    to: to.map(({ id }) => id),
  });
}
