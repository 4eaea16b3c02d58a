import { TextDecoder } from 'node:util';
import type { BatchEncoding } from '@causeway/contract/batches-rules.ts';
import { BatchFileError } from './problem.ts';

/** How the bytes of a CSV file become text: strictly, so that no character is replaced in silence. */

export interface Decoded {
  text: string;
  encoding: BatchEncoding;
  /** Every encoding in which the bytes are text at all, the most plausible first. */
  encodings: BatchEncoding[];
  /** False where another encoding reads plausibly, too: a person has to look at it. */
  sure: boolean;
}

/** Of the characters beyond ASCII, so many have to be common ones for an encoding to be believed at all. */
const believed = 0.5;
const certain = 0.9;
/** And the next best encoding must be so far behind. */
const lead = 0.2;

/**
 * Decodes by the byte order mark; else as UTF-8 where the bytes are that; else by which of UTF-16, Big5 and GB18030 gives common
 * characters. `chosen` is a person's choice, and counts where the bytes can be read in it.
 * @throws BatchFileError encoding, binary
 */
export function decode(content: Buffer, chosen: BatchEncoding | null = null): Decoded {
  const marked = markOf(content);
  const candidates = marked ? [{ encoding: marked, score: 1 }] : candidatesOf(content);
  const read = candidates.flatMap((candidate) => {
    const text = decodeStrictly(content, candidate.encoding);
    return text === null ? [] : [{ ...candidate, text }];
  });
  const encodings = read.map(({ encoding }) => encoding);
  const [best, next] = read;
  if (chosen !== null) {
    const found = read.find(({ encoding }) => encoding === chosen);
    if (!found) throw new BatchFileError('encoding');
    return { text: checked(found.text), encoding: chosen, encodings, sure: true };
  }
  if (!best || best.score < believed) throw new BatchFileError(content.includes(0) ? 'binary' : 'encoding');
  const sure = best.score >= certain && best.score - (next?.score ?? 0) >= lead;
  return { text: checked(best.text), encoding: best.encoding, encodings, sure };
}

function checked(text: string): string {
  if (text.includes('\0')) throw new BatchFileError('binary');
  return text;
}

function markOf(content: Buffer): BatchEncoding | null {
  if (content[0] === 0xef && content[1] === 0xbb && content[2] === 0xbf) return 'utf-8';
  if (content[0] === 0xff && content[1] === 0xfe) return 'utf-16le';
  if (content[0] === 0xfe && content[1] === 0xff) return 'utf-16be';
  return null;
}

function candidatesOf(content: Buffer): { encoding: BatchEncoding; score: number }[] {
  const wide = wideOf(content);
  if (wide !== null) return [{ encoding: wide, score: 1 }];
  // Text in another encoding that is valid UTF-8 by chance does not happen beyond a few characters.
  if (decodeStrictly(content, 'utf-8') !== null) return [{ encoding: 'utf-8', score: 1 }];
  const doubles = [
    { encoding: 'big5' as const, score: commonShare(content, isCommonBig5) },
    { encoding: 'gb18030' as const, score: commonShare(content, isCommonGb) },
  ];
  return doubles.sort((a, b) => b.score - a.score);
}

/** UTF-16 without a mark: digits, separators and line breaks have a zero byte on the same side. */
function wideOf(content: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (content.length % 2 !== 0) return null;
  const sample = content.subarray(0, 65_536);
  const zeros = [0, 0];
  for (const [i, byte] of sample.entries()) if (byte === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const enough = sample.length / 20;
  if (odd > enough && odd > even * clear) return 'utf-16le';
  return even > enough && even > odd * clear ? 'utf-16be' : null;
}

/** 一 has a zero byte on the other side. */
const clear = 10;

/** Of the pairs of bytes that are a character, how many are common ones; 0 where the bytes are no pairs. */
function commonShare(content: Buffer, isCommon: (first: number, second: number) => boolean): number {
  let pairs = 0;
  let common = 0;
  for (let i = 0; i < content.length; i += 1) {
    const first = content[i] ?? 0;
    if (first < 0x80) continue;
    i += 1;
    pairs += 1;
    if (isCommon(first, content[i] ?? 0)) common += 1;
  }
  return pairs === 0 ? 0 : common / pairs;
}

/** Punctuation, and the 5,401 frequent characters of Big5. */
function isCommonBig5(first: number, second: number): boolean {
  return first >= 0xa1 && first <= 0xc6 && ((second >= 0x40 && second <= 0x7e) || (second >= 0xa1 && second <= 0xfe));
}

/** Punctuation, and the 3,755 frequent characters of GB 2312 (level 1). */
function isCommonGb(first: number, second: number): boolean {
  return second >= 0xa1 && second <= 0xfe && ((first >= 0xb0 && first <= 0xd7) || first === 0xa1 || first === 0xa3);
}

function decodeStrictly(content: Buffer, encoding: BatchEncoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content);
  } catch {
    return null;
  }
}
