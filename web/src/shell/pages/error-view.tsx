import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ApiError } from '../../lib/api-error.ts';
import { useText } from '../../lib/locale.tsx';
import { messageOf } from '../../lib/report-error.ts';
import { Button } from '../../ui/button.tsx';

/** A route failed while loading or drawing: says so, offers another try, names the request. */
export function ErrorView({ error, reset }: ErrorComponentProps) {
  const t = useText();
  const router = useRouter();
  const requestId = error instanceof ApiError ? error.requestId : null;
  const retry = async () => {
    await router.invalidate();
    reset();
  };
  return (
    <div role="alert" className="flex min-h-[60vh] flex-col items-center justify-center gap-3 px-6 text-center">
      <h1 data-heading tabIndex={-1} className="m-0 text-20 font-semibold">
        {t(error instanceof ApiError ? 'ui.error.title' : 'app.error.title')}
      </h1>
      <p className="m-0 max-w-120 text-muted">{error instanceof ApiError ? messageOf(error) : t('app.error.text')}</p>
      {requestId !== null && (
        <p className="m-0 font-mono text-12 text-faint">{t('ui.error.requestId', { id: requestId })}</p>
      )}
      <div className="mt-3">
        <Button kind="primary" onClick={() => void retry()}>
          {t('ui.retry')}
        </Button>
      </div>
    </div>
  );
}
