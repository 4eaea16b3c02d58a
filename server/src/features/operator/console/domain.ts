import {
  type OperatorPermission,
  type OperatorRole,
  operatorPermissionsOf,
} from '@causeway/contract/operator-rules.ts';

const hourMs = 3_600_000;

/** How long the link of an invitation or reset holds. */
export const linkLifetimeMs = 72 * hourMs;

export function may(role: OperatorRole, permission: OperatorPermission): boolean {
  return operatorPermissionsOf[role].includes(permission);
}

/** Whether a role allows nothing that another does not, and less: such a change narrows, and needs no second person. */
export function isNarrower(next: OperatorRole, than: OperatorRole): boolean {
  return next !== than && operatorPermissionsOf[next].every((permission) => may(than, permission));
}
