import { listAnnouncements } from 'virtual:calls/operator-announcements';
import { defineList } from '../../../ui/list-view.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { audienceText } from '../components/audience.ts';
import { localeOfTag } from '../languages.ts';
import { announcementStateTexts, announcementTones } from '../words.ts';

const refresh_ms = 5000;

/** Announcements, planned and sent, the latest first. The worker sends them while one looks. */
export const announcementList = defineList({
  call: listAnnouncements,
  label: 'ops.title.announcements',
  name: 'operator-announcements',
  filters: [
    { kind: 'search', name: 'keyword', label: 'ops.announcements.search' },
    { kind: 'choice', name: 'state', label: 'ops.field.state', options: announcementStateTexts },
  ],
  columns: ({ t, tag }) => [
    {
      id: 'title',
      header: t('ops.announcements.heading'),
      card: 'title',
      width: '40%',
      skeleton: 'w-56',
      cell: ({ texts }) => <span className="font-medium break-words">{texts[localeOfTag(tag)].title}</span>,
    },
    {
      id: 'audience',
      header: t('ops.announcements.audience'),
      skeleton: 'w-32',
      cell: ({ audience }) => audienceText(t, audience),
    },
    {
      id: 'sendAt',
      header: t('ops.announcements.sentAt'),
      skeleton: 'w-36',
      cell: ({ sentAt, sendAt }) => <Time at={sentAt ?? sendAt} />,
    },
    {
      id: 'writtenBy',
      header: t('ops.announcements.writtenBy'),
      hideable: true,
      card: 'none',
      skeleton: 'w-24',
      cell: ({ writtenBy }) => writtenBy,
    },
    {
      id: 'state',
      header: t('ops.field.state'),
      skeleton: 'w-20',
      cell: ({ state }) => <StatusDot tone={announcementTones[state]}>{t(`ops.announcementState.${state}`)}</StatusDot>,
    },
  ],
  rowId: ({ id }) => id,
  href: ({ id }) => `/app/announcements/${id}`,
  add: { text: 'ops.announcements.write', permission: 'operator.announce', href: '/app/write-announcement' },
  empty: { icon: 'bell', title: 'ops.announcements.empty', text: 'ops.announcements.emptyText' },
  again_ms: () => refresh_ms,
});
