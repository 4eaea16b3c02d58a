import encodeQR from 'qr';

/** Modules of white around a code, as ISO/IEC 18004 asks for. */
const quietZone = 4;

export interface QrPath {
  /** Modules of a side, quiet zone included. */
  size: number;
  /** The dark modules as an SVG path, a rectangle for each run of a row. */
  path: string;
}

/** A text as a QR code with error correction M (15 %). */
export function qrPathOf(text: string): QrPath {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: quietZone });
  let path = '';
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue;
      let end = x + 1;
      while (row[end]) end++;
      path += `M${x} ${y}h${end - x}v1h-${end - x}z`;
      x = end;
    }
  }
  return { size: rows.length, path };
}
