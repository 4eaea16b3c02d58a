import * as z from 'zod/mini';
import { call, nothing } from './call.ts';
import { id, instant, page, pageQuery, text } from './ids.ts';
import { noticeGroups, noticeTypes } from './notices-rules.ts';

export * from './notices-rules.ts';

export const notice = z.object({
  id,
  type: z.enum(noticeTypes),
  title: z.string(),
  body: z.string(),
  /** Where in the console it leads, e.g. `/app/transaction/…`; null when nowhere. */
  link: z.nullable(z.string()),
  read: z.boolean(),
  createdAt: instant,
});
export type Notice = z.output<typeof notice>;

/** Ids separated by commas, 100 at most. */
const ids = z.string('field.required').check(z.regex(/^[0-9a-f-]{36}(,[0-9a-f-]{36}){0,99}$/, 'field.id'));

export const listNotices = call({
  name: 'listNotices',
  method: 'GET',
  path: '/web/notice',
  summary: 'Notices of the person signed in, newest first, with the numbers unread and read, whatever the filters.',
  access: 'notice.view',
  query: z.strictObject({
    ...pageQuery,
    read: z.optional(z.enum(['true', 'false'])),
    type: z.optional(z.enum(noticeTypes)),
    keyword: z.optional(text(100)),
  }),
  output: z.extend(page(notice), {
    unread: z.number(),
    /** How many of all of them were read: those that `deleteReadNotices` would take away. */
    readTotal: z.number(),
  }),
  errors: ['cursorInvalid'],
});

export const readNotices = call({
  name: 'readNotices',
  method: 'PUT',
  path: '/web/notice',
  summary: 'Marks the notices named in the query as read.',
  access: 'notice.view',
  query: z.strictObject({ ids }),
  output: nothing,
  errors: ['notFound'],
});

export const readAllNotices = call({
  name: 'readAllNotices',
  method: 'PUT',
  path: '/web/notice/all',
  summary: 'Marks every notice of the person signed in as read.',
  access: 'notice.view',
  output: nothing,
  errors: [],
});

export const deleteNotices = call({
  name: 'deleteNotices',
  method: 'DELETE',
  path: '/web/notice',
  summary: 'Takes the notices named in the query away for the person signed in; others keep theirs.',
  access: 'notice.view',
  query: z.strictObject({ ids }),
  output: nothing,
  errors: ['notFound'],
});

export const deleteReadNotices = call({
  name: 'deleteReadNotices',
  method: 'DELETE',
  path: '/web/notice/read',
  summary: 'Takes every notice away that the person signed in has read.',
  access: 'notice.view',
  output: z.object({ deleted: z.number() }),
  errors: [],
});

const noticePreferences = z.object({
  /** Where mails go. */
  email: z.string(),
  groups: z.array(
    z.object({
      group: z.enum(noticeGroups),
      mail: z.boolean(),
      /** Always sent; cannot be switched off. */
      fixed: z.boolean(),
    }),
  ),
});
export type NoticePreferences = z.output<typeof noticePreferences>;

export const getNoticePreferences = call({
  name: 'getNoticePreferences',
  method: 'GET',
  path: '/web/notice/preferences',
  summary: 'Of which groups of notices the person signed in also wants mails. In the console all are shown.',
  access: 'notice.view',
  output: noticePreferences,
  errors: [],
});

export const setNoticePreferences = call({
  name: 'setNoticePreferences',
  method: 'PUT',
  path: '/web/notice/preferences',
  summary: 'Chooses mails for the groups named; the others stay as they are.',
  access: 'notice.view',
  body: z.strictObject({
    groups: z
      .array(z.strictObject({ group: z.enum(noticeGroups, 'field.invalid'), mail: z.boolean('field.required') }))
      .check(z.minLength(1, 'field.required'), z.maxLength(noticeGroups.length, 'field.tooLong')),
  }),
  output: noticePreferences,
  errors: ['noticeMailFixed'],
});
