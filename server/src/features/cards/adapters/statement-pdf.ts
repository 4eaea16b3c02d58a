import type { Locale } from '@causeway/contract/locale.ts';
import PDFDocument from 'pdfkit';
import { a4, bytesOf, drawFooters, drawRule, grey, ink, penFor } from '../../../platform/pdf/pen.ts';

/** What the statement of a card says, already in words. */
export interface CardStatement {
  title: string;
  subtitle: readonly string[];
  head: readonly string[];
  rows: readonly (readonly string[])[];
  total: string;
  /** Said where there are no rows. */
  empty: string;
  footer: string;
  pageOf(page: number, pages: number): string;
}

/** Points. The last two are amounts. */
const widths = [92, 168, 88, 68, 67] as const;
const rowHeight = 13;
const gap = 8;

export async function drawCardStatement(content: CardStatement, locale: Locale): Promise<Buffer> {
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: locale,
    info: { Title: content.title, Creator: 'Causeway' },
  });
  const finished = bytesOf(document);
  const pen = penFor(document, locale);
  let y: number = a4.margin;
  pen.line(content.title, a4.margin, y, { size: 15, color: ink, weight: 'bold' });
  y += 26;
  for (const line of content.subtitle) {
    pen.line(line, a4.margin, y, { size: 9, color: grey });
    y += 14;
  }
  y += 10;
  const row = (cells: readonly string[], weight: 'regular' | 'bold') => {
    const texts = cells.map((cell, place) =>
      pen.lines(cell, { size: 8.5, color: ink, weight, width: (widths[place] ?? 80) - gap }),
    );
    const height = Math.max(1, ...texts.map(({ length }) => length)) * rowHeight;
    if (y + height > a4.bottom) {
      document.addPage();
      y = a4.margin;
    }
    let x: number = a4.margin;
    texts.forEach((lines, place) => {
      const width = widths[place] ?? 80;
      const isAmount = place >= 3;
      lines.forEach((runs, turn) => {
        const style = { size: 8.5, color: ink, weight, align: isAmount ? 'right' : 'left' } as const;
        pen.runs(runs, isAmount ? x + width : x, y + turn * rowHeight, style);
      });
      x += width;
    });
    y += height;
  };
  row(content.head, 'bold');
  drawRule(document, y - 1);
  y += 4;
  if (content.rows.length === 0) row([content.empty], 'regular');
  for (const cells of content.rows) row(cells, 'regular');
  y += 6;
  pen.line(content.total, a4.width - a4.margin, y, { size: 9.5, color: ink, weight: 'bold', align: 'right' });
  drawFooters(document, pen, content);
  document.end();
  return finished;
}
