import { controllingPermissions } from '@causeway/contract/permission.ts';
import type { ReactNode } from 'react';
import { useUser } from '../../../lib/user.ts';
import { PlainLink } from '../../../ui/plain-link.tsx';

interface Props {
  taskId: string;
  /** The change is the reader's own, or about them: it is theirs to see without a right over the controls. */
  own?: boolean;
  className?: string;
  /** Shown to those who may not see it. */
  otherwise?: ReactNode;
  children: ReactNode;
}

/** The way to the application of a change, for those who may see it. */
export function ChangeLink({ taskId, own = false, className, otherwise = null, children }: Props) {
  const permissions = useUser()?.permissions ?? [];
  const controls = controllingPermissions.some((permission) => permissions.includes(permission));
  if (!permissions.includes('approval.view') || !(own || controls)) return otherwise;
  return (
    <PlainLink href={`/app/approval/${taskId}`} {...(className !== undefined && { className })}>
      {children}
    </PlainLink>
  );
}
