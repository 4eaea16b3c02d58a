import { queueCommentMaxLength } from '@causeway/contract/operator-queue-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { TextArea } from '../../../ui/text-field.tsx';
import { useComment } from '../api.ts';
import { type CommentValues, checkComment } from '../rules.ts';

/** Where the keyboard's shortcut leads. */
export const commentFieldId = 'data-comment';

/** A comment, which stays; what was typed survives a reload until it is sent. */
export function CommentForm({ id }: { id: string }) {
  const t = useText();
  const comment = useComment();
  const fields = useFields<CommentValues, CommentValues>({
    check: checkComment,
    defaults: { text: '' },
    keep: `operator-item-${id}`,
  });
  const submit = async ({ text }: CommentValues) => {
    await comment.mutateAsync({ params: { id }, body: { text } });
    toast('success', t('ops.queue.commented'));
    fields.reset();
  };
  return (
    <Form fields={fields} onSubmit={submit} label={t('ops.queue.comment')}>
      <TextArea
        {...fields.text('text')}
        {...{ [commentFieldId]: '' }}
        label={t('ops.queue.comment')}
        hint={t('ops.queue.commentHint')}
        rows={2}
        maxLength={queueCommentMaxLength}
      />
      <div className="flex justify-end">
        <Button type="submit" busy={fields.submitting}>
          {t('ops.queue.addComment')}
        </Button>
      </div>
    </Form>
  );
}
