import { getOperator, getProposal, listProposals } from 'virtual:calls/operator';
import type { Output } from '@causeway/contract/call.ts';
import type { getProposal as getProposalCall } from '@causeway/contract/operator.ts';
import { useRef } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { invalidateCall } from '../../../lib/queries.ts';
import { toast } from '../../../lib/toasts.ts';
import { CodeField } from '../../../ui/code-field.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { useConfirm } from '../api.ts';
import { isOvertaken, overText } from '../overtaken.ts';
import { type CodeValues, checkCode } from '../rules.ts';
import { DialogFoot } from './dialog-foot.tsx';

interface Props {
  proposal: Output<typeof getProposalCall>;
  onClose: () => void;
}

/** Confirms what was on screen when the dialog opened, by a code of the authenticator; it is done at once. */
export function ConfirmProposal({ proposal, onClose }: Props) {
  const t = useText();
  const confirm = useConfirm();
  // What is confirmed is what the reader saw, also where the panel has been read again meanwhile.
  const seen = useRef(proposal).current;
  const fields = useFields<CodeValues, CodeValues>({ check: checkCode, defaults: { code: '' } });
  const submit = async ({ code }: CodeValues) => {
    try {
      await confirm.mutateAsync({ params: { id: seen.id }, body: { digest: seen.digest, code } });
    } catch (error) {
      fields.set('code', '');
      // The panel behind shows what became of it.
      if (error instanceof ApiError && isOvertaken(error.key)) {
        await Promise.all([getProposal, listProposals, getOperator].map(invalidateCall));
      }
      throw error;
    }
    toast('success', t('ops.confirm.done'));
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || fields.submitting || onClose()}
      title={t('ops.confirm.title')}
      description={t('ops.confirm.text')}
    >
      <Form fields={fields} onSubmit={submit} label={t('ops.confirm.title')}>
        <DescriptionList
          framed
          facts={[
            { term: t('ops.field.proposal'), value: seen.title },
            { term: t('ops.field.proposedBy'), value: seen.proposedBy.name },
            { term: t('ops.field.reason'), value: seen.reason },
            ...seen.changes.map(({ label, before, after }) => ({
              term: label,
              value: before === null ? (after ?? '') : t('ops.change', { before, after: after ?? t('ops.none') }),
            })),
          ]}
        />
        <CodeField {...fields.value('code')} onBlur={() => undefined} label={t('ops.code')} hint={t('ops.code.hint')} />
        <DialogFoot fields={fields} over={overText(t, proposal)} submitText={t('ops.confirm')} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
