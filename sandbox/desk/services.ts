import { call, type Prices, type Service } from './api.ts';
import { act } from './chain.ts';
import { choice, draw, field, h } from './dom.ts';
import { form, value } from './faucet.ts';
import { text, time } from './texts.ts';

const COINS: Readonly<Record<string, string>> = {
  bitcoin: 'BTC',
  ethereum: 'ETH',
  tether: 'USDT',
  'usd-coin': 'USDC',
  'hong-kong-dollar-token': 'HKDT',
};

const SOURCES: Readonly<Record<string, string>> = {
  coingecko: 'CoinGecko',
  kraken: 'Kraken',
  bitstamp: 'Bitstamp',
  ecb: 'ECB',
};
/** What a source can do (price-sources.ts). CoinGecko and the ECB say no bid and ask. */
const CONDUCTS = [
  'ok',
  'down',
  'late',
  'crossed',
  'zero',
  'negative',
  'lagging',
  'ahead',
  'lying',
  'garbage',
  'huge',
  'moved',
];

export function drawPriceForm(refresh: () => void): void {
  const select = h('select', { name: 'id' });
  for (const [id, coin] of Object.entries(COINS)) select.append(h('option', { value: id }, coin));
  const usd = h('input', { name: 'usd', inputmode: 'decimal', pattern: '\\d+(\\.\\d+)?', required: true });
  const fields = h('div', { class: 'form' }, field(text('field.coin'), select), field(text('prices.usd'), usd));
  form('price', [fields], 'prices.set', 'price-result', async (data) => {
    await call('prices', { usd: { [value(data, 'id')]: Number(value(data, 'usd')) } });
    refresh();
    return '';
  });
}

export async function showPrices(refresh: () => void): Promise<void> {
  const prices = await call<Prices>('prices');
  draw('prices', prices, () => [
    choice(text('prices.title'), modes(['live', 'frozen', 'failing'], 'prices'), prices.mode, (mode) =>
      act('price-result', () => call('prices', { mode }), refresh),
    ),
    ...Object.entries(COINS).map(([id, coin]) =>
      h('div', { class: 'row' }, coin, h('span', { class: 'figure' }, `${prices.usd[id] ?? ''} USD`)),
    ),
    h('p', { class: 'quiet' }, text('prices.updated', { time: time(prices.updatedAt * 1000) })),
    ...Object.entries(SOURCES).map(([source, name]) =>
      field(
        text('prices.source', { name }),
        conductOf(prices.sources[source]?.mode ?? 'ok', (mode) =>
          act('price-result', () => call('prices', { sources: { [source]: { mode } } }), refresh),
        ),
      ),
    ),
  ]);
}

function conductOf(current: string, choose: (mode: string) => void): HTMLSelectElement {
  const select = h('select', {});
  for (const conduct of CONDUCTS) {
    select.append(h('option', { value: conduct, selected: conduct === current }, text(`prices.conduct.${conduct}`)));
  }
  select.addEventListener('change', () => choose(select.value));
  return select;
}

export async function showServices(refresh: () => void): Promise<void> {
  const services = await call<Service[]>('services');
  draw('services', services, () => services.map(serviceRow));
  const { mode } = await call<{ mode: string }>('mail-server');
  draw('mail-server', mode, () => [
    choice(text('mailServer.title'), modes(['ok', 'refusing'], 'mailServer'), mode, (next) =>
      act('price-result', () => call('mail-server', { mode: next }), refresh),
    ),
  ]);
}

function serviceRow(service: Service): HTMLElement {
  const address = service.url.startsWith('http')
    ? h('a', { href: service.url, class: 'mono' }, service.url)
    : h('span', { class: 'mono quiet' }, service.url);
  const state = h('span', { class: service.up ? 'good' : 'bad' }, text(service.up ? 'services.up' : 'services.down'));
  return h('li', {}, h('div', { class: 'row' }, h('span', {}, text(`services.${service.name}`), ' ', address), state));
}

function modes(names: readonly string[], prefix: string): { value: string; label: string }[] {
  return names.map((name) => ({ value: name, label: text(`${prefix}.${name}`) }));
}
