import { Link } from '@tanstack/react-router';
import { useUnreadCount } from '../features/notices/index.ts';
import { useText } from '../lib/locale.tsx';
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
      {count > 0 && (
        <span
          aria-hidden="true"
          className="figures absolute top-0.5 right-0 min-w-4 rounded-full bg-negative px-1 text-center text-12 leading-4 font-medium text-on-negative"
        >
          {count > 99 ? '99+' : count}
        </span>
      )}
    </Link>
  );
}
