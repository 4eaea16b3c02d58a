import { treasuryLabelMaxLength } from '@causeway/contract/operator-treasury-rules.ts';
import { useRef } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { Banner } from '../../../ui/states.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { DialogFoot, ReasonField, useProposed } from '../../operator/index.ts';
import { type Chain, useProposeAddress } from '../api.ts';
import { type AddressValues, checkAddress } from '../rules.ts';

interface Props {
  chains: readonly Chain[];
  onProposed: (proposalId: string) => void;
  onClose: () => void;
}

/** Proposes an address to which fees may be sent. */
export function AddressDialog({ chains, onProposed, onClose }: Props) {
  const t = useText();
  const propose = useProposeAddress();
  const proposed = useProposed();
  // The same id when the same is sent again: a lost answer must not make two proposals.
  const id = useRef(newId());
  const fields = useFields<AddressValues, AddressValues>({
    check: checkAddress,
    defaults: {
      chainId: chains.length === 1 ? (chains[0]?.id ?? '') : '',
      address: '',
      again: '',
      label: '',
      reason: '',
    },
    keep: 'operator-treasury-address',
  });
  const submit = async (values: AddressValues) => {
    const { proposalId } = await propose.mutateAsync({ body: { id: id.current, ...values } });
    proposed(proposalId);
    onProposed(proposalId);
    onClose();
  };
  return (
    <Dialog open wide onOpenChange={(open) => open || fields.submitting || onClose()} title={t('ops.book.addTitle')}>
      <Form fields={fields} onSubmit={submit} label={t('ops.book.addTitle')}>
        <Banner kind="notice">{t('ops.treasury.second')}</Banner>
        <SelectField
          {...fields.value('chainId')}
          label={t('ops.field.chain')}
          options={chains.map((chain) => ({ value: chain.id, label: chain.name }))}
        />
        <TextField {...fields.text('address')} label={t('ops.field.address')} autoComplete="off" spellCheck={false} />
        <TextField
          {...fields.text('again')}
          label={t('ops.book.again')}
          hint={t('ops.book.againHint')}
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          {...fields.text('label')}
          label={t('ops.book.name')}
          hint={t('ops.book.nameHint')}
          maxLength={treasuryLabelMaxLength}
          autoComplete="off"
        />
        <ReasonField binding={fields.text('reason')} />
        <DialogFoot fields={fields} submitText={t('ops.propose')} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
