import { type FreezeReason, freezeNoteMaxLength, freezeTextMaxLength } from '@causeway/contract/freeze-rules.ts';
import type { Checked } from '../../ui/form-state.ts';

/** What is asked before something is frozen, without a schema library; messages are text ids. */
export interface FreezeValues {
  reason: FreezeReason | '';
  en: string;
  hk: string;
  cn: string;
  note: string;
}

export const noFreeze: FreezeValues = { reason: '', en: '', hk: '', cn: '', note: '' };

function lineRule(value: string, maxLength: number): string | null {
  const trimmed = value.trim();
  if (trimmed === '') return 'field.required';
  return [...trimmed].length > maxLength ? 'field.tooLong' : null;
}

/** The operator's own words are wanted in each language, and only where no standard reason says it. */
export function checkFreeze(values: FreezeValues): Checked<FreezeValues> {
  const words = (value: string) => (values.reason === 'other' ? lineRule(value, freezeTextMaxLength) : null);
  const found = {
    reason: values.reason === '' ? 'field.required' : null,
    en: words(values.en),
    hk: words(values.hk),
    cn: words(values.cn),
    note: lineRule(values.note, freezeNoteMaxLength),
  };
  const problems = Object.entries(found).flatMap(([path, message]) =>
    message === null ? [] : [{ path: [path], message }],
  );
  return problems.length > 0 ? { ok: false, problems } : { ok: true, values };
}

/** The body that the call takes, beside what is frozen. */
export function freezeBody({ reason, en, hk, cn, note }: FreezeValues) {
  if (reason === '') throw new Error('a checked form has a reason');
  const texts = { 'en-us': en.trim(), 'zh-hk': hk.trim(), 'zh-cn': cn.trim() };
  return { reason, note: note.trim(), ...(reason === 'other' && { texts }) };
}
