import type { PayeeStatus } from '@causeway/contract/payees.ts';
import { useText } from '../../../lib/locale.tsx';
import { StatusDot, type Tone } from '../../../ui/status-dot.tsx';

const words: Record<PayeeStatus, { text: string; tone: Tone }> = {
  usable: { text: 'payees.status.usable', tone: 'positive' },
  unusable: { text: 'payees.status.unusable', tone: 'negative' },
  deleted: { text: 'payees.status.deleted', tone: 'neutral' },
  unknown: { text: 'payees.status.unknown', tone: 'neutral' },
};

export function PayeeStatusWord({ status }: { status: PayeeStatus }) {
  const t = useText();
  return <StatusDot tone={words[status].tone}>{t(words[status].text)}</StatusDot>;
}
