import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useLatestNotices } from '../../notices/index.ts';
import { AllLink } from './list-card.tsx';

const shown = 5;

/** The newest notices, the unread ones marked; all of them are in the notice centre. */
export function LatestNotices() {
  const t = useText();
  const latest = useLatestNotices();
  const rows = latest.data?.items.slice(0, shown);
  return (
    <Card title={t('home.notices')} aside={<AllLink to="/app/notice-center" label={t('home.notices.all')} />} flush>
      {latest.error !== null && rows === undefined ? (
        <ErrorState error={latest.error} onRetry={() => void latest.refetch()} />
      ) : (
        <Loading loading={rows === undefined} skeleton={<Shape />}>
          {rows?.length === 0 ? (
            <EmptyState icon="bell" title={t('home.notices.empty')} text={t('home.notices.emptyText')} />
          ) : (
            <ul className="m-0 list-none p-0">
              {rows?.map((notice) => (
                <li key={notice.id} className="border-b border-line last:border-b-0">
                  <PlainLink
                    href={notice.link ?? '/app/notice-center'}
                    className="flex gap-2.5 px-5 py-3 text-text no-underline -outline-offset-2 hover:bg-hover"
                  >
                    <span
                      aria-hidden="true"
                      className={classNames('mt-1.5 size-2 shrink-0 rounded-full', !notice.read && 'bg-accent')}
                    />
                    <span className="min-w-0">
                      {!notice.read && <span className="sr-only">{t('home.notices.unread')}: </span>}
                      <span className={classNames('block truncate', notice.read ? 'text-muted' : 'font-medium')}>
                        {notice.title}
                      </span>
                      <span className="block text-12 text-faint">
                        <Time at={notice.createdAt} />
                      </span>
                    </span>
                  </PlainLink>
                </li>
              ))}
            </ul>
          )}
        </Loading>
      )}
    </Card>
  );
}

function Shape() {
  return (
    <div>
      {['a', 'b', 'c', 'd'].map((key) => (
        <div key={key} className="flex flex-col gap-2 border-b border-line px-5 py-3 pl-10 last:border-b-0">
          <Skeleton width="w-40" />
          <Skeleton width="w-28" height="h-3" />
        </div>
      ))}
    </div>
  );
}
