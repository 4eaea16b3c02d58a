import type { User } from '@causeway/contract/identity.ts';
import { localeOf } from '@causeway/contract/locale.ts';
import { localeNames, useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Time } from '../../../ui/time.tsx';

/** The facts of the person signed in; changing the language is the header's business. */
export function ProfileCard({ user }: { user: User }) {
  const t = useText();
  const name = [user.firstName, user.lastName].filter((part) => part !== '').join(' ');
  return (
    <Card title={t('identity.profile.title')}>
      <DescriptionList
        columns
        facts={[
          {
            term: t('identity.profile.identifier'),
            value: (
              <span className="inline-flex items-center gap-1 font-mono text-13">
                {user.identifierId}
                <CopyButton text={user.identifierId} what={t('identity.profile.identifier')} />
              </span>
            ),
          },
          { term: t('identity.field.email'), value: <span className="break-all">{user.email}</span> },
          { term: t('identity.profile.company'), value: user.companyName },
          ...(user.legalName === '' ? [] : [{ term: t('identity.profile.legalName'), value: user.legalName }]),
          ...(name === '' ? [] : [{ term: t('identity.profile.name'), value: name }]),
          { term: t('identity.profile.role'), value: user.role },
          { term: t('ui.language'), value: localeNames[localeOf(user.language)] },
          { term: t('identity.profile.createdAt'), value: <Time at={user.createdAt} /> },
          {
            term: t('identity.profile.lastLoginAt'),
            value: user.lastLoginAt === null ? t('identity.profile.never') : <Time at={user.lastLoginAt} />,
          },
        ]}
      />
    </Card>
  );
}
