import { CopyButton } from '../../../ui/copy-button.tsx';

/** A text as it arrived or was sent, folded; JSON is indented to be read, and copied as it is. */
export function RawBody({ text, label }: { text: string; label: string }) {
  return (
    <details className="text-13">
      <summary className="cursor-pointer text-accent">{label}</summary>
      <div className="mt-2 flex items-start gap-2 rounded-10 bg-sunken p-3">
        <pre className="m-0 min-w-0 flex-1 font-mono text-12 whitespace-pre-wrap wrap-anywhere">{indented(text)}</pre>
        <CopyButton text={text} what={label} />
      </div>
    </details>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
