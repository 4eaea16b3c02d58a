import { call } from './api.ts';
import { button } from './bank.ts';
import { act } from './chain.ts';
import { choice, draw, field, h } from './dom.ts';
import { form, value } from './faucet.ts';
import { text, time } from './texts.ts';

type Card = { token: string; type: string; state: string; memo: string; currency: string; pan: string };
type Issuer = {
  url: string;
  mode: string;
  delivery: string;
  asaTimeoutMs: number;
  cards: Card[];
  currencies: string[];
};
type Step = { token: string; type: string; at: number; amount: string; result: string; detailedResult: string };
type Answer = { at: number; elapsedMs: number; outcome: string; body: string };
type Purchase = {
  token: string;
  card: string;
  merchant: { descriptor: string; mcc: string; country: string };
  currency: string;
  status: string;
  held: string;
  settled: string;
  steps: Step[];
  answers: Answer[];
};
type Sent = {
  key: string;
  type: string;
  createdAt: number;
  state: string;
  attempts: number;
  lastStatus: string | null;
};

const RESULT = 'shop-result';
const SHOWN = 12;
const KINDS = ['purchase', 'atOnce', 'inquiry', 'forced', 'refund'];
/** ISO 18245. */
const CATEGORIES = ['5812', '7011', '3501', '5541', '4111', '4511', '5411', '5734', '5999', '6011', '7995'];
const COUNTRIES = ['HKG', 'CHN', 'USA', 'GBR', 'JPN', 'SGP', 'FRA', 'RUS'];
const MODES = ['ok', 'down', 'slow', 'mute', 'failing'];

/** Draws the shop's form in the present language; cards are offered by number as they are known. */
export async function drawShop(refresh: () => void): Promise<void> {
  const { currencies } = await call<Issuer>('issuer');
  const input = (name: string, initial: string, more: Record<string, string> = {}) =>
    h('input', { name, required: true, value: initial, autocomplete: 'off', ...more });
  const select = (name: string, options: readonly string[], label: (option: string) => string = (option) => option) => {
    const made = h('select', { name });
    for (const option of options) made.append(h('option', { value: option }, label(option)));
    return made;
  };
  const check = (name: string) =>
    h('label', { class: 'check' }, h('input', { type: 'checkbox', name }), text(`shop.${name}`));
  form(
    'shop',
    [
      field(
        text('shop.pan'),
        input('pan', '', { class: 'mono', pattern: '[0-9 ]{16,19}', inputmode: 'numeric', list: 'shop-pans' }),
      ),
      field(
        text('shop.kind'),
        select('kind', KINDS, (kind) => text(`shop.kind.${kind}`)),
      ),
      field(text('field.amount'), input('amount', '100', { inputmode: 'decimal', pattern: '\\d+(\\.\\d+)?' })),
      field(text('shop.currency'), select('currency', currencies)),
      field(text('shop.merchant'), input('merchant', 'HARBOUR CAFE', { maxlength: '100' })),
      field(
        text('shop.mcc'),
        select('mcc', CATEGORIES, (code) => `${code} ${text(`shop.mcc.${code}`)}`),
      ),
      field(text('shop.country'), select('country', COUNTRIES)),
      check('online'),
      check('partial'),
    ],
    'shop.pay',
    RESULT,
    async (data) => {
      const paid = await call<Purchase>('issuer/pay', {
        ...Object.fromEntries(
          ['pan', 'kind', 'amount', 'currency', 'merchant', 'mcc', 'country'].map((name) => [name, value(data, name)]),
        ),
        online: data.has('online'),
        partial: data.has('partial'),
      });
      refresh();
      return `${paid.merchant.descriptor}: ${outcomeOf(paid)}`;
    },
  );
}

export async function showShop(refresh: () => void): Promise<void> {
  const [issuer, purchases, events] = await Promise.all([
    call<Issuer>('issuer'),
    call<Purchase[]>(`issuer/transactions?limit=${SHOWN}`),
    call<Sent[]>(`issuer/events?limit=${SHOWN}`),
  ]);
  const { cards } = issuer;
  draw('shop-pans', cards, () =>
    cards.filter(({ state }) => state !== 'CLOSED').map((card) => h('option', { value: card.pan }, card.memo)),
  );
  draw('shop-cards', cards.slice(0, SHOWN), () =>
    cards.length === 0 ? [quiet('shop.noCards')] : cards.slice(0, SHOWN).map((card) => cardRow(card, refresh)),
  );
  draw('shop-purchases', [purchases, cards], () =>
    purchases.length === 0 ? [quiet('shop.noPurchases')] : purchases.map((each) => purchaseRow(each, cards, refresh)),
  );
  draw('shop-events', events, () =>
    events.length === 0 ? [quiet('shop.noEvents')] : events.map((event) => eventRow(event, refresh)),
  );
  draw('shop-switches', [issuer.mode, issuer.delivery], () => switches(issuer, refresh));
}

const quiet = (id: string): HTMLElement => h('li', { class: 'quiet' }, text(id));

function switches({ url, mode, delivery }: Issuer, refresh: () => void): HTMLElement[] {
  const set = (body: unknown): void => act(RESULT, () => call('issuer', body), refresh);
  const line = (id: string, names: readonly string[], current: string, choose: (name: string) => void) => {
    const label = text(`shop.${id}`);
    const options = names.map((name) => ({ value: name, label: text(`shop.${id}.${name}`) }));
    return h('div', { class: 'row' }, h('span', {}, label), choice(label, options, current, choose));
  };
  return [
    line('api', MODES, mode, (next) => set({ mode: next })),
    line('delivery', ['on', 'held'], delivery, (next) => set({ delivery: next })),
    ...(delivery === 'held'
      ? [button(text('shop.delivery.reversed'), () => set({ delivery: 'on', order: 'reversed' }))]
      : []),
    h('p', { class: 'quiet mono' }, url),
  ];
}

function cardRow(card: Card, refresh: () => void): HTMLElement {
  const ship = (): void => act(RESULT, () => call(`issuer/cards/${card.token}`, { act: 'ship' }), refresh);
  const buttons = card.state === 'PENDING_FULFILLMENT' ? [button(text('shop.ship'), ship, card.memo)] : [];
  return row(card.memo, `•••• ${card.pan.slice(-4)} · ${card.currency} · ${card.type} · ${card.state}`, buttons);
}

function purchaseRow(purchase: Purchase, cards: readonly Card[], refresh: () => void): HTMLElement {
  const { token, merchant, currency, steps, answers } = purchase;
  const amount = h('input', {
    inputmode: 'decimal',
    'aria-label': `${text('field.amount')}: ${merchant.descriptor}`,
    size: '8',
  });
  const wish = (name: string) =>
    button(
      text(`shop.act.${name}`),
      () =>
        act(
          RESULT,
          () =>
            call(`issuer/transactions/${token}`, {
              act: name,
              ...(amount.value.trim() === '' ? {} : { amount: amount.value.trim() }),
            }),
          refresh,
        ),
      merchant.descriptor,
    );
  const wishes = wishesOf(purchase);
  const last = cards.find((card) => card.token === purchase.card)?.pan.slice(-4) ?? '';
  const lines = [
    ...steps.map((step) => `${time(step.at)} ${step.type} ${step.amount} ${currency} ${step.detailedResult}`),
    ...answers.map(
      (answer) =>
        `${time(answer.at)} ${text('shop.answered', { ms: answer.elapsedMs })} ${answer.outcome} ${answer.body}`,
    ),
  ];
  const title = `${merchant.descriptor} · •••• ${last} · ${outcomeOf(purchase)}`;
  const opened = h('details', {}, h('summary', {}, title), h('pre', {}, lines.join('\n')));
  return row(opened, `${merchant.mcc} · ${merchant.country}`, wishes.length === 0 ? [] : [amount, ...wishes.map(wish)]);
}

function wishesOf({ status, held, settled }: Purchase): string[] {
  if (status === 'DECLINED') return [];
  if (status === 'PENDING' && !held.startsWith('-')) return ['increase', 'clear', 'clearLast', 'reverse', 'expire'];
  if (settled.startsWith('-')) return ['takeBack'];
  const isHeld = Number(held) !== 0;
  return ['clear', ...(isHeld ? ['clearLast', 'expire'] : [])];
}

function outcomeOf({ status, held, settled, currency, steps }: Purchase): string {
  const last = steps.at(-1);
  if (status === 'DECLINED') return `${text('shop.status.DECLINED')}: ${last?.detailedResult ?? ''}`;
  return `${text(`shop.status.${status}`)} · ${text('shop.figures', { held, settled, currency })}`;
}

function eventRow(event: Sent, refresh: () => void): HTMLElement {
  const buttons = ['again', 'forge', 'late', 'lose'].map((wish) =>
    button(
      text(`shop.event.${wish}`),
      () => act(RESULT, () => call(`issuer/events/${encodeURIComponent(event.key)}`, { act: wish }), refresh),
      event.type,
    ),
  );
  const tries =
    event.attempts === 0
      ? ''
      : ` · ${text('bank.attempts', { count: event.attempts, status: event.lastStatus ?? '' })}`;
  return row(event.type, `${time(event.createdAt)} · ${text(`bank.eventState.${event.state}`)}${tries}`, buttons);
}

function row(title: string | HTMLElement, about: string, buttons: readonly HTMLElement[]): HTMLElement {
  const actions = h('div', { class: 'segments' }, ...buttons);
  return h(
    'li',
    {},
    h('div', { class: 'row' }, h('div', { class: 'grow' }, title, h('p', { class: 'quiet' }, about)), actions),
  );
}
