import type { Notice } from '@causeway/contract/notices.ts';
import { useText } from '../../../lib/locale.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Tag } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';

interface Props {
  notice: Notice;
  onRead: (id: string) => void;
  onDelete: (notice: Notice) => void;
}

/** One notice: what happened and when, where it leads, and the ways to mark it as read and to take it away. Following its link reads it. */
export function NoticeRow({ notice, onRead, onDelete }: Props) {
  const t = useText();
  const { id, title, body, link, read, type, createdAt } = notice;
  return (
    <li className="flex gap-3 border-b border-line px-4 py-4 last:border-b-0 md:px-5">
      <span className="mt-1.5 w-2 shrink-0">
        {!read && <span className="block size-2 rounded-full bg-accent" title={t('notices.unread')} />}
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <h2
            className={classNames('m-0 min-w-0 text-14 break-words', read ? 'font-normal text-muted' : 'font-semibold')}
          >
            {!read && <span className="sr-only">{t('notices.unread')}: </span>}
            {link === null ? (
              title
            ) : (
              <PlainLink
                href={link}
                className="text-inherit underline decoration-line-strong underline-offset-4 hover:text-accent"
                onClick={() => !read && onRead(id)}
              >
                {title}
              </PlainLink>
            )}
          </h2>
          <span className="flex items-center gap-2 text-12 text-faint">
            <Tag tone={type === 'announcement' ? 'notice' : 'neutral'}>{t(`notices.type.${type}`)}</Tag>
            <Time at={createdAt} />
          </span>
        </div>
        <div className="mt-1 flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
          <p className="m-0 max-w-180 min-w-0 break-words whitespace-pre-line text-13 text-muted">{body}</p>
          <span className="-mr-1.5 ml-auto flex items-center gap-1">
            {!read && (
              <Button kind="quiet" size="small" icon="check" onClick={() => onRead(id)}>
                {t('notices.markRead')}
                <span className="sr-only">: {title}</span>
              </Button>
            )}
            <IconButton
              icon="trash"
              size="small"
              label={t('notices.delete.what', { title })}
              onClick={() => onDelete(notice)}
            />
          </span>
        </div>
      </div>
    </li>
  );
}
