/** What a photo says beside its picture: where and when it was taken, and by which device. Pure. */

const heicBrands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']);

/** Whether bytes are of an iPhone's own format (ISO/IEC 23008-12), by the brand of the first box. */
export function isHeic(content: Buffer): boolean {
  return content.toString('latin1', 4, 8) === 'ftyp' && heicBrands.has(content.toString('latin1', 8, 12));
}

/**
 * A photo without its metadata; of an orientation other than upright, that alone is kept, without which a photo lies on its side. Other types are returned as they
 * are. What is behind the end of the picture, such as the film of a moving photo, is left out.
 * @returns null where the bytes are no picture of the type
 */
export function withoutMetadata(type: string, content: Buffer): Buffer | null {
  if (type === 'image/jpeg') return strippedJpeg(content);
  return type === 'image/png' ? strippedPng(content) : content;
}

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;
const app0 = 0xe0;
const app1 = 0xe1;
const app2 = 0xe2;
const app14 = 0xee;
const comment = 0xfe;

/** JPEG (ITU-T T.81, annex B): segments, each with a marker and its length; behind a start of scan, data until the next marker. */
function strippedJpeg(content: Buffer): Buffer | null {
  if (content[0] !== 0xff || content[1] !== startOfImage) return null;
  const kept: Buffer[] = [];
  let orientation = 1;
  let at = 2;
  for (let isBegun = false; ; ) {
    // What breaks off within its data is shown as far as it goes.
    if (at >= content.length && isBegun) break;
    const marker = content[at + 1];
    if (content[at] !== 0xff || marker === undefined) return null;
    // Fill bytes.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === endOfImage) break;
    if (at + 4 > content.length) return null;
    let end = at + 2 + content.readUInt16BE(at + 2);
    if (end > content.length || end < at + 4) return null;
    const segment = content.subarray(at, end);
    if (marker === app1) orientation = orientationOf(segment.subarray(4)) ?? orientation;
    if (marker === startOfScan) {
      isBegun = true;
      end = endOfData(content, end);
      kept.push(content.subarray(at, end));
    } else if (isPicture(marker, segment)) kept.push(segment);
    at = end;
  }
  if (kept.length === 0) return null;
  const turned = orientation === 1 ? [] : [orientationSegment(orientation)];
  return Buffer.concat([Buffer.from([0xff, startOfImage]), ...turned, ...kept, Buffer.from([0xff, endOfImage])]);
}

/** Of the application segments, those that decoders need: JFIF, a colour profile, Adobe's colour transform. */
function isPicture(marker: number, segment: Buffer): boolean {
  if (marker === comment) return false;
  if (marker < app0 || marker > 0xef) return true;
  const name = segment.toString('latin1', 4, 16);
  if (marker === app0) return name.startsWith('JFIF\0');
  if (marker === app2) return name.startsWith('ICC_PROFILE\0');
  return marker === app14 && name.startsWith('Adobe');
}

/** Where the next marker is that does not belong to the data: stuffed zeros and restarts do. */
function endOfData(content: Buffer, from: number): number {
  for (let at = content.indexOf(0xff, from); at !== -1; at = content.indexOf(0xff, at + 1)) {
    const next = content[at + 1];
    if (next === undefined) return content.length;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return content.length;
}

const orientationTag = 0x0112;

/** Exif 2.3, section 4.6: the orientation in the first directory. @returns null where there is none from 1 to 8 */
function orientationOf(exif: Buffer): number | null {
  if (exif.toString('latin1', 0, 6) !== 'Exif\0\0') return null;
  const tiff = exif.subarray(6);
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const two = (at: number) => (at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const four = (at: number) => (at + 4 > tiff.length ? 0 : isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const directory = four(4);
  const entries = Math.min(two(directory), 100);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + entry * 12;
    const value = two(at + 8);
    if (two(at) === orientationTag) return value >= 1 && value <= 8 ? value : null;
  }
  return null;
}

/** An Exif segment with a directory of one entry. */
function orientationSegment(orientation: number): Buffer {
  const segment = Buffer.alloc(36);
  segment.writeUInt16BE(0xff00 + app1, 0);
  segment.writeUInt16BE(34, 2);
  segment.write('Exif\0\0MM\0*', 4, 'latin1');
  segment.writeUInt32BE(8, 14);
  segment.writeUInt16BE(1, 18);
  segment.writeUInt16BE(orientationTag, 20);
  segment.writeUInt16BE(3, 22);
  segment.writeUInt32BE(1, 24);
  segment.writeUInt16BE(orientation, 28);
  return segment;
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
const pngMetadata = new Set(['eXIf', 'iTXt', 'tEXt', 'zTXt', 'tIME']);

/** PNG (third edition, section 5): chunks, each with its length, type and checksum. */
function strippedPng(content: Buffer): Buffer | null {
  if (!content.subarray(0, 8).equals(pngSignature)) return null;
  const kept: Buffer[] = [pngSignature];
  for (let at = 8; at + 12 <= content.length; ) {
    const type = content.toString('latin1', at + 4, at + 8);
    const end = at + 12 + content.readUInt32BE(at);
    if (end > content.length) return null;
    if (!pngMetadata.has(type)) kept.push(content.subarray(at, end));
    if (type === 'IEND') return Buffer.concat(kept);
    at = end;
  }
  return null;
}
