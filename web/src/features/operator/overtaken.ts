import type { ProposalState } from '@causeway/contract/operator-rules.ts';
import type { Translate } from '../../lib/locale.tsx';

/** Refusals after which a step cannot succeed any more: its subject is gone, or a colleague was faster. */
const overtaken: readonly string[] = [
  ...['notFound', 'proposalOpen', 'proposalDecided', 'proposalStale', 'proposalExpired', 'operatorDisabled'],
  ...[
    'queueTaken',
    'queueResolved',
    'queueNotClosed',
    'alreadyFrozen',
    'notFrozen',
    'treasuryAddressGone',
    'jobNotFailed',
  ],
  ...['exceptionNotPossible', 'announcementSettled'],
];

export function isOvertaken(key: string | null): boolean {
  return key !== null && overtaken.includes(key);
}

interface Seen {
  state: ProposalState;
  outdated: boolean;
  canDecide: boolean;
}

/** What became of a proposal while a dialog about it was open; null while it is as it was. */
export function overText(t: Translate, { state, outdated, canDecide }: Seen): string | null {
  if (state !== 'open') return t('ops.over.decided', { state: t(`ops.proposalState.${state}`) });
  return outdated && canDecide ? t('ops.over.stale') : null;
}
