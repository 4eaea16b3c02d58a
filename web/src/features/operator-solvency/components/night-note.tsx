import type { Solvency } from '@causeway/contract/operator-solvency.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Banner } from '../../../ui/states.tsx';
import { useRequest } from '../api.ts';

/** Why a day has no report, and what can be done about it; nothing where it has one and the nightly work goes on. */
export function NightNote({ solvency }: { solvency: Solvency }) {
  const t = useText();
  const formats = useFormats();
  const mayAsk = usePermission('operator.queue') === true;
  const request = useRequest();
  const { day, lastDay, firstReport, report, night } = solvency;
  const problem = night?.problem ?? null;
  const ask = mayAsk && (
    <Button
      busy={request.isPending}
      onClick={() => request.mutate({}, { onSuccess: () => toast('success', t('ops.solvency.asked')) })}
    >
      {t('ops.solvency.make')}
    </Button>
  );
  if (problem !== null && night !== null) {
    return (
      <Banner kind={night.waiting ? 'notice' : 'negative'} action={(!night.waiting && ask) || undefined}>
        {t(night.waiting ? 'ops.solvency.waits' : 'ops.solvency.problem', {
          day: night.day,
          at: formats.dateTime(night.triedAt),
          problem,
        })}
      </Banner>
    );
  }
  if (report !== null) return null;
  if (day !== lastDay) {
    const isBefore = firstReport === null || day < firstReport;
    return <Banner kind="notice">{t(isBefore ? 'ops.solvency.beforeFirst' : 'ops.solvency.missing')}</Banner>;
  }
  return (
    <Banner kind="notice" action={ask || undefined}>
      {t(firstReport === null ? 'ops.solvency.firstNight' : 'ops.solvency.making')}
    </Banner>
  );
}
