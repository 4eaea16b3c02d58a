// The public page of a payment request works without this file. It copies, counts down, shows times in the reader's zone, and
// replaces the parts of the page that have changed on the server.
const pollMs = 4000;
const slowPollMs = 20000;
const mostPollMs = 120000;
const root = document.documentElement;
const said = document.getElementById('said');
const offline = document.getElementById('offline');
/** As the server last sent each part, before this file changed anything in it. */
const sent = new Map();
let tag = null;
let pauseMs = pollMs;
let clockAheadMs = 0;

function partsOf(page) {
  return [...page.querySelectorAll('[data-live]')];
}

/** Chinese sets the zone in brackets, so it is put behind the time here. */
function readable(at) {
  const day = { year: 'numeric', month: 'long', day: 'numeric' };
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  const date = new Date(at);
  const parts = new Intl.DateTimeFormat(root.lang, { timeZoneName: 'short' }).formatToParts(date);
  const zone = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return `${new Intl.DateTimeFormat(root.lang, { ...day, ...time }).format(date)} ${zone}`;
}

function enhance(part) {
  for (const time of part.querySelectorAll('time[data-local]')) {
    time.title = time.textContent;
    time.textContent = readable(time.dateTime);
  }
  for (const button of part.querySelectorAll('button[data-copy]')) button.hidden = false;
  for (const button of part.querySelectorAll('button[data-print]')) button.hidden = false;
  count(part);
}

function count(part) {
  for (const left of part.querySelectorAll('[data-until]')) {
    const seconds = Math.max(0, Math.floor((Date.parse(left.dataset.until) - Date.now() - clockAheadMs) / 1000));
    left.hidden = false;
    left.textContent = left.dataset.left.replace('{time}', lengthOf(seconds, left.dataset.days));
    if (seconds === 0 && left.dataset.over === undefined) {
      left.dataset.over = '';
      void refresh();
    }
  }
}

/** `1:05:09`, or whole days from two days on. */
function lengthOf(seconds, days) {
  if (seconds >= 172800) return days.replace('{days}', String(Math.floor(seconds / 86400)));
  const two = (figure) => String(figure).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

async function copy(button) {
  const { copy: text, copied } = button.dataset;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    if (!done) return;
  }
  button.dataset.label ??= button.textContent;
  button.textContent = copied;
  said.textContent = copied;
  clearTimeout(button.timer);
  button.timer = setTimeout(() => {
    button.textContent = button.dataset.label;
    said.textContent = '';
  }, 2000);
}

/** Replaces what has changed, and keeps the focus where it is. */
function take(page) {
  for (const part of partsOf(page)) {
    const shown = document.getElementById(part.id);
    if (shown === null || sent.get(part.id) === part.outerHTML) continue;
    sent.set(part.id, part.outerHTML);
    const focused = shown.contains(document.activeElement) ? document.activeElement.id : '';
    shown.replaceChildren(...part.childNodes);
    for (const { name, value } of part.attributes) shown.setAttribute(name, value);
    enhance(shown);
    if (focused !== '') document.getElementById(focused)?.focus();
  }
  if (page.title !== '') document.title = page.title;
  const poll = page.documentElement.dataset.poll;
  if (poll !== undefined) root.dataset.poll = poll;
}

async function refresh() {
  if (document.hidden) return;
  try {
    const headers = tag === null ? {} : { 'if-none-match': tag };
    const answer = await fetch(location.href, { headers, cache: 'no-store', credentials: 'omit' });
    if (answer.status === 200) {
      const date = Date.parse(answer.headers.get('date') ?? '');
      if (!Number.isNaN(date)) clockAheadMs = date - Date.now();
      take(new DOMParser().parseFromString(await answer.text(), 'text/html'));
      tag = answer.headers.get('etag');
    } else if (answer.status !== 304) throw new Error(String(answer.status));
    pauseMs = root.dataset.poll === 'slow' ? slowPollMs : pollMs;
    offline.hidden = true;
  } catch {
    pauseMs = Math.min(pauseMs * 2, mostPollMs);
    offline.hidden = false;
  }
}

let timer;
async function follow() {
  clearTimeout(timer);
  await refresh();
  timer = setTimeout(follow, pauseMs);
}

for (const part of partsOf(document)) sent.set(part.id, part.outerHTML);
enhance(document);
document.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (button?.dataset.copy !== undefined) void copy(button);
  if (button?.dataset.print !== undefined) window.print();
});
if (root.dataset.poll !== undefined) {
  setInterval(() => count(document), 1000);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void follow();
  });
  // At once: the server's clock counts, not this computer's.
  timer = setTimeout(follow, 300);
}
