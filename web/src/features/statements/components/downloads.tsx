import { pdfMostMovements, type StatementFormat, statementFormats } from '@causeway/contract/statements-rules.ts';
import { useEffect, useRef, useState } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { reportError } from '../../../lib/report-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { type DownloadQuery, saveStatement } from '../api.ts';

interface Props {
  query: Omit<DownloadQuery, 'format'>;
  format: StatementFormat;
  onFormat: (format: StatementFormat) => void;
  /** How many there are; undefined while that is not known. */
  movements: number | undefined;
  /** Which of the wallets that are shown are at banks; undefined while that is not known. */
  atBanks: 'all' | 'some' | 'none' | undefined;
}

interface Saving {
  /** Lines; null of a PDF, and before the first. */
  done: number | null;
  total: number;
}

/** Saves what is shown, all of it, in the chosen format; leaving the page ends it. */
export function Downloads({ query, format, onFormat, movements, atBanks }: Props) {
  const t = useText();
  const formats = useFormats();
  const [saving, setSaving] = useState<Saving | null>(null);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = async () => {
    const abort = new AbortController();
    running.current = abort;
    setSaving({ done: null, total: 0 });
    try {
      await saveStatement({ ...query, format }, (done, total) => setSaving({ done, total }), abort.signal);
      toast('success', t('statements.saved'));
    } catch (error) {
      if (!abort.signal.aborted) reportError(error);
    } finally {
      setSaving(null);
    }
  };
  const isTooLong = format === 'pdf' && movements !== undefined && movements > pdfMostMovements;
  const hasNone = format === 'camt053' && atBanks === 'none';
  const hint = isTooLong
    ? t('statements.tooLong', { most: formats.count(pdfMostMovements) })
    : hasNone
      ? t('statements.onlyAtBanks')
      : format === 'camt053' && atBanks === 'some'
        ? t('statements.coinsLeftOut')
        : null;
  return (
    <div className="flex max-w-full flex-col gap-2 sm:items-end">
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-36">
          <SelectField
            label={t('statements.format')}
            options={statementFormats.map((value) => ({ value, label: t(`statements.format.${value}`) }))}
            value={format}
            disabled={saving !== null}
            onChange={onFormat}
          />
        </div>
        <Button
          icon="download"
          busy={saving !== null}
          disabled={isTooLong || hasNone}
          {...(hint !== null && { 'aria-describedby': 'statement-format-hint' })}
          onClick={() => void start()}
        >
          {t('statements.download')}
        </Button>
      </div>
      {hint !== null && (
        <span id="statement-format-hint" className="max-w-80 text-12 text-faint sm:text-right">
          {hint}
        </span>
      )}
      {saving !== null && (
        <div className="w-56">
          <ProgressBar
            label={t('statements.saving')}
            done={saving.done}
            {...(saving.total > 0 && { total: saving.total })}
          />
        </div>
      )}
    </div>
  );
}
