import type { Rollup } from 'vite';

/** The files of a finished build, by name, as Vite hands them to its plugins. */
export type Chunks = Record<string, Rollup.OutputChunk | Rollup.OutputAsset>;

/** All files that loading `files` loads through static imports, themselves included. */
export function reachable(chunks: Chunks, files: Iterable<string>): Set<string> {
  const seen = new Set<string>();
  const queue = [...files];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const chunk = chunks[file];
    if (chunk?.type === 'chunk') queue.push(...chunk.imports);
  }
  return seen;
}
