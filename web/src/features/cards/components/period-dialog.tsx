import { useState } from 'react';
import { lastDays } from '../../../lib/days.ts';
import { useText } from '../../../lib/locale.tsx';
import { reportFailure } from '../../../lib/report-error.ts';
import { Button } from '../../../ui/button.tsx';
import { DateRangeField } from '../../../ui/date-range-field.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { RadioField } from '../../../ui/radio-field.tsx';

type Format = 'pdf' | 'csv';

interface Props {
  title: string;
  text: string;
  formats: readonly Format[];
  onDownload: (period: { from: string; to: string }, format: Format) => Promise<void>;
  onClose: () => void;
}

/** A file about a period: which days, in which form. */
export function PeriodDialog({ title, text, formats, onDownload, onClose }: Props) {
  const t = useText();
  const [range, setRange] = useState(() => lastDays(30));
  const [format, setFormat] = useState<Format>(formats[0] ?? 'csv');
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
            disabled={!isWhole}
            onClick={() => {
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
        {formats.length > 1 && (
          <RadioField
            label={t('cards.format')}
            options={formats.map((value) => ({ value, label: value.toUpperCase() }))}
            value={format}
            onChange={setFormat}
          />
        )}
      </div>
    </Dialog>
  );
}
