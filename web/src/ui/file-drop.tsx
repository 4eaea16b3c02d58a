import { useId, useRef, useState } from 'react';
import { ApiError } from '../lib/api-error.ts';
import { useFormats } from '../lib/format.ts';
import { Text, useText } from '../lib/locale.tsx';
import { messageOf } from '../lib/report-error.ts';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { Field, type FieldFrame, splitFrame } from './field.tsx';
import { type FileRules, problemOf } from './file-rules.ts';
import { Icon } from './icon.tsx';
import { Spinner } from './spinner.tsx';

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
  /** Sends one file; `upload(uploadFile, file)` of the client. */
  onUpload: (file: File) => Promise<UploadedFile>;
}

/** Attachments: dropped or chosen, sent at once, each removable. The rules are checked before a byte is sent. */
export function FileDrop(props: FileDropProps) {
  const t = useText();
  const formats = useFormats();
  const [frame, { value, onChange, rules, onUpload }] = splitFrame(props);
  const [over, setOver] = useState(false);
  const [underWay, setUnderWay] = useState<readonly string[]>([]);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const latest = useRef(value);
  latest.current = value;
  const inputId = useId();
  const types = rules.types.map(typeName).join(', ');

  async function add(files: readonly File[]): Promise<void> {
    setProblems([]);
    const room = rules.most - latest.current.length - underWay.length;
    if (files.length > room) setProblems([t('ui.files.tooMany', { count: rules.most })]);
    await Promise.all(files.slice(0, Math.max(room, 0)).map(send));
  }

  async function send(file: File): Promise<void> {
    const problem = problemOf(file, rules);
    if (problem !== null) {
      const values = { name: file.name, size: formats.bytes(rules.largest_bytes), types };
      setProblems((old) => [...old, t(problem, values)]);
      return;
    }
    setUnderWay((old) => [...old, file.name]);
    try {
      const stored = await onUpload(file);
      latest.current = [...latest.current, stored];
      onChange(latest.current);
    } catch (error) {
      const text = error instanceof ApiError ? messageOf(error) : t('ui.error.unknown');
      setProblems((old) => [...old, `${file.name}: ${text}`]);
    } finally {
      setUnderWay((old) => old.toSpliced(old.indexOf(file.name), 1));
    }
  }

  const error = [frame.error, ...problems].filter(Boolean).join(' · ');
  const rule = t('ui.files.rule', { types, size: formats.bytes(rules.largest_bytes), count: rules.most });
  return (
    <Field {...frame} group hint={rule} error={error}>
      {(aria) => (
        <>
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
          <FileList
            value={value}
            underWay={underWay}
            onRemove={(id) => onChange(value.filter((file) => file.id !== id))}
          />
        </>
      )}
    </Field>
  );
}

interface FileListProps {
  value: readonly UploadedFile[];
  underWay: readonly string[];
  onRemove: (id: string) => void;
}

function FileList({ value, underWay, onRemove }: FileListProps) {
  const t = useText();
  const formats = useFormats();
  if (value.length + underWay.length === 0) return null;
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
      {underWay.map((name) => (
        <li key={name} className="flex items-center gap-2 rounded-6 bg-sunken px-2.5 py-2 text-13 text-muted">
          <Spinner />
          <span className="min-w-0 flex-1 truncate">{name}</span>
          <span className="text-12">{t('ui.files.uploading')}</span>
        </li>
      ))}
    </ul>
  );
}

/** `application/pdf` is PDF to a reader. */
function typeName(type: string): string {
  return (type.split('/')[1] ?? type).toUpperCase();
}
