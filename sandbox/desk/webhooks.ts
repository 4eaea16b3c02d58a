import { call } from './api.ts';
import { act } from './chain.ts';
import { choice, draw, field, h } from './dom.ts';
import { form, value } from './faucet.ts';
import { text, time } from './texts.ts';

type Received = {
  id: string;
  receivedAt: string;
  type: string;
  isVerified: boolean | null;
  signatures: number;
  body: string;
};
type Receiver = { url: string; mode: string; hasSecret: boolean; received: Received[] };

const MODES = ['ok', 'failing', 'hanging', 'redirecting', 'gone'];
const RESULT = 'webhooks-result';
const SHOWN = 12;

export function drawWebhookForm(refresh: () => void): void {
  const secret = h('input', { name: 'secret', autocomplete: 'off', placeholder: 'whsec_…', required: true });
  form('webhooks-secret', [field(text('webhooks.secret'), secret)], 'webhooks.setSecret', RESULT, async (data) => {
    await call('webhooks', { secret: value(data, 'secret').trim() });
    refresh();
    return text('webhooks.secretSet');
  });
}

export async function showWebhooks(refresh: () => void): Promise<void> {
  const { url, mode, hasSecret, received } = await call<Receiver>('webhooks');
  draw('webhooks', { url, mode, hasSecret }, () => [
    h('p', { class: 'mono' }, url),
    choice(
      text('webhooks.answers'),
      MODES.map((each) => ({ value: each, label: text(`webhooks.mode.${each}`) })),
      mode,
      (next) => act(RESULT, () => call('webhooks', { mode: next }), refresh),
    ),
    h('p', { class: 'quiet' }, text(hasSecret ? 'webhooks.hasSecret' : 'webhooks.noSecret')),
  ]);
  draw('webhooks-received', received.slice(0, SHOWN), () =>
    received.length === 0
      ? [h('li', { class: 'quiet' }, text('webhooks.none'))]
      : received.slice(0, SHOWN).map((each) => h('li', {}, receivedRow(each))),
  );
}

function receivedRow({ id, receivedAt, type, isVerified, signatures, body }: Received): HTMLElement {
  const state = isVerified === null ? 'webhooks.unchecked' : isVerified ? 'webhooks.verified' : 'webhooks.notVerified';
  return h(
    'details',
    {},
    h('summary', {}, type, ' ', h('span', { class: isVerified === false ? 'bad' : 'good' }, text(state))),
    h(
      'p',
      { class: 'quiet' },
      `${time(Date.parse(receivedAt))} · ${id} · ${text('webhooks.signatures', { count: signatures })}`,
    ),
    h('pre', {}, body),
  );
}
