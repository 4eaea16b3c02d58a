import * as z from 'zod/mini';
import { call, nothing } from './call.ts';
import { codeMethods, verificationCode } from './identity.ts';
import { id, instant, page, pageQuery, text } from './ids.ts';
import {
  webhookActions,
  webhookDeliveryStates,
  webhookDescriptionMaxLength,
  webhookEventTypes,
  webhookKeepHours,
  webhookLoggedTypes,
  webhookOffReasons,
  webhookProblems,
  webhookUrlMaxLength,
} from './webhooks-rules.ts';

export * from './webhooks-rules.ts';

/** Webhooks to a company's own systems, signed as Standard Webhooks has it (docs/adr/0097-…, docs/WEBHOOKS.md). */

const url = text(webhookUrlMaxLength).check(
  z.refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), { error: 'field.webhookUrl' }),
);
const description = text(webhookDescriptionMaxLength);
const events = z.nullable(
  z.array(z.enum(webhookEventTypes)).check(
    z.minLength(1, 'field.webhookEvents'),
    z.refine((chosen) => new Set(chosen).size === chosen.length, { error: 'field.invalid' }),
  ),
);
const keepHours = z
  .number('field.required')
  .check(z.refine((hours) => webhookKeepHours.some((known) => known === hours), { error: 'field.invalid' }));

/** What a code is bound to: which secret is made or shown, and where it is used. */
export const webhookContent = z.strictObject({
  action: z.enum(webhookActions),
  /** The endpoint's. */
  id,
  /** Of `add` and `move`: the new address. */
  url: z.optional(url),
});
export type WebhookContent = z.output<typeof webhookContent>;

const proof = { codeMethod: z.enum(codeMethods), code: verificationCode };
const codeErrors = ['codeWrong', 'codeBurnt', 'codeForAdministrator', 'mfaNotBound', 'transferCodeMismatch'] as const;
const addressErrors = ['webhookAddressRefused', 'webhookAddressUnknown', 'webhookPortRefused'] as const;

const webhook = z.object({
  id,
  url: z.string(),
  description: z.string(),
  /** Null: all of them, those of later versions included. */
  events: z.nullable(z.array(z.enum(webhookEventTypes))),
  enabled: z.boolean(),
  off: z.nullable(z.object({ reason: z.enum(webhookOffReasons), at: instant })),
  createdBy: z.object({ id, name: z.string() }),
  createdAt: instant,
  /** Until when the secret before the last rotation still signs; null: there is none. */
  previousUntil: z.nullable(instant),
  /** Since when every attempt has failed; null: the last one did not. */
  failingSince: z.nullable(instant),
  /** Deliveries that wait, and when the last one was accepted. */
  waiting: z.number(),
  deliveredAt: z.nullable(instant),
});
export type Webhook = z.output<typeof webhook>;

export const listWebhooks = call({
  name: 'listWebhooks',
  method: 'GET',
  path: '/web/webhooks',
  summary: 'The company’s endpoints, the oldest first. A secret is never among what is listed.',
  access: 'setting.manage',
  output: z.object({ items: z.array(webhook) }),
  errors: [],
});

export const addWebhook = call({
  name: 'addWebhook',
  method: 'POST',
  path: '/web/webhooks',
  summary: 'Makes an endpoint and its secret. Events that happen from then on are delivered to it.',
  access: 'setting.manage',
  confirms: 'webhook',
  body: z.strictObject({
    /** Chosen by the client, so that a repeated submit is no second endpoint. */
    id,
    url,
    description,
    events,
    ...proof,
  }),
  output: z.object({ id, secret: z.string() }),
  errors: ['idTaken', 'tooManyWebhooks', ...addressErrors, ...codeErrors],
});

export const editWebhook = call({
  name: 'editWebhook',
  method: 'PUT',
  path: '/web/webhooks',
  summary: 'Changes what an endpoint is called and which events it receives.',
  access: 'setting.manage',
  body: z.strictObject({ id, description, events }),
  output: nothing,
  errors: ['notFound'],
});

export const moveWebhook = call({
  name: 'moveWebhook',
  method: 'PUT',
  path: '/web/webhooks/address',
  summary: 'Changes an endpoint’s address; what waits is delivered there. The secret stays.',
  access: 'setting.manage',
  confirms: 'webhook',
  body: z.strictObject({ id, url, ...proof }),
  output: nothing,
  errors: ['notFound', ...addressErrors, ...codeErrors],
});

export const setWebhookEnabled = call({
  name: 'setWebhookEnabled',
  method: 'PUT',
  path: '/web/webhooks/status',
  summary:
    'Switches an endpoint on or off. Off, what waits fails, and what happens meanwhile is not delivered; failed deliveries can be resent. While the company is frozen it can be switched off alone.',
  access: 'setting.manage',
  body: z.strictObject({ id, enabled: z.boolean('field.required') }),
  output: nothing,
  errors: ['notFound', 'companyFrozen'],
});

export const removeWebhook = call({
  name: 'removeWebhook',
  method: 'DELETE',
  path: '/web/webhooks/{id}',
  summary: 'Removes an endpoint with its secrets; its log stays.',
  access: 'setting.manage',
  params: z.strictObject({ id }),
  output: nothing,
  errors: ['notFound'],
});

export const revealWebhookSecret = call({
  name: 'revealWebhookSecret',
  method: 'POST',
  path: '/web/webhooks/secret',
  summary: 'Shows an endpoint’s secret again.',
  access: 'setting.manage',
  confirms: 'webhook',
  body: z.strictObject({ id, ...proof }),
  output: z.object({ secret: z.string() }),
  errors: ['notFound', ...codeErrors],
});

export const rotateWebhookSecret = call({
  name: 'rotateWebhookSecret',
  method: 'PUT',
  path: '/web/webhooks/secret',
  summary:
    'Makes a new secret. Until the chosen time deliveries are signed with both; a still earlier one ends at once.',
  access: 'setting.manage',
  confirms: 'webhook',
  body: z.strictObject({ id, keepHours, ...proof }),
  output: z.object({ secret: z.string(), previousUntil: z.nullable(instant) }),
  errors: ['notFound', ...codeErrors],
});

export const endWebhookSecret = call({
  name: 'endWebhookSecret',
  method: 'PUT',
  path: '/web/webhooks/secret/end',
  summary: 'Ends the secret before the last rotation now.',
  access: 'setting.manage',
  body: z.strictObject({ id }),
  output: nothing,
  errors: ['notFound', 'webhookNoPreviousSecret'],
});

export const testWebhook = call({
  name: 'testWebhook',
  method: 'POST',
  path: '/web/webhooks/test',
  summary: 'Sends an event of type `webhook.test` to an endpoint.',
  access: 'setting.manage',
  body: z.strictObject({ id }),
  output: z.object({ deliveryId: id }),
  errors: ['notFound', 'webhookOff'],
});

const delivery = z.object({
  id,
  /** The `webhook-id` header: the same for every attempt. */
  messageId: z.string(),
  endpoint: z.object({ id, url: z.string(), description: z.string(), removed: z.boolean() }),
  type: z.enum(webhookLoggedTypes),
  transactionId: z.nullable(id),
  state: z.enum(webhookDeliveryStates),
  attempts: z.number(),
  createdAt: instant,
  /** Of one that waits: when it is due. */
  nextAt: z.nullable(instant),
  endedAt: z.nullable(instant),
  lastStatus: z.nullable(z.number()),
  lastProblem: z.nullable(z.enum(webhookProblems)),
});
export type WebhookDelivery = z.output<typeof delivery>;

export const listWebhookDeliveries = call({
  name: 'listWebhookDeliveries',
  method: 'GET',
  path: '/web/webhooks/deliveries',
  summary: 'The log of deliveries of the last 90 days, the newest first.',
  access: 'setting.manage',
  query: z.strictObject({
    ...pageQuery,
    endpointId: z.optional(id),
    type: z.optional(z.enum(webhookLoggedTypes)),
    state: z.optional(z.enum(webhookDeliveryStates)),
    from: z.optional(instant),
    to: z.optional(instant),
    /** The id of a transaction, or a `webhook-id`. */
    keyword: z.optional(text(128)),
  }),
  output: page(delivery),
  errors: ['cursorInvalid'],
});

export const getWebhookDelivery = call({
  name: 'getWebhookDelivery',
  method: 'GET',
  path: '/web/webhooks/deliveries/{id}',
  summary: 'A delivery with its body and its attempts.',
  access: 'setting.manage',
  params: z.object({ id }),
  output: z.extend(delivery, {
    /** As it is sent. */
    body: z.string(),
    log: z.array(
      z.object({
        number: z.number(),
        at: instant,
        durationMs: z.number(),
        status: z.nullable(z.number()),
        problem: z.nullable(z.enum(webhookProblems)),
        /** The first 2048 bytes of the answer. */
        answer: z.nullable(z.string()),
        /** The headers that were sent; signatures are left out. */
        headers: z.record(z.string(), z.string()),
      }),
    ),
  }),
  errors: ['notFound'],
});
export type WebhookDeliveryDetail = z.output<typeof getWebhookDelivery.output>;

export const resendWebhook = call({
  name: 'resendWebhook',
  method: 'POST',
  path: '/web/webhooks/deliveries/resend',
  summary: 'Delivers again, with the same id and body.',
  access: 'setting.manage',
  body: z.strictObject({ id }),
  output: nothing,
  errors: ['notFound', 'webhookOff', 'webhookWaiting'],
});

export const resendFailedWebhooks = call({
  name: 'resendFailedWebhooks',
  method: 'POST',
  path: '/web/webhooks/deliveries/resend-failed',
  summary: 'Delivers again all that has failed at an endpoint since an instant, at most 10,000.',
  access: 'setting.manage',
  body: z.strictObject({ id, since: instant }),
  output: z.object({ count: z.number() }),
  errors: ['notFound', 'webhookOff'],
});
