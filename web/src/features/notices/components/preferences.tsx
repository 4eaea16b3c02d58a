import type { NoticeGroup } from '@causeway/contract/notices-rules.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Card } from '../../../ui/card.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { usePreferences, useSetPreferences } from '../center-api.ts';
import { RowShapes } from './row-shapes.tsx';

const cellClass = 'w-24 px-3 py-3 text-center align-middle';

/** Of which groups of notices one also wants mails. Each tick takes effect at once. */
export function Preferences() {
  const t = useText();
  const preferences = usePreferences();
  const set = useSetPreferences(() => toast('success', t('notices.mail.saved')));
  // A tick shows at once, and goes back when the server refuses it.
  const [chosen, setChosen] = useState<Partial<Record<NoticeGroup, boolean>>>({});
  const { data, error } = preferences;
  if (data === undefined && error !== null) {
    return (
      <Card>
        <ErrorState error={error} onRetry={() => void preferences.refetch()} />
      </Card>
    );
  }
  const choose = (group: NoticeGroup, mail: boolean) => {
    setChosen((others) => ({ ...others, [group]: mail }));
    const forget = () => setChosen(({ [group]: _, ...others }) => others);
    set.mutate({ body: { groups: [{ group, mail }] } }, { onError: forget });
  };
  return (
    <Card title={t('notices.mail.title')} flush>
      <Loading loading={data === undefined} skeleton={<RowShapes rows={7} />}>
        {data && (
          <>
            <p className="m-0 border-b border-line px-5 py-4 text-13 text-muted">
              {t('notices.mail.intro', { email: data.email })}
            </p>
            <table className="w-full border-collapse text-left">
              <caption className="sr-only">{t('notices.mail.title')}</caption>
              <thead>
                <tr className="border-b border-line text-12 text-faint">
                  <th scope="col" className="px-5 py-2.5 font-medium">
                    {t('notices.mail.group')}
                  </th>
                  <th scope="col" className={`${cellClass} font-medium`}>
                    {t('notices.mail.console')}
                  </th>
                  <th scope="col" className={`${cellClass} font-medium`}>
                    {t('notices.mail.mail')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.groups.map(({ group, mail, fixed }) => (
                  <tr key={group} className="border-b border-line last:border-b-0">
                    <th scope="row" className="px-5 py-3 font-normal">
                      <span className="block font-medium">{t(`notices.group.${group}`)}</span>
                      <span className="block text-13 text-muted">
                        {t(`notices.groupText.${group}`)}
                        {fixed && ` ${t('notices.mail.fixed')}`}
                      </span>
                    </th>
                    <td className={cellClass}>
                      <span className="inline-flex text-muted">
                        <Icon name="check" />
                        <span className="sr-only">{t('notices.mail.always')}</span>
                      </span>
                    </td>
                    <td className={cellClass}>
                      <input
                        type="checkbox"
                        aria-label={t('notices.mail.choose', { group: t(`notices.group.${group}`) })}
                        checked={chosen[group] ?? mail}
                        disabled={fixed}
                        onChange={(event) => choose(group, event.target.checked)}
                        className="size-4 accent-accent"
                      />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        )}
      </Loading>
    </Card>
  );
}
