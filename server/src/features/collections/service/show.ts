import type { OutputInput, Query } from '@causeway/contract/call.ts';
import { currencies, currencyCodes } from '@causeway/contract/currencies.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type {
  getPaymentRequest,
  getPaymentRequestOptions,
  listPaymentRequests,
  PaymentRequest,
  PaymentRequestDetail,
} from '@causeway/contract/payment-requests.ts';
import type { PaymentRequestState } from '@causeway/contract/payment-requests-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { findCompanySettings } from '../../organisation/index.ts';
import { explorerPage } from '../../transactions/index.ts';
import { actorOf, decisionsOn, isPayable, netOf, worthOf } from '../domain.ts';
import { type LinkPorts, payerLink } from '../links.ts';
import { readLines } from '../store/lines.ts';
import { countByState, type ListedRow, readListed, requestList } from '../store/list.ts';
import { findAcceptable } from '../store/making.ts';
import type { PaymentRow } from '../store/payments.ts';
import { readRefunds } from '../store/payments.ts';
import { readReminders } from '../store/reminders.ts';
import { readAddresses } from '../store/requests.ts';
import { wholeOf } from '../values.ts';
import { mayCancel } from './decide.ts';
import { dueIn } from './dues.ts';
import { ratesOf } from './rates.ts';
import { type Known, know } from './reading.ts';

/** @throws DomainError cursorInvalid */
export async function list(
  tx: Tx,
  _context: SignedInContext,
  query: Query<typeof listPaymentRequests>,
): Promise<OutputInput<typeof listPaymentRequests>> {
  const { items, ...page } = await readPage(tx, requestList, query, undefined);
  return { ...page, items: items.map((row) => shown(row, row.state)), counts: await countByState(tx) };
}

/** As the list has it; `state` by the clock of now where it is known. */
export function shown(row: ListedRow, state: PaymentRequestState): PaymentRequest {
  const { decimals, amountMinor, paidMinor, kind } = row;
  const say = (minor: bigint) => formatAmount(minor, decimals ?? 0);
  const lacking = amountMinor === null ? null : amountMinor - paidMinor;
  return {
    ...{ id: row.id, title: row.title, reference: row.reference, kind, pricing: row.pricing, state },
    causes: state === 'unresolved' ? row.causes : [],
    actor: actorOf(state),
    asset: row.asset,
    decimals,
    amount: amountMinor === null ? null : say(amountMinor),
    paid: kind === 'single' ? say(paidMinor) : null,
    remaining: kind === 'single' && lacking !== null ? say(lacking > 0n ? lacking : 0n) : null,
    accepted: row.accepted,
    payments: row.payments,
    sums: row.sums.map(({ amount, ...sum }) => ({ ...sum, amount: formatAmount(BigInt(amount), sum.decimals) })),
    payer:
      row.payerLanguage === null
        ? null
        : { name: row.payerName ?? '', email: row.payerEmail, language: row.payerLanguage },
    dueOn: row.dueOn,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    createdBy: { id: row.createdBy, name: row.createdByName },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** @throws DomainError paymentRequestNotFound */
export async function get(
  tx: Tx,
  context: SignedInContext & LinkPorts,
  { id }: { id: string },
): Promise<OutputInput<typeof getPaymentRequest>> {
  const now = context.clock.now();
  const known = await know(tx, id, now);
  if (!known) throw new DomainError('paymentRequestNotFound');
  const listed = await readListed(tx, id);
  invariant(listed, 'a request that is known is listed');
  const { row, standing, payments, judgement } = known;
  const say = (minor: bigint) => formatAmount(minor, row.decimals ?? 0);
  const can = decisionsOn(standing, payments, judgement, now);
  const mayDecide = context.session.permissions.includes('transfer.create');
  const { closedAs, closedValueMinor, amountMinor } = row;
  return {
    ...shown({ ...listed, causes: judgement.causes, paidMinor: wholeOf(judgement.paid) }, judgement.state),
    version: row.version,
    token: row.token,
    link: payerLink(context.publicUrl, row.token),
    note: row.note,
    tolerance: amountMinor === null ? null : { percent: row.tolerancePercent, units: say(row.toleranceMinor) },
    options: known.options.map((each) => {
      const { walletId: _wallet, minimumMinor: _minimum, ...option } = each;
      const due = dueIn(known, each);
      return {
        ...option,
        amount: due === null ? null : formatAmount(due.amountMinor, option.decimals),
        rate: due?.rate ?? null,
        rateAt: due?.rateAt?.toISOString() ?? null,
      };
    }),
    addresses: await readAddresses(tx, id),
    receipts: payments.map((payment) => receiptOf(known, payment)),
    refunds: (await readRefunds(tx, id)).map(({ amountMinor: minor, at, said: _said, ...refund }) => ({
      ...refund,
      amount: formatAmount(minor, refund.decimals),
      at: at.toISOString(),
    })),
    difference:
      closedAs === 'accepted' && closedValueMinor !== null && amountMinor !== null
        ? say(closedValueMinor - amountMinor)
        : null,
    reminders: await remindersOf(tx, known, now),
    timeline: (await readLines(tx, id)).map(({ at, amountMinor: minor, decimals, ...line }) => ({
      ...line,
      at: at.toISOString(),
      amount: minor === null ? null : formatAmount(minor, decimals ?? 0),
    })),
    can: {
      edit: mayDecide && can.edit,
      cancel: mayDecide && can.cancel && mayCancel(context, known),
      accept: mayDecide && can.accept,
      askRest: mayDecide && can.askRest,
      settleByHand: mayDecide && can.settleByHand,
      refund: mayDecide && can.refund,
      remind: mayDecide && can.remind && row.payerEmail !== null && row.remindersStoppedAt === null,
    },
  };
}

function receiptOf({ row, standing, judgement }: Known, payment: PaymentRow): PaymentRequestDetail['receipts'][number] {
  const { id, decimals, state, hash, explorerUrl, confirmationsNeeded } = payment;
  const worth = worthOf(standing, payment);
  return {
    ...{ id, chainId: payment.chainId, chainName: payment.chainName, coin: payment.coin, decimals, state, hash },
    amount: formatAmount(payment.quantityMinor, decimals),
    value: worth === null || row.decimals === null ? null : formatAmount(wholeOf(worth), row.decimals),
    rate: payment.rate,
    rateAt: payment.rateAt?.toISOString() ?? null,
    confirmations:
      state === 'credited' ? confirmationsNeeded : Math.min(payment.confirmations ?? 0, confirmationsNeeded),
    confirmationsNeeded,
    explorerUrl: explorerUrl === null || hash === null ? null : explorerPage(explorerUrl, hash),
    from: payment.from,
    to: payment.to,
    arrivedAt: payment.arrivedAt.toISOString(),
    isAccepted: payment.isAccepted,
    causes: judgement.ofPayments.get(id) ?? [],
    refunded: formatAmount(payment.refundedMinor, decimals),
    refundable: state === 'credited' ? formatAmount(netOf(payment), decimals) : null,
    walletId: payment.walletId,
  };
}

async function remindersOf(
  tx: Tx,
  { row, standing, judgement }: Known,
  now: Date,
): Promise<PaymentRequestDetail['reminders']> {
  const sent = await readReminders(tx, row.id);
  const { timeZone } = await findCompanySettings(tx);
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(now);
  const mayCome =
    row.dueOn !== null &&
    row.payerEmail !== null &&
    row.remindersStoppedAt === null &&
    isPayable(standing, judgement, now);
  const days = row.reminderDays.toSorted((a, b) => a - b);
  const next = mayCome
    ? days.find((day) => dayFrom(row.dueOn ?? '', day) >= today && !sent.some((each) => each.day === day))
    : undefined;
  return {
    days,
    nextOn: next === undefined || row.dueOn === null ? null : dayFrom(row.dueOn, next),
    stoppedAt: row.remindersStoppedAt?.toISOString() ?? null,
    sent: sent.flatMap(({ sentAt, by, day }) => (sentAt === null ? [] : [{ at: sentAt.toISOString(), by, day }])),
  };
}

/** A day of the calendar some days from another, both YYYY-MM-DD. */
function dayFrom(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

export async function options(tx: Tx): Promise<OutputInput<typeof getPaymentRequestOptions>> {
  const acceptable = await findAcceptable(tx);
  const rates = await ratesOf(tx, [...new Set(acceptable.map(({ coin }) => coin))], currencyCodes);
  const { timeZone } = await findCompanySettings(tx);
  return {
    accepted: acceptable.map(({ chainId, chainName, coin, decimals, minimumMinor }) => ({
      ...{ chainId, chainName, coin, decimals },
      minimum: formatAmount(minimumMinor, decimals),
    })),
    rates: rates.map(({ at, ...rate }) => ({ ...rate, at: at.toISOString() })),
    currencies: currencyCodes.map((currency) => ({ currency, decimals: currencies[currency].decimals })),
    timeZone,
  };
}
