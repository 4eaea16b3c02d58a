import { listCompanyInvitations } from 'virtual:calls/operator-companies';
import { defineList } from '../../../ui/list-view.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { refresh_ms } from '../../operator/index.ts';
import { RevokeInvitation } from '../components/revoke-invitation.tsx';
import { invitationTexts, invitationTones } from '../words.ts';

/** Codes for new companies, the newest first. A code is used by others, so the list is read again. */
export const invitationList = defineList({
  call: listCompanyInvitations,
  label: 'ops.title.invitations',
  name: 'operator-invitations',
  filters: [{ kind: 'choice', name: 'state', label: 'ops.companies.field.state', options: invitationTexts }],
  columns: ({ t }) => [
    {
      id: 'note',
      header: t('ops.companies.field.for'),
      card: 'title',
      width: '30%',
      skeleton: 'w-40',
      cell: ({ note }) => <span className="font-medium wrap-anywhere">{note === '' ? '—' : note}</span>,
    },
    {
      id: 'state',
      header: t('ops.companies.field.state'),
      card: 'status',
      skeleton: 'w-20',
      cell: ({ state }) => (
        <StatusDot tone={invitationTones[state]}>{t(`ops.companies.invitation.${state}`)}</StatusDot>
      ),
    },
    {
      id: 'company',
      header: t('ops.companies.field.company'),
      skeleton: 'w-32',
      cell: ({ company, usedAt }) =>
        company !== null && (
          <span className="flex flex-col">
            <PlainLink href={`/app/companies/${company.id}`} className="wrap-anywhere text-accent">
              {company.name}
            </PlainLink>
            {usedAt !== null && (
              <span className="text-12 text-faint">
                <Time at={usedAt} />
              </span>
            )}
          </span>
        ),
    },
    {
      id: 'createdAt',
      header: t('ops.companies.field.created'),
      skeleton: 'w-32',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      id: 'expiresAt',
      header: t('ops.companies.field.expiresAt'),
      skeleton: 'w-32',
      cell: ({ expiresAt }) => <Time at={expiresAt} />,
    },
    {
      id: 'actions',
      header: t('ops.companies.field.actions'),
      align: 'right',
      skeleton: 'w-16',
      cell: (invitation) => invitation.state === 'open' && <RevokeInvitation invitation={invitation} />,
    },
  ],
  rowId: ({ id }) => id,
  add: { text: 'ops.companies.invite', permission: 'operator.invite' },
  empty: { icon: 'building', title: 'ops.companies.invitationsEmpty', text: 'ops.companies.invitationsEmptyText' },
  again_ms: () => refresh_ms,
});
