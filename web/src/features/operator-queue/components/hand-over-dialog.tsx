import { queueCommentMaxLength } from '@causeway/contract/operator-queue-rules.ts';
import { operatorPermissionsOf } from '@causeway/contract/operator-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { ComboboxField } from '../../../ui/combobox-field.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { TextArea } from '../../../ui/text-field.tsx';
import { DialogFoot } from '../../operator/index.ts';
import { useColleagues, useHandOver } from '../api.ts';
import { checkHandOver, type HandOverValues } from '../rules.ts';

interface Props {
  id: string;
  owner: string | null;
  /** What became of the item since the dialog opened. */
  over: string | null;
  onClose: () => void;
}

/** Gives an item to a colleague who may work on it, with what they should know. */
export function HandOverDialog({ id, owner, over, onClose }: Props) {
  const t = useText();
  const handOver = useHandOver();
  const colleagues = (useColleagues().data?.items ?? []).filter(
    (one) => one.id !== owner && operatorPermissionsOf[one.role].includes('operator.queue'),
  );
  const fields = useFields<HandOverValues, HandOverValues>({
    check: checkHandOver,
    defaults: { to: '', comment: '' },
  });
  const submit = async ({ to, comment }: HandOverValues) => {
    await handOver.mutateAsync({ params: { id }, body: { to, ...(comment !== '' && { comment }) } });
    const name = colleagues.find((one) => one.id === to)?.name ?? '';
    toast('success', t('ops.queue.handedOver', { name }));
    onClose();
  };
  const title = t('ops.queue.handOver');
  return (
    <Dialog open onOpenChange={(open) => open || fields.submitting || onClose()} title={title}>
      <Form fields={fields} onSubmit={submit} label={title}>
        <ComboboxField
          {...fields.value('to')}
          label={t('ops.queue.field.colleague')}
          options={colleagues.map((one) => ({
            value: one.id,
            label: one.name,
            detail: t(`ops.role.${one.role}`),
          }))}
        />
        <TextArea
          {...fields.text('comment')}
          label={t('ops.queue.field.comment')}
          hint={t('ops.queue.handOverHint')}
          optional
          maxLength={queueCommentMaxLength}
        />
        <DialogFoot fields={fields} over={over} submitText={title} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
