import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { ControlNote, PendingChanges, useTellChange } from '../../control/index.ts';
import { useRiskSetting, useSetRiskSetting } from '../api.ts';

/** The company's setting that money goes to whitelisted accounts alone; each change is confirmed. */
export function OnlyWhitelisted() {
  const t = useText();
  const mayManage = usePermission('setting.manage');
  const setting = useRiskSetting();
  const change = useSetRiskSetting();
  const tell = useTellChange();
  const [asking, setAsking] = useState(false);
  const { data } = setting;
  // The list beneath says what is wrong when reading fails: both need the same permission.
  if (data === undefined) return setting.error === null ? <Skeleton height="h-20" /> : null;
  const on = data.onlyWhitelisted;
  const confirm = () =>
    change.mutate(
      { body: { onlyWhitelisted: !on } },
      {
        onSuccess: (effect) => {
          tell(effect, t('risk.set'));
          setAsking(false);
        },
      },
    );
  return (
    <Card>
      <PendingChanges
        kinds={['setRiskSetting', 'addListEntry', 'editListEntry', 'deleteListEntry', 'importNamelist']}
        spaced
      />
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div className="min-w-0">
          <StatusDot tone={on ? 'positive' : 'neutral'} detail={t(on ? 'risk.only.onText' : 'risk.only.offText')}>
            <span className="font-medium whitespace-normal">{t(on ? 'risk.only.on' : 'risk.only.off')}</span>
          </StatusDot>
          {data.updatedAt !== null && (
            <p className="m-0 mt-1 text-12 text-faint">
              {t('risk.only.changed', { name: data.updatedBy ?? '–' })} · <Time at={data.updatedAt} />
            </p>
          )}
        </div>
        {mayManage && (
          <Button onClick={() => setAsking(true)}>{t(on ? 'risk.only.switchOff' : 'risk.only.switchOn')}</Button>
        )}
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t(on ? 'risk.only.offTitle' : 'risk.only.onTitle')}
        description={t(on ? 'risk.only.offConfirm' : 'risk.only.onConfirm')}
        confirmText={t(on ? 'risk.only.switchOff' : 'risk.only.switchOn')}
        busy={change.isPending}
        onConfirm={confirm}
      >
        {on && <ControlNote permission="setting.manage" />}
      </ConfirmDialog>
    </Card>
  );
}
