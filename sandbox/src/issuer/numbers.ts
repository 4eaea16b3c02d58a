import { randomInt } from 'node:crypto';

/** Card numbers of 16 digits with a valid check digit (ISO/IEC 7812-1, annex B), under a prefix of a test range. */
export function newPan(prefix: string): string {
  const body = prefix + Array.from({ length: 15 - prefix.length }, () => randomInt(10)).join('');
  return body + checkDigit(body);
}

export function newCvv(): string {
  return String(randomInt(1000)).padStart(3, '0');
}

export function isPan(text: string): boolean {
  return /^\d{16}$/.test(text) && checkDigit(text.slice(0, -1)) === text.slice(-1);
}

function checkDigit(body: string): string {
  const sum = [...body].reverse().reduce((total, digit, index) => {
    const doubled = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}
