import {
  type FreezeKind,
  type FreezeReason,
  freezeNoteMaxLength,
  freezeReasons,
  freezeTextMaxLength,
} from '@causeway/contract/freeze-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextArea } from '../../../ui/text-field.tsx';
import { DialogFoot } from '../../operator/index.ts';
import { useFreezeSubject } from '../freeze-api.ts';
import { checkFreeze, type FreezeValues, freezeBody, noFreeze } from '../freeze-rules.ts';

export interface FreezeTarget {
  companyId: string;
  kind: FreezeKind;
  subjectId: string;
  name: string;
}

interface Props {
  target: FreezeTarget;
  /** What happened to it since the dialog opened. */
  over: string | null;
  onClose: () => void;
}

/** Asks why something is to be frozen: the reason that the company reads, and the note that it never sees. */
export function FreezeDialog({ target, over, onClose }: Props) {
  const t = useText();
  const freeze = useFreezeSubject();
  const fields = useFields<FreezeValues, FreezeValues>({ check: checkFreeze, defaults: noFreeze });
  const { companyId: id, kind, subjectId, name } = target;
  const submit = async (values: FreezeValues) => {
    await freeze.mutateAsync({ params: { id }, body: { kind, subjectId, ...freezeBody(values) } });
    toast('success', t('ops.freeze.done', { name }));
    onClose();
  };
  const title = t(`ops.freeze.ask.${kind}`, { name });
  const words = { rows: 2, maxLength: freezeTextMaxLength };
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => open || fields.submitting || onClose()}
      title={title}
      description={t(`ops.freeze.effect.${kind}`)}
    >
      <Form fields={fields} onSubmit={submit} label={title}>
        <SelectField<FreezeReason>
          {...fields.value('reason')}
          label={t('ops.freeze.reason')}
          hint={t('ops.freeze.reasonHint')}
          options={freezeReasons.map((value) => ({ value, label: t(`ops.freeze.reason.${value}`) }))}
        />
        {fields.values.reason === 'other' && (
          <>
            <TextArea {...fields.text('en')} {...words} label={t('ops.freeze.words.en')} />
            <TextArea {...fields.text('hk')} {...words} label={t('ops.freeze.words.hk')} />
            <TextArea {...fields.text('cn')} {...words} label={t('ops.freeze.words.cn')} />
          </>
        )}
        <TextArea
          {...fields.text('note')}
          label={t('ops.freeze.note')}
          hint={t('ops.freeze.noteHint')}
          maxLength={freezeNoteMaxLength}
        />
        <DialogFoot fields={fields} over={over} submitText={t('ops.freeze.freeze')} negative onClose={onClose} />
      </Form>
    </Dialog>
  );
}
