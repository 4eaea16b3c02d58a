import { maxFileBytes } from '@causeway/contract/files-rules.ts';
import { useEffect, useId, useRef, useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { messageOf } from '../../../lib/report-error.ts';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/icon.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { Banner } from '../../../ui/states.tsx';
import { type Batch, sendBatchFile } from '../api.ts';

/** Takes one file, dropped or chosen, and shows how much of it has been sent. Why it is refused stays until another is chosen. */
export function FileTake({ onTaken }: { onTaken: (batch: Batch) => void }) {
  const t = useText();
  const formats = useFormats();
  const id = useId();
  const [over, setOver] = useState(false);
  const [sending, setSending] = useState<{ name: string; share: number } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const giveUp = useRef<AbortController | null>(null);
  useEffect(() => () => giveUp.current?.abort(), []);

  async function take(file: File): Promise<void> {
    setProblem(null);
    if (file.size > maxFileBytes) {
      setProblem(t('batches.file.tooLarge', { name: file.name, size: formats.bytes(10_000_000) }));
      return;
    }
    const controller = new AbortController();
    giveUp.current = controller;
    setSending({ name: file.name, share: 0 });
    try {
      const onProgress = (share: number) => setSending({ name: file.name, share });
      onTaken(await sendBatchFile(file, { signal: controller.signal, onProgress }));
    } catch (error) {
      if (!controller.signal.aborted) {
        setProblem(`${file.name}: ${error instanceof ApiError ? messageOf(error) : t('ui.error.unknown')}`);
      }
    } finally {
      setSending(null);
    }
  }

  if (sending !== null) {
    return (
      <div className="flex flex-col gap-3 rounded-10 border border-line bg-surface p-5">
        <ProgressBar
          label={t(sending.share < 1 ? 'batches.file.sending' : 'batches.file.opening', { name: sending.name })}
          done={sending.share < 1 ? Math.round(sending.share * 100) : null}
          {...(sending.share < 1 && { figure: `${Math.round(sending.share * 100)}%` })}
        />
        <div>
          <Button onClick={() => giveUp.current?.abort()}>{t('ui.cancel')}</Button>
        </div>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <label
        htmlFor={id}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const [dropped] = event.dataTransfer.files;
          if (dropped !== undefined) void take(dropped);
        }}
        className={classNames(
          'flex cursor-pointer flex-col items-center gap-1 rounded-10 border border-dashed px-4 py-7 text-center focus-within:outline-2 focus-within:outline-accent',
          over ? 'border-accent bg-accent-soft' : 'border-control bg-surface hover:bg-hover',
        )}
      >
        <span className="inline-flex items-center gap-2 font-medium">
          <Icon name="upload" className="text-faint" />
          {t('batches.file.drop')}
        </span>
        <span className="max-w-140 text-13 text-faint">{t('batches.file.rule')}</span>
        <input
          id={id}
          type="file"
          accept=".csv,.txt,.tsv,.xml,text/csv,application/xml,text/xml"
          className="sr-only"
          onChange={(event) => {
            const [chosen] = event.target.files ?? [];
            if (chosen !== undefined) void take(chosen);
            event.target.value = '';
          }}
        />
      </label>
      {problem !== null && <Banner kind="negative">{problem}</Banner>}
    </div>
  );
}
