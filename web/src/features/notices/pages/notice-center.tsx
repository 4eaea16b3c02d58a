import type { Notice } from '@causeway/contract/notices.ts';
import { noticeTypes } from '@causeway/contract/notices-rules.ts';
import { useState } from 'react';
import { useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { type Filter, FilterBar } from '../../../ui/filter-bar.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { useNotices, useReadAllNotices, useReadNotices } from '../center-api.ts';
import { DeleteNotice, DeleteRead } from '../components/delete-dialogs.tsx';
import { NoticeRow } from '../components/notice-row.tsx';
import { Preferences } from '../components/preferences.tsx';
import { type NoticeFilter, noticeFilters, noticeQuery } from '../notice-query.ts';

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
          { key: 'mail', label: t('notices.mail.title') },
        ]}
        value={shown}
        onChange={(next) => tab.setFilters({ tab: next === 'mail' ? 'mail' : null })}
      >
        {shown === 'mail' ? <Preferences /> : <Notices />}
      </Tabs>
    </Frame>
  );
}

/** Newest first. New ones appear by themselves. */
function Notices() {
  const t = useText();
  const state = useListState(noticeFilters);
  const [deleting, setDeleting] = useState<Notice | null>(null);
  const [deletingRead, setDeletingRead] = useState(false);
  const notices = useNotices(noticeQuery(state));
  const read = useReadNotices();
  const readAll = useReadAllNotices(() => toast('success', t('notices.markAll.done')));
  const { data, error } = notices;
  const unread = data?.unread ?? 0;
  const failed = error !== null && data === undefined;
  const filters: readonly Filter<NoticeFilter>[] = [
    { kind: 'search', name: 'keyword', label: t('notices.search'), placeholder: t('notices.search') },
    {
      kind: 'choice',
      name: 'read',
      label: t('notices.view.label'),
      options: [
        { value: 'false', label: t('notices.view.unread') },
        { value: 'true', label: t('notices.view.read') },
      ],
    },
    {
      kind: 'choice',
      name: 'type',
      label: t('notices.type.label'),
      options: noticeTypes.map((value) => ({ value, label: t(`notices.type.${value}`) })),
    },
  ];
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
            disabled={data === undefined || data.items.every((n) => !n.read)}
            onClick={() => setDeletingRead(true)}
          >
            {t('notices.deleteRead')}
          </Button>
        </div>
      </div>
      <section
        aria-label={t('notices.list')}
        className="min-w-0 overflow-hidden rounded-10 border border-line bg-surface"
      >
        <div className="border-b border-line px-4 py-3 md:px-5">
          <FilterBar filters={filters} state={state} />
        </div>
        {failed ? (
          <ErrorState error={error} onRetry={() => void notices.refetch()} />
        ) : (
          <Loading loading={data === undefined} skeleton={<Shape />}>
            {data?.items.length === 0 ? (
              <Nothing filtered={state.active > 0} onClear={state.clear} />
            ) : (
              <ul className={classNames('m-0 list-none p-0', notices.isPlaceholderData && 'opacity-60')}>
                {data?.items.map((notice) => (
                  <NoticeRow key={notice.id} notice={notice} onRead={(id) => read([id])} onDelete={setDeleting} />
                ))}
              </ul>
            )}
          </Loading>
        )}
        {data !== undefined && (data.total > 0 || state.page > 1) && (
          <Pager
            page={state.page}
            size={state.size}
            total={data.total}
            totalExact={data.totalExact}
            shown={data.items.length}
            hasNext={data.next !== null && !notices.isPlaceholderData}
            onPrevious={state.previous}
            onNext={() => data.next !== null && state.next(data.next)}
            onSize={state.setSize}
          />
        )}
      </section>
      <DeleteNotice notice={deleting} onClose={() => setDeleting(null)} />
      <DeleteRead open={deletingRead} onClose={() => setDeletingRead(false)} />
    </div>
  );
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const t = useText();
  if (!filtered) return <EmptyState icon="bell" title={t('notices.empty.title')} text={t('notices.empty.text')} />;
  return (
    <EmptyState
      icon="search"
      title={t('notices.none.title')}
      text={t('notices.none.text')}
      action={<Button onClick={onClear}>{t('notices.none.clear')}</Button>}
    />
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
