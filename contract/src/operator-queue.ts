import * as z from 'zod/mini';
import { call, nothing } from './call.ts';
import { id, instant, page, pageQuery, text } from './ids.ts';
import { operatorReason } from './operator.ts';
import { queueCommentMaxLength, queueKinds, queueStates, queueUrgencies } from './operator-queue-rules.ts';

/** What needs a person, as one queue across companies. Part of the feature operator. */

export * from './operator-queue-rules.ts';

const person = z.object({ id, name: z.string() });

export const queueItem = z.object({
  id,
  kind: z.enum(queueKinds),
  urgency: z.enum(queueUrgencies),
  state: z.enum(queueStates),
  /** What is the matter, as a sentence in the reader's language. */
  title: z.string(),
  /** What to do next, as a sentence in the reader's language. */
  nextStep: z.string(),
  openedAt: instant,
  resolvedAt: z.nullable(instant),
  /** Who has taken it; null while no one has. */
  owner: z.nullable(person),
  company: z.nullable(person),
  /** In whole units, a plain decimal; null where no money is concerned. */
  amount: z.nullable(z.object({ quantity: z.string(), asset: z.string(), usd: z.nullable(z.string()) })),
  /** The page of the operator's console on which it is dealt with; null where it has none. */
  link: z.nullable(z.string()),
  comments: z.number(),
});
export type QueueItem = z.output<typeof queueItem>;

export const summariseQueue = call({
  name: 'summariseQueue',
  method: 'GET',
  path: '/operator/queue/summary',
  summary: 'Open items by kind, with the age of the oldest and the sum in US dollars of those that are valued.',
  access: 'operator.view',
  output: z.object({
    kinds: z.array(
      z.object({
        kind: z.enum(queueKinds),
        urgency: z.enum(queueUrgencies),
        open: z.number(),
        unowned: z.number(),
        oldestAt: instant,
        usd: z.nullable(z.string()),
      }),
    ),
    mine: z.number(),
    /** Companies with open items, those with the most first; no more than a hundred. */
    companies: z.array(z.object({ id, name: z.string(), open: z.number() })),
  }),
  errors: [],
});

export const listQueue = call({
  name: 'listQueue',
  method: 'GET',
  path: '/operator/queue',
  summary: 'Items of the queue: the most urgent first, within one urgency the oldest.',
  access: 'operator.view',
  query: z.strictObject({
    ...pageQuery,
    state: z.optional(z.enum(queueStates)),
    kind: z.optional(z.enum(queueKinds)),
    owner: z.optional(z.union([z.enum(['me', 'none']), id])),
    companyId: z.optional(id),
    keyword: z.optional(text(128)),
  }),
  output: page(queueItem),
  errors: ['cursorInvalid'],
});

export const getQueueItem = call({
  name: 'getQueueItem',
  method: 'GET',
  path: '/operator/queue/{id}',
  summary: 'One item with its facts and everything that was done about it.',
  access: 'operator.view',
  params: z.object({ id }),
  output: z.extend(queueItem, {
    /** In a fixed order; `link` is the page of the console that shows what a fact names. */
    facts: z.array(z.object({ label: z.string(), value: z.string(), link: z.nullable(z.string()) })),
    history: z.array(
      z.object({
        at: instant,
        by: z.nullable(person),
        act: z.enum(['opened', 'taken', 'handedOver', 'released', 'commented', 'resolved', 'reopened']),
        to: z.nullable(person),
        text: z.nullable(z.string()),
      }),
    ),
    canResolve: z.boolean(),
    /** A person closed it, and the reader may open it again. */
    canReopen: z.boolean(),
  }),
  errors: [],
});

export const takeQueueItem = call({
  name: 'takeQueueItem',
  method: 'POST',
  path: '/operator/queue/{id}/take',
  summary: 'Takes an item that no one has.',
  access: 'operator.queue',
  params: z.object({ id }),
  output: nothing,
  errors: ['queueTaken', 'queueResolved'],
});

export const handOverQueueItem = call({
  name: 'handOverQueueItem',
  method: 'POST',
  path: '/operator/queue/{id}/hand-over',
  summary: 'Gives an item to a colleague who may work on it, or back to the queue (null).',
  access: 'operator.queue',
  params: z.object({ id }),
  body: z.strictObject({ to: z.nullable(id), comment: z.optional(text(queueCommentMaxLength)) }),
  output: nothing,
  errors: ['queueResolved', 'operatorUnsuitable'],
});

export const commentQueueItem = call({
  name: 'commentQueueItem',
  method: 'POST',
  path: '/operator/queue/{id}/comment',
  summary: 'Adds a comment, which stays.',
  access: 'operator.queue',
  params: z.object({ id }),
  body: z.strictObject({ text: text(queueCommentMaxLength).check(z.trim(), z.minLength(1, 'field.required')) }),
  output: nothing,
  errors: [],
});

export const resolveQueueItem = call({
  name: 'resolveQueueItem',
  method: 'POST',
  path: '/operator/queue/{id}/resolve',
  summary: 'Closes an item that does not end with its cause, with a reason.',
  access: 'operator.queue',
  params: z.object({ id }),
  body: z.strictObject({ reason: operatorReason }),
  output: nothing,
  errors: ['queueResolved', 'queueCauseLasts'],
});

export const reopenQueueItem = call({
  name: 'reopenQueueItem',
  method: 'POST',
  path: '/operator/queue/{id}/reopen',
  summary: 'Opens an item again that a person closed by mistake or too early, with a reason.',
  access: 'operator.queue',
  params: z.object({ id }),
  body: z.strictObject({ reason: operatorReason }),
  output: nothing,
  errors: ['queueNotClosed'],
});
