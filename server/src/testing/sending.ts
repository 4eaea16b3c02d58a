import { createOutgoingJobs } from '../features/outgoing/index.ts';
import { createChainRail, evmFamily, type FamilyOf, type SendingDependencies } from '../features/rails/index.ts';
import type { JobDefinition } from '../platform/jobs/jobs.ts';
import { outgoingKinds } from './chain-families.ts';

/** The worker's jobs that send payments over chains. */
export function sendingJobs(
  deps: Omit<SendingDependencies, 'kinds' | 'familyOf'> & { familyOf?: FamilyOf },
): JobDefinition[] {
  const { database } = deps;
  const rail = createChainRail({ familyOf: () => evmFamily, ...deps, kinds: outgoingKinds });
  return createOutgoingJobs({ database, kinds: outgoingKinds, rails: [rail] });
}
