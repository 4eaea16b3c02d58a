import type { Locale } from '@causeway/contract/locale.ts';
import PDFDocument from 'pdfkit';
import { type Face, facesFor, linesOf, type Run, runsOf, type Weight, widthOf } from './receipt-type.ts';

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

/** A4 in points, and the places of its parts. */
const page = { width: 595, height: 842, margin: 56, bottom: 770 } as const;
const inner = page.width - 2 * page.margin;
const labelWidth = 130;
const ink = '#111827';
const grey = '#6b7280';
const rule = '#d1d5db';

/** Draws a receipt as a PDF: company and title, status and amount, then the facts, one below another. */
export function drawReceipt(content: ReceiptContent, locale: Locale): Promise<Buffer> {
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: locale,
    info: { Title: content.title, Author: content.company, Creator: 'Causeway' },
  });
  const chunks: Buffer[] = [];
  const finished = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });
  const pen = penFor(document, locale);
  const top = drawHead(document, pen, content);
  drawRows(document, pen, content, top);
  drawFooters(document, pen, content);
  document.end();
  return finished;
}

type Pen = ReturnType<typeof penFor>;

interface Style {
  size: number;
  color: string;
  weight?: Weight;
  width?: number;
  align?: 'left' | 'right';
}

/** Writes text in the right faces; a face is put into the document when it is first used. */
function penFor(document: PDFKit.PDFDocument, locale: Locale) {
  const registered = new Set<string>();
  const choiceOf = (weight: Weight = 'regular'): readonly [Face, Face] => facesFor(locale, weight);
  const drawRun = (run: Run, x: number, y: number, style: Style) => {
    if (!registered.has(run.face.name)) {
      document.registerFont(run.face.name, run.face.file);
      registered.add(run.face.name);
    }
    document.font(run.face.name).fontSize(style.size).fillColor(style.color);
    document.text(run.text, x, y, { lineBreak: false });
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
    lines: (text: string, style: Style & { width: number }) =>
      linesOf(text, choiceOf(style.weight), style.size, style.width),
    runs: drawLine,
  };
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

function drawFooters(document: PDFKit.PDFDocument, pen: Pen, content: ReceiptContent): void {
  const { count } = document.bufferedPageRange();
  const style = { size: 8, color: grey } as const;
  for (let i = 0; i < count; i++) {
    document.switchToPage(i);
    drawRule(document, page.height - 52);
    pen.line(content.footer, page.margin, page.height - 44, style);
    pen.line(content.pageOf(i + 1, count), page.width - page.margin, page.height - 44, { ...style, align: 'right' });
  }
}

function drawRule(document: PDFKit.PDFDocument, y: number): void {
  document
    .moveTo(page.margin, y)
    .lineTo(page.width - page.margin, y)
    .lineWidth(0.7)
    .strokeColor(rule)
    .stroke();
}
