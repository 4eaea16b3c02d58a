import type { MemberStatus } from '@causeway/contract/organisation-rules.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { statusWords } from '../words.ts';

interface Props {
  status: MemberStatus;
  /** Until when the link of the newest activation mail holds; of somebody invited. */
  activationExpiresAt?: string | null;
}

/** A member's status; somebody invited is pending, and until when the link holds is what one must know about that. */
export function MemberStatusWord({ status, activationExpiresAt }: Props) {
  const t = useText();
  const formats = useFormats();
  const { text, tone } = statusWords[status];
  const expires = status === 'invited' && activationExpiresAt ? activationExpiresAt : null;
  if (expires === null) return <StatusDot tone={tone}>{t(text)}</StatusDot>;
  const over = new Date(expires).getTime() <= Date.now();
  return (
    <StatusDot
      tone={tone}
      detail={over ? t('organisation.link.expired') : t('organisation.link.until', { time: formats.dateTime(expires) })}
    >
      {t(text)}
    </StatusDot>
  );
}
