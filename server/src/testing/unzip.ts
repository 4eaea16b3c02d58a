import { crc32, inflateRawSync } from 'node:zlib';

/** The files of a ZIP archive in its order, read by its directory (APPNOTE 6.3.10, section 4.3). Throws where a checksum does not hold. */
export function unzip(archive: Buffer): { name: string; content: Buffer }[] {
  const last = archive.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  if (last === -1) throw new Error('the archive has no end');
  const count = archive.readUInt16LE(last + 10);
  let at = archive.readUInt32LE(last + 16);
  return Array.from({ length: count }, () => {
    const method = archive.readUInt16LE(at + 10);
    const sum = archive.readUInt32LE(at + 16);
    const size = archive.readUInt32LE(at + 20);
    const nameLength = archive.readUInt16LE(at + 28);
    const local = archive.readUInt32LE(at + 42);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const stored = archive.subarray(from, from + size);
    const content = method === 0 ? stored : inflateRawSync(stored);
    if (crc32(content) !== sum) throw new Error(`${name} does not have its checksum`);
    return { name, content };
  });
}
