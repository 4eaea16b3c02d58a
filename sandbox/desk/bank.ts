import { call } from './api.ts';
import { act } from './chain.ts';
import { choice, draw, h } from './dom.ts';
import { text } from './texts.ts';

export type BankAccount = {
  bank: string;
  number: string;
  currency: string;
  balance: string;
  available: string;
  held: string;
};
export type BankState = {
  clock: { now: string; date: string; isWorkingDay: boolean };
  accounts: BankAccount[];
  settings: { payouts: { mode: string; reason: string }; skipStatements: boolean };
  sftp: { port: number; mode: string; hostKey: string };
  api: { url: string; mode: string };
  webhook: { url: string; mode: string };
};

const RESULT = 'bank-result';

/** Clock, accounts and the switches of the banks' servers. */
export async function showBank(refresh: () => void): Promise<void> {
  const state = await call<BankState>('bank');
  // The clock runs: its minute is enough to be drawn again.
  draw('bank-clock', state.clock.now.slice(0, 16), () => [
    h(
      'div',
      { class: 'row' },
      h('strong', { class: 'figure' }, bankTime(Date.parse(state.clock.now))),
      pushButtons(refresh),
    ),
  ]);
  draw('bank-accounts', state.accounts, () => [accountTable(state.accounts)]);
  draw('bank-switches', [state.settings, state.sftp, state.api, state.webhook], () => switches(state, refresh));
}

function pushButtons(refresh: () => void): HTMLElement {
  return h(
    'div',
    { class: 'segments' },
    ...['day', 'workingDay'].map((to) =>
      button(text(`bank.push.${to}`), () => act(RESULT, () => call('bank/clock', { to }), refresh)),
    ),
  );
}

function accountTable(accounts: readonly BankAccount[]): HTMLElement {
  const columns = ['bank.account', 'bank.balance', 'bank.held'];
  const head = h(
    'tr',
    {},
    ...columns.map((id, index) => h('th', { scope: 'col', class: index === 0 ? '' : 'figure' }, text(id))),
  );
  const rows = accounts.map((account) =>
    h(
      'tr',
      {},
      h(
        'th',
        { scope: 'row' },
        `${text(`bank.${account.bank}`)} ${account.currency} `,
        h('span', { class: 'mono quiet' }, account.number),
      ),
      h('td', { class: 'figure' }, account.balance),
      h('td', { class: 'figure' }, account.held),
    ),
  );
  return h('table', {}, h('thead', {}, head), h('tbody', {}, ...rows));
}

function switches({ settings, sftp, api, webhook }: BankState, refresh: () => void): HTMLElement[] {
  const set = (path: string, body: unknown): void => act(RESULT, () => call(`bank/${path}`, body), refresh);
  const line = (
    id: string,
    names: readonly string[],
    current: string,
    choose: (value: string) => void,
  ): HTMLElement => {
    const label = text(`bank.${id}`);
    const options = names.map((name) => ({ value: name, label: text(`bank.${id}.${name}`) }));
    return h('div', { class: 'row' }, h('span', {}, label), choice(label, options, current, choose));
  };
  return [
    line('payouts', ['settle', 'accept', 'delay', 'refuse'], settings.payouts.mode, (mode) =>
      set('payouts', { mode, reason: reason() }),
    ),
    line('statements', ['send', 'skip'], settings.skipStatements ? 'skip' : 'send', (value) =>
      set('statements', { skipNext: value === 'skip' }),
    ),
    line('sftp', ['ok', 'down', 'slow', 'full', 'cutting'], sftp.mode, (mode) => set('sftp', { mode })),
    line('hostKey', ['usual', 'other'], sftp.hostKey, (hostKey) => set('sftp', { hostKey })),
    line('api', ['ok', 'down', 'slow', 'mute'], api.mode, (mode) => set('api', { mode })),
    line('events', ['on', 'held'], webhook.mode, (mode) => set('webhook', { mode })),
    ...(webhook.mode === 'held'
      ? [button(text('bank.events.reversed'), () => set('webhook', { mode: 'on', order: 'reversed' }))]
      : []),
    h(
      'p',
      { class: 'quiet mono' },
      `sftp://127.0.0.1:${sftp.port} · ${api.url} · ${webhook.url === '' ? text('bank.noWebhook') : webhook.url}`,
    ),
  ];
}

/** A time as the bank's own clock shows it, wherever the reader is. */
export function bankTime(ms: number): string {
  return `${new Date(ms + 8 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ')} (UTC+8)`;
}

/** The reason chosen for refusals and returns. */
export function reason(): string {
  const select = document.querySelector<HTMLSelectElement>('#bank-reason');
  return select?.value ?? 'AC04';
}

export function button(label: string, press: () => void, about?: string): HTMLElement {
  const made = h(
    'button',
    { type: 'button', 'aria-label': about === undefined ? undefined : `${label}: ${about}` },
    label,
  );
  made.addEventListener('click', press);
  return made;
}
