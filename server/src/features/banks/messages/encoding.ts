import { TextDecoder } from 'node:util';
import { BankFileError } from './problem.ts';

/** Enough bytes for a byte order mark and an XML declaration. */
const prologueBytes = 256;

/**
 * The text of a file whose encoding is the one of its byte order mark, else the one of its XML declaration, else UTF-8 (XML 1.0,
 * appendix F). Bytes that the encoding does not have are an error, never a replacement character.
 * @throws BankFileError encoding
 */
export async function* decodeXml(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let start = new Uint8Array(0);
  for await (const chunk of bytes) {
    if (decoder) {
      yield decode(decoder, chunk, true);
      continue;
    }
    const joined = new Uint8Array(start.length + chunk.length);
    joined.set(start);
    joined.set(chunk, start.length);
    start = joined;
    if (start.length < prologueBytes) continue;
    decoder = decoderFor(start);
    yield decode(decoder, start, true);
  }
  if (!decoder) {
    decoder = decoderFor(start);
    yield decode(decoder, start, true);
  }
  yield decode(decoder, new Uint8Array(0), false);
}

function decode(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw new BankFileError('encoding', { value: decoder.encoding });
  }
}

function decoderFor(start: Uint8Array): TextDecoder {
  const label = labelOf(start);
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    throw new BankFileError('encoding', { value: label });
  }
}

function labelOf(start: Uint8Array): string {
  const [first, second, third] = start;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0x3c && second === 0x00) return 'utf-16le';
  if (first === 0x00 && second === 0x3c) return 'utf-16be';
  const prologue = new TextDecoder('latin1').decode(start.subarray(0, prologueBytes));
  const declared = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(prologue)?.[1] ?? 'utf-8';
  // Programs that keep texts as UTF-16 declare that and write UTF-8. What begins with ASCII cannot be UTF-16.
  return /^(utf-?16|ucs-?2|iso-10646-ucs-2)/i.test(declared) ? 'utf-8' : declared;
}
