import { useText } from '../../../lib/locale.tsx';
import type { TextBinding, ValueBinding } from '../../../ui/form-state.ts';
import { RadioField } from '../../../ui/radio-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import type { Timing } from '../rules.ts';

interface Props {
  label: string;
  now: string;
  later: string;
  when: ValueBinding<Timing['when']>;
  at: TextBinding;
}

/** At once, or from an instant on in the reader's own time zone. */
export function TimingFields({ label, now, later, when, at }: Props) {
  const t = useText();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <>
      <RadioField
        {...when}
        label={label}
        options={[
          { value: 'now', label: now },
          { value: 'later', label: later },
        ]}
      />
      {when.value === 'later' && (
        <TextField
          {...at}
          type="datetime-local"
          label={t('ops.prices.instant')}
          hint={t('ops.prices.zone', { zone })}
        />
      )}
    </>
  );
}
