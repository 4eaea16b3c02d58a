import { queueCommentMaxLength } from '@causeway/contract/operator-queue-rules.ts';
import type { Checked } from '../../ui/form-state.ts';
import { checked, requiredRule } from '../identity/index.ts';

/** The rules of the forms about an item, without a schema library; the server checks everything again. */

const tooLong = (text: string) => ([...text.trim()].length > queueCommentMaxLength ? 'field.tooLong' : null);

export interface CommentValues {
  text: string;
}

export function checkComment({ text }: CommentValues): Checked<CommentValues> {
  return checked({ text: text.trim() }, { text: requiredRule(text) ?? tooLong(text) });
}

export interface HandOverValues {
  to: string;
  comment: string;
}

export function checkHandOver({ to, comment }: HandOverValues): Checked<HandOverValues> {
  return checked(
    { to, comment: comment.trim() },
    { to: to === '' ? 'field.required' : null, comment: tooLong(comment) },
  );
}
