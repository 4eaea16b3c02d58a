import type { Call, Failure } from '@causeway/contract/call.ts';
import { errorsOf } from '@causeway/contract/call.ts';
import { type ErrorKey, errors } from '@causeway/contract/errors.ts';
import { type Locale, localeFromHeader } from '@causeway/contract/locale.ts';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from './domain-error.ts';
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
    return sendFailure(request, reply, known ?? new DomainError('unexpected'));
  });
}

/** What Fastify refuses before there is a route, such as an address that cannot be decoded: in the envelope as well. */
export function refuseUnroutable(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  // The hooks, which name the request in other answers, do not run here.
  sendFailure(request, reply.header('x-request-id', request.id), knownError(error) ?? new DomainError('unexpected'));
}

/** For a process that serves no pages: every unknown address is the envelope's 404. */
export function handleUnknownAddresses(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => sendFailure(request, reply, new DomainError('notFound')));
}

export function sendFailure(request: FastifyRequest, reply: FastifyReply, error: DomainError): FastifyReply {
  const locale = localeFromHeader(request.headers['accept-language']);
  return reply
    .status(errors[error.key].status)
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

/** Fastify's and the database's own refusals that a caller can mend, as errors of the contract. */
const keyByCode: Record<string, ErrorKey> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'bodyTooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupportedMediaType',
  FST_ERR_CTP_INVALID_JSON_BODY: 'validationFailed',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'validationFailed',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'validationFailed',
  FST_REQ_FILE_TOO_LARGE: 'fileTooLarge',
  FST_FILES_LIMIT: 'validationFailed',
  FST_ERR_BAD_URL: 'notFound',
  ECONNREFUSED: 'unavailable',
  '57P01': 'unavailable',
  '57P03': 'unavailable',
  '53300': 'unavailable',
};

function knownError(error: FastifyError): DomainError | null {
  if (error instanceof DomainError) return error;
  const key = keyByCode[error.code];
  if (key) return new DomainError(key);
  return error.statusCode === 400 ? new DomainError('validationFailed') : null;
}
