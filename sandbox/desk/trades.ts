import { call, report } from './api.ts';
import { choice, draw, field, h } from './dom.ts';
import { form, value } from './faucet.ts';
import { text, time } from './texts.ts';

type Party = { name: string; address: string; wallet: string };
type Trade = {
  id: string;
  version: number;
  number: string;
  status: string;
  phase: string;
  network: string;
  currency: string;
  quantity: string;
  buyer: Party;
  seller: Party;
  billOfLading: string | null;
  refunded: string;
  milestones: { id: string; name: string; amount: string; reached: boolean }[];
};
type Sent = { id: string; tradeId: string; version: number; state: string; attempts: number; lastStatus: string };
type Message = { id: string; receivedAt: string; type: string; tradeId: string; times: number; body: string };
type Platform = { url: string; mode: string; refused: number; trades: Trade[]; events: Sent[]; received: Message[] };

const MODES = ['ok', 'failing', 'hanging'];
const ACTS = ['ship', 'inspect', 'dispute', 'settle', 'cancel', 'close', 'contradict'];
const SENDINGS = ['again', 'late', 'forged'];
const RESULT = 'trades-result';
const SHOWN = 12;
/** Trades that are unfolded, which a new drawing keeps. */
const unfolded = new Set<string>();

/** Makes a trade between two addresses; a milestone is a line `name: amount`. */
export function drawTradeForm(refresh: () => void): void {
  const input = (name: string, also: Record<string, string | boolean> = {}): HTMLElement =>
    h('input', { name, autocomplete: 'off', required: true, ...also });
  const fields = [
    field(text('trades.buyer'), input('buyer', { value: 'Harbour Lane Trading' })),
    field(text('trades.buyerWallet'), input('buyerWallet', { placeholder: '0x…' })),
    field(text('trades.seller'), input('seller', { value: 'Delta Textiles' })),
    field(text('trades.sellerWallet'), input('sellerWallet', { placeholder: '0x…' })),
    field(text('trades.network'), input('network', { value: 'ethereum' })),
    field(text('trades.currency'), input('currency', { value: 'USDT' })),
    field(text('trades.quantity'), input('quantity', { value: '1000', inputmode: 'decimal' })),
    field(text('trades.billOfLading'), input('billOfLading', { required: false })),
    field(text('trades.milestones'), h('textarea', { name: 'milestones', rows: '3' })),
    field(text('trades.hours'), input('hours', { required: false, inputmode: 'numeric' })),
  ];
  form('trades-form', fields, 'trades.make', RESULT, async (data) => {
    const lines = value(data, 'milestones')
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    const [hours, billOfLading] = [value(data, 'hours').trim(), value(data, 'billOfLading').trim()];
    const made = await call<Trade>('trades', {
      network: value(data, 'network').trim(),
      currency: value(data, 'currency').trim(),
      quantity: value(data, 'quantity').trim(),
      buyer: {
        name: value(data, 'buyer').trim(),
        address: '1 Queen’s Road, Hong Kong',
        wallet: value(data, 'buyerWallet').trim(),
      },
      seller: {
        name: value(data, 'seller').trim(),
        address: '8 Renmin Road, Guangzhou',
        wallet: value(data, 'sellerWallet').trim(),
      },
      milestones: lines.map((line) => {
        const cut = line.lastIndexOf(':');
        return { name: line.slice(0, cut).trim(), amount: line.slice(cut + 1).trim() };
      }),
      ...(billOfLading !== '' && { billOfLading }),
      ...(hours !== '' && { actInHours: Number(hours) }),
    });
    refresh();
    return text('trades.made', { number: made.number });
  });
}

export async function showTrades(refresh: () => void): Promise<void> {
  const platform = await call<Platform>('trades');
  const { url, mode, refused } = platform;
  draw('trades', { url, mode, refused }, () => [
    h('p', { class: 'mono' }, url),
    choice(
      text('trades.answers'),
      MODES.map((each) => ({ value: each, label: text(`trades.mode.${each}`) })),
      mode,
      (next) => run(() => call('trade-mode', { mode: next }), refresh),
    ),
    h('p', { class: 'quiet' }, text('trades.refused', { count: refused })),
  ]);
  const shown = platform.trades.slice(0, SHOWN);
  const eventsOf = (id: string): Sent[] => platform.events.filter(({ tradeId }) => tradeId === id);
  draw(
    'trades-list',
    shown.map((trade) => [trade, eventsOf(trade.id)]),
    () =>
      shown.length === 0
        ? [h('li', { class: 'quiet' }, text('trades.none'))]
        : shown.map((trade) => h('li', {}, tradeRow(trade, eventsOf(trade.id), refresh))),
  );
  draw('trades-received', platform.received.slice(0, SHOWN), () =>
    platform.received.length === 0
      ? [h('li', { class: 'quiet' }, text('trades.nothingReceived'))]
      : platform.received.slice(0, SHOWN).map((each) => h('li', {}, messageRow(each, platform.trades))),
  );
}

function run(work: () => Promise<unknown>, refresh: () => void): void {
  report(RESULT, async () => {
    await work();
    return text('trades.done');
  }).then(refresh);
}

function tradeRow(trade: Trade, events: readonly Sent[], refresh: () => void): HTMLElement {
  const { id, number, quantity, currency, status, phase, buyer, seller, milestones, refunded, version } = trade;
  const act = (body: Record<string, unknown>) => run(() => call(`trade-acts/${id}`, body), refresh);
  const button = (label: string, press: () => void): HTMLElement => {
    const made = h('button', { type: 'button' }, label);
    made.addEventListener('click', press);
    return made;
  };
  const bill = h('input', {
    autocomplete: 'off',
    'aria-label': text('trades.billOfLading'),
    value: trade.billOfLading ?? '',
  });
  const amount = h('input', { autocomplete: 'off', inputmode: 'decimal', 'aria-label': text('trades.refundAmount') });
  const held = h('input', { type: 'checkbox' });
  const hold = () => (held.checked ? { hold: true } : {});
  const row = h(
    'details',
    { open: unfolded.has(id) },
    h(
      'summary',
      {},
      `${number} · ${quantity} ${currency} `,
      h('span', { class: 'quiet' }, `${status} · ${phase} · v${version}`),
    ),
    h('p', { class: 'quiet' }, `${buyer.name} → ${seller.name} · ${text('trades.refunded')} ${refunded}`),
    h(
      'div',
      { class: 'form inline' },
      field(text('trades.billOfLading'), bill),
      h('label', {}, held, ' ', text('trades.hold')),
    ),
    h(
      'div',
      { class: 'form inline' },
      ...ACTS.map((name) =>
        button(text(`trades.act.${name}`), () =>
          act({
            act: name,
            ...hold(),
            ...(name === 'ship' && bill.value.trim() !== '' && { billOfLading: bill.value.trim() }),
          }),
        ),
      ),
      ...milestones
        .filter(({ reached }) => !reached)
        .map((each) =>
          button(text('trades.reach', { name: each.name }), () =>
            act({ act: 'milestone', milestone: each.id, ...hold() }),
          ),
        ),
    ),
    h(
      'div',
      { class: 'form inline' },
      field(text('trades.refundAmount'), amount),
      button(text('trades.act.refund'), () => act({ act: 'refund', amount: amount.value.trim(), ...hold() })),
    ),
    h(
      'ol',
      { class: 'list' },
      ...events.map((event) =>
        h(
          'li',
          {},
          `v${event.version} · ${text(`trades.event.${event.state}`)} · ${event.lastStatus} `,
          ...SENDINGS.map((how) => button(text(`trades.send.${how}`), () => sendEvent(event.id, how, refresh))),
        ),
      ),
    ),
  );
  row.addEventListener('toggle', () => {
    if (row.open) unfolded.add(id);
    else unfolded.delete(id);
  });
  return row;
}

function sendEvent(id: string, how: string, refresh: () => void): void {
  report(RESULT, async () => {
    const { status } = await call<{ status: string }>(`trade-events/${id}`, { how });
    return text('trades.sent', { status });
  }).then(refresh);
}

function messageRow({ id, receivedAt, type, tradeId, times, body }: Message, trades: readonly Trade[]): HTMLElement {
  const number = trades.find((trade) => trade.id === tradeId)?.number ?? tradeId;
  return h(
    'details',
    {},
    h('summary', {}, `${type} · ${number} `, h('span', { class: 'good' }, text('webhooks.verified'))),
    h('p', { class: 'quiet' }, `${time(Date.parse(receivedAt))} · ${id} · ${text('trades.times', { count: times })}`),
    h('pre', {}, body),
  );
}
