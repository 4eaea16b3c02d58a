import { maxNodeApprovers, maxRuleNodes } from '@causeway/contract/approvals-rules.ts';
import type { Approver } from '@causeway/contract/review.ts';
import { useMemo, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { ComboboxField } from '../../../ui/combobox-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { useApprovers } from '../api.ts';
import { type DraftNode, isNamed, moved, type NodePart, newNode } from '../rule-draft.ts';

interface Props {
  nodes: readonly DraftNode[];
  onChange: (nodes: DraftNode[]) => void;
  error: string | undefined;
  /** The part that the error is about; null: the chain as a whole. */
  wrong: NodePart | null;
}

interface Choice {
  value: string;
  label: string;
  detail?: string;
}

/** The chain: nodes in order, each with people and roles of whom M must approve; moved by drag or by button. */
export function NodesField({ nodes, onChange, error, wrong }: Props) {
  const t = useText();
  const choices = useChoices();
  const [dragged, setDragged] = useState<number | null>(null);
  const set = (index: number, node: DraftNode) => onChange(nodes.map((other, at) => (at === index ? node : other)));
  return (
    <fieldset className="m-0 flex flex-col gap-3 border-0 p-0">
      <legend className="mb-1.5 p-0 text-13 font-medium">{t('approvals.rule.chain')}</legend>
      <ol className="m-0 flex list-none flex-col gap-3 p-0">
        {nodes.map((node, index) => (
          <li
            key={node.key}
            draggable={nodes.length > 1}
            onDragStart={() => setDragged(index)}
            onDragEnd={() => setDragged(null)}
            onDragOver={(event) => dragged !== null && event.preventDefault()}
            onDrop={() => {
              if (dragged !== null) onChange(moved(nodes, dragged, index));
              setDragged(null);
            }}
            className="flex flex-col gap-3 rounded-10 border border-line p-4"
          >
            <div className="flex items-center justify-between gap-2">
              <span className="text-13 font-medium">{t('approvals.rule.step', { step: index + 1 })}</span>
              <span className="flex gap-1">
                <IconButton
                  icon="arrowUp"
                  label={t('approvals.rule.stepUp', { step: index + 1 })}
                  disabled={index === 0}
                  onClick={() => onChange(moved(nodes, index, index - 1))}
                />
                <IconButton
                  icon="arrowDown"
                  label={t('approvals.rule.stepDown', { step: index + 1 })}
                  disabled={index === nodes.length - 1}
                  onClick={() => onChange(moved(nodes, index, index + 1))}
                />
                <IconButton
                  icon="trash"
                  label={t('approvals.rule.stepRemove', { step: index + 1 })}
                  disabled={nodes.length === 1}
                  onClick={() => onChange(nodes.filter((_, at) => at !== index))}
                />
              </span>
            </div>
            <NodeApprovers
              node={node}
              nodes={nodes}
              choices={choices}
              onChange={(next) => set(index, next)}
              {...(wrong?.index === index && { [`${wrong.field}Error`]: error })}
            />
          </li>
        ))}
      </ol>
      {error !== undefined && wrong === null && (
        <p role="alert" className="m-0 text-12 text-negative">
          {error}
        </p>
      )}
      <div>
        <Button icon="plus" disabled={nodes.length >= maxRuleNodes} onClick={() => onChange([...nodes, newNode()])}>
          {t('approvals.rule.addStep')}
        </Button>
      </div>
    </fieldset>
  );
}

interface NodeProps {
  node: DraftNode;
  nodes: readonly DraftNode[];
  choices: readonly Choice[];
  onChange: (node: DraftNode) => void;
  approversError?: string | undefined;
  neededError?: string | undefined;
}

function NodeApprovers({ node, nodes, choices, onChange, approversError, neededError }: NodeProps) {
  const t = useText();
  const nameOf = (approver: Approver) =>
    choices.find(({ value }) => value === keyOf(approver))?.label ?? t('approvals.rule.unknown');
  const add = (value: string) => {
    const approver = approverOf(value);
    if (!approver) return;
    if (isNamed(nodes, approver)) {
      toast('error', t('approvals.approverExists'));
      return;
    }
    onChange({ ...node, approvers: [...node.approvers, approver] });
  };
  return (
    <>
      {node.approvers.length > 0 && (
        <ul className="m-0 flex list-none flex-wrap gap-2 p-0">
          {node.approvers.map((approver) => (
            <li
              key={keyOf(approver)}
              className="inline-flex items-center gap-1 rounded-6 bg-sunken py-0.5 pr-0.5 pl-2.5 text-13"
            >
              {nameOf(approver)}
              <IconButton
                icon="close"
                size="small"
                label={t('approvals.rule.remove', { name: nameOf(approver) })}
                onClick={() => onChange({ ...node, approvers: node.approvers.filter((other) => other !== approver) })}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="grid gap-4 sm:grid-cols-[1fr_10rem]">
        <ComboboxField
          label={t('approvals.rule.approver')}
          options={choices}
          value=""
          onChange={(value) => value !== '' && add(value)}
          placeholder={t('approvals.rule.approverPlaceholder')}
          disabled={node.approvers.length >= maxNodeApprovers}
          error={approversError}
        />
        <TextField
          label={t('approvals.rule.needed')}
          inputMode="numeric"
          value={node.needed}
          onChange={(event) => onChange({ ...node, needed: event.target.value })}
          error={neededError}
        />
      </div>
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
    const limit = (quota: string | null) =>
      quota === null ? t('approvals.rule.unlimited') : t('approvals.rule.limit', { quota });
    const roles = data.roles.map(({ id, name, members, quotaUsd }) => ({
      value: `role:${id}`,
      label: t('approvals.rule.roleChoice', { name }),
      detail: `${t('approvals.rule.members', { count: members })} · ${limit(quotaUsd)}`,
    }));
    const people = data.people.map(({ id, name, roleName, quotaUsd, status, onLeave }) => ({
      value: `person:${id}`,
      label: name,
      detail: [
        roleName,
        limit(quotaUsd),
        ...(status === 'active' ? [] : [t('approvals.rule.notActive')]),
        ...(onLeave ? [t('approvals.rule.onLeave')] : []),
      ].join(' · '),
    }));
    return [...roles, ...people];
  }, [data, t]);
}
