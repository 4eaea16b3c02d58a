import { useText } from '../../../lib/locale.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner } from '../../../ui/states.tsx';
import { useOpenProposals } from '../api.ts';

/** The open proposals about someone, each with the way to it. */
export function OpenAbout({ id }: { id: string }) {
  const t = useText();
  const about = (useOpenProposals().data?.items ?? []).filter(({ subject }) => subject.id === id);
  if (about.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      {about.map((proposal) => (
        <Banner
          key={proposal.id}
          kind={proposal.canDecide ? 'pending' : 'progress'}
          action={
            <PlainLink href={`/app/confirmations/${proposal.id}`} className="font-medium text-accent">
              {t('ops.proposal.open')}
            </PlainLink>
          }
        >
          {t('ops.staff.proposed', { what: proposal.title, who: proposal.proposedBy.name })}
        </Banner>
      ))}
    </div>
  );
}
