import type { MemberStatus } from '@causeway/contract/organisation-rules.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import type { Member } from '../api.ts';
import { statusWords } from '../words.ts';

/** A member's status; an invited member is pending, shown with the time until which the link is valid. */
export function MemberStatusWord({ status, link }: { status: MemberStatus; link?: string | null }) {
  const t = useText();
  const { text, tone } = statusWords[status];
  return (
    <StatusDot tone={tone} {...(link && { detail: link })}>
      {t(text)}
    </StatusDot>
  );
}

/** Until when the link of the newest activation mail holds; null for those who have none to use. */
export function useLinkText(): (member: Pick<Member, 'status' | 'activationExpiresAt'>) => string | null {
  const t = useText();
  const formats = useFormats();
  return ({ status, activationExpiresAt }) => {
    if (status !== 'invited') return null;
    const over = activationExpiresAt === null || new Date(activationExpiresAt).getTime() <= Date.now();
    return over
      ? t('organisation.link.expired')
      : t('organisation.link.until', { time: formats.dateTime(activationExpiresAt) });
  };
}

/** The status with what one must know about the link, in a list. */
export function MemberState({ member }: { member: Member }) {
  const linkOf = useLinkText();
  const t = useText();
  const frozen = member.frozen ? t('organisation.frozen') : null;
  return <MemberStatusWord status={member.status} link={frozen ?? linkOf(member)} />;
}
