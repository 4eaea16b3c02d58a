import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';

export interface ZipEntry {
  /** A path of the program's own making, with `/`. */
  name: string;
  content: Buffer;
  at: Date;
  /** Absent: as it is, for what is compressed already. */
  compress?: boolean;
}

/**
 * A ZIP archive (ZIP64 where it needs it) of entries that are asked for one at a time, as fast as the reader takes them: a file or two are in memory. A reader who
 * leaves ends it.
 */
export function zipOf(entries: AsyncIterable<ZipEntry>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream.pipe(new PassThrough());
  const fail = (error: Error) => output.destroy(error);
  zip.on('error', fail);
  fill(zip, output, entries).catch(fail);
  return output;
}

async function fill(zip: ZipFile, output: PassThrough, entries: AsyncIterable<ZipEntry>): Promise<void> {
  for await (const { name, content, at, compress = false } of entries) {
    if (output.destroyed) return;
    const taken = oncely(content);
    zip.addReadStream(taken, name, { compress, mtime: at, size: content.length });
    await ended(taken, output);
  }
  if (!output.destroyed) zip.end();
}

/** A stream of these bytes that lets go of them: the archive keeps its streams until it is finished. */
function oncely(content: Buffer): Readable {
  let left: Buffer | null = content;
  return new Readable({
    read() {
      const next = left;
      left = null;
      if (next !== null) this.push(next);
      this.push(null);
    },
  });
}

async function ended(taken: Readable, output: PassThrough): Promise<void> {
  await new Promise<void>((resolve) => {
    const go = () => {
      output.off('close', go);
      resolve();
    };
    taken.once('end', go);
    output.once('close', go);
  });
}
