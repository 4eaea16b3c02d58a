import { lazy, Suspense, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { Time } from '../../../ui/time.tsx';
import type { FailedJob } from '../api.ts';

const JobDialog = lazy(async () => ({ default: (await import('./job-dialog.tsx')).JobDialog }));

/** What was decided about a failed job, or what can be. */
export function JobActions({ job }: { job: FailedJob }) {
  const t = useText();
  const mayDecide = usePermission('operator.exception') === true;
  const [asked, setAsked] = useState<'retry' | 'setAside' | null>(null);
  const { decision } = job;
  return (
    <span className="inline-flex flex-col items-start gap-1.5">
      {decision !== null && (
        <span className="text-13 wrap-anywhere">
          {t(`ops.jobs.${decision.act}Done`, { name: decision.by })} <Time at={decision.at} />
          <span className="block text-faint">{decision.reason}</span>
        </span>
      )}
      {mayDecide && decision?.act !== 'setAside' && (
        <span className="inline-flex flex-wrap gap-1.5">
          <Button size="small" onClick={() => setAsked('retry')}>
            {t('ops.jobs.retry')}
          </Button>
          <Button size="small" onClick={() => setAsked('setAside')}>
            {t('ops.jobs.setAside')}
          </Button>
        </span>
      )}
      {asked !== null && (
        <Suspense>
          <JobDialog job={job} act={asked} onClose={() => setAsked(null)} />
        </Suspense>
      )}
    </span>
  );
}
