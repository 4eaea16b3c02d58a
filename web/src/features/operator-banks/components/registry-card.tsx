import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Time } from '../../../ui/time.tsx';
import type { RegistryChange } from '../api.ts';

/** So many the server sends; fewer are all that there were. */
const most = 10;

/** Each file of banks that the migration program has read, with its digest and what it changed, newest first. */
export function RegistryCard({ changes }: { changes: readonly RegistryChange[] }) {
  const t = useText();
  return (
    <Card title={t('ops.banks.registry')} flush={changes.length > 0}>
      {changes.length === 0 ? (
        <p className="m-0 text-13 text-faint">{t('ops.banks.registryNone')}</p>
      ) : (
        <ul aria-label={t('ops.banks.registry')} className="m-0 list-none p-0">
          {changes.map((change, index) => (
            <li key={change.id} className="flex flex-col gap-2 border-line px-5 py-4 not-last:border-b">
              <span className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
                <Time at={change.at} />
                <span className="inline-flex min-w-0 items-center gap-2 text-12 text-faint">
                  <span>{t('ops.banks.digest')}</span>
                  <code className="wrap-anywhere">{change.digest}</code>
                  <CopyButton text={change.digest} what={t('ops.banks.digest')} />
                </span>
              </span>
              {change.changes.length === 0 ? (
                <span className="text-13 text-faint">
                  {t(
                    index === changes.length - 1 && changes.length < most
                      ? 'ops.banks.registryFirst'
                      : 'ops.banks.registrySame',
                  )}
                </span>
              ) : (
                <ul className="m-0 list-none p-0 text-13">
                  {change.changes.map(({ bank, currency, field, before, after }) => (
                    <li key={`${bank}/${currency}/${field}`} className="wrap-anywhere">
                      <span className="text-faint">
                        {[bank, currency, t(`ops.banks.field.${field}`)].filter(Boolean).join(' · ')}:{' '}
                      </span>
                      <span>{before ?? '–'}</span>
                      <span aria-hidden="true"> → </span>
                      <span className="sr-only">{t('ops.banks.becomes')}</span>
                      <span className="font-medium">{after ?? '–'}</span>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
