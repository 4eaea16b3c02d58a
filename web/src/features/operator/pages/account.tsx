import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { Loading, Skeleton } from '../../../ui/states.tsx';
import { AppearanceCard } from '../components/appearance-card.tsx';
import { PasskeysCard } from '../components/passkeys-card.tsx';
import { PasswordCard } from '../components/password-card.tsx';
import { SessionsCard } from '../components/sessions-card.tsx';
import { useMe } from '../me.ts';

/** One's own account: who one is, what one signs in with, where one is signed in, how the console looks. */
export function Page() {
  const t = useText();
  const me = useMe();
  return (
    <Frame narrow>
      <Loading loading={me === undefined} skeleton={<Skeleton height="h-96" />}>
        {me && (
          <>
            <Card title={t('ops.account.person')}>
              <DescriptionList
                facts={[
                  { term: t('ops.field.name'), value: me.name },
                  { term: t('ops.field.email'), value: <span className="break-all">{me.email}</span> },
                  { term: t('ops.field.role'), value: t(`ops.role.${me.role}`) },
                ]}
              />
              <p className="mt-4 mb-0 text-13 text-faint">{t('ops.account.byOthers')}</p>
            </Card>
            <PasswordCard email={me.email} />
            <PasskeysCard />
            <SessionsCard />
            <AppearanceCard />
          </>
        )}
      </Loading>
    </Frame>
  );
}
