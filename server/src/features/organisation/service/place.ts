import type { Locale } from '@causeway/contract/locale.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { findPeople } from './people.ts';

/** A member's role and department: identity's port for the signed-in member. Names in the given language. */
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
