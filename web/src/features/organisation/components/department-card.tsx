import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { type Department, type Departments, useRemoveDepartmentMembers } from '../api.ts';
import { departmentPath } from '../words.ts';
import { AddPeopleDialog } from './add-people-dialog.tsx';
import type { DepartmentQuestion } from './department-dialog.tsx';
import { PeopleTable } from './people-table.tsx';

interface Props {
  department: Department;
  departments: Departments;
  onAsk: (question: DepartmentQuestion) => void;
}

/** One department: what can be done with it, and its members. */
export function DepartmentCard({ department, departments, onAsk }: Props) {
  const t = useText();
  const [adding, setAdding] = useState(false);
  const { id, name } = department;
  const path = departmentPath(departments.items, id);
  return (
    <Card
      title={<span className="break-words">{name}</span>}
      aside={
        <Button size="small" kind="primary" icon="plus" onClick={() => setAdding(true)}>
          {t('organisation.department.addPeople')}
        </Button>
      }
      flush
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-5 py-2.5">
        {path !== name && <span className="w-full text-13 break-words text-muted">{path}</span>}
        <span className="-mx-2 flex flex-wrap gap-1">
          <Button kind="quiet" size="small" onClick={() => onAsk({ kind: 'rename', department })}>
            {t('organisation.department.rename')}
          </Button>
          <Button kind="quiet" size="small" onClick={() => onAsk({ kind: 'add', parentId: id })}>
            {t('organisation.department.addUnder')}
          </Button>
          <Button kind="quiet" size="small" onClick={() => onAsk({ kind: 'move', department })}>
            {t('organisation.department.move')}
          </Button>
          <Button kind="quiet" size="small" onClick={() => onAsk({ kind: 'delete', department })}>
            {t('organisation.department.delete')}
          </Button>
        </span>
      </div>
      <Members department={department} onAdd={() => setAdding(true)} />
      <AddPeopleDialog open={adding} onOpenChange={setAdding} department={department} people={departments.unassigned} />
    </Card>
  );
}

function Members({ department, onAdd }: { department: Department; onAdd: () => void }) {
  const t = useText();
  const { id, name, members } = department;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState(false);
  const remove = useRemoveDepartmentMembers();
  // Another user may have taken one of them out in the meantime.
  const chosen = members.filter((person) => selected.has(person.id));
  const confirm = () =>
    remove.mutate(
      { body: { departmentId: id, memberIds: chosen.map((person) => person.id) } },
      {
        onSuccess: () => {
          toast('success', t('organisation.department.removed', { count: chosen.length }));
          setSelected(new Set());
          setAsking(false);
        },
      },
    );
  return (
    <>
      <PeopleTable
        label={t('organisation.department.members', { name })}
        people={members}
        selected={selected}
        onSelect={setSelected}
        empty={
          <EmptyState
            icon="people"
            title={t('organisation.department.empty')}
            text={t('organisation.department.emptyText')}
            action={<Button onClick={onAdd}>{t('organisation.department.addPeople')}</Button>}
          />
        }
        {...(members.length > 0 && {
          toolbar: (
            <div className="flex min-h-7 flex-wrap items-center justify-between gap-3">
              <span role="status" className="text-13 text-muted">
                {chosen.length === 0
                  ? t('organisation.department.count', { count: members.length })
                  : t('organisation.selected', { count: chosen.length })}
              </span>
              <Button size="small" disabled={chosen.length === 0} onClick={() => setAsking(true)}>
                {t('organisation.department.remove')}
              </Button>
            </div>
          ),
        })}
      />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('organisation.department.removeTitle', { count: chosen.length })}
        description={t('organisation.department.removeText')}
        facts={[
          { term: t('organisation.field.department'), value: name },
          {
            term: t('organisation.field.members'),
            value: chosen.map((person) => person.name).join(t('organisation.listComma')),
          },
        ]}
        confirmText={t('organisation.department.remove')}
        negative
        busy={remove.isPending}
        onConfirm={confirm}
      />
    </>
  );
}
