import type { Locale } from '@causeway/contract/locale.ts';
import { type Face, facesFor, linesOf, type Run, runsOf, type Weight, widthOf } from './typesetting.ts';

/** A4 in points, and the margin of its pages. */
export const a4 = { width: 595, height: 842, margin: 56, bottom: 770 } as const;
export const ink = '#111827';
export const grey = '#6b7280';
const rule = '#d1d5db';

export interface Style {
  size: number;
  color: string;
  weight?: Weight;
  align?: 'left' | 'right';
}

export type Pen = ReturnType<typeof penFor>;

/** Writes text in the right faces; a face is put into the document when it is first used. */
export function penFor(document: PDFKit.PDFDocument, locale: Locale) {
  const registered = new Set<string>();
  const choiceOf = (weight: Weight = 'regular'): readonly [Face, Face] => facesFor(locale, weight);
  const drawRun = (run: Run, x: number, y: number, style: Style) => {
    if (!registered.has(run.face.name)) {
      document.registerFont(run.face.name, run.face.file);
      registered.add(run.face.name);
    }
    document.font(run.face.name).fontSize(style.size).fillColor(style.color);
    document.text(run.text, x, y, { lineBreak: false, ...(run.feature !== null && { features: [run.feature] }) });
  };
  const drawLine = (runs: readonly Run[], x: number, y: number, style: Style) => {
    let left = style.align === 'right' ? x - widthOf(runs, style.size) : x;
    for (const run of runs) {
      if (run.text !== '') drawRun(run, left, y, style);
      left += widthOf([run], style.size);
    }
  };
  return {
    line: (text: string, x: number, y: number, style: Style) =>
      drawLine(runsOf(text, choiceOf(style.weight)), x, y, style),
    /** The text in lines no wider than `width` points. */
    lines: (text: string, style: Style & { width: number }) =>
      linesOf(text, choiceOf(style.weight), style.size, style.width),
    runs: drawLine,
  };
}

/** A line across a page. */
export function drawRule(document: PDFKit.PDFDocument, y: number, width: number = a4.width): void {
  document
    .moveTo(a4.margin, y)
    .lineTo(width - a4.margin, y)
    .lineWidth(0.7)
    .strokeColor(rule)
    .stroke();
}

/** What is at the foot of each page: a sentence, and which page of how many it is. The document must buffer its pages. */
export function drawFooters(
  document: PDFKit.PDFDocument,
  pen: Pen,
  { footer, pageOf }: { footer: string; pageOf(page: number, pages: number): string },
  page: { width: number; height: number } = a4,
): void {
  const { count } = document.bufferedPageRange();
  const style = { size: 8, color: grey } as const;
  for (let i = 0; i < count; i++) {
    document.switchToPage(i);
    drawRule(document, page.height - 52, page.width);
    pen.line(footer, a4.margin, page.height - 44, style);
    pen.line(pageOf(i + 1, count), page.width - a4.margin, page.height - 44, { ...style, align: 'right' });
  }
}

/** The bytes of a document once it has ended. */
export function bytesOf(document: PDFKit.PDFDocument): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise<Buffer>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });
}
