import { BatchFileError } from './problem.ts';

/**
 * What a file is, by its first bytes; its name says nothing. Files that are not text are recognised to say what to do with them, and are
 * never opened: an archive can hold a thousand times its size.
 * @throws BatchFileError spreadsheet, archive, pdf, page
 */
export function kindOf(content: Buffer): 'csv' | 'pain001' {
  const starts = (...bytes: number[]) => bytes.every((byte, i) => content[i] === byte);
  // OLE2, which Excel wrote until 2007, and Office Open XML, which is a ZIP archive.
  if (starts(0xd0, 0xcf, 0x11, 0xe0)) throw new BatchFileError('spreadsheet');
  if (starts(0x50, 0x4b)) throw new BatchFileError(isOffice(content) ? 'spreadsheet' : 'archive');
  const isArchive =
    starts(0x1f, 0x8b) ||
    starts(0x42, 0x5a, 0x68) ||
    starts(0xfd, 0x37, 0x7a) ||
    starts(0x37, 0x7a) ||
    starts(0x52, 0x61, 0x72, 0x21);
  if (isArchive) throw new BatchFileError('archive');
  if (starts(0x25, 0x50, 0x44, 0x46)) throw new BatchFileError('pdf');
  const beginning = content
    .subarray(0, 512)
    .toString('latin1')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .replaceAll('\0', '')
    .trimStart()
    .toLowerCase();
  if (/^<(?:!doctype html|html|head|body|table)\b/.test(beginning)) throw new BatchFileError('page');
  return beginning.startsWith('<') ? 'pain001' : 'csv';
}

/** The names of the first members of an Office archive are near its beginning. */
function isOffice(content: Buffer): boolean {
  return /\[Content_Types\]|xl\/|mimetype/.test(content.subarray(0, 4096).toString('latin1'));
}
