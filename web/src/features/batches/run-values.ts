import type { BatchCheck, BatchRunContent } from '@causeway/contract/batch-runs.ts';
import type { CodeMethod } from '@causeway/contract/identity.ts';
import type { Checked } from '../../ui/form-state.ts';

/** The values of the form that submits a run: what is submitted is the check's, the code is typed. */
export interface RunValues {
  codeMethod: CodeMethod;
  code: string;
}

export const emptyRun: RunValues = { codeMethod: 'email', code: '' };

export interface ReadyRun extends RunValues {
  content: BatchRunContent;
}

/** What is submitted of a check; null while something refuses it. `id`: of the run, chosen once for the page. */
export function contentOf(id: string, batchId: string, check: BatchCheck | undefined): BatchRunContent | null {
  if (check === undefined || !isSubmittable(check)) return null;
  const { version, rows, totals } = check;
  return { id, batchId, version, rows, fees: totals.map(({ asset, fee }) => ({ asset, amount: fee })) };
}

/** Every row could be submitted, and someone could approve the whole. */
export function isSubmittable({ rows, errors, review }: Pick<BatchCheck, 'rows' | 'errors' | 'review'>): boolean {
  return rows > 0 && errors === 0 && review !== null && ['off', 'required'].includes(review.outcome);
}

export function checkRunContent(values: RunValues, content: BatchRunContent | null): Checked<ReadyRun> {
  if (content === null) return { ok: false, problems: [{ path: ['code'], message: 'batches.submit.notReady' }] };
  return { ok: true, values: { ...values, content } };
}

export function checkRun(values: RunValues, content: BatchRunContent | null): Checked<ReadyRun> {
  const checked = checkRunContent(values, content);
  if (!checked.ok || /^\d{6}$/.test(values.code)) return checked;
  return { ok: false, problems: [{ path: ['code'], message: 'field.code' }] };
}
