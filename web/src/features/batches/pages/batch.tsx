import { Navigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { messageOf } from '../../../lib/report-error.ts';
import { Button } from '../../../ui/button.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { Banner, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { type Batch, useBatch, useReading } from '../api.ts';
import { AskedDays } from '../components/asked-days.tsx';
import { BatchActions } from '../components/batch-actions.tsx';
import { BatchHead } from '../components/batch-head.tsx';
import { BatchRows } from '../components/batch-rows.tsx';
import { BatchRuns } from '../components/batch-runs.tsx';
import { MappingForm } from '../components/mapping-form.tsx';
import { SaveAsTemplate } from '../components/save-as-template.tsx';

/** One batch: its columns matched, its rows read, mended, and then submitted. */
export function Page() {
  const { id } = useParams({ strict: false }) as { id: string };
  const read = useBatch(id);
  const batch = read.data?.id === id ? read.data : undefined;
  if (batch === undefined && read.error !== null) {
    return (
      <Frame>
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      </Frame>
    );
  }
  if (batch?.isTemplate) return <Navigate to="/app/storm/templates/$id" params={{ id }} replace />;
  return (
    <Loading loading={batch === undefined} skeleton={<Skeleton height="h-100" />}>
      {batch && <BatchPage key={batch.id} batch={batch} />}
    </Loading>
  );
}

function BatchPage({ batch }: { batch: Batch }) {
  const t = useText();
  const mayMake = usePermission('transfer.create') === true;
  const [isMapping, setMapping] = useState(false);
  const reading = useReading(batch, mayMake);
  const { state, preview } = batch;
  const canEdit = mayMake && state === 'draft';
  return (
    <Frame
      intro={t('batches.batchIntro')}
      {...(mayMake && {
        actions: (
          <>
            {preview !== null && state !== 'mapping' && !isMapping && (
              <Button onClick={() => setMapping(true)}>{t('batches.map.change')}</Button>
            )}
            {state !== 'mapping' && batch.rows > 0 && (
              <SaveAsTemplate from={batch} text={t('batches.templates.saveAs')} />
            )}
            <BatchActions batch={batch} />
          </>
        ),
      })}
    >
      <BatchHead batch={batch} />
      {state !== 'submitted' && <AskedDays asked={batch.asked} />}
      {mayMake && (state === 'mapping' || isMapping) && (
        <MappingForm
          key={batch.preview?.encoding}
          batch={batch}
          onDone={state === 'mapping' ? null : () => setMapping(false)}
        />
      )}
      {!mayMake && state === 'mapping' && <Banner kind="progress">{t('batches.notMapped')}</Banner>}
      {state === 'reading' && !isMapping && <ReadingProgress reading={reading} />}
      {(state === 'draft' || state === 'submitted') && !isMapping && (
        <BatchRuns batchId={batch.id} canSubmit={batch.rows > 0 && batch.counts.wrong === 0} />
      )}
      {(state === 'draft' || state === 'submitted') && !isMapping && <BatchRows batch={batch} canEdit={canEdit} />}
    </Frame>
  );
}

function ReadingProgress({ reading: { readTo, rows, error, goOn } }: { reading: ReturnType<typeof useReading> }) {
  const t = useText();
  return (
    <div className="flex flex-col gap-3 rounded-10 border border-line bg-surface p-5">
      <ProgressBar label={t('batches.reading')} done={readTo} total={rows} />
      {error !== null && (
        <Banner
          kind="negative"
          action={
            <Button size="small" onClick={goOn}>
              {t('batches.readOn')}
            </Button>
          }
        >
          {messageOf(error)}
        </Banner>
      )}
    </div>
  );
}
