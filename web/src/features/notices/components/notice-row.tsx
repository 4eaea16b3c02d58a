import type { Notice } from '@causeway/contract/notices.ts';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Tag } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';

interface Props {
  notice: Notice;
  onRead: (id: string) => void;
}

/** One notice: what happened and when, where it leads, and the way to mark it as read. Following its link reads it. */
export function NoticeRow({ notice, onRead }: Props) {
  const t = useText();
  const { id, title, body, link, read, type, createdAt } = notice;
  return (
    <li className="flex gap-3 border-b border-line px-4 py-4 last:border-b-0 md:px-5">
      <span className="mt-1.5 w-2 shrink-0">
        {!read && <span className="block size-2 rounded-full bg-accent" title={t('notices.unreadDot')} />}
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <h2
            className={classNames('m-0 min-w-0 text-14 break-words', read ? 'font-normal text-muted' : 'font-semibold')}
          >
            {!read && <span className="sr-only">{t('notices.unreadDot')}: </span>}
            {title}
          </h2>
          <span className="flex items-center gap-2 text-12 text-faint">
            <Tag tone={type === 'announcement' ? 'notice' : 'neutral'}>{t(`notices.type.${type}`)}</Tag>
            <Time at={createdAt} />
          </span>
        </div>
        {body !== '' && (
          <p className="mt-1 mb-0 max-w-180 break-words whitespace-pre-line text-13 text-muted">{body}</p>
        )}
        {(link !== null || !read) && (
          <div className="mt-1.5 -ml-2.5 flex items-center gap-1">
            {link !== null && (
              <PlainLink
                href={link}
                className="inline-flex h-7 items-center rounded-6 px-2.5 text-13 font-medium text-accent no-underline hover:bg-hover"
                onClick={() => !read && onRead(id)}
              >
                {t('notices.open')}
                <span className="sr-only">: {title}</span>
              </PlainLink>
            )}
            {!read && (
              <Button kind="quiet" size="small" onClick={() => onRead(id)}>
                {t('notices.markRead')}
                <span className="sr-only">: {title}</span>
              </Button>
            )}
          </div>
        )}
      </div>
    </li>
  );
}
