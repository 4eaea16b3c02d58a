import { otcTextMaxLength } from '@causeway/contract/otc-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { TextArea } from '../../../ui/text-field.tsx';
import { useNote } from '../api.ts';
import { checkText } from '../values.ts';

/** A message to the desk; the quote stays. */
export function NoteForm({ id }: { id: string }) {
  const t = useText();
  const note = useNote();
  const fields = useFields<{ text: string }, { text: string }>({ check: checkText, defaults: { text: '' } });
  return (
    <Form
      fields={fields}
      label={t('otc.note.title')}
      onSubmit={async ({ text }) => {
        await note.mutateAsync({ params: { id }, body: { text } });
        fields.reset();
      }}
    >
      <TextArea label={t('otc.note.title')} maxLength={otcTextMaxLength} {...fields.text('text')} />
      <div className="flex justify-end">
        <Button type="submit" busy={fields.submitting}>
          {t('otc.note.send')}
        </Button>
      </div>
    </Form>
  );
}
