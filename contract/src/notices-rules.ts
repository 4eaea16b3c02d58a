/** The kinds of notices, without a schema library, so that a list can be filtered before the schemas are there. */

export const noticeTypes = ['system_message', 'announcement'] as const;
export type NoticeType = (typeof noticeTypes)[number];
