import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { AreaChart } from '../../../ui/chart.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { useHistory } from '../api.ts';
import { changeOver, knownDays, worthDrawing } from '../history.ts';

/** The total over the last 30 days, and by how much it changed. */
export function History() {
  const t = useText();
  const formats = useFormats();
  const history = useHistory();
  if (history.error !== null && history.data === undefined) {
    return <ErrorState error={history.error} onRetry={() => void history.refetch()} title={t('home.history.failed')} />;
  }
  const days = knownDays(history.data?.days ?? []);
  const change = changeOver(days);
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-13">
        <h3 className="m-0 text-13 font-normal text-faint">{t('home.history')}</h3>
        {change !== null && worthDrawing(days) && (
          <span className="figures text-muted">
            {t(`home.change.${change.direction}`, { amount: amountLine(change.amount, history.data?.currency) })}
          </span>
        )}
      </div>
      <Loading loading={history.data === undefined} skeleton={<Skeleton height="h-56" />}>
        {worthDrawing(days) ? (
          <AreaChart
            label={t('home.history.label')}
            points={days}
            format={(value) => amountLine(value, history.data?.currency)}
            formatDate={(at) => formats.date(new Date(`${at}T00:00`))}
          />
        ) : (
          <p className="m-0 flex h-56 items-center justify-center rounded-6 bg-sunken px-6 text-center text-13 text-faint">
            {t('home.history.empty')}
          </p>
        )}
      </Loading>
    </div>
  );
}
