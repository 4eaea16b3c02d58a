/// <reference path="./fontkit.d.ts" />
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Locale } from '@causeway/contract/locale.ts';
import * as fontkit from 'fontkit';

/**
 * The faces of the PDFs: Noto Sans HK and SC. Neither covers all Chinese characters that people write (HK lacks 简 and 汇),
 * so each character takes the first face that has it, the reader's own first.
 */

export type Weight = 'regular' | 'bold';

export interface Face {
  /** The name under which the document knows it. */
  name: string;
  file: Buffer;
  font: fontkit.Font;
}

/** A run of text in one face. */
export interface Run {
  text: string;
  face: Face;
  /** OpenType feature: the face draws quotation marks as wide as a Chinese character, which tears Latin words apart. */
  feature: 'pwid' | null;
}

const files = {
  'hk-regular': () => import.meta.resolve('@expo-google-fonts/noto-sans-hk/400Regular/NotoSansHK_400Regular.ttf'),
  'hk-bold': () => import.meta.resolve('@expo-google-fonts/noto-sans-hk/700Bold/NotoSansHK_700Bold.ttf'),
  'sc-regular': () => import.meta.resolve('@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf'),
  'sc-bold': () => import.meta.resolve('@expo-google-fonts/noto-sans-sc/700Bold/NotoSansSC_700Bold.ttf'),
} as const;

/** Replaces a character that no face has. */
const unknown = '\u25a1';

const faces = new Map<string, Face>();

function face(name: keyof typeof files): Face {
  let found = faces.get(name);
  if (!found) {
    const file = readFileSync(fileURLToPath(files[name]()));
    found = { name, file, font: fontkit.create(file) };
    faces.set(name, found);
  }
  return found;
}

/** The faces in the order in which a reader of this language is served. */
export function facesFor(locale: Locale, weight: Weight): readonly [Face, Face] {
  const [hk, sc] = [face(`hk-${weight}`), face(`sc-${weight}`)];
  return locale === 'zh-cn' ? [sc, hk] : [hk, sc];
}

/** Splits a line into runs, each in a face that has its characters; what nothing can draw becomes a box. */
export function runsOf(text: string, choice: readonly [Face, Face]): Run[] {
  const runs: Run[] = [];
  const characters = [...drawable(text)];
  for (const [index, character] of characters.entries()) {
    const codePoint = character.codePointAt(0) ?? 0;
    const found = choice.find(({ font }) => font.hasGlyphForCodePoint(codePoint));
    const feature = featureOf(character, `${characters[index - 1] ?? ''}${characters[index + 1] ?? ''}`);
    const piece: Run = { text: found ? character : unknown, face: found ?? choice[1], feature };
    const last = runs.at(-1);
    if (last?.face === piece.face && last.feature === piece.feature) last.text += piece.text;
    else runs.push(piece);
  }
  return runs;
}

/** How a mark is drawn beside a Latin letter or a digit; null: as the face has it. */
function featureOf(character: string, beside: string): Run['feature'] {
  return /[\u2018\u2019\u201c\u201d]/.test(character) && /[\x21-\x7e]/.test(beside) ? 'pwid' : null;
}

/** What is written, without what has no shape of its own: joiners, selectors and direction marks. */
function drawable(text: string): string {
  return text.replaceAll(/\p{Cf}|[\ufe00-\ufe0f]/gu, '').replaceAll(/\s/g, ' ');
}

/** Breaks a text into lines no wider than `width` (points): at spaces, or between any two characters where it must. */
export function linesOf(text: string, choice: readonly [Face, Face], size: number, width: number): Run[][] {
  const measure = (part: string) => widthOf(runsOf(part, choice), size);
  const lines: string[] = [];
  for (const paragraph of text.split(/\r\n|\r|\n/)) {
    let line = '';
    let used = 0;
    const begin = () => {
      lines.push(line.trimEnd());
      line = '';
      used = 0;
    };
    // Latin words stay whole, with their apostrophes and quotation marks; every other character may end a line.
    for (const word of paragraph.match(/[\x21-\x7e\u2018\u2019\u201c\u201d]+|[^\x21-\x7e]/gu) ?? []) {
      const wordWidth = measure(word);
      if (used + wordWidth > width && line !== '') begin();
      const pieces = wordWidth > width ? [...word] : [word];
      for (const piece of pieces) {
        const pieceWidth = measure(piece);
        if (used + pieceWidth > width && line !== '') begin();
        line += piece;
        used += pieceWidth;
      }
    }
    lines.push(line.trimEnd());
  }
  return lines.map((line) => runsOf(line, choice));
}

/** The width of runs in points: the sum of their characters' advances, or what a feature makes of them. */
export function widthOf(runs: readonly Run[], size: number): number {
  let width = 0;
  for (const { text, face, feature } of runs) {
    if (feature !== null) {
      width += (face.font.layout(text, [feature]).advanceWidth * size) / face.font.unitsPerEm;
      continue;
    }
    for (const character of text) {
      const { advanceWidth } = face.font.glyphForCodePoint(character.codePointAt(0) ?? 0);
      width += (advanceWidth * size) / face.font.unitsPerEm;
    }
  }
  return width;
}
