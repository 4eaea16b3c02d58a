import { classNames } from './class-names.ts';
import { CopyButton } from './copy-button.tsx';

interface Props {
  /** What goes to the clipboard. */
  text: string;
  /** The same as people read it. */
  shown?: string;
  what: string;
  /** Identifiers that are compared character by character. */
  mono?: boolean;
}

/** The longest text that stays on one line on a phone. */
const oneLine = 20;

/** A detail beside the button that copies it. A number of an account is never broken into two lines. */
export function Copied({ text, shown = text, what, mono = false }: Props) {
  const isWhole = shown.length <= oneLine && !shown.includes(' ');
  return (
    <span className="inline-flex items-center gap-1">
      <span
        className={classNames(mono && 'font-mono text-12', isWhole ? 'whitespace-nowrap' : 'min-w-0 wrap-anywhere')}
      >
        {shown}
      </span>
      <CopyButton text={text} what={what} />
    </span>
  );
}
