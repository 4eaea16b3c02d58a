import { listCompanyNotes } from 'virtual:calls/operator-companies';
import { operatorNoteMaxLength } from '@causeway/contract/operator-companies-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { defineHistory, History } from '../../../ui/history.tsx';
import { TextArea } from '../../../ui/text-field.tsx';
import { Time } from '../../../ui/time.tsx';
import { type CompanyFile, useAddNote } from '../api.ts';
import { checkNote, type NoteValues } from '../rules.ts';

const notes = defineHistory({
  call: listCompanyNotes,
  rowId: ({ id }) => id,
  empty: { icon: 'file', title: 'ops.companies.notesEmpty', text: 'ops.companies.notesEmptyText' },
});

/** What operators wrote about the company, which never sees it; notes stay. */
export function NotesSection({ company: { id } }: { company: CompanyFile }) {
  const mayWrite = usePermission('operator.queue');
  return (
    <Card>
      {mayWrite && <NoteForm id={id} />}
      <History history={notes} params={{ id }}>
        {({ at, by, text }) => (
          <div className="flex flex-col gap-1">
            <span className="text-13 text-faint">
              {by.name} · <Time at={at} />
            </span>
            <span className="whitespace-pre-line wrap-anywhere">{text}</span>
          </div>
        )}
      </History>
    </Card>
  );
}

function NoteForm({ id }: { id: string }) {
  const t = useText();
  const add = useAddNote();
  const fields = useFields<NoteValues, NoteValues>({
    check: checkNote,
    defaults: { text: '' },
    keep: `operator-note-${id}`,
  });
  const submit = async ({ text }: NoteValues) => {
    await add.mutateAsync({ params: { id }, body: { text } });
    toast('success', t('ops.companies.noteAdded'));
    fields.reset();
  };
  return (
    <Form fields={fields} onSubmit={submit} label={t('ops.companies.addNote')}>
      <TextArea
        {...fields.text('text')}
        label={t('ops.companies.field.note')}
        hint={t('ops.companies.noteHint')}
        maxLength={operatorNoteMaxLength}
      />
      <div className="flex justify-end">
        <Button type="submit" kind="primary" busy={fields.submitting}>
          {t('ops.companies.addNote')}
        </Button>
      </div>
    </Form>
  );
}
