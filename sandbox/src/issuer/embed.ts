import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { cardAt, IssuerRefusal, type Reader } from './model.ts';

/**
 * The frame that shows a card's number to the person in front of the browser. `embed_request` is a JSON text in base64, and `hmac` the SHA-256 HMAC
 * of that text by the API key, in base64. The programme signs it and never sees what the frame shows.
 */

const requestSchema = z.object({
  token: z.uuid(),
  expiration: z.iso.datetime({ offset: true }),
  css: z.optional(z.url({ protocol: /^https?$/ })),
  target_origin: z.optional(z.url({ protocol: /^https?$/ })),
});

const WORDS = {
  en: { lang: 'en-US', number: 'Card number', expiry: 'Expires', code: 'Security code' },
  'zh-hk': { lang: 'zh-Hant-HK', number: '卡號', expiry: '有效期至', code: '安全碼' },
  'zh-cn': { lang: 'zh-Hans-CN', number: '卡号', expiry: '有效期至', code: '安全码' },
};

/** @throws IssuerRefusal 401 not signed by the key, 403 past its end, 404 */
export function framePage(
  read: Reader,
  { query, apiKey, languages, now }: { query: URLSearchParams; apiKey: string; languages: string; now: number },
): { html: string; css: string | undefined } {
  const text = Buffer.from(query.get('embed_request') ?? '', 'base64').toString('utf8');
  const own = createHmac('sha256', apiKey).update(text).digest();
  const given = Buffer.from(query.get('hmac') ?? '', 'base64');
  if (given.length !== own.length || !timingSafeEqual(given, own))
    throw new IssuerRefusal(401, 'The request is not signed.');
  const parsed = requestSchema.safeParse(jsonOf(text));
  if (!parsed.success) throw new IssuerRefusal(400, 'Invalid embed_request.');
  const { token, expiration, css } = parsed.data;
  if (Date.parse(expiration) <= now) throw new IssuerRefusal(403, 'The request has expired.');
  const { pan, cvv, expMonth, expYear } = cardAt(read, token);
  const words = wordsFor(languages);
  const link = css === undefined ? '' : `<link rel="stylesheet" href="${escaped(css)}">`;
  const row = (id: string, label: string, value: string) =>
    `<div id="${id}-row"><dt>${label}</dt><dd id="${id}">${value}</dd></div>`;
  const html = `<!doctype html><html lang="${words.lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${words.number}</title><style>${STYLE}</style>${link}</head><body><dl>
${row('pan', words.number, pan.replace(/(\d{4})(?=\d)/g, '$1 '))}
${row('expiry', words.expiry, `${expMonth}/${expYear.slice(-2)}`)}
${row('cvv', words.code, cvv)}
</dl></body></html>`;
  return { html, css };
}

const STYLE = `:root{color-scheme:light dark}body{margin:0;padding:12px;font:14px/1.4 system-ui,sans-serif}dl{margin:0;display:grid;gap:12px;
grid-template-columns:repeat(auto-fit,minmax(8em,1fr))}#pan-row{grid-column:1/-1}dt{font-size:12px;opacity:.75}dd{margin:0;font-size:18px;font-variant-numeric:tabular-nums}`;

function wordsFor(languages: string) {
  const first = languages.split(',')[0]?.toLowerCase() ?? '';
  if (!first.startsWith('zh')) return WORDS.en;
  return /hant|hk|tw|mo/.test(first) ? WORDS['zh-hk'] : WORDS['zh-cn'];
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
