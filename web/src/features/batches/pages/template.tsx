import { useParams } from '@tanstack/react-router';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Card } from '../../../ui/card.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { type Batch, useBatch, useReading } from '../api.ts';
import { useTemplate } from '../api-templates.ts';
import { BatchRows } from '../components/batch-rows.tsx';
import { ScheduleCard } from '../components/schedule-card.tsx';
import { TemplateActions } from '../components/template-actions.tsx';
import { TemplateTurns } from '../components/template-turns.tsx';

/** One template: its rows, when it repeats, and the batches that its schedule made. */
export function Page() {
  const t = useText();
  const formats = useFormats();
  const { id } = useParams({ strict: false }) as { id: string };
  const mayMake = usePermission('transfer.create') === true;
  const read = useTemplate(id);
  const rows = useBatch(id);
  const template = read.data?.id === id ? read.data : undefined;
  const batch = rows.data?.id === id ? rows.data : undefined;
  const error = (template === undefined && read.error) || (batch === undefined && rows.error);
  if (error) {
    return (
      <Frame>
        <ErrorState error={error} onRetry={() => void Promise.all([read.refetch(), rows.refetch()])} />
      </Frame>
    );
  }
  return (
    <Loading loading={template === undefined || batch === undefined} skeleton={<Skeleton height="h-100" />}>
      {template && batch && (
        <Frame
          intro={t('batches.templates.detailIntro')}
          {...(mayMake && { actions: <TemplateActions template={{ ...template, rows: batch.rows }} /> })}
        >
          <Card title={template.name}>
            <DescriptionList
              columns
              facts={[
                { term: t('batches.templates.rows'), value: formats.count(batch.rows) },
                {
                  term: t('batches.templates.totals'),
                  value: batch.totals.map(({ asset, amount }) => amountLine(amount, asset)).join(', ') || '–',
                },
                ...(template.note === '' ? [] : [{ term: t('batches.templates.note'), value: template.note }]),
                { term: t('batches.field.createdBy'), value: template.createdBy.name },
              ]}
            />
          </Card>
          <ScheduleCard template={template} mayChange={mayMake} />
          <TemplateTurns turns={template.turns} />
          <Rows key={batch.id} batch={batch} mayMake={mayMake} />
        </Frame>
      )}
    </Loading>
  );
}

function Rows({ batch, mayMake }: { batch: Batch; mayMake: boolean }) {
  const t = useText();
  const { readTo, rows } = useReading(batch, mayMake);
  if (batch.state === 'reading') return <ProgressBar label={t('batches.reading')} done={readTo} total={rows} />;
  return <BatchRows batch={batch} canEdit={mayMake} />;
}
