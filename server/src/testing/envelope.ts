import { type Call, errorsOf, failure, type Output } from '@causeway/contract/call.ts';
import { calls, type EveryCall } from '@causeway/contract/calls.ts';
import { errors } from '@causeway/contract/errors.ts';
import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import * as z from 'zod/mini';

/**
 * Reads what the server answered, held against the contract: the envelope, the output's shape, the errors that the call
 * declares. What a test sees of the data has the type that the contract gives it.
 */

/** `/web/notice/{id}` as the addresses that match it. */
type Addresses<Path extends string> = Path extends `${infer Head}{${string}}${infer Tail}`
  ? `${Head}${string}${Addresses<Tail>}`
  : Path;
type WithoutQuery<Url extends string> = Url extends `${infer Path}?${string}` ? Path : Url;
type Exact<Method, Path, C = EveryCall> = C extends { method: Method; path: infer P }
  ? Path extends P
    ? C
    : never
  : never;
type Fitting<Method, Path, C = EveryCall> = C extends { method: Method; path: infer P extends string }
  ? Path extends Addresses<P>
    ? C
    : never
  : never;

/** The call at an address: a literal path wins over one with a parameter. */
export type CallAt<Method extends Call['method'], Url extends string> = [Exact<Method, WithoutQuery<Url>>] extends [
  never,
]
  ? Fitting<Method, WithoutQuery<Url>>
  : Exact<Method, WithoutQuery<Url>>;

/** An answer taken apart. */
export class Answer<Data = unknown> {
  readonly status: number;
  /** The error's name; null of what succeeded. */
  readonly key: string | null;
  readonly errors: string[];
  /** Field → sentence. */
  readonly fields: Record<string, string>;
  readonly raw: LightMyRequestResponse;
  readonly #data: Data | null;

  constructor(
    raw: LightMyRequestResponse,
    said: { key?: string; errors?: string[]; fields?: object; data: Data | null },
  ) {
    this.status = raw.statusCode;
    this.key = said.key ?? null;
    this.errors = said.errors ?? [];
    this.fields = { ...said.fields };
    this.raw = raw;
    this.#data = said.data;
  }

  /** What the call answered. A refusal has none: asking for it fails the test, with what was said instead. */
  get data(): Data {
    if (this.key !== null) throw new Error(`refused with ${this.status} ${this.key}: ${this.raw.body.slice(0, 500)}`);
    return this.#data as Data;
  }
}

const success = z.strictObject({ code: z.literal(0), data: z.unknown(), errors: z.tuple([]) });

/** Takes a call's answer apart, and holds it against the contract. */
export function readAnswer<C extends Call>(call: C, raw: LightMyRequestResponse): Answer<Output<C>> {
  const where = `${call.name} answered ${raw.statusCode} ${raw.body.slice(0, 500)}`;
  expect(raw.headers['cache-control'], where).toBe('no-store');
  if (raw.statusCode === 200 && call.answer === 'file') {
    expect(raw.headers['content-disposition'], where).toMatch(/^attachment; /);
    return new Answer<Output<C>>(raw, { data: null });
  }
  if (raw.statusCode === 200) {
    const envelope = z.parse(success, raw.json());
    const data = z.parse(call.output, envelope.data);
    // Nothing comes beyond what the contract names: its schema removed nothing.
    expect(data, where).toEqual(envelope.data);
    return new Answer<Output<C>>(raw, { data: data as Output<C> });
  }
  const said = z.parse(failure, raw.json());
  const declared = errorsOf(call).find((key) => key === said.key);
  expect(declared, `${where}: ${call.name} does not declare ${said.key}`).toBeDefined();
  if (declared) expect({ status: raw.statusCode, code: said.code }, where).toEqual(errors[declared]);
  expect(said.errors.join(''), where).not.toBe('');
  expect(said.requestId, where).toBe(raw.headers['x-request-id']);
  return new Answer<Output<C>>(raw, said);
}

/** The same for a test that knows an address and not its call. */
export function readAnswerAt<const Method extends Call['method'], const Url extends string>(
  method: Method,
  url: Url,
  raw: LightMyRequestResponse,
): Answer<Output<CallAt<Method, Url>>> {
  return readAnswer(callAt(method, url), raw) as Answer<Output<CallAt<Method, Url>>>;
}

function callAt(method: string, url: string): Call {
  const path = url.replace(/\?.*$/s, '');
  const patternOf = (call: Call) => new RegExp(`^${call.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  const fitting = calls.filter((call) => call.method === method && patternOf(call).test(path));
  const found = fitting.find((call) => call.path === path) ?? fitting[0];
  if (!found) throw new Error(`the contract has no call at ${method} ${path}`);
  return found;
}
