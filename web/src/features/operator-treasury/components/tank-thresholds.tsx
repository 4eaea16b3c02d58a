import { lazy, Suspense, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Chain, Tank } from '../api.ts';

const ThresholdDialog = lazy(async () => ({ default: (await import('./threshold-dialog.tsx')).ThresholdDialog }));

/** When the tank is low and when it stops, who set that and since when; a proposal to change it. */
export function TankThresholds({ chain, tank }: { chain: Chain; tank: Tank }) {
  const t = useText();
  const mayChange = usePermission('operator.treasury') === true;
  const [isOpen, setOpen] = useState(false);
  const { warnDays: days, warnPayments: payments, stopPayments, change, proposalId } = tank.threshold;
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-t border-line pt-5">
      <div className="flex min-w-0 flex-col gap-1 text-13">
        <span className="text-faint">{t('ops.threshold.heading')}</span>
        <span>{t('ops.tank.threshold', { days, payments })}</span>
        <span>
          {stopPayments === 0 ? t('ops.threshold.noStop') : t('ops.threshold.stopsBelow', { payments: stopPayments })}
        </span>
        <span className="text-faint">
          {change === null ? (
            t('ops.threshold.default')
          ) : (
            <>
              {t('ops.threshold.by', { by: change.by, confirmedBy: change.confirmedBy })} <Time at={change.at} />
            </>
          )}
        </span>
      </div>
      {proposalId !== null && (
        <PlainLink href={`/app/confirmations/${proposalId}`} className="text-13 font-medium text-accent">
          {t('ops.fees.waiting')}
        </PlainLink>
      )}
      {proposalId === null && mayChange && <Button onClick={() => setOpen(true)}>{t('ops.threshold.change')}</Button>}
      {isOpen && (
        <Suspense>
          <ThresholdDialog chain={chain} tank={tank} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
