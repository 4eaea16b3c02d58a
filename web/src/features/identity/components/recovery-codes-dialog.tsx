import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { copyText } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { printText, saveText } from '../save-text.ts';

interface Props {
  /** Null while there is nothing to show. */
  codes: readonly string[] | null;
  email: string;
  /** The person has them, and they are shown no more. */
  onKept: () => void;
}

/** The codes, this once: to be copied, saved, printed or written down. Nothing but its button closes it. */
export function RecoveryCodesDialog({ codes, email, onKept }: Props) {
  const t = useText();
  const sheet = [t('identity.recovery.sheet', { email }), '', ...(codes ?? [])].join('\n');
  return (
    <Dialog
      open={codes !== null}
      onOpenChange={() => undefined}
      held
      title={t('identity.recovery.newTitle')}
      description={t('identity.recovery.newText')}
      actions={
        <Button kind="primary" onClick={onKept}>
          {t('identity.recovery.kept')}
        </Button>
      }
    >
      <ol className="figures m-0 grid list-none grid-cols-1 gap-x-6 gap-y-2 rounded-10 border border-line bg-sunken px-4 py-4 font-mono text-14 sm:grid-cols-2">
        {(codes ?? []).map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button icon="copy" onClick={() => void copyText((codes ?? []).join('\n'))}>
          {t('ui.copy')}
        </Button>
        <Button icon="download" onClick={() => saveText('causeway-recovery-codes.txt', `${sheet}\n`)}>
          {t('identity.recovery.download')}
        </Button>
        <Button icon="file" onClick={() => printText(t('identity.recovery.title'), sheet)}>
          {t('identity.recovery.print')}
        </Button>
      </div>
    </Dialog>
  );
}
