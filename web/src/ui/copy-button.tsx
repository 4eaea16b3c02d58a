import { translate, useText } from '../lib/locale.tsx';
import { toast } from '../lib/toasts.ts';
import { IconButton } from './button.tsx';

interface Props {
  /** What goes to the clipboard. */
  text: string;
  /** What is copied, in words: "address", "account number"; read aloud. */
  what?: string;
}

/** Copies a text and says so. */
export function CopyButton({ text, what }: Props) {
  const t = useText();
  return (
    <IconButton
      icon="copy"
      size="small"
      label={what === undefined ? t('ui.copy') : t('ui.copyWhat', { what })}
      onClick={(event) => {
        event.stopPropagation();
        void copyText(text);
      }}
    />
  );
}

/** Puts a text on the clipboard; says that it is there, or that the browser did not allow it. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast('success', translate('ui.copied'));
  } catch {
    toast('error', translate('ui.copyFailed'));
  }
}
