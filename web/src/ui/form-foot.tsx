import { useText } from '../lib/locale.tsx';
import { Button } from './button.tsx';

interface Props {
  submitText: string;
  busy: boolean;
  onCancel: () => void;
  negative?: boolean | undefined;
}

/** The last line of a form in a dialog: back out of it, or submit it. While it is on its way there is no way back. */
export function FormFoot({ submitText, busy, onCancel, negative = false }: Props) {
  const t = useText();
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button disabled={busy} onClick={onCancel}>
        {t('ui.cancel')}
      </Button>
      <Button type="submit" kind={negative ? 'negative' : 'primary'} busy={busy}>
        {submitText}
      </Button>
    </div>
  );
}
