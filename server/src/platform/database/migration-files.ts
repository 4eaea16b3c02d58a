import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const directory = join(import.meta.dirname, '../../../migrations');

export interface MigrationFile {
  name: string;
  text: string;
  /** Of the text; a file that changed after it ran is refused. */
  sha256: string;
}

let files: readonly MigrationFile[] | undefined;

/** The migrations of this version, in their order. Read once: the files belong to the program. */
export function migrationFiles(): readonly MigrationFile[] {
  files ??= readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(directory, name), 'utf8');
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') };
    });
  return files;
}
