import type { PayoutSchedule } from '@causeway/contract/payout-templates.ts';
import { useState } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { useEndSchedule, usePauseSchedule } from '../api-templates.ts';
import { sayDay, sayPayDays } from '../template-words.ts';
import { ScheduleForm } from './schedule-form.tsx';

const tones = { running: 'positive', paused: 'pending', ended: 'neutral' } as const;

interface Props {
  template: { id: string; name: string; timeZone: string; schedule: PayoutSchedule | null };
  mayChange: boolean;
}

/** When a template repeats, and what can be done about it. */
export function ScheduleCard({ template: { id, name, timeZone, schedule }, mayChange }: Props) {
  const t = useText();
  const [open, setOpen] = useState<'form' | 'end' | null>(null);
  const pause = usePauseSchedule();
  const end = useEndSchedule(() => {
    setOpen(null);
    toast('success', t('batches.templates.schedule.endedToast'));
  });
  const set = (isPaused: boolean) => pause.mutate({ body: { id, isPaused } });
  const change = (
    <Button size="small" onClick={() => setOpen('form')}>
      {t(schedule === null ? 'batches.templates.schedule.add' : 'batches.templates.schedule.change')}
    </Button>
  );
  return (
    <Card
      title={t('batches.templates.schedule')}
      aside={
        schedule && <StatusDot tone={tones[schedule.state]}>{t(`batches.templates.state.${schedule.state}`)}</StatusDot>
      }
    >
      {schedule === null ? (
        <EmptyState
          icon="clock"
          title={t('batches.templates.schedule.none')}
          text={t('batches.templates.schedule.noneText')}
          {...(mayChange && { action: change })}
        />
      ) : (
        <div className="flex flex-col gap-4">
          <ScheduleFacts schedule={schedule} />
          {mayChange && (
            <div className="flex flex-wrap gap-2">
              {change}
              {schedule.state !== 'ended' && (
                <>
                  <Button size="small" busy={pause.isPending} onClick={() => set(schedule.state === 'running')}>
                    {t(
                      schedule.state === 'running'
                        ? 'batches.templates.schedule.pause'
                        : 'batches.templates.schedule.resume',
                    )}
                  </Button>
                  <Button size="small" onClick={() => setOpen('end')}>
                    {t('batches.templates.schedule.end')}
                  </Button>
                </>
              )}
            </div>
          )}
        </div>
      )}
      {open === 'form' && (
        <ScheduleForm templateId={id} timeZone={timeZone} schedule={schedule} onClose={() => setOpen(null)} />
      )}
      <ConfirmDialog
        open={open === 'end'}
        onOpenChange={(next) => next || setOpen(null)}
        title={t('batches.templates.schedule.endTitle')}
        description={t('batches.templates.schedule.endText')}
        facts={[{ term: t('batches.templates.name'), value: name }]}
        confirmText={t('batches.templates.schedule.end')}
        negative
        busy={end.isPending}
        onConfirm={() => end.mutate({ body: { id } })}
      />
    </Card>
  );
}

function ScheduleFacts({ schedule }: { schedule: PayoutSchedule }) {
  const t = useText();
  const formats = useFormats();
  const { next, time, timeZone, prepareDays, firstDay, lastDay, initiator } = schedule;
  return (
    <DescriptionList
      columns
      facts={[
        { term: t('batches.templates.payDays'), value: sayPayDays(t, schedule) },
        {
          term: t('batches.templates.prepared'),
          value: t('batches.templates.preparedAt', { count: prepareDays, time, zone: timeZone }),
        },
        ...(next === null
          ? []
          : [
              { term: t('batches.templates.nextPayDay'), value: sayDay(formats, next.payDay) },
              { term: t('batches.templates.nextMade'), value: <Time at={next.at} /> },
            ]),
        { term: t('batches.templates.schedule.firstDay'), value: sayDay(formats, firstDay) },
        ...(lastDay === null
          ? []
          : [{ term: t('batches.templates.schedule.lastDay'), value: sayDay(formats, lastDay) }]),
        { term: t('batches.templates.schedule.initiator'), value: initiator.name },
      ]}
    />
  );
}
