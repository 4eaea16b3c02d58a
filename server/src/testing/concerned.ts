import type { JobDefinition } from '../platform/jobs/jobs.ts';
import type { TestDatabase } from './database.ts';

/** Whether a job is queued for a company's event: asked as the relay asks it, with the worker's rights and outside of any company. */
export async function isConcerned(
  { worker }: Pick<TestDatabase, 'worker'>,
  { concerns }: JobDefinition,
  companyId: string,
): Promise<boolean> {
  if (!concerns) return true;
  return (await worker.withoutCompany((tx) => concerns(tx, [companyId]))).has(companyId);
}
