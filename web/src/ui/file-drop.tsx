import { useEffect, useId, useRef, useState } from 'react';
import { ApiError } from '../lib/api-error.ts';
import { useFormats } from '../lib/format.ts';
import { Text, useText } from '../lib/locale.tsx';
import { newId } from '../lib/new-id.ts';
import { messageOf } from '../lib/report-error.ts';
import type { UploadOptions } from '../lib/upload.ts';
import { buttonClass, IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { Field, type FieldFrame, splitFrame } from './field.tsx';
import { type FileRules, problemOf } from './file-rules.ts';
import { Icon } from './icon.tsx';
import { useMedia } from './media.ts';
import { ProgressBar } from './progress-bar.tsx';

/** A file that the server has. */
export interface UploadedFile {
  id: string;
  name: string;
  sizeBytes: number;
}

interface FileDropProps extends FieldFrame {
  value: readonly UploadedFile[];
  onChange: (files: readonly UploadedFile[]) => void;
  rules: FileRules;
  /** Sends one file; `upload(uploadFile, file, options)` of `lib/upload.ts`. */
  onUpload: (file: File, options: UploadOptions) => Promise<UploadedFile>;
  /** What the button says that opens a phone's camera; absent: there is none. */
  photo?: string;
  /** Told whether files are on their way: what is bound to the attachments has to wait for them. */
  onUploading?: (uploading: boolean) => void;
}

/** A file on its way to the server. */
interface Sending {
  id: string;
  name: string;
  /** From 0 to 1. */
  share: number;
  giveUp: AbortController;
}

/**
 * Attachments: dropped or chosen, sent at once, each removable, or given up while it is on its way. The rules are checked before
 * a byte is sent.
 */
export function FileDrop(props: FileDropProps) {
  const t = useText();
  const formats = useFormats();
  const [frame, { value, onChange, rules, photo, onUpload, onUploading }] = splitFrame(props);
  const [over, setOver] = useState(false);
  const [underWay, setUnderWay] = useState<readonly Sending[]>([]);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const latest = useRef(value);
  latest.current = value;
  const input = useRef<HTMLInputElement>(null);
  useGivenUp(underWay);
  const uploading = underWay.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: called once for each change, whatever the callback's identity
  useEffect(() => onUploading?.(uploading), [uploading]);
  const inputId = useId();
  const types = [...new Set(rules.types.map(typeName))].join(', ');
  // Whole megabytes: a limit of 10 MiB is said as 10 MB.
  const largest = formats.bytes(Math.floor(rules.largest_bytes / 1_000_000) * 1_000_000);

  async function add(files: readonly File[]): Promise<void> {
    setProblems([]);
    const room = rules.most - latest.current.length - underWay.length;
    if (files.length > room) setProblems([t('ui.files.tooMany', { count: rules.most })]);
    await Promise.all(files.slice(0, Math.max(room, 0)).map(send));
  }

  async function send(file: File): Promise<void> {
    const problem = problemOf(file, rules);
    if (problem !== null) {
      const values = { name: file.name, size: largest, types };
      setProblems((old) => [...old, t(problem, values)]);
      return;
    }
    const id = newId();
    const giveUp = new AbortController();
    const { signal } = giveUp;
    const onProgress = (share: number) =>
      setUnderWay((old) => old.map((one) => (one.id === id ? { ...one, share } : one)));
    setUnderWay((old) => [...old, { id, name: file.name, share: 0, giveUp }]);
    try {
      const stored = await onUpload(file, { signal, onProgress });
      // What was given up in the moment of its arrival is not attached; the server removes it later.
      if (signal.aborted) return;
      latest.current = [...latest.current, stored];
      onChange(latest.current);
    } catch (error) {
      if (signal.aborted) return;
      const text = error instanceof ApiError ? messageOf(error) : t('ui.error.unknown');
      setProblems((old) => [...old, `${file.name}: ${text}`]);
    } finally {
      setUnderWay((old) => old.filter((one) => one.id !== id));
    }
  }

  const error = [frame.error, ...problems].filter(Boolean).join(' · ');
  const rule = t('ui.files.rule', { types, size: largest, count: rules.most });
  return (
    <Field {...frame} group hint={rule} error={error}>
      {(aria) => (
        <>
          {photo !== undefined && <PhotoButton label={photo} onPhoto={(files) => void add(files)} />}
          <label
            htmlFor={inputId}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(true);
            }}
            onDragLeave={() => setOver(false)}
            onDrop={(event) => {
              event.preventDefault();
              setOver(false);
              void add([...event.dataTransfer.files]);
            }}
            className={classNames(
              'flex cursor-pointer items-center justify-center gap-2 rounded-6 border border-dashed px-4 py-5 text-13 text-muted focus-within:outline-2 focus-within:outline-accent',
              over ? 'border-accent bg-accent-soft' : 'border-control hover:bg-hover',
            )}
          >
            <Icon name="upload" className="shrink-0 text-faint" />
            <span>
              <Text id="ui.files.drop" components={{ 0: <span className="font-medium text-accent" /> }} />
            </span>
            <input
              {...aria}
              ref={input}
              id={inputId}
              type="file"
              multiple
              accept={rules.types.join(',')}
              className="sr-only"
              onChange={(event) => {
                void add([...(event.target.files ?? [])]);
                event.target.value = '';
              }}
            />
          </label>
          <FileList value={value} onRemove={(id) => onChange(value.filter((file) => file.id !== id))} />
          <SendingList
            underWay={underWay}
            onCancel={({ giveUp }) => {
              giveUp.abort();
              // The button that had the focus goes away.
              input.current?.focus();
            }}
          />
        </>
      )}
    </Field>
  );
}

/** Opens the camera where the pointer is a finger; on a computer `capture` would open the files once more. */
function PhotoButton({ label, onPhoto }: { label: string; onPhoto: (files: readonly File[]) => void }) {
  if (!useMedia('(pointer: coarse)')) return null;
  return (
    <label
      className={classNames(
        buttonClass('secondary', 'large'),
        'cursor-pointer focus-within:outline-2 focus-within:outline-accent',
      )}
    >
      {label}
      <input
        type="file"
        accept="image/jpeg,image/png"
        capture="environment"
        className="sr-only"
        onChange={(event) => {
          onPhoto([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </label>
  );
}

interface FileListProps {
  value: readonly UploadedFile[];
  onRemove: (id: string) => void;
}

function FileList({ value, onRemove }: FileListProps) {
  const t = useText();
  const formats = useFormats();
  return (
    <ul className="m-0 flex list-none flex-col gap-1 p-0" aria-live="polite">
      {value.map((file) => (
        <li key={file.id} className="flex items-center gap-2 rounded-6 bg-sunken py-1 pr-1 pl-2.5 text-13">
          <Icon name="file" className="shrink-0 text-faint" />
          <span className="min-w-0 flex-1 truncate">{file.name}</span>
          <span className="figures text-12 text-faint">{formats.bytes(file.sizeBytes)}</span>
          <IconButton
            icon="close"
            size="small"
            label={t('ui.files.remove', { name: file.name })}
            onClick={() => onRemove(file.id)}
          />
        </li>
      ))}
    </ul>
  );
}

interface SendingListProps {
  underWay: readonly Sending[];
  onCancel: (sending: Sending) => void;
}

/** Not a live region: a screen reader would be told every percent. */
function SendingList({ underWay, onCancel }: SendingListProps) {
  const t = useText();
  if (underWay.length === 0) return null;
  return (
    <ul className="m-0 flex list-none flex-col gap-1 p-0">
      {underWay.map((sending) => (
        <li key={sending.id} className="flex items-center gap-2 rounded-6 bg-sunken py-1.5 pr-1 pl-2.5">
          <Icon name="file" className="shrink-0 text-faint" />
          <div className="min-w-0 flex-1">
            <SendingBar sending={sending} />
          </div>
          <IconButton
            icon="close"
            size="small"
            label={t('ui.files.cancel', { name: sending.name })}
            onClick={() => onCancel(sending)}
          />
        </li>
      ))}
    </ul>
  );
}

/** How much has left; once all has, the server looks at the bytes and stores them, for who knows how long. */
function SendingBar({ sending: { name, share } }: { sending: Sending }) {
  const t = useText();
  const formats = useFormats();
  if (share === 1) return <ProgressBar label={name} done={null} figure={t('ui.files.checking')} />;
  const percent = Math.floor(share * 100);
  return <ProgressBar label={name} done={percent} figure={formats.progress(percent / 100)} />;
}

/** Leaving the page aborts its uploads. */
function useGivenUp(underWay: readonly Sending[]): void {
  const latest = useRef(underWay);
  latest.current = underWay;
  useEffect(
    () => () => {
      for (const { giveUp } of latest.current) giveUp.abort();
    },
    [],
  );
}

/** `application/pdf` is PDF to a reader. */
function typeName(type: string): string {
  return (type.split('/')[1] ?? type).toUpperCase();
}
