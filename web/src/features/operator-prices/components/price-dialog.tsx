import { isFee, isShare, type PriceKind, priceName } from '@causeway/contract/operator-prices-rules.ts';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { AmountField } from '../../../ui/amount-field.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { RadioField } from '../../../ui/radio-field.tsx';
import { Banner } from '../../../ui/states.tsx';
import { DialogFoot, ReasonField, useProposed } from '../../operator/index.ts';
import { useProposePrice, useTrial } from '../api.ts';
import { checkPrice, chosenInstant, type PriceValues } from '../rules.ts';
import { placeOf, priceText, sayPrice } from '../words.ts';
import { TimingFields } from './timing-fields.tsx';
import { TrialFigures } from './trial-figures.tsx';

/** The price that is to change, and what holds of it now. */
export interface ChosenPrice {
  kind: PriceKind;
  asset: string;
  isCoin: boolean;
  decimals: number;
  chain: { id: string; name: string } | null;
  bank: { id: string; name: string } | null;
  value: string | null;
  from: 'company' | 'installation' | 'registered';
}

interface Props {
  price: ChosenPrice;
  company: { id: string; name: string } | null;
  onClose: () => void;
}

/** Proposes a price, with what it would have earned; another operator confirms it. */
export function PriceDialog({ price, company, onClose }: Props) {
  const t = useText();
  const navigate = useNavigate();
  const propose = useProposePrice();
  const proposed = useProposed();
  const { kind, asset, chain, bank } = price;
  const place = placeOf(price);
  const fields = useFields<PriceValues, PriceValues>({
    check: checkPrice,
    defaults: { mode: 'value', value: '', when: 'now', at: '', reason: '' },
  });
  const { mode, value } = fields.values;
  const key = {
    kind,
    asset,
    ...(chain !== null && { chain: chain.id }),
    ...(bank !== null && { bank: bank.id }),
    ...(company !== null && { companyId: company.id }),
  };
  const tried = useDeferredValue(mode === 'value' ? value : '');
  const isValue = /^\d+(\.\d+)?$/.test(tried);
  const trial = useTrial({ ...key, ...(isValue && { value: tried }) }, isValue || mode === 'none');
  const isOwn = price.from === (company === null ? 'installation' : 'company');
  const submit = async (values: PriceValues) => {
    const validFrom = chosenInstant(values);
    const body = { ...key, value: mode === 'none' ? null : values.value, reason: values.reason };
    const { proposalId } = await propose.mutateAsync({
      body: { ...body, ...(validFrom !== undefined && { validFrom }) },
    });
    proposed(proposalId);
    onClose();
    void navigate({ to: `/app/confirmations/${proposalId}` });
  };
  const name = place === null ? asset : `${asset} · ${place.name}`;
  const named = t(priceText(kind, price));
  const title = t('ops.prices.change', { price: named, name });
  const isSpread = isShare(kind);
  return (
    <Dialog open wide onOpenChange={(open) => open || fields.submitting || onClose()} title={title}>
      <Form fields={fields} onSubmit={submit} label={title}>
        <DescriptionList
          framed
          facts={[
            { term: t('ops.prices.for'), value: company?.name ?? t('ops.prices.everyCompany') },
            { term: t('ops.prices.now'), value: sayPrice(t, price) },
          ]}
        />
        {isOwn && (
          <RadioField
            {...fields.value('mode')}
            label={t('ops.prices.mode')}
            options={[
              { value: 'value', label: t('ops.prices.newValue') },
              { value: 'none', label: t(company === null ? 'ops.prices.asRegistered' : 'ops.prices.asEveryone') },
            ]}
          />
        )}
        {mode === 'value' && (
          <AmountField
            {...fields.value('value')}
            label={named}
            hint={t(`ops.priceHint.${priceName(kind, price)}`)}
            coin={isSpread ? t('ops.prices.bp') : asset}
            decimals={isSpread ? 0 : price.decimals}
          />
        )}
        {trial.data !== undefined && (isValue || mode === 'none') && (
          <TrialFigures tried={trial.data} asset={asset} isCoin={price.isCoin} />
        )}
        <TimingFields
          label={t('ops.prices.validFrom')}
          now={t('ops.prices.atConfirmation')}
          later={t('ops.prices.later')}
          when={fields.value('when')}
          at={fields.text('at')}
        />
        <Banner kind="notice">{t(isFee(kind) ? 'ops.prices.secondFee' : 'ops.prices.second')}</Banner>
        <ReasonField binding={fields.text('reason')} />
        <DialogFoot fields={fields} submitText={t('ops.propose')} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
