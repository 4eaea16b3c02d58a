import type { BatchRun } from '@causeway/contract/batch-runs.ts';
import { differsFromFile } from '@causeway/contract/batch-runs-rules.ts';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CardPage } from '../../../ui/card-page.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { Banner, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useCancelRun, useRun } from '../api-runs.ts';
import { RunRows } from '../components/run-rows.tsx';
import { RunTotals } from '../components/run-totals.tsx';

/** One submission of a batch: where its rows are, live. */
export function Page() {
  const { runId } = useParams({ strict: false }) as { runId: string };
  const read = useRun(runId);
  const { data } = read;
  if (data === undefined && read.error !== null) {
    return (
      <CardPage>
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      </CardPage>
    );
  }
  return (
    <Loading loading={data === undefined} skeleton={<Skeleton height="h-100" />}>
      {data && <Run run={data} />}
    </Loading>
  );
}

function Run({ run }: { run: BatchRun }) {
  const t = useText();
  const formats = useFormats();
  const { progress, rows } = run;
  const ended = progress.completed + progress.failed;
  return (
    <Frame intro={t('batches.run.intro')} actions={<Actions run={run} />}>
      {progress.paidTwice > 0 && (
        <Banner kind="negative">{t('batches.run.paidTwice', { count: progress.paidTwice })}</Banner>
      )}
      {run.waitingFor !== null && (
        <Banner kind="pending">{t('batches.run.waitingFor', { names: run.waitingFor })}</Banner>
      )}
      <Card title={run.batchName}>
        <div className="flex flex-col gap-5">
          <ProgressBar label={t('batches.run.progress')} done={ended} total={rows} />
          <DescriptionList
            facts={[
              { term: t('batches.run.state.waiting'), value: formats.count(progress.waiting) },
              { term: t('batches.run.state.underWay'), value: formats.count(progress.underWay) },
              { term: t('batches.run.state.completed'), value: formats.count(progress.completed) },
              { term: t('batches.run.state.failed'), value: formats.count(progress.failed) },
            ]}
          />
          {differsFromFile(run.edits) && <Banner kind="notice">{t('batches.run.edits', run.edits)}</Banner>}
          <RunTotals totals={run.totals} valueUsd={run.valueUsd} />
          <DescriptionList
            facts={[
              { term: t('batches.run.by'), value: run.initiator.name },
              { term: t('batches.run.at'), value: <Time at={run.createdAt} /> },
              ...(run.fileHash === null
                ? []
                : [{ term: t('batches.run.file'), value: <Fingerprint text={run.fileHash} /> }]),
              { term: t('batches.run.digest'), value: <Fingerprint text={run.digest} /> },
            ]}
          />
        </div>
      </Card>
      <RunRows runId={run.id} />
    </Frame>
  );
}

function Fingerprint({ text }: { text: string }) {
  return (
    <span className="figures inline-flex items-center gap-1">
      {text.slice(0, 8)}…{text.slice(-8)}
      <CopyButton text={text} />
    </span>
  );
}

function Actions({ run }: { run: BatchRun }) {
  const t = useText();
  const mayMake = usePermission('transfer.create') === true;
  const [asking, setAsking] = useState(false);
  const cancel = useCancelRun(() => {
    setAsking(false);
    toast('success', t('batches.run.cancelled'));
  });
  return (
    <>
      {run.cancellable && <Button onClick={() => setAsking(true)}>{t('batches.run.cancel')}</Button>}
      {mayMake && run.open > 0 && (
        <PlainLink href={`/app/storm/${run.batchId}/submit`} className={buttonClass('primary')}>
          {t('batches.run.sendAgain', { count: run.open })}
        </PlainLink>
      )}
      {run.approvalTaskId !== null && (
        <PlainLink href={`/app/approval/${run.approvalTaskId}`} className={buttonClass('secondary')}>
          {t('batches.run.approval')}
        </PlainLink>
      )}
      <PlainLink
        href={`/app/transaction?${new URLSearchParams({ batchId: run.batchId, batchRunId: run.id })}`}
        className={buttonClass('secondary')}
      >
        {t('batches.run.transactions')}
      </PlainLink>
      <PlainLink href={`/app/storm/${run.batchId}`} className={buttonClass('secondary')}>
        {t('batches.run.batch')}
      </PlainLink>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('batches.run.cancelTitle')}
        description={t('batches.run.cancelText')}
        facts={[
          { term: t('batches.run.name'), value: run.batchName },
          { term: t('batches.run.state.waiting'), value: String(run.progress.waiting) },
        ]}
        confirmText={t('batches.run.cancel')}
        cancelText={t('batches.run.keep')}
        negative
        busy={cancel.isPending}
        onConfirm={() => cancel.mutate({ body: { id: run.id } })}
      />
    </>
  );
}
