import { sql } from 'kysely';
import { createOutgoingJobs } from '../features/outgoing/index.ts';
import { createChainRail, evmFamily, type FamilyOf, type SendingDependencies } from '../features/rails/index.ts';
import type { Database } from '../platform/database/database.ts';
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

interface Event {
  companyId: string;
  name: string;
  payload: Record<string, unknown>;
}

/** What was announced, in its order, taken from the outbox. */
export async function takeEvents(database: Database): Promise<Event[]> {
  return database.withoutCompany(async (tx) => {
    const { rows } = await sql<Event & { id: string }>`
      delete from outbox returning company_id as "companyId", id, name, payload`.execute(tx);
    return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  });
}
