import { createHash } from 'node:crypto';
import { type Call, errorsOf, failure } from '@causeway/contract/call.ts';
import { codeSubjectWithContent } from '@causeway/contract/code-contents.ts';
import { errors } from '@causeway/contract/errors.ts';
import { codeSubjectOf } from '@causeway/contract/identity.ts';
import { locales } from '@causeway/contract/locale.ts';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { DomainError } from '../domain-error.ts';

/** The contract printed as OpenAPI 3.1. Nothing here is written by hand: a call that exists is a call described. */

type Json = Record<string, unknown>;

/** @param calls those that the process serves */
export function openApiDocument(calls: readonly Call[]): Json {
  const paths: Record<string, Json> = {};
  for (const call of calls) {
    const path = paths[call.path] ?? {};
    path[call.method.toLowerCase()] = operationOf(call);
    paths[call.path] = path;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Causeway',
      version: '0.1.0',
      description:
        'Funds-management and payments console. Amounts are plain decimal strings in whole units. Every JSON answer stands in an envelope; code 0 is success.',
      license: { name: 'Apache-2.0' },
    },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Failure: schemaOf(failure) },
    },
    paths,
  };
}

function operationOf(call: Call): Json {
  const parameters = [
    ...parametersOf(call.params, 'path'),
    ...parametersOf(call.query, 'query'),
    { name: 'accept-language', in: 'header', schema: { type: 'string', enum: locales } },
    ...(call.movesMoney
      ? [
          {
            name: 'Idempotency-Key',
            in: 'header',
            required: true,
            description: 'Same key and request: the first answer again. Kept for ever.',
            schema: { type: 'string', minLength: 8, maxLength: 128 },
          },
        ]
      : []),
  ];
  return {
    operationId: call.name,
    summary: call.summary,
    ...(call.access === 'public' ? {} : { security: [{ bearer: [] }] }),
    ...(['public', 'signed-in', 'operator'].includes(call.access) ? {} : { 'x-permission': call.access }),
    parameters,
    ...bodyOf(call),
    responses: { 200: successOf(call), ...failuresOf(call) },
  };
}

function parametersOf(schema: z.core.$ZodObject | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const json = schemaOf(schema);
  const required = new Set((json['required'] as string[] | undefined) ?? []);
  return Object.entries(json['properties'] as Record<string, Json>).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.has(name),
    schema: property,
  }));
}

function bodyOf(call: Call): Json {
  if (call.upload) {
    const file = { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema: file } } } };
  }
  if (!call.body) return {};
  return { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(call.body) } } } };
}

function successOf(call: Call): Json {
  if (call.answer === 'file') {
    return {
      description: 'The file, as an attachment',
      content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
    };
  }
  if (call.answer === 'stream') {
    return { description: 'Server-sent events', content: { 'text/event-stream': { schema: { type: 'string' } } } };
  }
  const schema = {
    type: 'object',
    required: ['code', 'data', 'errors'],
    properties: { code: { const: 0 }, data: schemaOf(call.output), errors: { type: 'array', maxItems: 0 } },
  };
  return { description: 'Success', content: { 'application/json': { schema } } };
}

/** One response per status, with the error keys and numbers that it may carry. */
function failuresOf(call: Call): Json {
  const byStatus = new Map<number, string[]>();
  for (const key of errorsOf(call)) {
    const { status, code } = errors[key];
    byStatus.set(status, [...(byStatus.get(status) ?? []), `${key} (${code})`]);
  }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } };
  return Object.fromEntries([...byStatus].map(([status, keys]) => [status, { description: keys.join(', '), content }]));
}

function schemaOf(schema: z.core.$ZodType): Json {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    unrepresentable: 'any',
    io: 'input',
    // The call itself cannot know what features to the right have confirmed by a code.
    override({ zodSchema, jsonSchema }) {
      if (zodSchema !== codeSubjectOf) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, schemaOf(codeSubjectWithContent));
    },
  }) as Json;
  return json;
}

/** `/openapi.json` and its readable form at `/docs`. */
export async function registerDocumentation(app: FastifyInstance, calls: readonly Call[]): Promise<void> {
  let document: Json | undefined;
  app.get('/openapi.json', async (_request, reply) => {
    document ??= openApiDocument(calls);
    return reply.send(document);
  });
  let pages: Promise<FastifyInstance> | undefined;
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    pages ??= createPages();
    const { statusCode, headers, rawPayload } = await (await pages).inject({ url: request.url });
    if (statusCode === 404) throw new DomainError('notFound');
    const isPage = String(headers['content-type']).startsWith('text/html');
    if (isPage) reply.header('content-security-policy', policyOf(rawPayload.toString('utf8')));
    for (const name of ['content-type', 'cache-control', 'etag', 'location']) {
      if (headers[name] !== undefined) reply.header(name, headers[name]);
    }
    return reply.code(statusCode).send(rawPayload);
  };
  app.get('/docs', answer);
  app.get('/docs/*', answer);
}

/** The readable form, an application of its own: it costs 40 MB of memory, so it is made at the first request. */
async function createPages(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const pages = Fastify();
  await pages.register(scalar, {
    routePrefix: '/docs',
    configuration: { url: '/openapi.json', telemetry: false, withDefaultFonts: false } as never,
  });
  return pages;
}

/**
 * The documentation's own content security policy: its inline scripts by their hashes. It makes style elements as it goes,
 * so styles are free there; nothing on the page comes from a person.
 */
function policyOf(page: string): string {
  const scripts = [...page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    (match) => match[1] ?? '',
  );
  const hashes = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return [
    "default-src 'none'",
    ["script-src 'self'", ...hashes].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
