import { Link } from '@tanstack/react-router';
import { useUnreadCount } from '../features/notices/index.ts';
import { useText } from '../lib/locale.tsx';
import { CountBadge } from '../ui/count-badge.tsx';
import { Icon } from '../ui/icon.tsx';

/** How many notices are unread, kept up to date by live events. */
export function NoticeBell() {
  const t = useText();
  const count = useUnreadCount();
  const label = t('app.notices.bell', { count });
  return (
    <Link
      to="/app/notice-center"
      aria-label={label}
      title={label}
      className="relative inline-flex size-9 shrink-0 items-center justify-center rounded-6 text-muted hover:bg-hover hover:text-text"
    >
      <Icon name="bell" />
      <CountBadge count={count} />
    </Link>
  );
}
