/** Thousands apart, every decimal kept: an amount is a text and never becomes a number. `tag` is a BCP 47 tag. */
export function grouped(amount: string, tag: string): string {
  const [whole = '', fraction] = amount.split('.');
  if (!/^\d+$/.test(whole)) return '…';
  const text = new Intl.NumberFormat(tag).format(BigInt(whole));
  return fraction === undefined ? text : `${text}.${fraction}`;
}
