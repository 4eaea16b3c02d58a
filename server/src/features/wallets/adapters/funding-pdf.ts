import type { Locale } from '@causeway/contract/locale.ts';
import PDFDocument from 'pdfkit';
import { a4, bytesOf, drawFooters, drawRule, grey, ink, penFor } from '../../../platform/pdf/pen.ts';

/** What a sheet of funding details says, already in words. */
export interface FundingContent {
  title: string;
  company: string;
  subtitle: string;
  /** Label and value, in their order; a value may have several lines. */
  rows: readonly { label: string; value: string }[];
  /** Sentences below them. */
  notes: readonly string[];
  footer: string;
  pageOf(page: number, pages: number): string;
}

const inner = a4.width - 2 * a4.margin;
const labelWidth = 150;
const lineHeight = 17;

/** Draws the details that a payer has to write as a PDF of one page: company and title, the details, then what to mind. */
export function drawFunding(content: FundingContent, locale: Locale): Promise<Buffer> {
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: locale,
    info: { Title: content.title, Author: content.company, Creator: 'Causeway' },
  });
  const finished = bytesOf(document);
  const pen = penFor(document, locale);
  pen.line(content.title, a4.width - a4.margin, a4.margin, { size: 11, color: grey, align: 'right' });
  let y: number = a4.margin;
  const paragraph = (
    text: string,
    style: { size: number; color: string; weight?: 'bold' },
    height: number,
    width = inner,
  ) => {
    for (const runs of pen.lines(text, { ...style, width })) {
      pen.runs(runs, a4.margin, y, style);
      y += height;
    }
  };
  paragraph(content.company, { size: 15, color: ink, weight: 'bold' }, 21, inner - 150);
  paragraph(content.subtitle, { size: 10, color: grey }, 14);
  drawRule(document, y + 8);
  y += 24;
  const label = { size: 10, color: grey, width: labelWidth - 12 } as const;
  const value = { size: 11, color: ink, width: inner - labelWidth } as const;
  for (const row of content.rows) {
    const labels = pen.lines(row.label, label);
    const values = pen.lines(row.value, value);
    for (let i = 0; i < Math.max(labels.length, values.length); i++) {
      pen.runs(labels[i] ?? [], a4.margin, y, label);
      pen.runs(values[i] ?? [], a4.margin + labelWidth, y, value);
      y += lineHeight;
    }
    y += 6;
  }
  drawRule(document, y + 4);
  y += 20;
  for (const note of content.notes) {
    paragraph(note, { size: 9.5, color: ink }, 14);
    y += 4;
  }
  drawFooters(document, pen, content);
  document.end();
  return finished;
}
