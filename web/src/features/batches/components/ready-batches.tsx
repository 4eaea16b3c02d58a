import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner } from '../../../ui/states.tsx';
import { useTemplates } from '../api-templates.ts';
import { sayDay } from '../template-words.ts';

/** Batches that schedules made and that wait for a member to submit them. */
export function ReadyBatches() {
  const t = useText();
  const formats = useFormats();
  const ready = useTemplates().data?.ready ?? [];
  return ready.map(({ batchId, name, payDay, rows, wrong }) => (
    <Banner
      key={batchId}
      kind={wrong > 0 ? 'negative' : 'pending'}
      action={
        <PlainLink href={`/app/storm/${batchId}`} className="font-medium text-accent">
          {t(wrong > 0 ? 'batches.templates.ready.correct' : 'batches.templates.ready.submit')}
        </PlainLink>
      }
    >
      {t(wrong > 0 ? 'batches.templates.ready.wrong' : 'batches.templates.ready.text', {
        name,
        day: sayDay(formats, payDay),
        count: rows,
        wrong,
      })}
    </Banner>
  ));
}
