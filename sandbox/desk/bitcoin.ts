import { call } from './api.ts';
import { button } from './bank.ts';
import { act, nodeRow, number } from './chain.ts';
import { choice, draw, field, h } from './dom.ts';
import { form, value } from './faucet.ts';
import { text, time } from './texts.ts';

type State = {
  height: number;
  timestamp: number;
  mining: { auto: boolean; depth: number; blockIntervalMs: number };
  market: { estimates: Record<string, number> | null; mempoolRate: number; minedRate: number; blockVsize: number };
  nodes: { url: string; mode: string }[];
};
type Waiting = {
  txid: string;
  fee: string;
  vsize: number;
  feeRate: number;
  isReplaceable: boolean;
  payer: string | null;
  outputs: { address: string | null; amount: string }[];
};
type Block = { height: number; hash: string; time: number; transactions: number; vsize: number };

const RESULT = 'bitcoin-result';
const OUTCOMES = ['mined', 'waiting', 'lost'];
const NODES = ['nodes.primary', 'nodes.secondary', 'bitcoin.esplora'];
/** A payment is replaced at the rate that it has and this much more. */
const RAISE = 10;
const SHOWN = 20;

/** Draws the forms of the Bitcoin chain in the present language. */
export function drawBitcoinForms(refresh: () => void): void {
  drawFaucetForm(refresh);
  form('bitcoin-mine', [number('chain.blocks', 'blocks', '1', '500')], 'chain.mine', RESULT, async (data) => {
    const answer = await call<{ height: number }>('bitcoin/mine', { blocks: Number(value(data, 'blocks')) });
    refresh();
    return text('chain.mined', { height: answer.height });
  });
  const outcome = h('select', { name: 'transactions' });
  for (const name of OUTCOMES) outcome.append(h('option', { value: name }, text(`bitcoin.outcome.${name}`)));
  form(
    'bitcoin-reorg',
    [number('chain.depth', 'depth', '2', '64'), field(text('bitcoin.transactions'), outcome)],
    'chain.reorganise',
    RESULT,
    async (data) => {
      const depth = Number(value(data, 'depth'));
      const body = { depth, transactions: value(data, 'transactions') };
      const answer = await call<{ height: number }>('bitcoin/reorg', body);
      refresh();
      return text('chain.reorganised', { depth, height: answer.height });
    },
  );
  form(
    'bitcoin-fill',
    [number('bitcoin.count', 'count', '20', '300'), number('bitcoin.rate', 'feeRate', '20', '1000')],
    'bitcoin.fill',
    RESULT,
    async (data) => {
      const body = { count: Number(value(data, 'count')), feeRate: Number(value(data, 'feeRate')) };
      const answer = await call<{ count: number }>('bitcoin/fill', body);
      refresh();
      return text('bitcoin.filled', { count: answer.count });
    },
  );
  drawMarketForm(refresh);
}

/** One line for each output: address and amount. */
function drawFaucetForm(refresh: () => void): void {
  const payments = h('textarea', { name: 'payments', required: true, rows: '2', spellcheck: 'false', class: 'mono' });
  const replaceable = h(
    'label',
    { class: 'check' },
    h('input', { type: 'checkbox', name: 'isReplaceable', checked: true }),
    text('bitcoin.replaceable'),
  );
  form(
    'bitcoin-faucet',
    [field(text('bitcoin.payments'), payments), number('bitcoin.rate', 'feeRate', '5', '1000'), replaceable],
    'faucet.send',
    RESULT,
    async (data) => {
      const lines = value(data, 'payments').split('\n');
      const answer = await call<{ txid: string }>('bitcoin/faucet', {
        payments: lines.map((line) => {
          const [address = '', amount = ''] = line.trim().split(/\s+/);
          return { address, amount };
        }),
        feeRate: Number(value(data, 'feeRate')),
        isReplaceable: data.has('isReplaceable'),
      });
      refresh();
      return text('faucet.sent', { hash: answer.txid });
    },
  );
}

/** What nodes estimate and miners take; estimates left empty are unknown to the nodes. */
function drawMarketForm(refresh: () => void): void {
  const rate = (id: string, name: string, initial: string, isRequired: boolean): HTMLElement =>
    field(
      text(id),
      h('input', { name, type: 'number', min: '0', max: '1000', step: '0.1', value: initial, required: isRequired }),
    );
  form(
    'bitcoin-market',
    [
      rate('bitcoin.urgent', 'urgent', '5', false),
      rate('bitcoin.normal', 'normal', '3', false),
      rate('bitcoin.economy', 'economy', '1', false),
      rate('bitcoin.mempoolRate', 'mempoolRate', '1', true),
      rate('bitcoin.minedRate', 'minedRate', '1', true),
      number('bitcoin.blockVsize', 'blockVsize', '990000', '990000'),
    ],
    'bitcoin.setMarket',
    RESULT,
    async (data) => {
      const [urgent, normal, economy] = ['urgent', 'normal', 'economy'].map((name) => value(data, name));
      const isKnown = [urgent, normal, economy].every((given) => given !== '');
      await call('bitcoin/market', {
        estimates: isKnown ? { 1: Number(urgent), 6: Number(normal), 144: Number(economy) } : null,
        mempoolRate: Number(value(data, 'mempoolRate')),
        minedRate: Number(value(data, 'minedRate')),
        blockVsize: Number(value(data, 'blockVsize')),
      });
      refresh();
      return '';
    },
  );
}

export async function showBitcoin(refresh: () => void): Promise<void> {
  const [state, waiting, blocks] = await Promise.all([
    call<State>('bitcoin'),
    call<Waiting[]>('bitcoin/mempool'),
    call<Block[]>('bitcoin/blocks'),
  ]);
  draw('bitcoin', [state.height, state.mining, state.market], () => facts(state, refresh));
  draw('bitcoin-nodes', state.nodes, () =>
    state.nodes.map((node, index) => {
      const change = (mode: string) => act(RESULT, () => call(`bitcoin/nodes/${index}`, { mode }), refresh);
      return nodeRow(text(NODES[index] ?? ''), node, change, ['loading']);
    }),
  );
  draw('bitcoin-mempool', waiting, () =>
    waiting.length === 0
      ? [h('li', { class: 'quiet' }, text('bitcoin.nothingWaits'))]
      : [
          ...waiting.slice(0, SHOWN).map((one) => waitingRow(one, refresh)),
          ...(waiting.length > SHOWN
            ? [h('li', { class: 'quiet' }, text('bitcoin.more', { count: waiting.length - SHOWN }))]
            : []),
        ],
  );
  draw('bitcoin-blocks', blocks, () =>
    blocks.map((block) =>
      h(
        'li',
        {},
        `${block.height} · ${time(block.time * 1000)} · ${text('bitcoin.inBlock', { count: block.transactions, vsize: block.vsize })}`,
        h('div', { class: 'mono quiet' }, block.hash),
      ),
    ),
  );
}

function facts({ height, timestamp, mining, market }: State, refresh: () => void): HTMLElement[] {
  const options = [
    { value: 'on', label: text('chain.auto', { depth: mining.depth }) },
    { value: 'off', label: text('chain.manual') },
  ];
  const { estimates } = market;
  const rates = estimates === null ? text('bitcoin.unknown') : `${estimates[1]} · ${estimates[6]} · ${estimates[144]}`;
  return [
    h('dt', {}, text('chain.height')),
    h('dd', {}, `${height} · ${time(timestamp * 1000)}`),
    h('dt', {}, text('chain.mining')),
    h(
      'dd',
      {},
      choice(text('chain.mining'), options, mining.auto ? 'on' : 'off', (chosen) =>
        act(RESULT, () => call('bitcoin/mining', { auto: chosen === 'on' }), refresh),
      ),
    ),
    h('dt', {}, text('bitcoin.estimates')),
    h('dd', {}, rates),
    h('dt', {}, text('bitcoin.least')),
    h('dd', {}, `${market.mempoolRate} · ${market.minedRate}`),
  ];
}

function waitingRow(one: Waiting, refresh: () => void): HTMLElement {
  const elsewhere = (): void =>
    act(RESULT, () => call('bitcoin/replace', { txid: one.txid, feeRate: one.feeRate + RAISE }), refresh);
  const twice = (): void => act(RESULT, () => call('bitcoin/double-spend', { txid: one.txid }), refresh);
  const buttons =
    one.payer === 'faucet'
      ? [
          ...(one.isReplaceable ? [button(text('bitcoin.replace'), elsewhere, one.txid)] : []),
          button(text('bitcoin.doubleSpend'), twice, one.txid),
        ]
      : [];
  const paid = one.outputs.map(({ address, amount }) => `${amount} → ${address ?? '–'}`);
  const rate = text('bitcoin.pays', { fee: one.fee, rate: one.feeRate });
  return h(
    'li',
    {},
    h(
      'div',
      { class: 'row' },
      h(
        'div',
        { class: 'grow' },
        h('div', { class: 'mono' }, one.txid),
        h('div', {}, one.isReplaceable ? `${rate} · RBF` : rate),
        ...paid.map((line) => h('div', { class: 'mono quiet' }, line)),
      ),
      h('div', { class: 'segments' }, ...buttons),
    ),
  );
}
