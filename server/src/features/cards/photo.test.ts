import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exif, photo, photoParts, exifPlace as place, photoSegment as segment } from '../../testing/photos.ts';
import { isHeic, withoutMetadata } from './photo.ts';

/** Photos as phones take them: with place, time and device, and lying on their side. */

const { begin, end, jfif, colours, tables, frame, scan } = photoParts;
const orientationIn = (bytes: Buffer) => {
  const at = bytes.indexOf('Exif\0\0MM\0*', 0, 'latin1');
  return at === -1 ? null : bytes.readUInt16BE(at + 24);
};

describe('a photo', () => {
  test.each([
    [1, false, null],
    [6, false, 6],
    [8, true, 8],
    [9, true, null],
  ])('of orientation %s (little endian: %s) keeps nothing else', (orientation, isLittle, kept) => {
    const xmp = segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${place}`);
    const film = Buffer.from(`ftypmp42 ${place}`);
    const stripped = withoutMetadata(
      'image/jpeg',
      Buffer.concat([
        photo(exif(orientation, isLittle), xmp, segment(0xed, place), segment(0xe2, `MPF\0${place}`)),
        film,
      ]),
    );
    expect(stripped?.includes('GPS')).toBe(false);
    expect(orientationIn(stripped ?? Buffer.alloc(0))).toBe(kept);
    const picture = Buffer.concat([jfif, colours, tables, frame, scan, end]);
    expect(stripped?.subarray(-picture.length).equals(picture)).toBe(true);
    // As it is, it stays.
    expect(withoutMetadata('image/jpeg', stripped ?? begin)?.equals(stripped ?? begin)).toBe(true);
  });

  test('with several scans is kept whole, and one that breaks off as far as it goes', () => {
    const several = Buffer.concat([begin, tables, frame, scan, segment(0xc4, 'codes'), scan, end]);
    expect(withoutMetadata('image/jpeg', several)?.equals(several)).toBe(true);
    const broken = several.subarray(0, -5);
    expect(withoutMetadata('image/jpeg', broken)?.subarray(0, -2).equals(broken)).toBe(true);
  });

  test.each([
    ['no picture', Buffer.from('nothing of the kind')],
    ['an empty one', Buffer.concat([begin, end])],
    ['one that ends within a segment', photo().subarray(0, 12)],
    ['a segment longer than the file', Buffer.concat([begin, Buffer.from([0xff, 0xe0, 0xff, 0xff, 1])])],
  ])('is damaged: %s', (_, bytes) => {
    expect(withoutMetadata('image/jpeg', bytes)).toBeNull();
  });

  test('of any bytes ends, and says nothing that it did not say before', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(60), (bytes, at) => {
        const content = photo(exif(6, true));
        content.set(bytes.subarray(0, Math.max(0, content.length - at)), Math.min(at, content.length));
        const stripped = withoutMetadata('image/jpeg', content.subarray(0, content.length));
        return stripped === null || stripped.length <= content.length + 38;
      }),
    );
  });
});

test('a PNG loses its texts and what is behind its end', () => {
  const chunk = (type: string, content: string) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(content.length, 0);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, Buffer.from(content), Buffer.alloc(4)]);
  };
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const [head, data, last] = [chunk('IHDR', 'head'), chunk('IDAT', 'picture'), chunk('IEND', '')];
  const texts = ['tEXt', 'iTXt', 'zTXt', 'eXIf', 'tIME'].map((type) => chunk(type, place));
  const full = Buffer.concat([signature, head, ...texts, data, last, Buffer.from(place)]);
  expect(withoutMetadata('image/png', full)?.equals(Buffer.concat([signature, head, data, last]))).toBe(true);
  expect(withoutMetadata('image/png', full.subarray(0, 60))).toBeNull();
  expect(withoutMetadata('image/png', head)).toBeNull();
});

test('a PDF is stored as it is, and an iPhone’s own format is known', () => {
  const pdf = Buffer.from('%PDF-1.7\n%%EOF\n');
  expect(withoutMetadata('application/pdf', pdf)).toBe(pdf);
  const boxed = (brand: string) => Buffer.from(`\0\0\0\u0018ftyp${brand}\0\0\0\0`, 'latin1');
  expect(['heic', 'mif1', 'isom'].map((brand) => isHeic(boxed(brand)))).toEqual([true, true, false]);
  expect(isHeic(Buffer.alloc(3))).toBe(false);
});
