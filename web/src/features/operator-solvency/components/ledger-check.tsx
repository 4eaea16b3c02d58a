import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { Banner, ErrorState } from '../../../ui/states.tsx';
import { useLedgerCheck } from '../api.ts';

/** Computes the day again from the ledger of now, and says whether it is the same. */
export function LedgerCheck({ day }: { day: string }) {
  const t = useText();
  const [wanted, setWanted] = useState(false);
  const check = useLedgerCheck(day, wanted);
  if (check.error !== null) return <ErrorState error={check.error} onRetry={() => void check.refetch()} />;
  return (
    <div className="flex flex-wrap items-center gap-3" aria-live="polite">
      {check.data === undefined ? (
        <>
          <Button busy={wanted} onClick={() => setWanted(true)}>
            {t('ops.solvency.check')}
          </Button>
          <span className="text-13 text-faint">{t('ops.solvency.checkText')}</span>
        </>
      ) : check.data.different.length === 0 ? (
        <Banner kind="positive">{t('ops.solvency.same', { count: check.data.companies })}</Banner>
      ) : (
        <Banner kind="negative">
          {t('ops.solvency.different', { companies: check.data.different.map(({ name }) => name).join(', ') })}
        </Banner>
      )}
    </div>
  );
}
