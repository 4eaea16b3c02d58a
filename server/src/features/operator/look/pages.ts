import { createHash } from 'node:crypto';
import { localeFromHeader } from '@causeway/contract/locale.ts';
import type { FastifyInstance } from 'fastify';
import { translate } from '../../../platform/text/texts.ts';

/** The page at which a look begins: it keeps the token of its address where the companies' web app looks for one, and opens that. */

const script = `
const token = location.hash.slice(1);
history.replaceState(null, '', '/look');
if (/^[A-Za-z0-9_-]{20,200}$/.test(token)) {
  localStorage.clear();
  sessionStorage.clear();
  localStorage.setItem('auth', token);
  location.replace('/app/home');
} else {
  localStorage.clear();
  document.getElementById('ended').hidden = false;
}
`;

const scriptHash = `sha256-${createHash('sha256').update(script).digest('base64')}`;

export function registerLookPage(app: FastifyInstance): void {
  app.get('/look', async (request, reply) => {
    const locale = localeFromHeader(request.headers['accept-language']);
    reply.header('cache-control', 'no-store');
    reply.header(
      'content-security-policy',
      `default-src 'none'; script-src '${scriptHash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    );
    return reply.type('text/html; charset=utf-8').send(`<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${translate(locale, 'operator.look.title')}</title></head>
<body><main><p id="ended" hidden>${translate(locale, 'operator.look.ended')}</p></main><script>${script}</script></body></html>`);
  });
}
