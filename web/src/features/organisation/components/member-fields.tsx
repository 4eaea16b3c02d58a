import { personNameMaxLength } from '@causeway/contract/person-names.ts';
import { useMemo } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { ComboboxField } from '../../../ui/combobox-field.tsx';
import type { Fields } from '../../../ui/form-state.ts';
import { MobileFields } from '../../../ui/mobile-fields.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { useChoices } from '../api.ts';
import { type MemberValues, namesakeOf } from '../member-values.ts';
import { departmentPath } from '../words.ts';

interface Props {
  fields: Fields<MemberValues, unknown>;
  /** A member who has set a password keeps the email. */
  emailFixed: boolean;
}

/** Who it is, what they may do, where they belong, how they are reached (decisions, "Members, roles and departments"). */
export function MemberFields({ fields, emailFixed }: Props) {
  const t = useText();
  const { data } = useChoices();
  const departments = useMemo(
    () =>
      (data?.departments ?? []).map(({ id }) => ({ value: id, label: departmentPath(data?.departments ?? [], id) })),
    [data],
  );
  const namesake = namesakeOf(fields.values, data?.people ?? []);
  const roles = (data?.roles ?? []).map(({ id, name, active, system }) => ({
    value: id,
    label: name,
    disabled: !active,
    ...(!active
      ? { detail: t('organisation.role.inactive') }
      : system !== null && { detail: t('organisation.role.system') }),
  }));
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label={t('organisation.field.firstName')}
          autoComplete="off"
          maxLength={personNameMaxLength}
          {...(namesake !== null && { hint: t('organisation.member.namesake', { name: namesake }) })}
          {...fields.text('firstName')}
        />
        <TextField
          label={t('organisation.field.lastName')}
          optional
          autoComplete="off"
          maxLength={personNameMaxLength}
          {...fields.text('lastName')}
        />
      </div>
      <TextField
        label={t('organisation.field.email')}
        type="email"
        inputMode="email"
        autoComplete="off"
        readOnly={emailFixed}
        hint={t(emailFixed ? 'organisation.member.emailFixed' : 'organisation.member.emailHint')}
        {...fields.text('email')}
      />
      <ComboboxField
        label={t('organisation.field.role')}
        placeholder={t('organisation.member.chooseRole')}
        disabled={data === undefined}
        options={roles}
        {...fields.value('roleId')}
      />
      <ComboboxField
        label={t('organisation.field.department')}
        placeholder={t('organisation.member.chooseDepartment')}
        disabled={data === undefined}
        options={departments}
        {...(data !== undefined && departments.length === 0 && { hint: t('organisation.member.noDepartments') })}
        {...fields.value('departmentId')}
      />
      <MobileFields code={fields.value('mobileCountryCode')} number={fields.value('mobile')} />
    </>
  );
}
