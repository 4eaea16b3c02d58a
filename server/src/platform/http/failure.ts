import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Call, Failure } from '@causeway/contract/call.ts';
import { errorsOf } from '@causeway/contract/call.ts';
import { type ErrorKey, errors } from '@causeway/contract/errors.ts';
import { defaultLocale, type Locale, localeFromHeader } from '@causeway/contract/locale.ts';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isOutage } from '../database/outage.ts';
import { DomainError } from '../domain-error.ts';
import type { Log } from '../process/log.ts';
import { translate } from '../text/texts.ts';
import { bareHeaders } from './headers.ts';
import { slowRequestCode } from './http-limits.ts';
import { noteRefusal } from './request-log.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    call?: Call;
  }
}

/** The one handler that turns an error into the envelope, in the caller's language. */
export function handleFailures(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // A client that aborts an upload reads no response, and it is no fault of ours.
    if (request.raw.destroyed && !request.raw.complete)
      return sendFailure(request, reply, new DomainError('validationFailed'));
    const known = knownError(error);
    const call = request.routeOptions.config.call;
    if (known && call && !errorsOf(call).includes(known.key)) {
      request.log.error(
        { requestId: request.id, call: call.name, key: known.key },
        'an error that the call does not declare',
      );
    }
    if (!known || known.key === 'unexpected')
      request.log.error({ requestId: request.id, err: error }, 'unforeseen failure');
    if (known?.key === 'unavailable')
      request.log.warn({ requestId: request.id, err: error }, 'the database is not available');
    return sendFailure(request, reply, known ?? new DomainError('unexpected'));
  });
}

/** What Fastify refuses before there is a route, such as an address that cannot be decoded: in the envelope as well. */
export function refuseUnroutable(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  // The hooks that set these headers on other responses do not run here.
  for (const [name, value] of Object.entries(bareHeaders)) reply.header(name, value);
  sendFailure(request, reply.header('x-request-id', request.id), knownError(error) ?? new DomainError('unexpected'));
}

const keyByParserCode: Record<string, ErrorKey> = {
  [slowRequestCode]: 'requestTooSlow',
  HPE_HEADER_OVERFLOW: 'headersTooLarge',
};

/** What Node cannot read as HTTP, or what came too slowly: answered on the bare socket, which then ends; logged under the answer's id. */
export function refuseUnreadable(log: Log, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const key = keyByParserCode[error.code ?? ''] ?? 'validationFailed';
  const requestId = randomUUID();
  log.info({ requestId, key, errorCode: error.code }, 'refused what is not HTTP');
  const body = JSON.stringify(failureOf(new DomainError(key), defaultLocale, requestId));
  const headers = {
    ...bareHeaders,
    connection: 'close',
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  };
  const { status } = errors[key];
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  socket.destroySoon();
}

/** For a process that serves no pages: every unknown address is the envelope's 404. */
export function handleUnknownAddresses(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => sendFailure(request, reply, new DomainError('notFound')));
}

/** Every failure that a caller sees goes through here, and so has a line with its request id in the log. */
export function sendFailure(request: FastifyRequest, reply: FastifyReply, error: DomainError): FastifyReply {
  const locale = localeFromHeader(request.headers['accept-language']);
  const { status } = errors[error.key];
  const call = request.routeOptions.config?.call?.name;
  noteRefusal(request, error.key);
  request.log.info({ requestId: request.id, call, key: error.key, status }, 'refused');
  return reply
    .status(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(failureOf(error, locale, request.id));
}

function failureOf(error: DomainError, locale: Locale, requestId: string): Failure {
  const fields = Object.fromEntries(
    Object.entries(error.fields).map(([field, id]) => [field, translate(locale, id, error.details)]),
  );
  const sentence = translate(locale, `error.${error.key}`, error.details);
  return { code: errors[error.key].code, data: null, errors: [sentence], key: error.key, fields, requestId };
}

/** Fastify's own refusals that a caller can mend, as errors of the contract. */
const keyByCode: Record<string, ErrorKey> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'bodyTooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupportedMediaType',
  FST_ERR_CTP_INVALID_JSON_BODY: 'validationFailed',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'validationFailed',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'validationFailed',
  FST_REQ_FILE_TOO_LARGE: 'fileTooLarge',
  FST_FILES_LIMIT: 'uploadNotOneFile',
  FST_FIELDS_LIMIT: 'uploadNotOneFile',
  FST_PARTS_LIMIT: 'uploadNotOneFile',
  FST_ERR_BAD_URL: 'notFound',
  // A path that is longer than the file system's, or that leads through a file.
  ENAMETOOLONG: 'notFound',
  ENOTDIR: 'notFound',
};

function knownError(error: FastifyError): DomainError | null {
  if (error instanceof DomainError) return error;
  const key = keyByCode[error.code];
  if (key) return new DomainError(key);
  if (isOutage(error)) return new DomainError('unavailable');
  const { statusCode = 500 } = error;
  return statusCode >= 400 && statusCode < 500 ? new DomainError(keyByStatus[statusCode] ?? 'validationFailed') : null;
}

/** Other refusals of the framework and its plug-ins, by the status that they ask for. */
const keyByStatus: Record<number, ErrorKey> = {
  // Of a file's address alone: our own refusals are DomainErrors.
  403: 'notFound',
  404: 'notFound',
  408: 'requestTooSlow',
  413: 'bodyTooLarge',
  414: 'notFound',
  415: 'unsupportedMediaType',
  429: 'tooManyRequests',
  431: 'headersTooLarge',
};
