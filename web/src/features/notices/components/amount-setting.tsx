import { parseAmount } from '@causeway/contract/money.ts';
import { type ReactNode, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { AmountField } from '../../../ui/amount-field.tsx';
import { Button } from '../../../ui/button.tsx';

interface Props {
  label: string;
  /** As the server has it, a plain decimal text; empty where there is none. */
  value: string;
  coin: string;
  decimals: number;
  busy: boolean;
  onSave: (amount: string) => void;
  /** Beside the button. */
  children?: ReactNode;
}

/** One amount that is kept by itself: the button is there once it differs from what is kept. */
export function AmountSetting({ label, value, coin, decimals, busy, onSave, children }: Props) {
  const t = useText();
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? value;
  const amount = parseAmount(shown.replace(/\.$/, ''), decimals);
  const kept = parseAmount(value, decimals);
  const isNew = typed !== null && !(amount.ok && kept.ok && amount.minor === kept.minor);
  const isUsable = amount.ok && amount.minor > 0n;
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isNew || !isUsable) return;
        onSave(shown.replace(/\.$/, ''));
        setTyped(null);
      }}
    >
      <div className="w-60 max-w-full">
        <AmountField
          label={label}
          value={shown}
          onChange={setTyped}
          coin={coin}
          decimals={decimals}
          error={isNew && !isUsable ? t('notices.alerts.amount') : undefined}
        />
      </div>
      <span className="flex h-11 items-center gap-2">
        {isNew && isUsable && (
          <Button type="submit" kind="primary" size="small" busy={busy}>
            {t('notices.alerts.save')}
          </Button>
        )}
        {children}
      </span>
    </form>
  );
}
