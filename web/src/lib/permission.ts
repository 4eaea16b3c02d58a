import type { OperatorPermission } from '@causeway/contract/operator-rules.ts';
import type { Permission } from '@causeway/contract/permission.ts';

/** What a page asks for: a right of a company's member, or one of the operator's staff. The two share no name. */
export type AnyPermission = Permission | OperatorPermission;

type Source = () => readonly AnyPermission[] | undefined;

let source: Source = () => undefined;

/** Says whose rights count: each console does so once, before it draws its first page. `hook` is a hook of React. */
export function readPermissionsBy(hook: Source): void {
  source = hook;
}

/** The rights of the person signed in; undefined while they are being read. */
export function usePermissions(): readonly AnyPermission[] | undefined {
  return source();
}

/**
 * Whether the person signed in may do this; undefined while that is being read, so that a page shows neither the step nor
 * its refusal too early. The server checks every call: this only keeps a page from offering what would be refused.
 */
export function usePermission(permission: AnyPermission): boolean | undefined {
  return usePermissions()?.includes(permission);
}
