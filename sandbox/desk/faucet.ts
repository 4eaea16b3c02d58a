import { call, report } from './api.ts';
import { byId, field, h } from './dom.ts';
import { text } from './texts.ts';

const COINS = ['USDT', 'USDC', 'HKDT', 'ETH', 'FAKE'];

/** Draws the forms for payments, balances and new accounts in the present language. */
export function drawFaucet(refresh: () => void): void {
  form(
    'faucet',
    [coinField(), addressField(), amountField(), contractField()],
    'faucet.send',
    'faucet-result',
    async (data) => {
      const coin = value(data, 'coin');
      const answer = await call<{ hash: string }>('faucet', {
        coin,
        address: value(data, 'address'),
        amount: value(data, 'amount'),
        viaContract: coin === 'ETH' && data.has('viaContract'),
      });
      refresh();
      return text('faucet.sent', { hash: answer.hash });
    },
  );
  form('balance', [coinField(), addressField()], 'balance.look', 'balance-result', async (data) => {
    const query = new URLSearchParams({ coin: value(data, 'coin'), address: value(data, 'address') });
    const answer = await call<{ balance: string; coin: string }>(`balance?${query}`);
    return `${answer.balance} ${text(`coin.${answer.coin}`)}`;
  });
  form('account', [coinField(), amountField()], 'account.open', 'account-result', async (data) => {
    const account = await call<{ address: string; privateKey: string }>('accounts', {
      coin: value(data, 'coin'),
      amount: value(data, 'amount'),
    });
    refresh();
    return text('account.opened', { address: account.address, key: account.privateKey });
  });
}

/** Fills a form and connects it; the button is out of use while its work is under way. */
export function form(
  id: string,
  fields: readonly HTMLElement[],
  label: string,
  outputId: string,
  work: (data: FormData) => Promise<string>,
): void {
  const element = byId(id);
  if (!(element instanceof HTMLFormElement)) throw new Error(`${id} is no form`);
  const button = h('button', { type: 'submit', class: 'main' }, text(label));
  element.replaceChildren(...fields, button);
  element.onsubmit = (event) => {
    event.preventDefault();
    button.disabled = true;
    report(outputId, () => work(new FormData(element))).finally(() => {
      button.disabled = false;
    });
  };
}

export function value(data: FormData, name: string): string {
  const entry = data.get(name);
  return typeof entry === 'string' ? entry.trim() : '';
}

function coinField(): HTMLElement {
  const select = h('select', { name: 'coin' });
  for (const coin of COINS) select.append(h('option', { value: coin }, text(`coin.${coin}`)));
  return field(text('field.coin'), select);
}

function addressField(): HTMLElement {
  const input = h('input', {
    name: 'address',
    required: true,
    pattern: '0x[0-9a-fA-F]{40}',
    autocomplete: 'off',
    class: 'mono',
  });
  return field(text('field.address'), input);
}

function amountField(): HTMLElement {
  const input = h('input', {
    name: 'amount',
    required: true,
    inputmode: 'decimal',
    pattern: '\\d+(\\.\\d+)?',
    value: '100',
  });
  return field(text('field.amount'), input);
}

function contractField(): HTMLElement {
  return h(
    'label',
    { class: 'check' },
    h('input', { type: 'checkbox', name: 'viaContract' }),
    text('faucet.viaContract'),
  );
}
