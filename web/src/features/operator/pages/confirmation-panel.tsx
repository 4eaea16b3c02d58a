import type { Output } from '@causeway/contract/call.ts';
import type { getProposal } from '@causeway/contract/operator.ts';
import { useParams } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { PanelSection, SidePanel } from '../../../ui/side-panel.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { Changes } from '../../audit/index.ts';
import { useProposal } from '../api.ts';
import { ProposalActions } from '../components/proposal-actions.tsx';
import { ProposalNote } from '../components/proposal-note.tsx';
import { ProposalStateWord } from '../components/proposal-state.tsx';
import { actTones } from '../words.ts';

type ProposalDetail = Output<typeof getProposal>;

/** One proposal beside the list: what would change, why, and the decision. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const read = useProposal(id);
  const { data } = read;
  return (
    <SidePanel
      title={data?.title ?? t('ops.field.proposal')}
      backTo="/app/confirmations"
      // Also where nothing can be done any more: a dialog that is open says why.
      {...(data && { actions: <ProposalActions key={data.id} proposal={data} /> })}
    >
      {data === undefined && read.error !== null ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <Loading loading={data === undefined} skeleton={<Skeleton height="h-80" />}>
          {data && <Parts proposal={data} />}
        </Loading>
      )}
    </SidePanel>
  );
}

function Parts({ proposal }: { proposal: ProposalDetail }) {
  const t = useText();
  const { changes, decidedAt, decidedBy, decisionReason } = proposal;
  return (
    <div className="flex flex-col gap-8">
      <ProposalNote proposal={proposal} />
      <DescriptionList
        facts={[
          { term: t('ops.field.state'), value: <ProposalStateWord proposal={proposal} /> },
          { term: t('ops.field.kind'), value: t(`ops.kind.${proposal.kind}`) },
          { term: t('ops.field.subject'), value: <Subject proposal={proposal} /> },
          { term: t('ops.field.proposedBy'), value: proposal.proposedBy.name },
          { term: t('ops.field.proposedAt'), value: <Time at={proposal.proposedAt} /> },
          { term: t('ops.field.reason'), value: <span className="whitespace-pre-line">{proposal.reason}</span> },
          ...(proposal.state === 'open' || proposal.state === 'expired'
            ? [
                {
                  term: t(proposal.state === 'open' ? 'ops.field.expiresAt' : 'ops.field.expiredAt'),
                  value: <Time at={proposal.expiresAt} />,
                },
              ]
            : []),
          ...(decidedBy === null ? [] : [{ term: t('ops.field.decidedBy'), value: decidedBy.name }]),
          ...(decidedAt === null ? [] : [{ term: t('ops.field.decidedAt'), value: <Time at={decidedAt} /> }]),
          ...(proposal.act === null ? [] : [{ term: t('ops.field.act'), value: <ActState act={proposal.act} /> }]),
          ...(decisionReason === null
            ? []
            : [
                {
                  term: t('ops.field.decisionReason'),
                  value: <span className="whitespace-pre-line">{decisionReason}</span>,
                },
              ]),
        ]}
      />
      {changes.length > 0 && (
        <PanelSection title={t('ops.proposal.changes')}>
          <Changes changes={changes.map((change) => ({ ...change, field: change.label, switched: null }))} />
        </PanelSection>
      )}
    </div>
  );
}

/** What the worker made of a confirmed proposal. */
function ActState({ act: { state, endedAt, refusal } }: { act: NonNullable<ProposalDetail['act']> }) {
  const t = useText();
  return (
    <span className="flex flex-col items-end gap-1 text-right">
      <StatusDot tone={actTones[state]}>{t(`ops.act.${state}`)}</StatusDot>
      {refusal !== null && <span>{refusal}</span>}
      {endedAt !== null && <Time at={endedAt} />}
    </span>
  );
}

/** Pages that show a subject itself, by its kind. */
const pages: Readonly<Record<string, string>> = {
  operator: '/app/staff',
  company: '/app/companies',
  transaction: '/app/exceptions/transaction',
  payment: '/app/exceptions/payment',
  address: '/app/exceptions/address',
  wallet: '/app/exceptions/wallet',
};

function Subject({ proposal }: { proposal: ProposalDetail }) {
  const { kind, id, name } = proposal.subject;
  // A colleague who is only proposed has no page yet.
  const isThere = proposal.kind !== 'staff.invite' || proposal.state === 'confirmed';
  const page = isThere ? pages[kind] : undefined;
  if (page === undefined || name === null) return name ?? id;
  return (
    <PlainLink href={`${page}/${encodeURIComponent(id)}`} className="text-accent">
      {name}
    </PlainLink>
  );
}
