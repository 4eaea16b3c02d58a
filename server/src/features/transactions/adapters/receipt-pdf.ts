import type { Locale } from '@causeway/contract/locale.ts';
import PDFDocument from 'pdfkit';
import { bytesOf, drawFooters, drawRule, grey, ink, type Pen, a4 as page, penFor } from '../../../platform/pdf/pen.ts';

/** What a receipt says, already in words. */
export interface ReceiptContent {
  title: string;
  /** The company whose receipt it is. */
  company: string;
  status: string;
  amount: string;
  /** Label and value, in their order; a value may have several lines. */
  rows: readonly { label: string; value: string }[];
  footer: string;
  /** `1 / 2` in words. */
  pageOf(page: number, pages: number): string;
}

const inner = page.width - 2 * page.margin;
const labelWidth = 130;

/** Draws a receipt as a PDF: company and title, status and amount, then the facts, one below another. */
export function drawReceipt(content: ReceiptContent, locale: Locale): Promise<Buffer> {
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: locale,
    info: { Title: content.title, Author: content.company, Creator: 'Causeway' },
  });
  const finished = bytesOf(document);
  const pen = penFor(document, locale);
  const top = drawHead(document, pen, content);
  drawRows(document, pen, content, top);
  drawFooters(document, pen, content);
  document.end();
  return finished;
}

/** @returns where the facts begin */
function drawHead(document: PDFKit.PDFDocument, pen: Pen, content: ReceiptContent): number {
  const right = page.width - page.margin;
  pen.line(content.title, right, page.margin, { size: 11, color: grey, align: 'right' });
  let y: number = page.margin;
  const name = { size: 15, color: ink, weight: 'bold', width: inner - 150 } as const;
  for (const runs of pen.lines(content.company, name)) {
    pen.runs(runs, page.margin, y - 4, name);
    y += 21;
  }
  y += 12;
  drawRule(document, y);
  pen.line(content.status, page.margin, y + 18, { size: 11, color: grey });
  const amount = { size: 24, color: ink, weight: 'bold', width: inner } as const;
  y += 36;
  for (const runs of pen.lines(content.amount, amount)) {
    pen.runs(runs, page.margin, y, amount);
    y += 34;
  }
  drawRule(document, y + 10);
  return y + 26;
}

function drawRows(document: PDFKit.PDFDocument, pen: Pen, content: ReceiptContent, top: number): void {
  const lineHeight = 15;
  const label = { size: 9.5, color: grey, width: labelWidth - 12 } as const;
  const value = { size: 9.5, color: ink, width: inner - labelWidth } as const;
  let y = top;
  for (const row of content.rows) {
    const labels = pen.lines(row.label, label);
    const values = pen.lines(row.value, value);
    for (let i = 0; i < Math.max(labels.length, values.length); i++) {
      if (y + lineHeight > page.bottom) {
        document.addPage();
        y = page.margin;
      }
      pen.runs(labels[i] ?? [], page.margin, y, label);
      pen.runs(values[i] ?? [], page.margin + labelWidth, y, value);
      y += lineHeight;
    }
    y += 5;
  }
}
