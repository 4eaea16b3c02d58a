import { ApiError } from '../../lib/api-error.ts';
import { messageOf } from '../../lib/report-error.ts';

/** Refusals that are about one field of a form. */
const fieldOfError: Record<string, string> = {
  memberEmailTaken: 'email',
  memberEmailFixed: 'email',
  roleInactive: 'roleId',
  roleNotFound: 'roleId',
  departmentExists: 'name',
  roleExists: 'name',
  deputyUnsuitable: 'deputyId',
};

/** Throws a refusal on, with its sentence under the field that it is about, where there is one. */
export function atField(error: unknown): never {
  const field = error instanceof ApiError ? fieldOfError[error.key] : undefined;
  if (!(error instanceof ApiError) || field === undefined) throw error;
  const { key, status, code, messages } = error;
  throw new ApiError({ key, status, code, messages, fields: { [field]: messageOf(error) } }, { cause: error });
}
