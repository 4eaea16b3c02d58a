import * as z from 'zod/mini';
import { call, nothing } from './call.ts';
import { id, instant, page, pageQuery, text } from './ids.ts';
import { noticeTypes } from './notices-rules.ts';

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

export const listNotices = call({
  name: 'listNotices',
  method: 'GET',
  path: '/web/notice',
  summary: 'Notices of the person signed in, newest first, with the number unread.',
  access: 'notice.view',
  query: z.strictObject({
    ...pageQuery,
    read: z.optional(z.enum(['true', 'false'])),
    type: z.optional(z.enum(noticeTypes)),
    keyword: z.optional(text(100)),
  }),
  output: z.extend(page(notice), { unread: z.number() }),
  errors: ['cursorInvalid'],
});

export const readNotices = call({
  name: 'readNotices',
  method: 'PUT',
  path: '/web/notice',
  summary: 'Marks the notices named in the query as read.',
  access: 'notice.view',
  query: z.strictObject({
    ids: z.string('field.required').check(z.regex(/^[0-9a-f-]{36}(,[0-9a-f-]{36}){0,99}$/, 'field.id')),
  }),
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
