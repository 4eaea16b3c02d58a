import { type ReactElement, useState } from 'react';
import { DayPicker, type DateRange as Span } from 'react-day-picker';
import { enUS } from 'react-day-picker/locale/en-US';
import { zhCN } from 'react-day-picker/locale/zh-CN';
import { zhHK } from 'react-day-picker/locale/zh-HK';
import { type DateRange, dayOf, isoOf, lastDays } from '../lib/days.ts';
import { useFormats } from '../lib/format.ts';
import { useLocale, useText } from '../lib/locale.tsx';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { Popover } from './popover.tsx';

interface Props {
  trigger: ReactElement;
  label: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  value: DateRange;
  onChange: (range: DateRange) => void;
}

const calendars = { 'en-us': enUS, 'zh-hk': zhHK, 'zh-cn': zhCN };

const presets = [
  ['ui.dates.today', 1],
  ['ui.dates.days7', 7],
  ['ui.dates.days30', 30],
  ['ui.dates.days90', 90],
] as const;

/** The calendar behind a DateRangeField, loaded when it is first opened. */
export function DateRangePopup({ trigger, label, open, onOpenChange, value, onChange }: Props) {
  const t = useText();
  const locale = useLocale();
  const formats = useFormats();
  const [draft, setDraft] = useState<Span | undefined>(() => spanOf(value));
  const finish = (range: DateRange) => {
    setDraft(spanOf(range));
    onChange(range);
    onOpenChange(false);
  };
  return (
    <Popover
      trigger={trigger}
      open={open}
      onOpenChange={(next) => {
        setDraft(spanOf(value));
        onOpenChange(next);
      }}
      label={label}
    >
      <div className="flex flex-col gap-3 sm:flex-row">
        <div className="flex flex-wrap gap-1 sm:flex-col">
          {presets.map(([id, days]) => (
            <Button key={id} kind="quiet" size="small" onClick={() => finish(lastDays(days))}>
              {t(id)}
            </Button>
          ))}
        </div>
        <div>
          <DayPicker
            mode="range"
            locale={calendars[locale]}
            selected={draft}
            onSelect={setDraft}
            defaultMonth={draft?.from ?? new Date()}
            disabled={{ after: new Date() }}
            components={{ Chevron }}
            // Begins with what is seen, for who speaks to the machine (WCAG 2.2, 2.5.3).
            labels={{ labelDayButton: (day) => `${day.getDate()}, ${formats.date(day)}` }}
            classNames={calendarClasses}
          />
          <div className="mt-2 flex justify-end gap-2">
            <Button size="small" onClick={() => finish({ from: '', to: '' })}>
              {t('ui.dates.clear')}
            </Button>
            <Button
              size="small"
              kind="primary"
              disabled={draft?.from === undefined}
              onClick={() => finish(rangeOf(draft))}
            >
              {t('ui.dates.apply')}
            </Button>
          </div>
        </div>
      </div>
    </Popover>
  );
}

function Chevron({ orientation }: { orientation?: 'up' | 'down' | 'left' | 'right' }) {
  return <Icon name={orientation === 'left' ? 'chevronLeft' : 'chevronRight'} className="text-muted" />;
}

function spanOf({ from, to }: DateRange): Span | undefined {
  if (from === '') return undefined;
  return { from: dayOf(from), to: to === '' ? undefined : dayOf(to) };
}

function rangeOf(span: Span | undefined): DateRange {
  return {
    from: span?.from ? isoOf(span.from) : '',
    to: span?.to ? isoOf(span.to) : span?.from ? isoOf(span.from) : '',
  };
}

const dayButton =
  'figures inline-flex size-8 items-center justify-center rounded-6 hover:bg-hover disabled:text-faint disabled:opacity-60 disabled:hover:bg-transparent';

const calendarClasses = {
  months: 'relative',
  month_caption: 'flex h-8 items-center justify-center text-13 font-medium',
  nav: 'absolute inset-x-0 top-0 flex justify-between',
  button_previous: 'inline-flex size-8 items-center justify-center rounded-6 hover:bg-hover',
  button_next: 'inline-flex size-8 items-center justify-center rounded-6 hover:bg-hover aria-disabled:opacity-40',
  month_grid: 'mt-2 border-collapse',
  weekday: 'h-8 w-8 p-0 text-12 font-normal text-faint',
  day: 'p-0 text-13',
  day_button: dayButton,
  today: 'font-semibold text-accent',
  outside: 'text-faint',
  range_start: 'rounded-l-6 bg-accent text-on-accent [&>button]:hover:bg-accent-strong',
  range_end: 'rounded-r-6 bg-accent text-on-accent [&>button]:hover:bg-accent-strong',
  range_middle: 'bg-accent-soft',
};
