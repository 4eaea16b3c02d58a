import { DescriptionList, type Fact } from '../../../ui/description-list.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { checkReason, type ReasonValues } from '../rules.ts';
import { DialogFoot } from './dialog-foot.tsx';
import { ReasonField } from './reason-field.tsx';
import { SecondNote } from './second-note.tsx';

export interface ReasonDialogProps {
  title: string;
  /** What happens then. */
  text: string;
  facts: readonly Fact[];
  submitText: string;
  negative?: boolean;
  /** It is only proposed: another operator has to confirm it. */
  needsSecond?: boolean;
  /** What happened to the subject since the dialog opened, where a colleague was faster. */
  over?: string | null;
  /** Rejects with the server's refusal, which the dialog shows. */
  onSubmit: (values: ReasonValues) => Promise<unknown>;
  onClose: () => void;
}

/** Asks before a step, with its facts, and for the reason that every act of an operator has. */
export function ReasonForm(props: ReasonDialogProps) {
  const { title, text, facts, submitText, negative, needsSecond, over = null, onSubmit, onClose } = props;
  const fields = useFields<ReasonValues, ReasonValues>({ check: checkReason, defaults: { reason: '' } });
  const submit = async (values: ReasonValues) => {
    await onSubmit(values);
    onClose();
  };
  return (
    <Dialog open onOpenChange={(open) => open || fields.submitting || onClose()} title={title} description={text}>
      <Form fields={fields} onSubmit={submit} label={title}>
        <DescriptionList facts={facts} framed />
        {needsSecond && <SecondNote />}
        <ReasonField binding={fields.text('reason')} alone={!needsSecond} />
        <DialogFoot
          fields={fields}
          over={over}
          submitText={submitText}
          negative={negative === true}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  );
}
