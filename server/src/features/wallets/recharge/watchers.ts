import type { Tx } from '../../../platform/database/database.ts';
import { findNamedPeople } from '../../organisation/index.ts';

/** The members who can announce recharges, and so watch for them: those who may move money. */
export async function findWatchers(tx: Tx): Promise<string[]> {
  const people = await findNamedPeople(tx, { ids: [], holding: ['transfer.create'] });
  return people
    .filter(({ status, permissions }) => status === 'active' && permissions.includes('transfer.create'))
    .map(({ id }) => id);
}
