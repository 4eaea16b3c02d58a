import { CopyButton } from '../../../ui/copy-button.tsx';

interface Props {
  /** What goes to the clipboard. */
  text: string;
  /** The same as people read it. */
  shown?: string;
  what: string;
}

/** A detail beside the button that copies it. */
export function Copyable({ text, shown = text, what }: Props) {
  return (
    <span className="inline-flex items-center gap-1">
      <span className="min-w-0 wrap-anywhere">{shown}</span>
      <CopyButton text={text} what={what} />
    </span>
  );
}
