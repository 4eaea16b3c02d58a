import { roleNameMaxLength } from '@causeway/contract/organisation-rules.ts';
import { useMemo } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { AmountField } from '../../../ui/amount-field.tsx';
import { CheckTree } from '../../../ui/check-tree.tsx';
import type { Fields } from '../../../ui/form-state.ts';
import { RadioField } from '../../../ui/radio-field.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Checkbox, TextField } from '../../../ui/text-field.tsx';
import { useMenuGroups } from '../api.ts';
import { effective, permissionNodes } from '../permission-choice.ts';
import type { RoleValues } from '../role-values.ts';

interface Props {
  fields: Fields<RoleValues, unknown>;
  /** How many members hold it: what switching it off takes from them is said. */
  holders: number;
}

/** Name, approval authority, permissions, whether it is in force (decisions, "Members, roles and departments"). */
export function RoleFields({ fields, holders }: Props) {
  const t = useText();
  const { authority, active } = fields.values;
  return (
    <>
      <TextField
        label={t('organisation.role.name')}
        autoComplete="off"
        maxLength={roleNameMaxLength}
        {...fields.text('name')}
      />
      <RadioField
        label={t('organisation.role.authority')}
        hint={t('organisation.role.authorityHint')}
        options={[
          { value: 'limited', label: t('organisation.role.limited') },
          { value: 'unlimited', label: t('organisation.role.unlimited') },
        ]}
        {...fields.value('authority')}
      />
      {authority === 'limited' && (
        <AmountField label={t('organisation.role.quota')} coin="USD" decimals={2} {...fields.value('quotaUsd')} />
      )}
      <Permissions fields={fields} />
      <Checkbox {...fields.box('active')}>
        <span className="block text-text">{t('organisation.role.activeLabel')}</span>
        {!active && holders > 0 ? (
          <span className="block font-medium text-negative">{t('organisation.role.offText', { count: holders })}</span>
        ) : (
          t('organisation.role.activeText')
        )}
      </Checkbox>
    </>
  );
}

function Permissions({ fields }: { fields: Fields<RoleValues, unknown> }) {
  const t = useText();
  const { value, onChange, error } = fields.value('permissions');
  const groups = useMenuGroups();
  const { data } = groups;
  const nodes = useMemo(
    () =>
      permissionNodes(data ?? [], value, {
        implied: (by) => t('organisation.role.implied', { by }),
        beyond: t('organisation.role.beyond'),
      }),
    [data, value, t],
  );
  const all = useMemo(() => new Set<string>(effective(value)), [value]);
  if (data === undefined && groups.error !== null) {
    return <ErrorState error={groups.error} onRetry={() => void groups.refetch()} />;
  }
  return (
    <Loading loading={data === undefined} skeleton={<Skeleton height="h-80" />}>
      <CheckTree
        label={t('organisation.role.permissions')}
        hint={t('organisation.role.permissionCount', { count: all.size })}
        error={error}
        nodes={nodes}
        value={all}
        onChange={(next) => onChange(kept(value, all, next))}
      />
    </Loading>
  );
}

/** What was ticked by hand after a press: what only came along with another goes when that one goes. */
function kept(
  chosen: ReadonlySet<string>,
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): ReadonlySet<string> {
  const added = [...after].filter((id) => !before.has(id));
  return new Set([...[...chosen].filter((id) => after.has(id)), ...added]);
}
