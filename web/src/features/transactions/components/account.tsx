import { Address } from '../../../ui/address.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';

interface Props {
  value: string;
  /** An account number, which is read and compared as a whole; otherwise an address, whose middle gives way. */
  atBank: boolean;
  /** What it is, for the copy button's name; absent: without the button. */
  what?: string;
  /** An address in full, where a decision rests on it. */
  whole?: boolean;
}

/** The account of who pays or is paid. */
export function Account({ value, atBank, what, whole = false }: Props) {
  if (!atBank)
    return <Address value={value} short={!whole} copyable={what !== undefined} {...(what !== undefined && { what })} />;
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <span className="figures min-w-0 wrap-anywhere">{value}</span>
      {what !== undefined && <CopyButton text={value} what={what} />}
    </span>
  );
}
