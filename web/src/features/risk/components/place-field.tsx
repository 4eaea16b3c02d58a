import type { RiskPolicy } from '@causeway/contract/risk.ts';
import { useText } from '../../../lib/locale.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { behindAll, presentPlace } from '../place.ts';

interface Props {
  value: string;
  onChange: (place: string) => void;
  /** Null: a new policy. */
  ownId: string | null;
  standing: { items: readonly RiskPolicy[]; total: number };
}

/** The policy's place among the others: the first that matches decides. */
export function PlaceField({ value, onChange, ownId, standing }: Props) {
  const t = useText();
  const others = standing.items.filter(({ id }) => id !== ownId);
  const [first, ...later] = others;
  if (first === undefined) return null;
  return (
    <SelectField
      label={t('risk.policy.place')}
      hint={t('risk.policy.placeHint')}
      options={[
        { value: first.id, label: t('risk.policy.placeFirst', { name: first.name }) },
        ...later.map(({ id, position, name }) => ({
          value: id,
          label: t('risk.policy.placeBefore', { position, name }),
        })),
        { value: behindAll, label: t('risk.policy.placeLast') },
      ]}
      value={value === '' ? presentPlace(ownId, standing) : value}
      onChange={onChange}
    />
  );
}
