import type { Permission } from '@causeway/contract/permission.ts';
import { useUser } from './user.ts';

/**
 * Whether the person signed in may do this; undefined while that is being read, so that a page shows neither the step nor
 * its refusal too early. The server checks every call: this only keeps a page from offering what would be refused.
 */
export function usePermission(permission: Permission): boolean | undefined {
  return useUser()?.permissions.includes(permission);
}
