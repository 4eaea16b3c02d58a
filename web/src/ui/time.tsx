import { useFormats } from '../lib/format.ts';

/** A moment in the reader's own zone, absolute; how long ago on hover. */
export function Time({ at, dateOnly }: { at: string; dateOnly?: boolean }) {
  const formats = useFormats();
  return (
    <time dateTime={at} title={formats.relative(at)} className="figures whitespace-nowrap">
      {dateOnly ? formats.date(at) : formats.dateTime(at)}
    </time>
  );
}
