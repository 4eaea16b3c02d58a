import { maxNodeApprovers, maxRuleNodes } from '@causeway/contract/approvals-rules.ts';
import type { Approver } from '@causeway/contract/review.ts';
import { useMemo, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { IconButton } from '../../../ui/button.tsx';
import { ComboboxField } from '../../../ui/combobox-field.tsx';
import type { Rows } from '../../../ui/form-rows.ts';
import type { ValueBinding } from '../../../ui/form-state.ts';
import { RowsField } from '../../../ui/rows-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { useApprovers } from '../api.ts';
import { type DraftNode, isNamed, newNode } from '../rule-draft.ts';

interface Choice {
  value: string;
  label: string;
  detail?: string;
  disabled?: boolean;
}

/** The chain: nodes in order, each with people and roles of whom M must approve. */
export function NodesField({ of }: { of: Rows<DraftNode> }) {
  const t = useText();
  const choices = useChoices();
  return (
    <RowsField
      legend={t('approvals.rule.chain')}
      of={of}
      rowName={(step) => t('approvals.rule.step', { step })}
      addText={t('approvals.rule.addStep')}
      make={newNode}
      most={maxRuleNodes}
    >
      {(_, index) => (
        <>
          <Approvers {...of.value(index, 'approvers')} nodes={of.rows} choices={choices} />
          <TextField label={t('approvals.rule.needed')} inputMode="numeric" {...of.text(index, 'needed')} />
        </>
      )}
    </RowsField>
  );
}

interface ApproversProps extends ValueBinding<Approver[]> {
  nodes: readonly DraftNode[];
  choices: readonly Choice[];
}

/** The approvers of a node, each with a button that takes them out, and a box to add further ones. */
function Approvers({ name, value, onChange, onBlur, error, nodes, choices }: ApproversProps) {
  const t = useText();
  const nameOf = (approver: Approver) =>
    choices.find((choice) => choice.value === keyOf(approver))?.label ?? t('approvals.rule.unknown');
  const [twice, setTwice] = useState(false);
  const add = (chosen: string) => {
    const approver = approverOf(chosen);
    if (!approver) return;
    const isTwice = isNamed(nodes, approver);
    setTwice(isTwice);
    if (isTwice) toast('error', t('approvals.approverExists'));
    else onChange([...value, approver]);
  };
  return (
    <>
      {value.length > 0 && (
        <ul className="m-0 flex list-none flex-wrap gap-2 p-0">
          {value.map((approver) => (
            <li
              key={keyOf(approver)}
              className="inline-flex items-center gap-1 rounded-6 bg-sunken py-0.5 pr-0.5 pl-2.5 text-13"
            >
              {nameOf(approver)}
              <IconButton
                icon="close"
                size="small"
                label={t('approvals.rule.remove', { name: nameOf(approver) })}
                onClick={() => {
                  setTwice(false);
                  onChange(value.filter((other) => other !== approver));
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <ComboboxField
        name={name}
        label={t('approvals.rule.approver')}
        options={choices}
        value=""
        onChange={(chosen) => chosen !== '' && add(chosen)}
        onBlur={onBlur}
        placeholder={t('approvals.rule.approverPlaceholder')}
        disabled={value.length >= maxNodeApprovers}
        error={twice ? t('approvals.approverExists') : error}
      />
    </>
  );
}

function keyOf({ kind, id }: Approver): string {
  return `${kind}:${id}`;
}

function approverOf(value: string): Approver | null {
  const [kind, id] = value.split(':');
  if (id === undefined || (kind !== 'person' && kind !== 'role')) return null;
  return { kind, id };
}

/** People and roles to choose from, each with what an administrator should know before naming them. */
function useChoices(): Choice[] {
  const t = useText();
  const { data } = useApprovers(true);
  return useMemo(() => {
    if (!data) return [];
    const limit = (quota: string | null, approves: boolean) => {
      if (!approves) return t('approvals.rule.doesNotApprove');
      return quota === null ? t('approvals.rule.unlimited') : t('approvals.rule.limit', { quota });
    };
    const roles = data.roles.map(({ id, name, members, quotaUsd, approves }) => ({
      value: `role:${id}`,
      label: t('approvals.rule.roleChoice', { name }),
      detail: approves
        ? `${t('approvals.rule.members', { count: members })} · ${limit(quotaUsd, approves)}`
        : limit(quotaUsd, approves),
      disabled: !approves,
    }));
    const people = data.people.map(({ id, name, roleName, quotaUsd, status, onLeave, approves }) => ({
      value: `person:${id}`,
      label: name,
      detail: [
        roleName,
        limit(quotaUsd, approves),
        ...(status === 'active' ? [] : [t('approvals.rule.notActive')]),
        ...(onLeave ? [t('approvals.rule.onLeave')] : []),
      ].join(' · '),
      disabled: !approves,
    }));
    return [...roles, ...people];
  }, [data, t]);
}
