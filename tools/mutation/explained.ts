import { survivors } from './survivors.ts';

export interface Place {
  line: number;
  column: number;
}

export const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll(/\{ | \}/g, (brace) => brace.trim());

/** The text between two places of a file. */
export function textAt(source: string, start: Place, end: Place): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = (lines[last] ?? '').slice(0, end.column - 1);
  lines[0] = (lines[0] ?? '').slice(start.column - 1);
  return lines.join('\n');
}

/** Whether survivors.ts has the reason why no test can kill it; texts on one line. */
export function isExplained({
  file,
  original,
  replacement,
}: {
  file: string;
  original: string;
  replacement: string;
}): boolean {
  return survivors.some(
    (known) =>
      known.file === file && onOneLine(known.original) === original && onOneLine(known.replacement) === replacement,
  );
}
