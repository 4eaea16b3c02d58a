/** A text that is usually JSON, indented where it is; any other as it came. */
export function JsonText({ text, label }: { text: string; label: string }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      className="mt-2 max-h-96 overflow-auto rounded-6 border border-line bg-sunken p-3"
    >
      <pre className="m-0 font-mono text-12">{indented(text)}</pre>
    </section>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
