import type { Body } from '@causeway/contract/call.ts';
import { languageOf } from '@causeway/contract/locale.ts';
import type { addMember } from '@causeway/contract/organisation.ts';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { localeNames, useLocale, useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { PanelFormFoot } from '../../../ui/panel-form-foot.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { NoPermission } from '../../../ui/states.tsx';
import { ControlNote, useTellChange } from '../../control/index.ts';
import { useAddMember } from '../api.ts';
import { atField } from '../at-field.ts';
import { MemberFields } from '../components/member-fields.tsx';
import { checkNewMember, type MemberValues, newMember } from '../member-values.ts';
import { languageOptions } from '../words.ts';

/** A new member, who is mailed a link to set a password. */
export function Page() {
  const t = useText();
  return (
    <SidePanel title={t('organisation.member.add')} backTo="/app/member-management">
      {usePermission('member.manage') === false ? <NoPermission /> : <AddForm />}
    </SidePanel>
  );
}

function AddForm() {
  const t = useText();
  const router = useRouter();
  const locale = useLocale();
  // Chosen once, so that a form sent twice is one member.
  const [id] = useState(() => newId());
  const fields = useFields<MemberValues, Body<typeof addMember>>({
    check: checkNewMember,
    defaults: newMember(id, languageOf(locale)),
    keep: 'member-add',
  });
  const add = useAddMember();
  const tell = useTellChange();
  const submit = async (values: Body<typeof addMember>) => {
    const added = await add.mutateAsync({ body: values }).catch(atField);
    tell(added, t('organisation.added'), { detail: t('organisation.member.mailed', { email: added.email }) });
    // A proposed member has no page yet; the list shows the proposal.
    const page = added.applied ? `/app/member-management/${added.id}` : '/app/member-management';
    router.history.push(`${page}${router.state.location.searchStr}`);
  };
  return (
    <Form fields={fields} onSubmit={submit} label={t('organisation.member.add')}>
      <MemberFields fields={fields} emailFixed={false} />
      <SelectField
        label={t('organisation.member.mailLanguage')}
        options={languageOptions(localeNames)}
        {...fields.value('language')}
      />
      <p className="m-0 rounded-10 bg-sunken px-4 py-3 text-13 text-muted">{t('organisation.member.addNote')}</p>
      <ControlNote permission="member.manage" />
      <PanelFormFoot>
        <Button type="submit" kind="primary" busy={fields.submitting}>
          {t('organisation.member.add')}
        </Button>
      </PanelFormFoot>
    </Form>
  );
}
