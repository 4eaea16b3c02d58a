import { call, type Mail } from './api.ts';
import { byId, draw, h } from './dom.ts';
import { text, time } from './texts.ts';

let opened = '';

export function setUpMails(refresh: () => void): void {
  byId('mails-filter').addEventListener('input', refresh);
}

export async function showMails(refresh: () => void): Promise<void> {
  const filter = byId('mails-filter');
  const to = filter instanceof HTMLInputElement ? filter.value.trim() : '';
  const mails = await call<Mail[]>(`mails?limit=50&to=${encodeURIComponent(to)}`);
  const mail = mails.find((candidate) => candidate.id === opened) ?? mails[0];
  draw('mails', [mail?.id, mails.map(({ id }) => id)], () =>
    mails.length === 0
      ? [h('li', { class: 'quiet' }, text(to === '' ? 'mails.empty' : 'mails.noMatch'))]
      : mails.map((each) => entry(each, each === mail, refresh)),
  );
  draw('mail', mail?.id, () => (mail === undefined ? [] : reader(mail)));
}

function entry(mail: Mail, isShown: boolean, refresh: () => void): HTMLElement {
  const button = h(
    'button',
    { type: 'button', class: 'mail', 'aria-current': String(isShown) },
    h('strong', {}, mail.subject),
    h('span', { class: 'quiet' }, `${mail.to.join(', ')} · ${time(mail.receivedAt)}`),
  );
  button.addEventListener('click', () => {
    opened = mail.id;
    refresh();
  });
  return h('li', {}, button);
}

function reader(mail: Mail): HTMLElement[] {
  const parts = [
    h('h3', {}, mail.subject),
    h('p', { class: 'quiet' }, text('mails.from', { from: mail.from, to: mail.to.join(', ') })),
    ...mail.codes.map(codeRow),
  ];
  if (mail.html === '') return [...parts, h('pre', {}, mail.text)];
  const frame = h('iframe', { sandbox: '', title: mail.subject, srcdoc: mail.html });
  const plain = h('details', {}, h('summary', {}, text('mails.plain')), h('pre', {}, mail.text));
  const files = mail.attachments.map((file) =>
    h('p', { class: 'quiet' }, `${file.name} (${file.type}, ${file.bytes} B)`),
  );
  return [...parts, frame, ...files, plain];
}

function codeRow(code: string): HTMLElement {
  const copy = h('button', { type: 'button' }, text('mails.copy'));
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code);
    copy.textContent = text('mails.copied');
  });
  return h('div', { class: 'row' }, h('span', { class: 'code' }, code), copy);
}
