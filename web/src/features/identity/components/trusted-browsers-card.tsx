import type { TrustedBrowser } from '@causeway/contract/identity-account.ts';
import { skipVerificationDays } from '@causeway/contract/identity-rules.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useRemoveTrustedBrowser, useRemoveTrustedBrowsers, useTrustedBrowsers } from '../api.ts';
import { useDeviceName } from './device-name.ts';
import { EntryList } from './entry-list.tsx';

/** The browsers that may skip verification, and the way to ask them for it again. */
export function TrustedBrowsersCard() {
  const t = useText();
  const browsers = useTrustedBrowsers();
  const deviceName = useDeviceName();
  const removeOne = useRemoveTrustedBrowser();
  const removeAll = useRemoveTrustedBrowsers();
  const [removing, setRemoving] = useState<TrustedBrowser | 'all' | null>(null);
  const close = () => setRemoving(null);
  // A refusal is said by the dialog, which stays.
  const confirm = async () => {
    if (removing === 'all') await removeAll.mutateAsync({});
    else if (removing !== null) await removeOne.mutateAsync({ params: { id: removing.id } });
    toast('success', t('identity.trusted.removed'));
    close();
  };
  const list = browsers.data ?? [];
  return (
    <Card title={t('identity.trusted.title')}>
      <p className="mt-0 mb-5 max-w-160 text-13 text-muted last:mb-0">
        {t('identity.trusted.intro', { days: skipVerificationDays })}
      </p>
      {browsers.data === undefined && browsers.error !== null ? (
        <ErrorState error={browsers.error} onRetry={() => void browsers.refetch()} />
      ) : (
        <Loading loading={browsers.data === undefined} skeleton={<Skeleton height="h-14" />}>
          {list.length === 0 && <p className="m-0 text-13 text-faint">{t('identity.trusted.none')}</p>}
          <EntryList
            label={t('identity.trusted.title')}
            entries={list.map((browser) => ({
              key: browser.id,
              title: deviceName(browser),
              facts: [
                [t('identity.trusted.since'), <Time key="at" at={browser.createdAt} dateOnly />],
                [
                  t('identity.trusted.lastUsed'),
                  browser.lastUsedAt === null ? t('identity.never') : <Time key="at" at={browser.lastUsedAt} />,
                ],
                [t('identity.trusted.until'), <Time key="at" at={browser.expiresAt} dateOnly />],
              ],
              actions: (
                <Button
                  size="small"
                  aria-label={t('identity.trusted.removeNamed', { device: deviceName(browser) })}
                  onClick={() => setRemoving(browser)}
                >
                  {t('identity.trusted.remove')}
                </Button>
              ),
            }))}
          />
          {list.length > 1 && (
            <Button icon="trash" onClick={() => setRemoving('all')}>
              {t('identity.trusted.removeAll')}
            </Button>
          )}
        </Loading>
      )}
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={(open) => open || close()}
        title={t(removing === 'all' ? 'identity.trusted.removeAllTitle' : 'identity.trusted.removeTitle')}
        description={t('identity.trusted.removeText')}
        {...(removing !== null &&
          removing !== 'all' && {
            facts: [{ term: deviceName(removing), value: <Time at={removing.createdAt} dateOnly /> }],
          })}
        confirmText={t(removing === 'all' ? 'identity.trusted.removeAll' : 'identity.trusted.remove')}
        negative
        busy={removeOne.isPending || removeAll.isPending}
        onConfirm={() => void confirm().catch(() => undefined)}
      />
    </Card>
  );
}
