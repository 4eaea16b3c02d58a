import { cardNameMaxLength } from '@causeway/contract/cards-rules.ts';
import type { ReactNode } from 'react';
import { isoOf } from '../../../lib/days.ts';
import { useText } from '../../../lib/locale.tsx';
import type { Fields } from '../../../ui/form-state.ts';
import { TextField } from '../../../ui/text-field.tsx';
import type { BoundsValues } from '../bounds-values.ts';
import { BoundsFields } from './bounds-fields.tsx';

/** What can be said of a card at its issue and changed afterwards. */
export interface CardValues extends BoundsValues {
  name: string;
  validUntil: string;
}

export const checkName = ({ name }: { name: string }) =>
  name.trim() === '' ? [{ path: ['name'], message: 'field.required' }] : [];

interface Props {
  fields: Fields<CardValues, CardValues>;
  asset: string;
  decimals: number;
}

/** Name, limits, rules and the last day of a card. */
export function CardFields({ fields, asset, decimals }: Props): ReactNode {
  const t = useText();
  return (
    <>
      <TextField
        label={t('cards.field.name')}
        hint={t('cards.field.nameHint')}
        maxLength={cardNameMaxLength}
        {...fields.text('name')}
      />
      <BoundsFields
        fields={fields as unknown as Fields<BoundsValues, BoundsValues>}
        asset={asset}
        decimals={decimals}
      />
      <TextField
        type="date"
        label={t('cards.field.validUntil')}
        hint={t('cards.field.validUntilHint')}
        optional
        min={isoOf(new Date())}
        {...fields.text('validUntil')}
      />
    </>
  );
}
