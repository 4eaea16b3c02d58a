import { codeLength } from '@causeway/contract/identity-rules.ts';

/** The digits of what was typed or pasted ("123 456", full-width "１２３"), at most six. */
export function digitsOf(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[^0-9]/g, '')
    .slice(0, codeLength);
}
