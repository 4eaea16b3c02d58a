/** Photos as phones take them: with place, time and device, and lying on their side. */

export const photoSegment = (marker: number, content: Buffer | string) => {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content, 'latin1');
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(bytes.length + 2, 2);
  return Buffer.concat([head, bytes]);
};
const begin = Buffer.from([0xff, 0xd8]);
const end = Buffer.from([0xff, 0xd9]);
const jfif = photoSegment(0xe0, 'JFIF\0\u0001\u0002');
const colours = photoSegment(0xe2, 'ICC_PROFILE\0\u0001\u0001profile');
const tables = photoSegment(0xdb, 'tables');
const frame = photoSegment(0xc0, 'frame');
/** A scan with a stuffed zero and a restart in its data. */
const scan = Buffer.concat([photoSegment(0xda, 'scan'), Buffer.from([1, 0xff, 0, 2, 0xff, 0xd1, 3])]);
export const exifPlace = 'GPS 22.2819 N 114.1588 E';

/** An Exif segment that has an orientation and a place. */
export function exif(orientation: number, isLittle: boolean): Buffer {
  const tiff = Buffer.alloc(38);
  tiff.write(isLittle ? 'II*\0' : 'MM\0*', 0, 'latin1');
  const two = (value: number, at: number) => (isLittle ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at));
  const four = (value: number, at: number) =>
    isLittle ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at);
  four(8, 4);
  two(2, 8);
  two(0x010f, 10);
  two(0x0112, 22);
  two(3, 24);
  four(1, 26);
  two(orientation, 30);
  return photoSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, Buffer.from(exifPlace)]));
}

/** A photo with these segments more, and a comment that says where it was taken. */
export const photo = (...extra: Buffer[]) =>
  Buffer.concat([begin, jfif, ...extra, photoSegment(0xfe, exifPlace), colours, tables, frame, scan, end]);
export const photoParts = { begin, end, jfif, colours, tables, frame, scan };
