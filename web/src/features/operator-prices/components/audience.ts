import type { OperatorAnnouncement } from '@causeway/contract/operator-announcements.ts';
import type { Translate } from '../../../lib/locale.tsx';

/** To whom an announcement goes, as a line. */
export function audienceText(t: Translate, { kind, company, asset }: OperatorAnnouncement['audience']): string {
  if (kind === 'company') return company?.name ?? '';
  return kind === 'asset' ? t('ops.audience.holders', { asset: asset ?? '' }) : t('ops.audience.all');
}
