import { useId, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/icon.tsx';

interface Props {
  file: File | null;
  disabled: boolean;
  onChoose: (file: File) => void;
}

/** One CSV file, dropped or chosen; another takes its place. */
export function CsvDrop({ file, disabled, onChoose }: Props) {
  const t = useText();
  const [over, setOver] = useState(false);
  const id = useId();
  return (
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
        if (dropped !== undefined && !disabled) onChoose(dropped);
      }}
      className={classNames(
        'flex cursor-pointer items-center justify-center gap-2 rounded-6 border border-dashed px-4 py-6 text-13 text-muted focus-within:outline-2 focus-within:outline-accent',
        over ? 'border-accent bg-accent-soft' : 'border-control hover:bg-hover',
      )}
    >
      <Icon name={file === null ? 'upload' : 'file'} className="shrink-0 text-faint" />
      <span className="min-w-0 break-words">
        {file === null ? t('risk.import.drop') : t('risk.import.another', { name: file.name })}
      </span>
      <input
        id={id}
        type="file"
        accept=".csv,text/csv"
        disabled={disabled}
        className="sr-only"
        onChange={(event) => {
          const [chosen] = event.target.files ?? [];
          if (chosen !== undefined) onChoose(chosen);
          event.target.value = '';
        }}
      />
    </label>
  );
}
