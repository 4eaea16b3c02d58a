/**
 * What an amount field keeps of a keystroke: the text itself while it is the beginning of an amount, null when it is not, so that
 * the field stays as it was.
 */
export function acceptAmount(text: string, decimals: number): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const match = /^(\d{0,60})(\.\d*)?$/.exec(trimmed);
  if (match === null) return null;
  const [, whole = '', fraction = ''] = match;
  if (fraction !== '' && decimals === 0) return null;
  if (fraction.length - 1 > decimals) return null;
  return `${whole === '' ? '0' : whole.replace(/^0+(?=\d)/, '')}${fraction}`;
}

/** Why a text is no amount: decimals beyond those of the asset, separators that could be read in two ways, or something else. */
export type AmountRefusal = 'tooManyDecimals' | 'separators' | 'notAnAmount';

/** The sentence of each. */
export const amountRefusals: Record<AmountRefusal, string> = {
  tooManyDecimals: 'ui.amount.tooManyDecimals',
  separators: 'ui.amount.separators',
  notAnAmount: 'ui.amount.notAnAmount',
};

export type ReadAmount = { amount: string } | { refused: AmountRefusal };

/** Blanks that part groups: ordinary, no-break, narrow, thin. */
const blanks = '[ \\u00a0\\u202f\\u2009]';

/**
 * Reads what was pasted or typed: an amount as it is, or with its thousands set apart (by commas as all three languages do, by blanks,
 * or by apostrophes) and the asset's name beside it. Groups have three digits each and one separator, and the point comes last;
 * everything else could mean another amount ("1.250,50", "12,34"), and is refused.
 */
export function readAmount(text: string, decimals: number, asset: string): ReadAmount {
  const bare = withoutAsset(text.trim(), asset);
  const whole = acceptAmount(bare, decimals);
  if (whole !== null) return { amount: whole };
  for (const separator of [',', blanks, "['\u2019]"]) {
    if (!new RegExp(`^[1-9]\\d{0,2}(${separator}\\d{3})+(\\.\\d*)?$`).test(bare)) continue;
    const ungrouped = acceptAmount(bare.replaceAll(new RegExp(separator, 'g'), ''), decimals);
    return ungrouped === null ? { refused: 'tooManyDecimals' } : { amount: ungrouped };
  }
  if (/^\d*\.\d*$/.test(bare)) return { refused: 'tooManyDecimals' };
  return { refused: /^\d[\d.,'\u2019 \u00a0\u202f\u2009]*$/.test(bare) ? 'separators' : 'notAnAmount' };
}

/** As many decimals as fit into what the lists take of an amount. */
const decimalsOfFilter = 77;

/** Reads an amount that rows are filtered by, in whatever asset they are; a point without decimals behind it is left out. */
export function readFilterAmount(text: string): ReadAmount {
  const read = readAmount(text, decimalsOfFilter, '');
  return 'refused' in read ? read : { amount: read.amount.replace(/\.$/, '') };
}

function withoutAsset(text: string, asset: string): string {
  if (asset === '') return text;
  const upper = text.toUpperCase();
  if (upper.endsWith(asset)) return text.slice(0, -asset.length).trim();
  return upper.startsWith(asset) ? text.slice(asset.length).trim() : text;
}
