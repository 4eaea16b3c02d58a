import * as z from 'zod/mini';
import { call } from './call.ts';

/** What a live event says has changed; the page asks again for what it shows. */
export const liveTopics = [
  'transaction',
  'balance',
  'recharge',
  'notice',
  'payee',
  'standing',
  'approval',
  'control',
  'organisation',
  'account',
  'otc',
  'webhook',
  'batch',
  'trade',
  'paymentRequest',
  'card',
] as const;
export type LiveTopic = (typeof liveTopics)[number];

/** The JSON in the `data` of one server-sent event; `id` (nullable) names the transaction or notice. */
export const liveEvent = z.object({ topic: z.enum(liveTopics), id: z.nullable(z.string()) });
export type LiveEvent = z.output<typeof liveEvent>;

export const getServiceStatus = call({
  name: 'getServiceStatus',
  method: 'GET',
  path: '/common/status',
  summary: 'Whether the service can work; asked again and again by a page whose calls were answered 503.',
  access: 'public',
  output: z.object({ available: z.boolean() }),
  errors: [],
});

/** Set for the installation; both null where it names no one. */
export const support = z.object({ email: z.nullable(z.string()), phone: z.nullable(z.string()) });
export type Support = z.output<typeof support>;

export const getSupport = call({
  name: 'getSupport',
  method: 'GET',
  path: '/common/support',
  summary: 'Whom a company contacts at the provider, about a freeze for example.',
  access: 'public',
  output: support,
  errors: [],
});

export const streamEvents = call({
  name: 'streamEvents',
  method: 'GET',
  path: '/web/events',
  summary: 'Server-sent events of the company; read with fetch and the bearer header, resumed with `Last-Event-ID`.',
  access: 'signed-in',
  output: z.null(),
  answer: 'stream',
  errors: [],
});
