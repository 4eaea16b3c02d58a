import type { ListKind } from '@causeway/contract/risk-rules.ts';
import type { Translate } from '../../lib/locale.tsx';
import { saveBlob } from '../../lib/save-blob.ts';

/**
 * Hands the browser an empty list in the columns that an import reads (the header is understood in each of the three
 * languages), with one row that shows how it is filled in.
 */
export function saveTemplate(kind: ListKind, t: Translate): void {
  // Excel reads a file as UTF-8 when it begins with the byte order mark.
  const blob = new Blob([`\uFEFF${templateOf(kind, t)}`], { type: 'text/csv;charset=utf-8' });
  saveBlob(`${kind}list-template.csv`, blob);
}

function templateOf(kind: ListKind, t: Translate): string {
  const columns = ['payeeType', 'account', 'remark', ...(kind === 'white' ? ['single', 'daily', 'cumulative'] : [])];
  const head = columns.map((column) => t(`risk.column.${column}`));
  const example = [t('risk.type.bank_no'), '012345678901', t('risk.import.example')];
  const limits = kind === 'white' ? ['1000', '5000', '20000'] : [];
  return `${[head, [...example, ...limits]].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

/** A cell as RFC 4180 writes it. */
function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
