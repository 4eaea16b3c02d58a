import { createHash } from 'node:crypto';
import { type Locale, localeFromHeader, locales } from '@causeway/contract/locale.ts';
import type { PublicPaymentRequest } from '@causeway/contract/payment-requests-public.ts';
import { paymentTokenPattern } from '@causeway/contract/payment-requests-rules.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { ChainFamilies } from '../../chains/index.ts';
import { payerLink } from '../links.ts';
import { readPublic, stopReminders } from '../service/public.ts';
import { assets, assetsPath } from './document.ts';
import { hasReceipt, methodId, type PageChoice } from './model.ts';
import { drawMessage, drawPage, pathOf } from './page.ts';
import { drawReceipt } from './receipt.ts';
import { receiptSheet, requestSheet } from './sheet.ts';
import type { SheetContent } from './sheet-pdf.ts';
import { wordsOf } from './words.ts';

/**
 * The public page of a payment request: `GET /pay/TOKEN`, for payers, who have no session. HTML that is complete without a script, which follows what happens
 * by asking for the same page again (docs/adr/0104-…). Reads are limited as those of the call are (`service/public.ts`).
 */
export interface PayPageParts {
  app: FastifyInstance;
  database: Database;
  families: ChainFamilies;
  clock: Clock;
  publicUrl: string;
}

interface Opened {
  token: string;
  view: PublicPaymentRequest;
  choice: PageChoice;
}

type Request = FastifyRequest<{ Params: { token: string; signature?: string }; Querystring: Record<string, unknown> }>;

const yearSeconds = 31_536_000;
const retrySeconds = 300;

const hashPattern = /^(0x)?[0-9a-fA-F]{64}$/;

/** Stricter than that of the console: no inline style, no frame, no worker. */
const policy = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"],
  ...["form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"],
].join('; ');

export function registerPayPages(parts: PayPageParts): void {
  const { app, clock, publicUrl } = parts;
  const open = opener(parts);
  app.get(`${assetsPath}/:name`, async (request, reply) => {
    const asset = assets.get((request.params as { name: string }).name);
    if (asset === undefined) throw new DomainError('notFound');
    return reply
      .header('cache-control', `public, max-age=${yearSeconds}, immutable`)
      .type(asset.type)
      .send(asset.content);
  });
  app.get('/pay/:token', async (request: Request, reply) => {
    const opened = await open(request, reply);
    if (opened === null) return reply;
    const { token, view, choice } = opened;
    return sendPage(request, reply, drawPage(token, view, choice));
  });
  void app.register(async (scope) => {
    // A form without fields: its body says nothing.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 1024 }, (_request, _body, done) => done(null));
    scope.post('/pay/:token/stop-reminders', async (request: Request, reply) => {
      const opened = await open(request, reply);
      if (opened === null) return reply;
      await stopReminders(contextOf(parts, request), { token: opened.token });
      return toPage(reply, opened, '#reminders');
    });
    // Not redirected: mail programs do not follow (RFC 8058, section 3.1).
    scope.post('/pay/:token/unsubscribe/:signature', async (request: Request, reply) => {
      const opened = await open(request, reply);
      if (opened === null) return reply;
      await stopReminders(contextOf(parts, request), { token: opened.token }, request.params.signature ?? '');
      return sendPage(request, reply, drawMessage(opened.choice.locale, 'unsubscribed', pathOf(opened.token)));
    });
  });
  // A reader whose program knows no one click: the page asks before it ends anything, as scanners of mails follow links.
  app.get('/pay/:token/unsubscribe/:signature', async (request: Request, reply) => {
    const opened = await open(request, reply);
    return opened === null ? reply : toPage(reply, opened, '#reminders');
  });
  app.get('/pay/:token/receipt', async (request: Request, reply) => {
    const opened = await open(request, reply);
    if (opened === null) return reply;
    const { token, view, choice } = opened;
    if (!hasReceipt(view)) return toPage(reply, opened);
    return sendPage(request, reply, drawReceipt(token, view, choice));
  });
  app.get('/pay/:token/receipt.pdf', async (request: Request, reply) => {
    const opened = await open(request, reply);
    if (opened === null) return reply;
    if (!hasReceipt(opened.view)) return toPage(reply, opened);
    const words = wordsOf(opened.choice.locale);
    return sendPdf(reply, 'receipt', opened, receiptSheet(words, opened.view, clock.now().toISOString()));
  });
  app.get('/pay/:token/request.pdf', async (request: Request, reply) => {
    const opened = await open(request, reply);
    if (opened === null) return reply;
    const words = wordsOf(opened.choice.locale);
    const url = payerLink(publicUrl, opened.token);
    return sendPdf(reply, 'request', opened, requestSheet(words, opened.view, url, clock.now().toISOString()));
  });
}

/** Finds what a request's token leads to; null once it has been answered with a page that says why there is nothing. */
function opener(parts: PayPageParts): (request: Request, reply: FastifyReply) => Promise<Opened | null> {
  return async (request, reply) => {
    const { token } = request.params;
    const locale = localeOf(request);
    const given = String(request.query['hash'] ?? '').trim();
    const hash = hashPattern.test(given) ? given : '';
    const view = await read(parts, request, { token, ...(hash !== '' && { hash }) });
    if (typeof view === 'string') {
      const path = new URL(request.url, 'http://localhost').pathname;
      const status = view === 'busy' ? reply.status(429).header('retry-after', retrySeconds) : reply.status(404);
      sendPage(request, status, drawMessage(locale, view, path));
      return null;
    }
    const { method: wanted, qr } = request.query;
    const [only, other] = view.options;
    const method =
      view.options.find((option) => methodId(option) === wanted) ?? (other === undefined ? only : undefined);
    return {
      token,
      view,
      choice: { locale, method: method ?? null, qr: qr === 'address' ? 'address' : 'payment', hash },
    };
  };
}

/** What a payer is shown, or the message that there is nothing under this token, or that too much was asked. */
async function read(
  parts: PayPageParts,
  request: Request,
  { token, hash }: { token: string; hash?: string },
): Promise<PublicPaymentRequest | 'notFound' | 'busy'> {
  if (!paymentTokenPattern.test(token)) return 'notFound';
  try {
    return await readPublic(contextOf(parts, request), { token, ...(hash !== undefined && { hash }) });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.key === 'paymentLinkUnknown') return 'notFound';
    if (error.key === 'tooManyRequests') return 'busy';
    throw error;
  }
}

function contextOf({ database, families, clock }: PayPageParts, request: Request) {
  const { ip, headers, id: requestId } = request;
  return {
    database,
    families,
    clock,
    ip,
    requestId,
    locale: localeOf(request),
    userAgent: headers['user-agent'] ?? '',
  };
}

function localeOf({ query, headers }: Request): Locale {
  return locales.find((locale) => locale === query['lang']) ?? localeFromHeader(headers['accept-language']);
}

function toPage(reply: FastifyReply, { token, choice }: Opened, place = ''): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(`${pathOf(token)}?lang=${choice.locale}${place}`, 303);
}

/** A page with an entity tag, by which its script learns that nothing has changed. */
function sendPage(request: FastifyRequest, reply: FastifyReply, page: string): FastifyReply {
  const tag = `"${createHash('sha256').update(page).digest('base64url').slice(0, 22)}"`;
  reply
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex, nofollow, noarchive')
    .header('vary', 'accept-language')
    .header('etag', tag);
  if (reply.statusCode === 200 && request.headers['if-none-match'] === tag) return reply.status(304).send();
  return reply.type('text/html; charset=utf-8').send(page);
}

async function sendPdf(
  reply: FastifyReply,
  kind: 'request' | 'receipt',
  { view, choice }: Opened,
  content: SheetContent,
): Promise<FastifyReply> {
  // PDF and fonts take 30 MB of memory: they come with the first download.
  const { drawSheet } = await import('./sheet-pdf.ts');
  const reference = (view.reference ?? '').replaceAll(/[^A-Za-z0-9-]+/g, '-').replaceAll(/^-+|-+$/g, '');
  const name = reference === '' ? `payment-${kind}.pdf` : `payment-${kind}-${reference.slice(0, 40)}.pdf`;
  return reply
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex, nofollow, noarchive')
    .header('content-disposition', `attachment; filename="${name}"`)
    .type('application/pdf')
    .send(await drawSheet(content, choice.locale));
}
