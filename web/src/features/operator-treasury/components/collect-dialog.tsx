import { mostFeePayments } from '@causeway/contract/operator-treasury-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { Money } from '../../../ui/money.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { Banner } from '../../../ui/states.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { DialogFoot, ReasonField, useProposed } from '../../operator/index.ts';
import { type Fee, useAddresses, useProposeWithdrawal } from '../api.ts';
import { type CollectValues, checkCollect } from '../rules.ts';

/** Proposes to collect the fees of a coin; another operator of the treasury confirms it. */
export function CollectDialog({ fee, over, onClose }: { fee: Fee; over: string | null; onClose: () => void }) {
  const t = useText();
  const propose = useProposeWithdrawal();
  const proposed = useProposed();
  const addresses = useAddresses().data?.addresses.filter(({ chainId }) => chainId === fee.chainId);
  const fields = useFields<CollectValues, CollectValues>({
    check: checkCollect,
    defaults: { addressId: '', minimum: '0', reason: '' },
    keep: 'operator-collect',
  });
  const title = t('ops.collect.title', { coin: fee.coin, chain: fee.chainName });
  const submit = async (body: CollectValues) => {
    const { proposalId } = await propose.mutateAsync({ params: { chainId: fee.chainId, coin: fee.coin }, body });
    proposed(proposalId);
    onClose();
  };
  return (
    <Dialog open wide onOpenChange={(open) => open || fields.submitting || onClose()} title={title}>
      <Form fields={fields} onSubmit={submit} label={title}>
        <Banner kind="notice">{t('ops.treasury.second')}</Banner>
        <DescriptionList
          framed
          facts={[
            { term: t('ops.fees.quantity'), value: <Money amount={fee.quantity} coin={fee.coin} /> },
            { term: t('ops.fees.underWay'), value: <Money amount={fee.underWay} coin={fee.coin} /> },
            { term: t('ops.fees.companies'), value: fee.companies },
          ]}
        />
        {addresses?.length === 0 && (
          <Banner kind="pending">{t('ops.collect.noAddress', { chain: fee.chainName })}</Banner>
        )}
        <SelectField
          {...fields.value('addressId')}
          label={t('ops.collect.to')}
          hint={t('ops.collect.toHint')}
          options={(addresses ?? []).map(({ id, label, address }) => ({ value: id, label, detail: address }))}
        />
        <TextField
          {...fields.text('minimum')}
          label={t('ops.collect.minimum', { coin: fee.coin })}
          hint={t('ops.collect.minimumHint', { most: mostFeePayments })}
          inputMode="decimal"
          autoComplete="off"
        />
        <ReasonField binding={fields.text('reason')} />
        <DialogFoot fields={fields} over={over} submitText={t('ops.propose')} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
