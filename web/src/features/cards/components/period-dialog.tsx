import { useState } from 'react';
import { lastDays } from '../../../lib/days.ts';
import { useText } from '../../../lib/locale.tsx';
import { reportFailure } from '../../../lib/report-error.ts';
import { Button } from '../../../ui/button.tsx';
import { DateRangeField } from '../../../ui/date-range-field.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { RadioField } from '../../../ui/radio-field.tsx';

type Format = 'pdf' | 'csv' | 'zip';

interface Props<F extends Format> {
  title: string;
  text: string;
  formats: readonly F[];
  /** What a format is called, where its letters do not say it. */
  names?: Partial<Record<F, string>>;
  onDownload: (period: { from: string; to: string }, format: F) => Promise<void>;
  onClose: () => void;
}

/** A file about a period: which days, in which form. */
export function PeriodDialog<F extends Format>({ title, text, formats, names, onDownload, onClose }: Props<F>) {
  const t = useText();
  const [range, setRange] = useState(() => lastDays(30));
  const [format, setFormat] = useState(formats[0]);
  const [busy, setBusy] = useState(false);
  const isWhole = range.from !== '' && range.to !== '';
  return (
    <Dialog
      open
      onOpenChange={(open) => open || busy || onClose()}
      title={title}
      description={text}
      actions={
        <>
          <Button disabled={busy} onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button
            kind="primary"
            icon="download"
            busy={busy}
            disabled={!isWhole || format === undefined}
            onClick={() => {
              if (format === undefined) return;
              setBusy(true);
              onDownload(range, format)
                .then(onClose, reportFailure)
                .finally(() => setBusy(false));
            }}
          >
            {t('cards.download')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <DateRangeField label={t('cards.period')} value={range} onChange={setRange} />
        {format !== undefined && formats.length > 1 && (
          <RadioField
            label={t('cards.format')}
            options={formats.map((value) => ({ value, label: names?.[value] ?? value.toUpperCase() }))}
            value={format}
            onChange={setFormat}
          />
        )}
      </div>
    </Dialog>
  );
}
