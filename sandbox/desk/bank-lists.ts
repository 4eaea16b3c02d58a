import { call } from './api.ts';
import { bankTime, button, reason } from './bank.ts';
import { act } from './chain.ts';
import { draw, h } from './dom.ts';
import { text } from './texts.ts';

type Payment = {
  id: string;
  endToEndId: string;
  amount: string;
  currency: string;
  state: string;
  executionDate: string;
  payee: { name: string };
  reason?: { code: string; text: string };
};
type Booking = {
  id: string;
  amount: string;
  currency: string;
  bookingDate: string;
  valueDate: string;
  isReversal: boolean;
  text: string;
  details: { counterparty: { name: string }; paidTo?: string; reference?: string; text?: string }[];
};
type BankFile = { name: string; at: number; state: string };
type ReceivedFile = { id: string; name: string; at: number; messageId: string; outcome: string };
type BankEvent = { id: string; name: string; state: string; attempts: number; lastStatus?: string };

const SHOWN = 12;
const RESULT = 'bank-result';
const OPEN = ['pending', 'accepted'];

export async function showBankLists(refresh: () => void): Promise<void> {
  const [payments, bookings, files, received, events] = await Promise.all([
    call<Payment[]>(`bank/payments?limit=${SHOWN}`),
    call<Booking[]>(`bank/bookings?limit=${SHOWN}`),
    call<BankFile[]>(`bank/files?limit=${SHOWN}`),
    call<ReceivedFile[]>(`bank/received?limit=${SHOWN}`),
    call<BankEvent[]>(`bank/events?limit=${SHOWN}`),
  ]);
  list('bank-payments', 'bank.noPayments', payments, (payment) => paymentRow(payment, refresh));
  list('bank-bookings', 'bank.noBookings', bookings, (booking) => bookingRow(booking, refresh));
  list('bank-files', 'bank.noFiles', files, (file) => fileRow(file, refresh));
  list('bank-received', 'bank.noReceived', received, ({ name, at, messageId, outcome }) =>
    row(name, `${messageId} · ${outcome} · ${bankTime(at)}`, []),
  );
  list('bank-events', 'bank.noEvents', events, (event) => eventRow(event, refresh));
}

function list<Item>(id: string, empty: string, items: readonly Item[], row: (item: Item) => HTMLElement): void {
  draw(id, items, () => (items.length === 0 ? [h('li', { class: 'quiet' }, text(empty))] : items.map(row)));
}

function paymentRow(payment: Payment, refresh: () => void): HTMLElement {
  const wishes = OPEN.includes(payment.state)
    ? ['settle', 'refuse', 'delay']
    : payment.state === 'settled'
      ? ['return']
      : [];
  const buttons = wishes.map((wish) =>
    button(
      text(`bank.act.${wish}`),
      () => act(RESULT, () => call(`bank/payments/${payment.id}`, { act: wish, reason: reason() }), refresh),
      payment.endToEndId,
    ),
  );
  const why = payment.reason === undefined ? '' : ` · ${payment.reason.code} ${payment.reason.text}`;
  return row(
    `${payment.amount} ${payment.currency} · ${payment.payee.name}`,
    `${payment.endToEndId} · ${text(`bank.state.${payment.state}`)} · ${payment.executionDate}${why}`,
    buttons,
  );
}

function bookingRow(booking: Booking, refresh: () => void): HTMLElement {
  const detail = booking.details[0];
  const about = [detail?.counterparty.name, detail?.paidTo, detail?.reference, detail?.text].filter(
    (part) => part !== undefined,
  );
  const buttons = booking.isReversal
    ? []
    : [
        button(
          text('bank.act.reverse'),
          () => act(RESULT, () => call(`bank/bookings/${booking.id}`, { act: 'reverse' }), refresh),
          booking.id,
        ),
      ];
  return row(
    `${booking.amount} ${booking.currency} · ${booking.text}`,
    [booking.bookingDate, booking.id, ...about].join(' · '),
    buttons,
  );
}

function fileRow(file: BankFile, refresh: () => void): HTMLElement {
  const buttons = ['again', 'copy', 'half'].map((wish) =>
    button(
      text(`bank.file.${wish}`),
      () => act(RESULT, () => call(`bank/files/${encodeURIComponent(file.name)}`, { act: wish }), refresh),
      file.name,
    ),
  );
  const content = h('pre', {});
  const opened = h('details', {}, h('summary', { class: 'mono' }, file.name), content);
  opened.addEventListener('toggle', () => {
    if (!opened.open || content.textContent !== '') return;
    call<{ content: string }>(`bank/files/${encodeURIComponent(file.name)}`).then(
      (answer) => {
        content.textContent = answer.content.replaceAll('><', '>\n<');
      },
      (error: unknown) => {
        content.textContent = String(error);
      },
    );
  });
  return row(opened, `${text(`bank.fileState.${file.state}`)} · ${bankTime(file.at)}`, buttons);
}

function eventRow(event: BankEvent, refresh: () => void): HTMLElement {
  const buttons = ['again', 'forge', 'lose'].map((wish) =>
    button(
      text(`bank.event.${wish}`),
      () => act(RESULT, () => call(`bank/events/${event.id}`, { act: wish }), refresh),
      event.name,
    ),
  );
  const tries =
    event.attempts === 0
      ? ''
      : ` · ${text('bank.attempts', { count: event.attempts, status: event.lastStatus ?? '' })}`;
  return row(event.name, `${text(`bank.eventState.${event.state}`)}${tries}`, buttons);
}

function row(title: string | HTMLElement, about: string, buttons: readonly HTMLElement[]): HTMLElement {
  const actions = h('div', { class: 'segments' }, ...buttons);
  return h(
    'li',
    {},
    h('div', { class: 'row' }, h('div', { class: 'grow' }, title, h('p', { class: 'quiet' }, about)), actions),
  );
}
