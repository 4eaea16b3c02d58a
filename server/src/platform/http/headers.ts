import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

/** The headers by which a browser protects a reader: those of every response, and those of responses made outside the application. */
export interface HeaderOptions {
  /** The inline script and style of the built page, which the content security policy lets through by their hashes. */
  inlineHashes: { script: readonly string[]; style: readonly string[] };
  /** People reach the console by HTTPS, and only by it. */
  isHttps?: boolean;
  /** Pages that show frames of others, by their path, and the origin of those frames; on no other page are they let through. */
  framing?: { pages: RegExp; origin: string } | undefined;
}

const yearSeconds = 31_536_000;

/** What a page may use; everything that is not named here and could be asked for is off. */
const permissions = [
  'accelerometer=()',
  'autoplay=()',
  'bluetooth=()',
  'browsing-topics=()',
  'camera=()',
  'clipboard-read=()',
  'clipboard-write=(self)',
  'display-capture=()',
  'encrypted-media=()',
  'fullscreen=()',
  'geolocation=()',
  'gyroscope=()',
  'hid=()',
  'idle-detection=()',
  'local-fonts=()',
  'magnetometer=()',
  'microphone=()',
  'midi=()',
  'payment=()',
  'picture-in-picture=()',
  'publickey-credentials-create=(self)',
  'publickey-credentials-get=(self)',
  'screen-wake-lock=()',
  'serial=()',
  'storage-access=()',
  'usb=()',
  'web-share=()',
  'xr-spatial-tracking=()',
].join(', ');

/** For responses that are no page and that no page embeds: refusals before routing, streams, health pages. */
export const bareHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': permissions,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Sets the headers of every response; they are the same for all, so helmet is asked for them once. */
export function protectReaders(app: FastifyInstance, options: HeaderOptions): void {
  const headers = headersOf(options);
  const { framing } = options;
  const framed = framing && headersOf(options, framing.origin);
  app.addHook('onRequest', (request, reply, done) => {
    const isFraming = framed && framing.pages.test(request.url.split('?', 1)[0] ?? '');
    reply.headers(isFraming ? framed : headers).header('x-request-id', request.id);
    done();
  });
}

function headersOf({ inlineHashes, isHttps = false }: HeaderOptions, frameOrigin?: string): OutgoingHttpHeaders {
  const protect = helmet({
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...inlineHashes.script.map((hash) => `'${hash}'`)],
        styleSrc: ["'self'", ...inlineHashes.style.map((hash) => `'${hash}'`)],
        styleSrcAttr: ["'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        // Attachments in PDF are shown from the page's own copy.
        frameSrc: ['blob:', ...(frameOrigin === undefined ? [] : [frameOrigin])],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        upgradeInsecureRequests: null,
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    // A browser ignores it over plain HTTP, and would keep it for localhost.
    strictTransportSecurity: isHttps ? { maxAge: yearSeconds, includeSubDomains: true } : false,
  });
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  protect(request, response, (error) => {
    if (error) throw error;
  });
  return { ...response.getHeaders(), 'permissions-policy': permissions };
}
