import { useFormats } from '../../../lib/format.ts';

/** How long ago, for what is waiting; the moment itself on hover. */
export function Age({ at }: { at: string }) {
  const formats = useFormats();
  return (
    <time dateTime={at} title={formats.dateTime(at)} className="figures whitespace-nowrap">
      {formats.relative(at)}
    </time>
  );
}
