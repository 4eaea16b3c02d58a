/** A browser that is busy begins to read long after the click; without its address the file would have no name, or be lost. */
const kept_ms = 60_000;

/** Hands a file to the browser to save. */
export function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), kept_ms);
}
