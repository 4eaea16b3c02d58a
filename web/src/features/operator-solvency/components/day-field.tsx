import { useRef } from 'react';
import { dayOf, isoOf } from '../../../lib/days.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { controlClass } from '../../../ui/control-look.ts';
import { Field } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';

interface Props {
  day: string;
  /** The last day that has ended. */
  last: string;
  onChange: (day: string) => void;
}

/** A day that has ended, and the ones beside it. */
export function DayField({ day, last, onChange }: Props) {
  const t = useText();
  const formats = useFormats();
  const picker = useRef<HTMLInputElement>(null);
  const go = (days: number) => {
    const date = dayOf(day);
    date.setDate(date.getDate() + days);
    onChange(isoOf(date));
  };
  return (
    <div className="flex items-end gap-1">
      <Field label={t('ops.solvency.day')}>
        {(aria) => (
          <span className="relative inline-flex">
            <button
              {...aria}
              type="button"
              aria-haspopup="dialog"
              className={controlClass('flex h-9 w-44 items-center gap-2 text-left')}
              onClick={() => picker.current?.showPicker()}
            >
              <Icon name="calendar" className="shrink-0 text-faint" />
              <span className="figures truncate">{formats.date(dayOf(day))}</span>
            </button>
            {/* The browser's own calendar; what it is set to is shown above, in the reader's order of dates. */}
            <input
              ref={picker}
              type="date"
              value={day}
              max={last}
              tabIndex={-1}
              aria-hidden="true"
              onChange={({ target }) => target.value !== '' && target.value <= last && onChange(target.value)}
              className="pointer-events-none absolute inset-0 opacity-0"
            />
          </span>
        )}
      </Field>
      <IconButton icon="chevronLeft" label={t('ops.solvency.dayBefore')} onClick={() => go(-1)} />
      <IconButton icon="chevronRight" label={t('ops.solvency.dayAfter')} disabled={day >= last} onClick={() => go(1)} />
    </div>
  );
}
