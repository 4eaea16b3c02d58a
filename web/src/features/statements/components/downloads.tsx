import { pdfMostMovements } from '@causeway/contract/statements-rules.ts';
import { useEffect, useRef, useState } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { reportError } from '../../../lib/report-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { type DownloadQuery, saveStatement } from '../api.ts';

interface Props {
  query: Omit<DownloadQuery, 'format'>;
  /** How many there are; undefined while that is not known. */
  movements: number | undefined;
}

interface Saving {
  format: 'csv' | 'pdf';
  /** Lines; null of a PDF, and before the first. */
  done: number | null;
  total: number;
}

/** Saves what is shown, all of it, as PDF or CSV; leaving the page ends it. */
export function Downloads({ query, movements }: Props) {
  const t = useText();
  const formats = useFormats();
  const [saving, setSaving] = useState<Saving | null>(null);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (format: 'csv' | 'pdf') => {
    const abort = new AbortController();
    running.current = abort;
    setSaving({ format, done: null, total: 0 });
    try {
      await saveStatement({ ...query, format }, (done, total) => setSaving({ format, done, total }), abort.signal);
      toast('success', t('statements.saved'));
    } catch (error) {
      if (!abort.signal.aborted) reportError(error);
    } finally {
      setSaving(null);
    }
  };
  const tooLong = movements !== undefined && movements > pdfMostMovements;
  return (
    <div className="flex flex-col items-end gap-2">
      <div className="flex flex-wrap gap-2">
        <Button
          icon="download"
          busy={saving?.format === 'csv'}
          disabled={saving?.format === 'pdf'}
          onClick={() => void start('csv')}
        >
          {t('statements.csv')}
        </Button>
        <Button
          icon="download"
          busy={saving?.format === 'pdf'}
          disabled={tooLong || saving?.format === 'csv'}
          onClick={() => void start('pdf')}
        >
          {t('statements.pdf')}
        </Button>
      </div>
      {tooLong && (
        <span className="text-12 text-faint">{t('statements.tooLong', { most: formats.count(pdfMostMovements) })}</span>
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
