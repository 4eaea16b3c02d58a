/** The kinds of notices, without a schema library, so that a list can be filtered before the schemas are there. */

export const noticeTypes = ['system_message', 'announcement'] as const;
export type NoticeType = (typeof noticeTypes)[number];

/** What a person can choose mails for; which notices belong to which is the server's rule. */
export const noticeGroups = [
  'money',
  'approval',
  'control',
  'risk',
  'organisation',
  'announcement',
  'security',
] as const;
export type NoticeGroup = (typeof noticeGroups)[number];

/** Mails of these groups are always sent: otherwise an attacker who took over an account could silence them. */
export const fixedNoticeGroups = ['security'] as const satisfies readonly NoticeGroup[];
