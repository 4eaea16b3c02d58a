import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { Checkbox, TextField } from '../../../ui/text-field.tsx';
import { type Department, type DepartmentPerson, useAddDepartmentMembers } from '../api.ts';

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  department: Department;
  /** Those without a department: only they can be added (decisions, "Members, roles and departments"). */
  people: readonly DepartmentPerson[];
}

/** The server takes this many at a time. */
const most = 100;

/** Chooses who joins a department. */
export function AddPeopleDialog({ open, onOpenChange, department, people }: Props) {
  const t = useText();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [typed, setTyped] = useState('');
  const add = useAddDepartmentMembers();
  const chosen = people.filter(({ id }) => ticked.has(id));
  const tooMany = chosen.length > most;
  const close = () => {
    onOpenChange(false);
    setTicked(new Set());
    setTyped('');
  };
  const confirm = () =>
    add.mutate(
      { body: { departmentId: department.id, memberIds: chosen.map(({ id }) => id) } },
      {
        onSuccess: () => {
          toast('success', t('organisation.added'));
          close();
        },
      },
    );
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && !add.isPending && close()}
      title={t('organisation.addPeople.title', { name: department.name })}
      description={t('organisation.addPeople.text')}
      actions={
        <>
          <Button onClick={close}>{t('ui.cancel')}</Button>
          <Button kind="primary" disabled={chosen.length === 0 || tooMany} busy={add.isPending} onClick={confirm}>
            {t('organisation.addPeople.confirm', { count: chosen.length })}
          </Button>
        </>
      }
    >
      {people.length === 0 ? (
        <EmptyState icon="check" title={t('organisation.unassigned.empty')} text={t('organisation.addPeople.none')} />
      ) : (
        <div className="flex flex-col gap-4">
          <TextField
            label={t('organisation.addPeople.search')}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <div>
            <People people={found(people, typed)} ticked={ticked} onTick={setTicked} />
            <div role="status" className="text-12 text-negative">
              {tooMany && (
                <p className="mt-2 mb-0">{t('organisation.addPeople.tooMany', { most, count: chosen.length })}</p>
              )}
            </div>
          </div>
        </div>
      )}
    </Dialog>
  );
}

interface PeopleProps {
  people: readonly DepartmentPerson[];
  ticked: ReadonlySet<string>;
  onTick: (ids: ReadonlySet<string>) => void;
}

function People({ people, ticked, onTick }: PeopleProps) {
  const t = useText();
  const toggle = (id: string) => {
    const next = new Set(ticked);
    if (!next.delete(id)) next.add(id);
    onTick(next);
  };
  if (people.length === 0) return <p className="m-0 text-13 text-faint">{t('ui.combobox.empty')}</p>;
  return (
    <ul className="m-0 flex max-h-72 list-none flex-col gap-2.5 overflow-y-auto rounded-10 border border-line p-3">
      {people.map((person) => (
        <li key={person.id}>
          <Checkbox checked={ticked.has(person.id)} onChange={() => toggle(person.id)}>
            <span className="block font-medium break-words text-text">{person.name}</span>
            <span className="block text-12 break-all text-faint">
              {person.role.name} · {person.email}
            </span>
          </Checkbox>
        </li>
      ))}
    </ul>
  );
}

function found(people: readonly DepartmentPerson[], typed: string): readonly DepartmentPerson[] {
  const word = typed.trim().toLocaleLowerCase();
  return people.filter(({ name, email }) => `${name} ${email}`.toLocaleLowerCase().includes(word));
}
