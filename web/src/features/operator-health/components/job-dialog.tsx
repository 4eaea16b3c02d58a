import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { ReasonDialog } from '../../operator/index.ts';
import { type FailedJob, useRetryJob, useSetJobAside } from '../api.ts';

/** Asks for the reason to run a failed job again, or to set it aside. */
export function JobDialog({ job, act, onClose }: { job: FailedJob; act: 'retry' | 'setAside'; onClose: () => void }) {
  const t = useText();
  const retry = useRetryJob();
  const setAside = useSetJobAside();
  return (
    <ReasonDialog
      title={t(`ops.jobs.${act}Title`)}
      text={t(`ops.jobs.${act}Text`)}
      submitText={t(`ops.jobs.${act}`)}
      facts={[
        { term: t('ops.queues.name'), value: job.name },
        { term: t('ops.health.company'), value: job.companyName ?? '–' },
        { term: t('ops.jobs.error'), value: <span className="wrap-anywhere">{job.error ?? '–'}</span> },
      ]}
      onSubmit={async ({ reason }) => {
        await (act === 'retry' ? retry : setAside).mutateAsync({ params: { jobId: job.id }, body: { reason } });
        toast('success', t(`ops.jobs.${act}Toast`));
      }}
      onClose={onClose}
    />
  );
}
