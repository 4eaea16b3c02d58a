import { lazy, Suspense, useState } from 'react';
import { type DateRange, dayOf } from '../lib/days.ts';
import { useFormats } from '../lib/format.ts';
import { type Translate, useText } from '../lib/locale.tsx';
import { controlClass } from './control-look.ts';
import { useOpenedOnce } from './deferred.ts';
import { Field, type FieldFrame, splitFrame } from './field.tsx';
import { Icon } from './icon.tsx';

export interface DateRangeFieldProps extends FieldFrame {
  value: DateRange;
  onChange: (range: DateRange) => void;
}

const Popup = lazy(async () => ({ default: (await import('./date-range-popup.tsx')).DateRangePopup }));

/** A span of days: a few common ones, or two days of a calendar. */
export function DateRangeField(props: DateRangeFieldProps) {
  const t = useText();
  const formats = useFormats();
  const [frame, { value, onChange }] = splitFrame(props);
  const [open, setOpen] = useState(false);
  const needed = useOpenedOnce(open);
  return (
    <Field {...frame}>
      {(aria) => {
        const button = (
          <button
            {...aria}
            type="button"
            aria-haspopup="dialog"
            className={controlClass('flex h-9 items-center gap-2 text-left')}
            onClick={() => setOpen(true)}
          >
            <Icon name="calendar" className="shrink-0 text-faint" />
            <span className="figures truncate">{rangeText(value, t, formats.date)}</span>
          </button>
        );
        if (!needed) return button;
        return (
          <Suspense fallback={button}>
            <Popup
              trigger={button}
              label={frame.label}
              open={open}
              onOpenChange={setOpen}
              value={value}
              onChange={onChange}
            />
          </Suspense>
        );
      }}
    </Field>
  );
}

function rangeText({ from, to }: DateRange, t: Translate, format: (date: Date) => string): string {
  if (from === '') return t('ui.dates.any');
  const first = format(dayOf(from));
  if (to === '') return t('ui.dates.from', { from: first });
  return from === to ? first : t('ui.dates.range', { from: first, to: format(dayOf(to)) });
}
