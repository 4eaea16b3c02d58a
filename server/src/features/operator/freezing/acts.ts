import type { FreezeKind } from '@causeway/contract/freeze-rules.ts';
import type { ActHandler, ActHandlers } from '../acts/jobs.ts';
import { unfreezeBefore } from './kinds.ts';
import { unfreeze } from './unfreeze.ts';

/** How the worker unfreezes what two operators have agreed on. */
const unfreezing = (kind: FreezeKind): ActHandler => ({
  async perform(tx, { subjectId, before, confirmedBy }) {
    const { freezeId } = unfreezeBefore.parse(before);
    await unfreeze(tx, { kind, subjectId, freezeId, by: { kind: 'operator', id: confirmedBy } });
    return {};
  },
});

export const freezingActs: ActHandlers = {
  'company.unfreeze': unfreezing('company'),
  'wallet.unfreeze': unfreezing('wallet'),
  'member.unfreeze': unfreezing('member'),
};
