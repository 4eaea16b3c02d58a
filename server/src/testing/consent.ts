import { decideApprovals } from '@causeway/contract/approvals.ts';
import type { Effect } from '@causeway/contract/effect.ts';
import { decision } from './approval-requests.ts';
import type { MainApp, Member } from './main-app.ts';
import { present } from './present.ts';
import { succeed } from './succeed.ts';

/** Has another person consent to a change of the controls that did not take effect at once. */
export async function consent(
  world: MainApp,
  by: Member,
  { data }: { data: Pick<Effect, 'applied' | 'taskId'> },
): Promise<void> {
  if (data.applied) return;
  await succeed(world, decideApprovals, await decision(world, by, [present(data.taskId)]));
}
