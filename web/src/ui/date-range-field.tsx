import { lazy, Suspense, useState } from 'react';
import { useFormats } from '../lib/format.ts';
import { type Translate, useText } from '../lib/locale.tsx';
import { useOpenedOnce } from './deferred.ts';
import { controlClass, Field, type FieldFrame, splitFrame } from './field.tsx';
import { Icon } from './icon.tsx';

/** Days of the reader's own calendar as ISO dates (`2026-11-21`), both included; empty when open on that side. */
export interface DateRange {
  from: string;
  to: string;
}

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

/** Midnight of that day where the reader is: `new Date('2026-11-21')` would be midnight in Greenwich. */
export function dayOf(iso: string): Date {
  const [year = 0, month = 1, day = 1] = iso.split('-').map(Number);
  return new Date(year, month - 1, day);
}

/** The ISO date of a moment, in the reader's zone. */
export function isoOf(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The span that ends today and is `days` long. */
export function lastDays(days: number, today = new Date()): DateRange {
  const from = new Date(today.getFullYear(), today.getMonth(), today.getDate() - days + 1);
  return { from: isoOf(from), to: isoOf(today) };
}

/** The same span as instants for the server: from the first moment of the first day to the last of the last. */
export function instantsOf({ from, to }: DateRange): { from?: string; to?: string } {
  const end = to === '' ? null : dayOf(to);
  end?.setHours(23, 59, 59, 999);
  return {
    ...(from !== '' && { from: dayOf(from).toISOString() }),
    ...(end && { to: end.toISOString() }),
  };
}
