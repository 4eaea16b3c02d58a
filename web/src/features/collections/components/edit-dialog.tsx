import type { Language } from '@causeway/contract/locale.ts';
import { languages } from '@causeway/contract/locale.ts';
import { payerNameMaxLength, paymentRequestNoteMaxLength } from '@causeway/contract/payment-requests-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { FormFoot } from '../../../ui/form-foot.tsx';
import { type Checked, useFields } from '../../../ui/form-state.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextArea, TextField } from '../../../ui/text-field.tsx';
import { type Request, useEdit } from '../api.ts';
import { isEmail, mayRemind } from '../request-values.ts';
import { ReminderField } from './request-fields.tsx';

interface Values {
  note: string;
  payerName: string;
  payerEmail: string;
  payerLanguage: Language;
  reminderDays: readonly number[];
}

function check(values: Values): Checked<Values> {
  const email = values.payerEmail.trim();
  if (email === '' || isEmail(email)) return { ok: true, values };
  return { ok: false, problems: [{ path: ['payerEmail'], message: 'field.email' }] };
}

/** What binds no payer: the note, whom it is for, and the days of reminders. */
export function EditDialog({ request, onClose }: { request: Request; onClose: () => void }) {
  const t = useText();
  const edit = useEdit();
  const { payer } = request;
  const fields = useFields<Values, Values>({
    check,
    defaults: {
      note: request.note,
      payerName: payer?.name ?? '',
      payerEmail: payer?.email ?? '',
      payerLanguage: payer?.language ?? 'en_US',
      reminderDays: request.reminders.days,
    },
  });
  const canRemind = mayRemind({ dueOn: request.dueOn ?? '', payerEmail: fields.values.payerEmail });
  const submit = async ({ note, payerName, payerEmail, payerLanguage: language, reminderDays }: Values) => {
    const [name, email] = [payerName.trim(), payerEmail.trim()];
    await edit.mutateAsync({
      params: { id: request.id },
      body: {
        note: note.trim(),
        payer: name === '' && email === '' ? null : { name, email: email === '' ? null : email, language },
        reminderDays: canRemind ? [...reminderDays] : [],
      },
    });
    toast('success', t('collections.edited'));
    onClose();
  };
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => open || fields.submitting || onClose()}
      title={t('collections.edit.title')}
      description={t('collections.edit.text')}
    >
      <Form fields={fields} onSubmit={submit} label={t('collections.edit.title')}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={t('collections.field.payerName')}
            optional
            maxLength={payerNameMaxLength}
            {...fields.text('payerName')}
          />
          <TextField type="email" label={t('collections.field.payerEmail')} optional {...fields.text('payerEmail')} />
          <SelectField
            label={t('collections.field.payerLanguage')}
            options={languages.map((value) => ({ value, label: t(`collections.language.${value}`) }))}
            {...fields.value('payerLanguage')}
          />
        </div>
        {/* Its due date does not change: without one there is nothing to remind of. */}
        {request.dueOn !== null && (
          <ReminderField
            days={fields.values.reminderDays}
            onChange={(days) => fields.set('reminderDays', days)}
            canRemind={canRemind}
            error={fields.error('reminderDays')}
          />
        )}
        <TextArea
          label={t('collections.field.note')}
          optional
          maxLength={paymentRequestNoteMaxLength}
          {...fields.text('note')}
        />
        <FormFoot submitText={t('collections.edit.save')} busy={fields.submitting} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
