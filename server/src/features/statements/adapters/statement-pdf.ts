import { setImmediate } from 'node:timers/promises';
import type { Locale } from '@causeway/contract/locale.ts';
import PDFDocument from 'pdfkit';
import {
  a4,
  bytesOf,
  drawFooters,
  drawRule,
  grey,
  ink,
  type Pen,
  penFor,
  type Style,
} from '../../../platform/pdf/pen.ts';

/** What a statement says, already in words. */
export interface StatementContent {
  title: string;
  company: string;
  /** Below the company: period, time zone, what is final. */
  subtitle: readonly string[];
  /** The wallets of the whole company; null in the statement of one. */
  summary: Table | null;
  sections: readonly Section[];
  notesTitle: string;
  notes: readonly string[];
  footer: string;
  pageOf(page: number, pages: number): string;
}

interface Table {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** One wallet: its figures, and its movements between opening and closing balance. */
export interface Section {
  title: string;
  /** The account at a bank; null on a chain. */
  account: string | null;
  figures: readonly { label: string; value: string }[];
  head: readonly string[];
  /** Cells in the order of the head; the first row is the opening balance, the last one the closing balance. */
  rows: readonly (readonly string[])[];
  /** Said where there are no movements. */
  empty: string | null;
}

/** A4 upright has no room for seven columns. */
const page = { width: a4.height, height: a4.width, bottom: a4.width - 68 } as const;
const inner = page.width - 2 * a4.margin;
const lineHeight = 11;
const cellGap = 8;
/** So many rows are drawn before others get a turn: a statement of hundreds of pages takes seconds. */
const rowsATurn = 40;

interface Column {
  /** Points. */
  width: number;
  align: 'left' | 'right';
}

const movementColumns: readonly Column[] = [
  { width: 100, align: 'left' },
  { width: 208, align: 'left' },
  { width: 118, align: 'right' },
  { width: 80, align: 'right' },
  { width: 118, align: 'right' },
  { width: 106, align: 'right' },
];
const summaryColumns: readonly Column[] = [
  { width: 130, align: 'left' },
  { width: 105, align: 'right' },
  { width: 105, align: 'right' },
  { width: 105, align: 'right' },
  { width: 80, align: 'right' },
  { width: 105, align: 'right' },
  { width: 100, align: 'right' },
];

/** Draws a statement as a PDF: the summary of all wallets if there is one, each wallet, then the notes. */
export async function drawStatement(content: StatementContent, locale: Locale): Promise<Buffer> {
  const document = new PDFDocument({
    size: 'A4',
    layout: 'landscape',
    margin: 0,
    bufferPages: true,
    lang: locale,
    info: { Title: content.title, Author: content.company, Creator: 'Causeway' },
  });
  const finished = bytesOf(document);
  const sheet = new Sheet(document, penFor(document, locale));
  drawHead(sheet, content);
  if (content.summary !== null) {
    await drawTable(sheet, summaryColumns, content.summary.head, content.summary.rows);
    sheet.space(14);
  }
  for (const section of content.sections) await drawSection(sheet, section);
  drawNotes(sheet, content);
  drawFooters(document, sheet.pen, content, page);
  document.end();
  return finished;
}

/** A document, and where on its last page the next line goes. */
class Sheet {
  readonly document: PDFKit.PDFDocument;
  readonly pen: Pen;
  y: number = a4.margin;

  constructor(document: PDFKit.PDFDocument, pen: Pen) {
    this.document = document;
    this.pen = pen;
  }

  /** Begins another page where so many points do not fit on this one. @returns whether it did */
  need(points: number): boolean {
    if (this.y + points <= page.bottom) return false;
    this.document.addPage();
    this.y = a4.margin;
    return true;
  }

  space(points: number): void {
    this.y += points;
  }

  /** Lines of text across the page, broken where they are too long. */
  text(text: string, style: Style, height: number): void {
    for (const runs of this.pen.lines(text, { ...style, width: inner })) {
      this.need(height);
      this.pen.runs(runs, a4.margin, this.y, style);
      this.y += height;
    }
  }
}

function drawHead(sheet: Sheet, content: StatementContent): void {
  sheet.pen.line(content.title, page.width - a4.margin, sheet.y, { size: 11, color: grey, align: 'right' });
  const name = { size: 15, color: ink, weight: 'bold', width: inner - 200 } as const;
  for (const runs of sheet.pen.lines(content.company, name)) {
    sheet.pen.runs(runs, a4.margin, sheet.y - 4, name);
    sheet.space(21);
  }
  for (const line of content.subtitle) sheet.text(line, { size: 9, color: grey }, 13);
  sheet.space(8);
  drawRule(sheet.document, sheet.y, page.width);
  sheet.space(14);
}

async function drawSection(sheet: Sheet, section: Section): Promise<void> {
  // A heading at the foot of a page would be parted from its table.
  sheet.need(150);
  sheet.text(section.title, { size: 12, color: ink, weight: 'bold' }, 20);
  if (section.account !== null) {
    sheet.text(section.account, { size: 9, color: grey }, 13);
    sheet.space(5);
  }
  drawFigures(sheet, section.figures);
  await drawTable(sheet, movementColumns, section.head, section.rows);
  if (section.empty !== null) sheet.text(section.empty, { size: 8.5, color: grey }, 14);
  sheet.space(16);
}

/** Label above value, side by side; in two rows where long amounts would run into each other. */
function drawFigures(sheet: Sheet, figures: Section['figures']): void {
  const style = { size: 9, color: ink };
  const allWidth = inner / figures.length;
  const fits = ({ value }: (typeof figures)[number]) =>
    sheet.pen.lines(value, { ...style, width: allWidth - cellGap }).length === 1;
  const inRow = figures.every(fits) ? figures.length : Math.ceil(figures.length / 2);
  for (let first = 0; first < figures.length; first += inRow) {
    for (const [i, { label, value }] of figures.slice(first, first + inRow).entries()) {
      const x = a4.margin + (i * inner) / inRow;
      sheet.pen.line(label, x, sheet.y, { size: 8, color: grey });
      sheet.pen.line(value, x, sheet.y + 11, style);
    }
    sheet.space(first + inRow < figures.length ? 28 : 32);
  }
}

/** Rows with the head above them on each page. */
async function drawTable(
  sheet: Sheet,
  columns: readonly Column[],
  head: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  const drawTop = () => {
    drawRow(sheet, columns, head, { size: 8, color: grey });
    drawRule(sheet.document, sheet.y, page.width);
    sheet.space(4);
  };
  drawTop();
  for (const [i, row] of rows.entries()) {
    const style = { size: 8, color: ink };
    if (sheet.need(heightOf(sheet, columns, row, style))) drawTop();
    drawRow(sheet, columns, row, style);
    if (i % rowsATurn === rowsATurn - 1) await setImmediate();
  }
  sheet.space(4);
}

function cellsOf(sheet: Sheet, columns: readonly Column[], row: readonly string[], style: Style) {
  return columns.map(({ width }, i) => sheet.pen.lines(row[i] ?? '', { ...style, width: width - cellGap }));
}

function heightOf(sheet: Sheet, columns: readonly Column[], row: readonly string[], style: Style): number {
  return Math.max(...cellsOf(sheet, columns, row, style).map(({ length }) => length)) * lineHeight + 4;
}

function drawRow(sheet: Sheet, columns: readonly Column[], row: readonly string[], style: Style): void {
  const cells = cellsOf(sheet, columns, row, style);
  let x: number = a4.margin;
  for (const [i, { width, align }] of columns.entries()) {
    const at = align === 'right' ? x + width : x;
    for (const [line, runs] of (cells[i] ?? []).entries()) {
      sheet.pen.runs(runs, at, sheet.y + line * lineHeight, { ...style, align });
    }
    x += width;
  }
  sheet.space(Math.max(...cells.map(({ length }) => length)) * lineHeight + 4);
}

function drawNotes(sheet: Sheet, { notesTitle, notes }: StatementContent): void {
  sheet.need(60);
  sheet.text(notesTitle, { size: 9, color: ink, weight: 'bold' }, 14);
  for (const note of notes) sheet.text(note, { size: 8, color: grey }, 11);
}
