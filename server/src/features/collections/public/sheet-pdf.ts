import type { Locale } from '@causeway/contract/locale.ts';
import PDFDocument from 'pdfkit';
import { a4, bytesOf, drawFooters, drawRule, grey, ink, type Pen, penFor } from '../../../platform/pdf/pen.ts';
import type { QrPath } from './qr.ts';

/** What a sheet says, already in words: a request to pay, or its receipt. */
export interface SheetContent {
  title: string;
  company: string;
  status: string;
  amount: string;
  rows: readonly Row[];
  /** Ways to pay, each with its QR code. */
  blocks: readonly { title: string; qr: QrPath; rows: readonly Row[]; note: string }[];
  notes: readonly string[];
  footer: string;
  pageOf(page: number, pages: number): string;
}

interface Row {
  label: string;
  value: string;
}

type Document = PDFKit.PDFDocument;

const inner = a4.width - 2 * a4.margin;
const labelWidth = 130;
/** Beside a QR code. */
const narrowLabelWidth = 96;
const lineHeight = 15;
const qrSide = 120;
const label = { size: 9.5, color: grey } as const;
const value = { size: 9.5, color: ink } as const;
const small = { size: 9, color: grey, width: inner } as const;

/** Draws a sheet as a PDF of A4 pages: company and title, what is asked or paid, the facts, then the ways to pay. */
export function drawSheet(content: SheetContent, locale: Locale): Promise<Buffer> {
  const document = new PDFDocument({
    ...{ size: 'A4', margin: 0, bufferPages: true, lang: locale },
    info: { Title: content.title, Author: content.company, Creator: 'Causeway' },
  });
  const finished = bytesOf(document);
  const pen = penFor(document, locale);
  const sheet = new Sheet(document, pen);
  sheet.head(content);
  sheet.rows(content.rows, a4.margin, inner);
  for (const block of content.blocks) sheet.block(block);
  for (const note of content.notes) sheet.paragraph(note);
  drawFooters(document, pen, content);
  document.end();
  return finished;
}

/** A pen that goes down the pages. */
class Sheet {
  private readonly document: Document;
  private readonly pen: Pen;
  private y: number = a4.margin;

  constructor(document: Document, pen: Pen) {
    this.document = document;
    this.pen = pen;
  }

  head({ title, company, status, amount }: SheetContent): void {
    this.pen.line(title, a4.width - a4.margin, a4.margin, { size: 11, color: grey, align: 'right' });
    this.text(company, { size: 15, color: ink, weight: 'bold', width: inner - 150 }, 21);
    drawRule(this.document, this.y + 6);
    this.y += 22;
    this.text(status, { size: 11, color: grey, width: inner }, 16);
    this.text(amount, { size: 24, color: ink, weight: 'bold', width: inner }, 34);
    drawRule(this.document, this.y + 4);
    this.y += 20;
  }

  rows(rows: readonly Row[], left: number, width: number, column = labelWidth): void {
    for (const row of rows) {
      const [labels, values] = this.linesOf(row, width, column);
      for (let i = 0; i < Math.max(labels.length, values.length); i++) {
        this.need(lineHeight);
        this.pen.runs(labels[i] ?? [], left, this.y, label);
        this.pen.runs(values[i] ?? [], left + column, this.y, value);
        this.y += lineHeight;
      }
      this.y += 5;
    }
  }

  /** A way to pay: never torn apart by the end of a page. */
  block({ title, qr, rows, note }: SheetContent['blocks'][number]): void {
    const beside = inner - qrSide - 16;
    const lines = rows.reduce((sum, row) => {
      const [labels, values] = this.linesOf(row, beside, narrowLabelWidth);
      return sum + Math.max(values.length, labels.length) * lineHeight + 5;
    }, 0);
    const remark = this.pen.lines(note, small).length * 13;
    this.need(28 + Math.max(lines, qrSide) + remark + 24);
    drawRule(this.document, this.y + 4);
    this.y += 16;
    this.text(title, { size: 11, color: ink, weight: 'bold', width: inner }, 18);
    const top = this.y;
    const scale = qrSide / qr.size;
    this.document.save().translate(a4.margin, top).scale(scale).path(qr.path).fill('#000000').restore();
    this.y += 8;
    this.rows(rows, a4.margin + qrSide + 16, beside, narrowLabelWidth);
    this.y = Math.max(this.y, top + qrSide) + 4;
    this.paragraph(note);
  }

  paragraph(text: string): void {
    this.text(text, small, 13);
    this.y += 6;
  }

  private linesOf(row: Row, width: number, column: number) {
    return [
      this.pen.lines(row.label, { ...label, width: column - 12 }),
      this.pen.lines(row.value, { ...value, width: width - column }),
    ] as const;
  }

  private text(text: string, style: { size: number; color: string; weight?: 'bold'; width: number }, height: number) {
    for (const runs of this.pen.lines(text, style)) {
      this.need(height);
      this.pen.runs(runs, a4.margin, this.y, style);
      this.y += height;
    }
  }

  /** Begins another page where so many points no longer fit. */
  private need(height: number): void {
    if (this.y + height <= a4.bottom) return;
    this.document.addPage();
    this.y = a4.margin;
  }
}
