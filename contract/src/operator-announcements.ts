import * as z from 'zod/mini';
import { call, nothing } from './call.ts';
import { asset, id, instant, page, pageQuery, text } from './ids.ts';
import {
  announcementAudiences,
  announcementBodyMaxLength,
  announcementStates,
  announcementTitleMaxLength,
} from './operator-prices-rules.ts';

/** What the operator writes to companies. Part of the feature operator. */

const words = z.strictObject({
  title: text(announcementTitleMaxLength).check(z.trim(), z.minLength(1, 'field.required')),
  body: text(announcementBodyMaxLength).check(z.trim(), z.minLength(1, 'field.required')),
});
const texts = z.strictObject({ 'en-us': words, 'zh-hk': words, 'zh-cn': words });

/** To every company, to one, or to those who hold some of an asset when it is sent. */
const audience = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('all') }),
  z.strictObject({ kind: z.literal('company'), companyId: id }),
  z.strictObject({ kind: z.literal('asset'), asset }),
]);

const content = {
  texts,
  audience,
  /** Absent: now. */
  sendAt: z.optional(instant),
};

export const operatorAnnouncement = z.object({
  id,
  texts,
  audience: z.object({
    kind: z.enum(announcementAudiences),
    company: z.nullable(z.object({ id, name: z.string() })),
    asset: z.nullable(asset),
  }),
  state: z.enum(announcementStates),
  sendAt: instant,
  sentAt: z.nullable(instant),
  /** Companies whose members it was mailed to so far; null before it is sent. */
  companies: z.nullable(z.number()),
  writtenBy: z.string(),
  createdAt: instant,
  version: z.number(),
  cancelledBy: z.nullable(z.string()),
  cancelledAt: z.nullable(instant),
});
export type OperatorAnnouncement = z.output<typeof operatorAnnouncement>;

export const listAnnouncements = call({
  name: 'listAnnouncements',
  method: 'GET',
  path: '/operator/announcement',
  summary: 'Announcements, planned and sent, the latest first.',
  access: 'operator.view',
  query: z.strictObject({
    ...pageQuery,
    id: z.optional(id),
    state: z.optional(z.enum(announcementStates)),
    keyword: z.optional(text(200)),
  }),
  output: page(operatorAnnouncement),
  errors: ['cursorInvalid'],
});

export const writeAnnouncement = call({
  name: 'writeAnnouncement',
  method: 'POST',
  path: '/operator/announcement',
  summary:
    'Plans an announcement for an instant, or sends it now: a notice in the console, and a mail to those who chose so.',
  access: 'operator.announce',
  body: z.strictObject({ id, ...content }),
  output: z.object({ id }),
  errors: ['notFound', 'idTaken', 'assetUnknown', 'announcementInPast'],
});

export const editAnnouncement = call({
  name: 'editAnnouncement',
  method: 'PUT',
  path: '/operator/announcement/{id}',
  summary: 'Changes a planned announcement that is still the one that was read.',
  access: 'operator.announce',
  params: z.object({ id }),
  body: z.strictObject({ ...content, version: z.int('field.invalid') }),
  output: nothing,
  errors: ['assetUnknown', 'announcementInPast', 'announcementSettled', 'announcementChanged'],
});

export const cancelAnnouncement = call({
  name: 'cancelAnnouncement',
  method: 'POST',
  path: '/operator/announcement/{id}/cancel',
  summary: 'Cancels a planned announcement.',
  access: 'operator.announce',
  params: z.object({ id }),
  output: nothing,
  errors: ['announcementSettled'],
});
