import type { PayoutSchedule } from '@causeway/contract/payout-templates.ts';
import {
  addDays,
  mostPrepareDays,
  type PayDays,
  payDaysFrom,
  type SchedulePeriod,
  schedulePeriods,
  type WeekendRule,
  weekendRules,
} from '@causeway/contract/payout-templates-rules.ts';
import { useId, useState } from 'react';
import { isoIn } from '../../../lib/days.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { useUser } from '../../../lib/user.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { useNamedOptions } from '../../organisation/index.ts';
import { useSchedule } from '../api-templates.ts';
import { sayDay } from '../template-words.ts';

const weekdays = ['1', '2', '3', '4', '5', '6', '7'];
const monthdays = Array.from({ length: 31 }, (_, index) => String(index + 1));
const prepared = Array.from({ length: mostPrepareDays + 1 }, (_, days) => String(days));
const shownDays = 3;

interface Values {
  every: SchedulePeriod;
  weekday: string;
  monthday: string;
  weekend: WeekendRule;
  time: string;
  prepareDays: string;
  firstDay: string;
  lastDay: string;
  initiatorId: string;
}

interface Props {
  templateId: string;
  /** The company's, by which the days of a schedule count. */
  timeZone: string;
  schedule: PayoutSchedule | null;
  onClose: () => void;
}

/** When a template repeats, with the dates of its next turns; saving replaces the schedule that there was. */
export function ScheduleForm({ templateId, timeZone, schedule, onClose }: Props) {
  const t = useText();
  const formats = useFormats();
  const formId = useId();
  const me = useUser()?.id ?? '';
  const today = isoIn(timeZone, new Date());
  const { members } = useNamedOptions();
  const save = useSchedule();
  const [values, setValues] = useState<Values>(() => valuesOf(schedule, today, me));
  const set = (change: Partial<Values>) => setValues((before) => ({ ...before, ...change }));
  const { every, weekend, time, prepareDays, firstDay, lastDay, initiatorId } = values;
  const payDays = payDaysOf(values);
  const next = firstDay === '' ? [] : payDaysFrom(payDays, addDays(today, Number(prepareDays)), shownDays);
  const isReady = next.length > 0 && time !== '' && initiatorId !== '';
  const submit = () => {
    if (!isReady || save.isPending) return;
    save.mutate(
      { body: { id: templateId, ...payDays, time, prepareDays: Number(prepareDays), initiatorId } },
      {
        onSuccess: ({ payDay }) => {
          toast('success', t('batches.templates.schedule.saved', { day: sayDay(formats, payDay) }));
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => open || save.isPending || onClose()}
      title={t('batches.templates.schedule')}
      description={t('batches.templates.schedule.intro')}
      actions={
        <>
          <Button disabled={save.isPending} onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button kind="primary" type="submit" form={formId} busy={save.isPending} disabled={!isReady}>
            {t('batches.templates.schedule.save')}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="grid gap-4 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <SelectField
          label={t('batches.templates.schedule.every')}
          options={schedulePeriods.map((value) => ({ value, label: t(`batches.templates.every.${value}`) }))}
          value={every}
          onChange={(value) => set({ every: value })}
        />
        {every === 'week' ? (
          <SelectField
            label={t('batches.templates.schedule.weekday')}
            options={weekdays.map((value) => ({ value, label: t(`batches.templates.weekday.${value}`) }))}
            value={values.weekday}
            onChange={(weekday) => set({ weekday })}
          />
        ) : (
          <SelectField
            label={t('batches.templates.schedule.monthday')}
            hint={t('batches.templates.schedule.monthdayHint')}
            options={monthdays.map((value) => ({ value, label: value }))}
            value={values.monthday}
            onChange={(monthday) => set({ monthday })}
          />
        )}
        <SelectField
          label={t('batches.templates.schedule.weekend')}
          hint={t('batches.templates.schedule.weekendHint')}
          options={weekendRules.map((value) => ({ value, label: t(`batches.templates.weekend.${value}`) }))}
          value={weekend}
          onChange={(value) => set({ weekend: value })}
        />
        <SelectField
          label={t('batches.templates.schedule.prepare')}
          options={prepared.map((value) => ({ value, label: t('batches.templates.days', { count: Number(value) }) }))}
          value={prepareDays}
          onChange={(value) => set({ prepareDays: value })}
        />
        <TextField
          type="time"
          label={t('batches.templates.schedule.time')}
          hint={t('batches.templates.schedule.timeHint')}
          value={time}
          onChange={(event) => set({ time: event.target.value })}
        />
        <SelectField
          label={t('batches.templates.schedule.initiator')}
          hint={t('batches.templates.schedule.initiatorHint')}
          options={members}
          value={initiatorId}
          onChange={(value) => set({ initiatorId: value })}
        />
        <TextField
          type="date"
          label={t('batches.templates.schedule.firstDay')}
          value={firstDay}
          onChange={(event) => set({ firstDay: event.target.value })}
        />
        <TextField
          type="date"
          label={t('batches.templates.schedule.lastDay')}
          optional
          value={lastDay}
          onChange={(event) => set({ lastDay: event.target.value })}
        />
        <div className="sm:col-span-2" aria-live="polite">
          <NextDays days={next} prepareDays={Number(prepareDays)} />
        </div>
      </form>
    </Dialog>
  );
}

function NextDays({ days, prepareDays }: { days: readonly string[]; prepareDays: number }) {
  const t = useText();
  const formats = useFormats();
  if (days.length === 0) return <p className="m-0 text-13 text-negative">{t('batches.templates.schedule.noDays')}</p>;
  return (
    <>
      <h3 className="m-0 mb-2 text-14 font-semibold">{t('batches.templates.schedule.nextDays')}</h3>
      <ul className="m-0 list-none rounded-6 border border-line p-0">
        {days.map((day) => (
          <li
            key={day}
            className="flex flex-wrap justify-between gap-x-4 border-b border-line px-4 py-2 text-13 last:border-b-0"
          >
            <span className="figures">{sayDay(formats, day)}</span>
            <span className="text-muted">
              {t('batches.templates.preparedOn', { day: sayDay(formats, addDays(day, -prepareDays)) })}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function payDaysOf({ every, weekday, monthday, weekend, firstDay, lastDay }: Values): PayDays {
  const day = Number(every === 'week' ? weekday : monthday);
  return { every, day, weekend, firstDay, lastDay: lastDay === '' ? null : lastDay };
}

function valuesOf(schedule: PayoutSchedule | null, today: string, me: string): Values {
  if (schedule === null) {
    const plain = { weekday: '5', monthday: '25', weekend: 'before', time: '09:00', prepareDays: '3' } as const;
    return { ...plain, every: 'month', firstDay: today, lastDay: '', initiatorId: me };
  }
  const { every, day, weekend, time, prepareDays, firstDay, lastDay, initiator } = schedule;
  return {
    ...{ every, weekend, time, firstDay, lastDay: lastDay ?? '', prepareDays: String(prepareDays) },
    weekday: every === 'week' ? String(day) : '5',
    monthday: every === 'month' ? String(day) : '25',
    initiatorId: initiator.id,
  };
}
