import { draftPrefix } from '../../lib/storage.ts';

/** Under which the form of a new payee keeps what was typed. */
export const payeeDraft = 'payee-add';

/**
 * Fills the form of a new payee in beforehand. Not by a link: one from elsewhere could put an address of its own there.
 */
export function draftPayee(values: { label: string; chain: string; coin: string; address: string }): void {
  try {
    sessionStorage.setItem(`${draftPrefix}${payeeDraft}`, JSON.stringify({ ...values, remark: '' }));
  } catch {
    // The form is empty then.
  }
}
