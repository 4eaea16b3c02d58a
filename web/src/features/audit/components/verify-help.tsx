import { useText } from '../../../lib/locale.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { useAuditKeys } from '../api.ts';
import { useAuditSource } from '../source.ts';

/** How the recipient of an export verifies that nothing is missing and nothing was changed. */
export function VerifyHelp() {
  const t = useText();
  const { texts } = useAuditSource();
  const key = useAuditKeys()?.[0]?.publicKey;
  const command = `npm run audit:verify -- audit-log.jsonl --key=${key ?? '…'}`;
  return (
    <section aria-label={t('auditLog.verify.title')} className="flex flex-col gap-2 text-13 text-muted">
      <h3 className="m-0 text-13 font-semibold text-text">{t('auditLog.verify.title')}</h3>
      <p className="m-0">{t('auditLog.verify.text')}</p>
      <div className="flex items-start gap-1 rounded-6 bg-sunken py-1.5 pr-1 pl-3">
        <code className="min-w-0 flex-1 py-1 text-12 break-all text-text">{command}</code>
        <CopyButton text={command} what={t('auditLog.verify.command')} />
      </div>
      <p className="m-0">{t(texts.key)}</p>
    </section>
  );
}
