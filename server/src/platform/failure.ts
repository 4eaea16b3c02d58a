import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Call, Failure } from '@causeway/contract/call.ts';
import { errorsOf } from '@causeway/contract/call.ts';
import { type ErrorKey, errors } from '@causeway/contract/errors.ts';
import { type Locale, localeFromHeader } from '@causeway/contract/locale.ts';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from './domain-error.ts';
import type { Log } from './log.ts';
import { isOutage } from './outage.ts';
import { translate } from './texts.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    call?: Call;
  }
}

/** The one handler that turns what went wrong into the envelope, in the caller's language. */
export function handleFailures(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // Whoever gives an upload up reads no answer, and it is no fault of ours.
    if (request.raw.destroyed && !request.raw.complete)
      return sendFailure(request, reply, new DomainError('validationFailed'));
    const known = knownError(error);
    const call = request.routeOptions.config.call;
    if (known && call && !errorsOf(call).includes(known.key)) {
      request.log.error({ call: call.name, key: known.key }, 'an error that the call does not declare');
    }
    if (!known || known.key === 'unexpected') request.log.error({ err: error }, 'unforeseen failure');
    if (known?.key === 'unavailable') request.log.warn({ err: error }, 'the database is not available');
    return sendFailure(request, reply, known ?? new DomainError('unexpected'));
  });
}

/** What Fastify refuses before there is a route, such as an address that cannot be decoded: in the envelope as well. */
export function refuseUnroutable(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  // The hooks, which name the request in other answers, do not run here.
  sendFailure(request, reply.header('x-request-id', request.id), knownError(error) ?? new DomainError('unexpected'));
}

/**
 * What Node.js can't read as HTTP: the envelope as well, under a request id of its own, and the end of the connection.
 */
export function refuseUnparsable(log: Log, error: NodeJS.ErrnoException, socket: Socket): void {
  // The caller went away, or has got a part of another answer.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const key: ErrorKey = error.code === 'HPE_HEADER_OVERFLOW' ? 'bodyTooLarge' : 'validationFailed';
  log.info({ requestId, key, errorCode: error.code }, 'refused what is not HTTP');
  const body = JSON.stringify(failureOf(new DomainError(key), 'en-us', requestId));
  const head = [
    `HTTP/1.1 ${errors[key].status} ${STATUS_CODES[errors[key].status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
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
  request.log.info({ call, key: error.key, status }, 'refused');
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
  FST_FILES_LIMIT: 'validationFailed',
  FST_ERR_BAD_URL: 'notFound',
};

/** What plugins refuse with a status alone, such as a range of a file that there is not. */
const keyByStatus: Record<number, ErrorKey> = {
  403: 'notFound',
  404: 'notFound',
  413: 'bodyTooLarge',
  415: 'unsupportedMediaType',
};

function knownError(error: FastifyError): DomainError | null {
  if (error instanceof DomainError) return error;
  const key = keyByCode[error.code];
  if (key) return new DomainError(key);
  if (isOutage(error)) return new DomainError('unavailable');
  const { statusCode = 500 } = error;
  return statusCode < 400 || statusCode > 499 ? null : new DomainError(keyByStatus[statusCode] ?? 'validationFailed');
}
