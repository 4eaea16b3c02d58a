import type { Locale } from '@causeway/contract/locale.ts';
import type { Tx } from '../../../platform/database.ts';
import { findPeople } from './people.ts';

/** Where a member stands in the company; identity's port for the person signed in. Names in the given language. */
export async function describePlace(
  tx: Tx,
  userId: string,
  locale: Locale,
): Promise<{ role: string; department: { id: string; name: string } | null }> {
  const [person] = await findPeople(tx, [userId], locale);
  if (!person) return { role: '', department: null };
  const { departmentId: id, departmentName: name } = person;
  return { role: person.roleName, department: id === null || name === null ? null : { id, name } };
}
