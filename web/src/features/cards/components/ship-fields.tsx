import type { ShipTo } from '@causeway/contract/cards.ts';
import { useText } from '../../../lib/locale.tsx';
import { ComboboxField } from '../../../ui/combobox-field.tsx';
import type { FieldProblem, Fields } from '../../../ui/form-state.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { useCountries } from './bounds-fields.tsx';

/** Where a physical card is sent, as a form has it. */
export interface ShipValues {
  shipName: string;
  line1: string;
  line2: string;
  city: string;
  region: string;
  postalCode: string;
  country: string;
  phone: string;
}

export const noAddress: ShipValues = {
  ...{ shipName: '', line1: '', line2: '', city: '', region: '', postalCode: '', country: '', phone: '' },
};

export function shipToOf({ shipName, line1, line2, city, region, postalCode, country, phone }: ShipValues): ShipTo {
  const trimmed = { line1, line2, city, region, postalCode, phone };
  const rest = Object.fromEntries(Object.entries(trimmed).map(([name, text]) => [name, text.trim()]));
  return { name: shipName.trim(), country, ...(rest as typeof trimmed) };
}

export function checkShip(values: ShipValues): FieldProblem[] {
  return (['shipName', 'line1', 'city', 'country'] as const)
    .filter((name) => values[name].trim() === '')
    .map((name) => ({ path: [name], message: 'field.required' }));
}

/** The address of a physical card. */
export function ShipFields({ fields }: { fields: Fields<ShipValues, ShipValues> }) {
  const t = useText();
  return (
    <>
      <TextField label={t('cards.ship.name')} maxLength={80} autoComplete="name" {...fields.text('shipName')} />
      <TextField label={t('cards.ship.line1')} maxLength={120} {...fields.text('line1')} />
      <TextField label={t('cards.ship.line2')} optional maxLength={120} {...fields.text('line2')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={t('cards.ship.city')} maxLength={60} {...fields.text('city')} />
        <TextField label={t('cards.ship.region')} optional maxLength={60} {...fields.text('region')} />
        <TextField label={t('cards.ship.postalCode')} optional maxLength={20} {...fields.text('postalCode')} />
        <ComboboxField label={t('cards.ship.country')} options={useCountries()} {...fields.value('country')} />
        <TextField label={t('cards.ship.phone')} optional inputMode="tel" maxLength={30} {...fields.text('phone')} />
      </div>
    </>
  );
}
