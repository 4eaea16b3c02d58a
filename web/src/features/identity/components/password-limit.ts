import { loadPublicCalls } from '../load-public-calls.ts';
import { useLongest } from './longest-password.ts';

const ask = async () => (await loadPublicCalls()).passwordMaxLength();

/** The longest password of a company's member. */
export function usePasswordMaxLength(): number {
  return useLongest(ask);
}
