import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
const compressible = /\.(?:js|css|html|svg|json|txt|webmanifest)$/;

/** Writes a `.br` and a `.gz` copy beside every text file of the build, so that the server never compresses at run time. */
export function precompress(): Plugin {
  let directory = '';
  let written = false;
  return {
    name: 'causeway:precompress',
    apply: 'build',
    configResolved(config) {
      directory = join(config.root, config.build.outDir);
    },
    writeBundle() {
      written = true;
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        // A build that failed wrote nothing, and its own error must not be hidden by one of ours.
        if (!written) return;
        const entries = await readdir(directory, { recursive: true, withFileTypes: true });
        const files = entries.filter((entry) => entry.isFile() && compressible.test(entry.name));
        await Promise.all(files.map((entry) => compress(join(entry.parentPath, entry.name))));
      },
    },
  };
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await writeFile(`${path}.br`, await brotli(bytes, { params }));
  await writeFile(`${path}.gz`, await gzipped(bytes, { level: 9 }));
}
