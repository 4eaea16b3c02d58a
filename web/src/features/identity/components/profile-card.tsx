import type { User } from '@causeway/contract/identity.ts';
import { localeOf } from '@causeway/contract/locale.ts';
import { lazy, Suspense, useState } from 'react';
import { localeNames, useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';

const ProfileForm = lazy(async () => ({ default: (await import('./profile-form.tsx')).ProfileForm }));

/** The facts of the person signed in; changing the language is the header's business. */
export function ProfileCard({ user }: { user: User }) {
  const t = useText();
  const [editing, setEditing] = useState(false);
  const name = [user.firstName, user.lastName].filter((part) => part !== '').join(' ');
  const edit = (
    <Button size="small" onClick={() => setEditing(true)}>
      {t('identity.profile.edit')}
    </Button>
  );
  return (
    <Card title={t('identity.profile.title')} {...(!editing && { aside: edit })}>
      {editing && (
        <Suspense fallback={<Skeleton height="h-72" />}>
          <ProfileForm user={user} onClose={() => setEditing(false)} />
        </Suspense>
      )}
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
          {
            term: t('identity.field.email'),
            value: (
              <span className="inline-flex items-center gap-1 break-all">
                {user.email}
                <CopyButton text={user.email} what={t('identity.field.email')} />
              </span>
            ),
          },
          { term: t('identity.profile.company'), value: user.companyName },
          ...(user.legalName === '' ? [] : [{ term: t('identity.profile.legalName'), value: user.legalName }]),
          { term: t('identity.profile.name'), value: name === '' ? t('identity.profile.noName') : name },
          {
            term: t('ui.mobile.number'),
            value: user.mobile === null ? t('identity.profile.noName') : `+${user.mobileCountryCode} ${user.mobile}`,
          },
          { term: t('identity.profile.role'), value: user.role },
          ...(user.department === null
            ? []
            : [{ term: t('identity.profile.department'), value: user.department.name }]),
          { term: t('ui.language'), value: localeNames[localeOf(user.language)] },
          { term: t('identity.profile.createdAt'), value: <Time at={user.createdAt} /> },
          {
            term: t('identity.profile.lastLoginAt'),
            value: user.lastLoginAt === null ? t('identity.never') : <Time at={user.lastLoginAt} />,
          },
        ]}
      />
    </Card>
  );
}
