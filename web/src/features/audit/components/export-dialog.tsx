import { type AuditExportFormat, auditExportFormats } from '@causeway/contract/audit-rules.ts';
import { useEffect, useRef, useState } from 'react';
import { noteFailure } from '../../../lib/failure.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { reportFailure } from '../../../lib/report-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { Banner } from '../../../ui/states.tsx';
import { downloadAudit, type Progress } from '../saving.ts';
import { useAuditSource } from '../source.ts';
import { VerifyHelp } from './verify-help.tsx';

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** What the list was asked for. */
  asked: Readonly<Record<string, string>>;
}

/** Saves the log as a file: the verifiable one, or the one for people. */
export function ExportDialog({ open, onOpenChange, asked }: Props) {
  const t = useText();
  const [format, setFormat] = useState<AuditExportFormat>('jsonl');
  const saving = useSaving(asked, format, () => {
    toast('success', t('auditLog.export.done'));
    onOpenChange(false);
  });
  const busy = saving.progress !== null;
  const close = (next: boolean) => {
    if (!next) saving.stop();
    onOpenChange(next);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={t('auditLog.export.title')}
      actions={
        <>
          <Button onClick={() => close(false)}>{t('ui.cancel')}</Button>
          <Button kind="primary" icon="download" busy={busy} onClick={() => void saving.start()}>
            {t('auditLog.export')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <fieldset disabled={busy} className="m-0 flex min-w-0 flex-col gap-2 border-0 p-0">
          <legend className="sr-only">{t('auditLog.export.format')}</legend>
          {auditExportFormats.map((value) => (
            <label
              key={value}
              className="flex cursor-pointer items-start gap-3 rounded-6 border border-line-strong px-3 py-2.5 has-checked:border-accent has-checked:bg-hover"
            >
              <input
                type="radio"
                name="format"
                value={value}
                checked={format === value}
                onChange={() => setFormat(value)}
                className="mt-0.5 size-4 shrink-0 accent-accent"
              />
              <span className="min-w-0">
                <span className="block font-medium">{t(`auditLog.export.${value}`)}</span>
                <span className="block text-13 text-muted">{t(`auditLog.export.${value}Text`)}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {format === 'jsonl' && Object.keys(asked).some((name) => name !== 'from' && name !== 'to') && (
          <Banner kind="notice">{t('auditLog.export.periodOnly')}</Banner>
        )}
        {saving.progress !== null && <Saving progress={saving.progress} />}
        {format === 'jsonl' && <VerifyHelp />}
      </div>
    </Dialog>
  );
}

function Saving({ progress: { done, total } }: { progress: Progress }) {
  const t = useText();
  const formats = useFormats();
  if (done === null || total === null) {
    const label =
      done === null ? t('auditLog.export.signing') : t('auditLog.export.count', { count: formats.count(done) });
    return <ProgressBar label={label} done={null} />;
  }
  return <ProgressBar label={t('auditLog.export.saving')} done={done} total={total} />;
}

/** One file being saved; closing the dialog, or leaving the page, ends it. */
function useSaving(asked: Props['asked'], format: AuditExportFormat, onDone: () => void) {
  const source = useAuditSource();
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  return {
    progress,
    stop: () => running.current?.abort(),
    start: async () => {
      const abort = new AbortController();
      running.current = abort;
      noteFailure(null);
      setProgress({ done: null, total: null });
      // A verifiable export has every event of its period: no other filter applies.
      const { from, to } = asked;
      const period = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
      const query = { ...(format === 'jsonl' ? period : asked), format };
      try {
        await downloadAudit(source, query, setProgress, abort.signal);
        onDone();
      } catch (error) {
        if (!abort.signal.aborted) reportFailure(error);
      } finally {
        setProgress(null);
      }
    },
  };
}
