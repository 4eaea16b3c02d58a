import type { ReactNode } from 'react';
import { ApiError } from '../lib/api-error.ts';
import { useText } from '../lib/locale.tsx';
import { messageOf } from '../lib/report-error.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

/** Holds the place of a line of text while it loads; `width` as a class, e.g. `w-24`. */
export function Skeleton({ width = 'w-full', height = 'h-4' }: { width?: string; height?: string }) {
  return <span aria-hidden="true" className={classNames('block animate-breathe rounded-6 bg-sunken', width, height)} />;
}

/** Skeletons for as long as `loading` holds, said once to a screen reader; then the content. */
export function Loading({
  loading,
  skeleton,
  children,
}: {
  loading: boolean;
  skeleton: ReactNode;
  children: ReactNode;
}) {
  const t = useText();
  if (!loading) return children;
  return (
    <div aria-busy="true">
      <span role="status" className="sr-only">
        {t('ui.loading')}
      </span>
      {skeleton}
    </div>
  );
}

interface EmptyStateProps {
  icon?: IconName;
  /** What is loading. */
  title: string;
  text?: ReactNode;
  /** The first step. */
  action?: ReactNode;
}

/** Nothing here yet: says what goes here and offers the first step. */
export function EmptyState({ icon = 'list', title, text, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-14 text-center">
      <span className="mb-1 inline-flex size-10 items-center justify-center rounded-full bg-sunken text-faint">
        <Icon name={icon} size={20} />
      </span>
      <p className="m-0 font-medium">{title}</p>
      {text !== undefined && <p className="m-0 max-w-100 text-13 text-faint">{text}</p>}
      {action !== undefined && <div className="mt-3">{action}</div>}
    </div>
  );
}

interface ErrorStateProps {
  error: unknown;
  onRetry?: () => void;
  /** What could not be shown, when the error's own sentence does not say it. */
  title?: string;
}

/** Refused (decisions, "Screens"): the person's role does not allow it, and who could change that. */
export function NoPermission() {
  const t = useText();
  return (
    <div role="alert">
      <EmptyState icon="shield" title={t('ui.error.noPermission')} text={t('ui.error.noPermissionText')} />
    </div>
  );
}

/**
 * Something failed: what happened, a way to try again, and the request id for support. A refusal for want
 * of permission is shown as such: trying again would not help.
 */
export function ErrorState({ error, onRetry, title }: ErrorStateProps) {
  const t = useText();
  if (error instanceof ApiError && error.status === 403) return <NoPermission />;
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div role="alert" className="flex flex-col items-center gap-2 px-6 py-14 text-center">
      <span className="mb-1 inline-flex size-10 items-center justify-center rounded-full bg-negative-soft text-negative">
        <Icon name="warning" size={20} />
      </span>
      <p className="m-0 font-medium">{title ?? t('ui.error.title')}</p>
      <p className="m-0 max-w-100 text-13 text-muted">{messageOf(error)}</p>
      {requestId !== null && (
        <p className="m-0 font-mono text-12 text-faint">{t('ui.error.requestId', { id: requestId })}</p>
      )}
      {onRetry && (
        <div className="mt-3">
          <Button onClick={onRetry}>{t('ui.retry')}</Button>
        </div>
      )}
    </div>
  );
}

/**
 * What a banner says about: `notice` something to know, `progress` something that goes on without anybody, `pending` something
 * to mind, `negative` something wrong.
 */
type BannerKind = 'notice' | 'progress' | 'pending' | 'negative' | 'positive';

const bannerLooks: Record<BannerKind, { look: string; icon: IconName }> = {
  notice: { look: 'bg-notice-soft text-notice', icon: 'info' },
  progress: { look: 'bg-accent-soft text-accent', icon: 'clock' },
  pending: { look: 'bg-pending-soft text-pending', icon: 'warning' },
  negative: { look: 'bg-negative-soft text-negative', icon: 'warning' },
  positive: { look: 'bg-positive-soft text-positive', icon: 'check' },
};

interface BannerProps {
  kind: BannerKind;
  children: ReactNode;
  action?: ReactNode;
  /** Over the whole width of the page, without corners. */
  flush?: boolean;
}

/** What holds for the whole page, or for the whole of a form. On a narrow screen the action takes a line of its own. */
export function Banner({ kind, children, action, flush }: BannerProps) {
  const { look, icon } = bannerLooks[kind];
  return (
    <div
      role="status"
      className={classNames('flex items-center gap-2.5 px-4 py-2.5 text-13', look, !flush && 'rounded-10')}
    >
      <Icon name={icon} />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 grow basis-60 text-text">{children}</div>
        {action}
      </div>
    </div>
  );
}
