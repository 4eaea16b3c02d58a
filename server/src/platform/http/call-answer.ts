import type { Readable } from 'node:stream';
import type { Call, OutputInput } from '@causeway/contract/call.ts';
import type { FastifyReply } from 'fastify';
import * as z from 'zod/mini';
import { invariant } from '../domain-error.ts';

/** How the result of a use case becomes the response: the envelope, checked against the contract, or a file. */

/** A file as an answer: always sent as an attachment under its name. */
export interface FileAnswer {
  name: string;
  type: string;
  content: Buffer | Readable;
  /** How many records it will hold, when that is known: for a progress bar. */
  rows?: number;
}

/** The result of a call that moves money, and whether it is a repetition of an earlier one. */
export interface MoneyAnswer<T> {
  answer: T;
  replayed: boolean;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a use case whose call has no data returns nothing
type Nothing<T> = null extends T ? void : never;

/** What a use case returns: the contract's output, nothing where that is null, or a file. */
export type Result<C extends Call> = C['answer'] extends 'file' ? FileAnswer : OutputInput<C> | Nothing<OutputInput<C>>;

/** A header parameter's value in any script (RFC 8187), which leaves fewer characters as they are than a URI does. */
function extendedValue(text: string): string {
  return encodeURIComponent(text).replaceAll(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

export function send(call: Call, answer: unknown, reply: FastifyReply): FastifyReply {
  reply.header('cache-control', 'no-store');
  if (call.answer === 'file') {
    const { name, type, content, rows } = answer as FileAnswer;
    if (rows !== undefined) reply.header('x-total-rows', rows);
    const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
    return reply
      .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${extendedValue(name)}`)
      .header('x-content-type-options', 'nosniff')
      .type(type)
      .send(content);
  }
  let data: unknown = answer ?? null;
  if (call.movesMoney) {
    const money = answer as MoneyAnswer<unknown>;
    data = money.answer;
    if (money.replayed) reply.header('idempotency-replayed', 'true');
  }
  const checked = z.safeParse(call.output, data);
  invariant(checked.success, `${call.name} answered against its contract: ${checked.error?.message ?? ''}`);
  return reply.send({ code: 0, data: checked.data, errors: [] });
}
