import { listNotices } from 'virtual:calls/notices';
import type { Notice } from '@causeway/contract/notices.ts';
import { noticeTypes } from '@causeway/contract/notices-rules.ts';
import { useState } from 'react';
import { useList } from '../../../lib/list.ts';
import { useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { defineList, ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { useReadAllNotices, useReadNotices } from '../center-api.ts';
import { Alerts } from '../components/alerts.tsx';
import { DeleteNotice, DeleteRead } from '../components/delete-dialogs.tsx';
import { NoticeRow } from '../components/notice-row.tsx';
import { Preferences } from '../components/preferences.tsx';

const tabNames = ['tab'] as const;

/** The notices of the person signed in, and which of them come by mail as well. */
export function Page() {
  const t = useText();
  const tab = useListState(tabNames);
  const shown = tab.filters.tab === 'mail' ? 'mail' : 'list';
  return (
    <Frame>
      <Tabs
        label={t('notices.tabs')}
        tabs={[
          { key: 'list', label: t('notices.list') },
          { key: 'mail', label: t('notices.settings') },
        ]}
        value={shown}
        onChange={(next) => tab.setFilters({ tab: next === 'mail' ? 'mail' : null })}
      >
        {shown === 'mail' ? (
          <div className="flex flex-col gap-6">
            <Alerts />
            <Preferences />
          </div>
        ) : (
          <Notices />
        )}
      </Tabs>
    </Frame>
  );
}

const noticeList = defineList({
  call: listNotices,
  label: 'notices.list',
  name: 'notices',
  filters: [
    { kind: 'search', name: 'keyword', label: 'notices.search' },
    {
      kind: 'choice',
      name: 'read',
      label: 'notices.view.label',
      options: { false: 'notices.view.unread', true: 'notices.view.read' },
    },
    {
      kind: 'choice',
      name: 'type',
      label: 'notices.type.label',
      options: Object.fromEntries(noticeTypes.map((type) => [type, `notices.type.${type}`])),
    },
  ],
  rowId: (notice) => notice.id,
  empty: { icon: 'bell', title: 'notices.empty.title', text: 'notices.empty.text' },
});

/** Newest first. New ones appear by themselves. */
function Notices() {
  const t = useText();
  const list = useList(noticeList);
  const [deleting, setDeleting] = useState<Notice | null>(null);
  const [deletingRead, setDeletingRead] = useState(false);
  const read = useReadNotices();
  const readAll = useReadAllNotices(() => toast('success', t('notices.markAll.done')));
  const { data } = list.answer;
  const unread = data?.unread ?? 0;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 text-muted">
          {data === undefined ? <Skeleton width="w-40" /> : t('notices.count', { count: unread })}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button disabled={unread === 0} busy={readAll.isPending} onClick={() => readAll.mutate({})}>
            {t('notices.markAll')}
          </Button>
          <Button
            icon="trash"
            disabled={data === undefined || data.readTotal === 0}
            onClick={() => setDeletingRead(true)}
          >
            {t('notices.deleteRead')}
          </Button>
        </div>
      </div>
      <ListView
        list={noticeList}
        read={list}
        draw={{
          skeleton: <Shape />,
          rows: (notices) => (
            <ul className="m-0 list-none p-0">
              {notices.map((notice) => (
                <NoticeRow key={notice.id} notice={notice} onRead={(id) => read([id])} onDelete={setDeleting} />
              ))}
            </ul>
          ),
        }}
      />
      <DeleteNotice notice={deleting} onClose={() => setDeleting(null)} />
      <DeleteRead open={deletingRead} onClose={() => setDeletingRead(false)} />
    </div>
  );
}

function Shape() {
  return (
    <div>
      {['a', 'b', 'c', 'd', 'e'].map((key) => (
        <div key={key} className="flex flex-col gap-2 border-b border-line px-5 py-4 last:border-b-0">
          <div className="flex justify-between gap-4">
            <Skeleton width="w-48" />
            <Skeleton width="w-32" />
          </div>
          <Skeleton width="w-2/3" />
        </div>
      ))}
    </div>
  );
}
