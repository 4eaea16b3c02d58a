import type { OperatorRole } from '@causeway/contract/operator-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { rightsOf } from '../words.ts';

/** What a role may do, in sentences. */
export function RoleRights({ role }: { role: OperatorRole }) {
  const t = useText();
  return (
    <ul
      aria-label={t('ops.rights', { role: t(`ops.role.${role}`) })}
      className="m-0 flex list-none flex-col gap-1.5 p-0 text-13 text-muted"
    >
      {rightsOf(role).map((right) => (
        <li key={right} className="flex items-start gap-2">
          <span className="mt-0.5 text-positive">
            <Icon name="check" />
          </span>
          <span className="min-w-0">{t(`ops.right.${right.slice('operator.'.length)}`)}</span>
        </li>
      ))}
    </ul>
  );
}
