import { type Period, type PeriodUnit, periodOf, periodUnits, unitOf } from '@causeway/contract/statements-rules.ts';
import { dayOf } from '../../../lib/days.ts';
import { useFormats } from '../../../lib/format.ts';
import { useLocaleTag, useText } from '../../../lib/locale.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { DateRangeField } from '../../../ui/date-range-field.tsx';
import { SelectField } from '../../../ui/select-field.tsx';

export type Unit = PeriodUnit | 'dates';

interface Props {
  period: Period;
  /** How it was chosen; null where the address says nothing of it. */
  unit: Unit | null;
  onChange: (period: Period, unit: Unit) => void;
}

/** A day, month or quarter and the ones beside it, or any two days; all of them days of the company's time zone. */
export function PeriodChooser({ period, unit: chosen, onChange }: Props) {
  const t = useText();
  const unit = chosen ?? unitOf(period) ?? 'dates';
  const change = (next: Unit) => onChange(next === 'dates' ? period : periodOf(next, period.from), next);
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="w-36">
        <SelectField
          label={t('statements.unit')}
          options={[...periodUnits, 'dates' as const].map((value) => ({ value, label: t(`statements.unit.${value}`) }))}
          value={unit}
          onChange={change}
        />
      </div>
      {unit === 'dates' ? (
        <div className="min-w-56">
          <DateRangeField
            label={t('statements.dates')}
            value={period}
            onChange={({ from, to }) => from !== '' && onChange({ from, to: to === '' ? from : to }, 'dates')}
          />
        </div>
      ) : (
        <Stepper period={period} unit={unit} onChange={(next) => onChange(next, unit)} />
      )}
    </div>
  );
}

function Stepper({ period, unit, onChange }: { period: Period; unit: PeriodUnit; onChange: (period: Period) => void }) {
  const t = useText();
  const name = usePeriodName();
  return (
    <fieldset className="m-0 flex items-center gap-1 border-0 p-0">
      <legend className="sr-only">{t('statements.period')}</legend>
      <IconButton
        icon="chevronLeft"
        label={t('statements.before')}
        onClick={() => onChange(periodOf(unit, period.from, -1))}
      />
      <span aria-live="polite" className="figures min-w-32 text-center font-medium">
        {name(period)}
      </span>
      <IconButton
        icon="chevronRight"
        label={t('statements.after')}
        onClick={() => onChange(periodOf(unit, period.from, 1))}
      />
    </fieldset>
  );
}

/** "November 2026", "Q4 2026", "23 Nov 2026", or from one day to another. */
function usePeriodName(): (period: Period) => string {
  const t = useText();
  const formats = useFormats();
  const tag = useLocaleTag();
  return ({ from, to }) => {
    const [year = '', month = ''] = from.split('-');
    switch (unitOf({ from, to })) {
      case 'day':
        return formats.date(dayOf(from));
      case 'month':
        return new Intl.DateTimeFormat(tag, { year: 'numeric', month: 'long' }).format(dayOf(from));
      case 'quarter':
        return t('statements.quarter', { quarter: Math.ceil(Number(month) / 3), year });
      case null:
        return t('statements.range', { from: formats.date(dayOf(from)), to: formats.date(dayOf(to)) });
    }
  };
}
