import { type ChainState, call, report } from './api.ts';
import { choice, draw, field, h } from './dom.ts';
import { form, value } from './faucet.ts';
import { text, time } from './texts.ts';

const MODES = ['ok', 'down', 'slow', 'lying'];

export function drawChainForms(refresh: () => void): void {
  form('mine', [number('chain.blocks', 'blocks', '1', '500')], 'chain.mine', 'chain-result', async (data) => {
    const answer = await call<{ height: number }>('mine', { blocks: Number(value(data, 'blocks')) });
    refresh();
    return text('chain.mined', { height: answer.height });
  });
  const keep = h(
    'label',
    { class: 'check' },
    h('input', { type: 'checkbox', name: 'keep', checked: true }),
    text('chain.keep'),
  );
  form('reorg', [number('chain.depth', 'depth', '3', '64'), keep], 'chain.reorganise', 'chain-result', async (data) => {
    const depth = Number(value(data, 'depth'));
    const answer = await call<{ height: number }>('reorg', { depth, keepTransactions: data.has('keep') });
    refresh();
    return text('chain.reorganised', { depth, height: answer.height });
  });
}

export async function showChain(refresh: () => void): Promise<void> {
  const state = await call<ChainState>('chain');
  draw('chain', [state.height, state.mining], () => [
    h('dt', {}, text('chain.height')),
    h('dd', {}, `${state.height} · ${time(state.timestamp * 1000)}`),
    h('dt', {}, text('chain.mining')),
    h('dd', {}, mining(state, refresh)),
  ]);
  draw('nodes', state.nodes, () =>
    state.nodes.map((node, index) => {
      const name = text(index === 0 ? 'nodes.primary' : 'nodes.secondary');
      return nodeRow(name, node, (mode) => act('chain-result', () => call(`nodes/${index}`, { mode }), refresh));
    }),
  );
}

function mining(state: ChainState, refresh: () => void): HTMLElement {
  const options = [
    { value: 'on', label: text('chain.auto', { depth: state.mining.depth }) },
    { value: 'off', label: text('chain.manual') },
  ];
  return choice(text('chain.mining'), options, state.mining.auto ? 'on' : 'off', (chosen) =>
    act('chain-result', () => call('mining', { auto: chosen === 'on' }), refresh),
  );
}

/** A node with the buttons that make it behave. */
export function nodeRow(
  name: string,
  node: { url: string; mode: string },
  change: (mode: string) => void,
  further: readonly string[] = [],
): HTMLElement {
  const options = [...MODES, ...further].map((mode) => ({ value: mode, label: text(`nodes.${mode}`) }));
  const modes = choice(name, options, node.mode, change);
  return h('div', { class: 'row' }, h('span', {}, name, ' ', h('span', { class: 'mono quiet' }, node.url)), modes);
}

/** A change by a button: nothing to tell when it works, the server's sentence when not. */
export function act(outputId: string, work: () => Promise<unknown>, refresh: () => void): void {
  report(outputId, () => work().then(() => '')).finally(refresh);
}

/** A field for a whole number from 1. */
export function number(label: string, name: string, initial: string, max: string): HTMLElement {
  return field(text(label), h('input', { name, type: 'number', min: '1', max, value: initial, required: true }));
}
