/**
 * What an amount field keeps of a keystroke or a paste: the text itself while it is the beginning of an amount, null when
 * it is not, so that the field stays as it was. Group separators of a pasted "1,234.50" are not guessed at.
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
