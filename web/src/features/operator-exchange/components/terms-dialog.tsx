import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { useSettled } from '../../../lib/settled.ts';
import { AmountField } from '../../../ui/amount-field.tsx';
import { ComboboxField } from '../../../ui/combobox-field.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { RadioField } from '../../../ui/radio-field.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { Banner } from '../../../ui/states.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { DialogFoot, ReasonField, useProposed } from '../../operator/index.ts';
import { useCompanies, useDesk, useProposeTerms } from '../api.ts';
import { checkTerms, type TermsValues } from '../rules.ts';

const pause_ms = 200;

/** Proposes what is added to the spread of a pair; another operator confirms it. */
export function TermsDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  const navigate = useNavigate();
  const propose = useProposeTerms();
  const proposed = useProposed();
  const assets = useDesk().data?.assets ?? [];
  const [typed, setTyped] = useState('');
  const keyword = useSettled(typed.trim(), pause_ms);
  const companies = useCompanies(keyword);
  const fields = useFields<TermsValues, TermsValues>({
    check: checkTerms,
    defaults: {
      ...{ sell: '', buy: '', companyId: '', fromUsd: '0', mode: 'value', basisPoints: '', when: 'now', at: '' },
      reason: '',
    },
  });
  const { mode, when } = fields.values;
  const title = t('ops.terms.propose');
  const submit = async (values: TermsValues) => {
    const { sell, buy, companyId, fromUsd, basisPoints, reason } = values;
    const { proposalId } = await propose.mutateAsync({
      body: {
        ...(sell !== '' && { sell }),
        ...(buy !== '' && { buy }),
        ...(companyId !== '' && { companyId }),
        ...(values.when === 'later' && { validFrom: new Date(values.at).toISOString() }),
        fromUsd,
        basisPoints: values.mode === 'none' ? null : Number(basisPoints),
        reason,
      },
    });
    proposed(proposalId);
    onClose();
    void navigate({ to: `/app/confirmations/${proposalId}` });
  };
  const options = [
    { value: '', label: t('ops.terms.any') },
    ...assets.map((asset) => ({ value: asset, label: asset })),
  ];
  return (
    <Dialog open wide onOpenChange={(open) => open || fields.submitting || onClose()} title={title}>
      <Form fields={fields} onSubmit={submit} label={title}>
        <SelectField {...fields.value('sell')} label={t('ops.terms.sell')} options={options} />
        <SelectField {...fields.value('buy')} label={t('ops.terms.buy')} options={options} />
        <ComboboxField
          {...fields.value('companyId')}
          label={t('ops.terms.for')}
          placeholder={t('ops.terms.everyCompany')}
          options={(companies.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          searching={keyword !== typed.trim() || companies.isFetching}
          onSearch={setTyped}
        />
        <AmountField
          {...fields.value('fromUsd')}
          coin="USD"
          decimals={2}
          label={t('ops.terms.fromUsd')}
          hint={t('ops.terms.fromUsdHint')}
        />
        <RadioField
          {...fields.value('mode')}
          label={t('ops.terms.mode')}
          options={[
            { value: 'value', label: t('ops.terms.add') },
            { value: 'none', label: t('ops.terms.end') },
          ]}
        />
        {mode === 'value' && (
          <TextField
            {...fields.text('basisPoints')}
            inputMode="numeric"
            autoComplete="off"
            label={t('ops.terms.points')}
            hint={t('ops.terms.pointsHint')}
          />
        )}
        <RadioField
          {...fields.value('when')}
          label={t('ops.terms.validFrom')}
          options={[
            { value: 'now', label: t('ops.terms.atConfirmation') },
            { value: 'later', label: t('ops.terms.later') },
          ]}
        />
        {when === 'later' && <TextField {...fields.text('at')} type="datetime-local" label={t('ops.terms.instant')} />}
        <Banner kind="notice">{t('ops.terms.second')}</Banner>
        <ReasonField binding={fields.text('reason')} />
        <DialogFoot fields={fields} submitText={t('ops.propose')} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
