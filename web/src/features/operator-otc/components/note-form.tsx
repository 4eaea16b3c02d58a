import { otcTextMaxLength } from '@causeway/contract/otc-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { TextArea } from '../../../ui/text-field.tsx';
import { type Request, useNote } from '../api.ts';
import { checkText, type TextValues } from '../rules.ts';

/** A message to the company; its quote stays. */
export function NoteForm({ request: { id, version } }: { request: Request }) {
  const t = useText();
  const note = useNote();
  const fields = useFields<TextValues, TextValues>({ check: checkText, defaults: { text: '' } });
  return (
    <Form
      fields={fields}
      label={t('ops.desk.note')}
      onSubmit={async ({ text }) => {
        await note.mutateAsync({ params: { id }, body: { version, text } });
        fields.reset();
      }}
    >
      <TextArea label={t('ops.desk.note')} maxLength={otcTextMaxLength} {...fields.text('text')} />
      <div className="flex justify-end">
        <Button type="submit" busy={fields.submitting}>
          {t('otc.note.send')}
        </Button>
      </div>
    </Form>
  );
}
