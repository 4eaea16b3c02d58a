import { useText } from '../../../lib/locale.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';

/** A secret, to be copied into the receiving system. */
export function SecretView({ secret }: { secret: string }) {
  const t = useText();
  return (
    <div className="flex flex-col gap-2">
      <p className="m-0 text-13 text-muted">{t('webhooks.secret.text')}</p>
      <div className="flex items-center gap-2 rounded-6 border border-line bg-sunken px-3 py-2">
        <code data-testid="webhook-secret" className="min-w-0 break-all font-mono text-13">
          {secret}
        </code>
        <CopyButton text={secret} what={t('webhooks.secret')} />
      </div>
    </div>
  );
}
