import type { User } from '@causeway/contract/identity.ts';
import { localeOf } from '@causeway/contract/locale.ts';
import { useState } from 'react';
import { localeNames, useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Time } from '../../../ui/time.tsx';
import { ProfileForm } from './profile-form.tsx';

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
      {editing && <ProfileForm user={user} onClose={() => setEditing(false)} />}
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
          { term: t('identity.profile.role'), value: roleName(user.role, t) },
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

const systemRoles: Readonly<Record<string, string>> = {
  administrator: 'identity.role.administrator',
  finance: 'identity.role.finance',
  approver: 'identity.role.approver',
  viewer: 'identity.role.viewer',
};

/** System roles are named in the reader's language; a company's own roles keep the name they were given. */
function roleName(role: string, t: (id: string) => string): string {
  const id = systemRoles[role];
  return id === undefined ? role : t(id);
}
