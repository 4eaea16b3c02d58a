import { batchNameMaxLength } from '@causeway/contract/batches-rules.ts';
import { payoutNoteMaxLength } from '@causeway/contract/payout-templates-rules.ts';
import { useId, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/text-field.tsx';

export interface NameAndNote {
  name: string;
  note: string;
}

interface Props {
  title: string;
  confirmText: string;
  description?: string;
  initial?: NameAndNote;
  /** A batch has no note. */
  withNote?: boolean;
  busy: boolean;
  onConfirm: (values: NameAndNote) => void;
  onClose: () => void;
}

/** Asks for the name and the note of a template, or for the name of a batch. */
export function TemplateDialog(props: Props) {
  const { title, confirmText, description, initial, withNote = true, busy, onConfirm, onClose } = props;
  const t = useText();
  const formId = useId();
  const [values, setValues] = useState(initial ?? { name: '', note: '' });
  const isNamed = values.name.trim() !== '';
  return (
    <Dialog
      open
      onOpenChange={(next) => next || busy || onClose()}
      title={title}
      {...(description !== undefined && { description })}
      actions={
        <>
          <Button disabled={busy} onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button kind="primary" type="submit" form={formId} busy={busy} disabled={!isNamed}>
            {confirmText}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isNamed && !busy) onConfirm(values);
        }}
      >
        <TextField
          label={t('batches.templates.name')}
          value={values.name}
          maxLength={batchNameMaxLength}
          onChange={(event) => setValues({ ...values, name: event.target.value })}
        />
        {withNote && (
          <TextField
            label={t('batches.templates.note')}
            optional
            value={values.note}
            maxLength={payoutNoteMaxLength}
            onChange={(event) => setValues({ ...values, note: event.target.value })}
          />
        )}
      </form>
    </Dialog>
  );
}
