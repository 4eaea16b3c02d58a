import { lazy } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { Time } from '../../../ui/time.tsx';
import { openStanding } from '../../operator/index.ts';
import type { FailedJob } from '../api.ts';

const JobDialog = lazy(async () => ({ default: (await import('./job-dialog.tsx')).JobDialog }));

/** What was decided about a failed job, or what can be. */
export function JobActions({ job }: { job: FailedJob }) {
  const t = useText();
  const mayDecide = usePermission('operator.exception') === true;
  const ask = (act: 'retry' | 'setAside') => openStanding((close) => <JobDialog job={job} act={act} onClose={close} />);
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
          <Button size="small" onClick={() => ask('retry')}>
            {t('ops.jobs.retry')}
          </Button>
          <Button size="small" onClick={() => ask('setAside')}>
            {t('ops.jobs.setAside')}
          </Button>
        </span>
      )}
    </span>
  );
}
