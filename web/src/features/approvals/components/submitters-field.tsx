import { maxRuleSubmitters, type SubmitterKind, submitterKinds } from '@causeway/contract/approvals-rules.ts';
import type { ApprovalRule, RuleSubmitter } from '@causeway/contract/review.ts';
import { useMemo, useState } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { ComboboxField } from '../../../ui/combobox-field.tsx';
import type { ValueBinding } from '../../../ui/form-state.ts';
import type { Option } from '../../../ui/select-field.tsx';
import { useNamedOptions } from '../../organisation/index.ts';

interface Props extends ValueBinding<RuleSubmitter[]> {
  /** Whom the rule names, as it was read: deleted ones have their names from here. */
  shown: NonNullable<ApprovalRule['submittedBy']>;
}

/** Whose transfers the rule is for: members, departments and roles, each removable; none: everybody's. */
export function SubmittersField({ name, value, onChange, onBlur, error, shown }: Props) {
  const t = useText();
  const options = useOptions();
  // The box is emptied after each choice by being a new one.
  const [round, setRound] = useState(0);
  const nameOf = (submitter: RuleSubmitter) => {
    const saved = shown.find(({ id }) => id === submitter.id);
    const label = options.find((option) => option.value === keyOf(submitter))?.label;
    return label ?? (saved ? submitterText(saved, t) : t('approvals.rule.unknown'));
  };
  const left = options.filter((option) => !value.some((each) => keyOf(each) === option.value));
  return (
    <div className="flex flex-col gap-2">
      <ComboboxField
        key={round}
        name={name}
        label={t('approvals.rule.submittedBy')}
        hint={t('approvals.rule.submittedByHint')}
        options={left}
        value=""
        onChange={(chosen) => {
          const submitter = submitterOf(chosen);
          if (!submitter) return;
          onChange([...value, submitter]);
          setRound(round + 1);
        }}
        onBlur={onBlur}
        placeholder={t('approvals.rule.submittedByPlaceholder')}
        disabled={value.length >= maxRuleSubmitters}
        error={error}
      />
      {value.length > 0 && (
        <ul aria-live="polite" className="m-0 flex list-none flex-wrap gap-2 p-0">
          {value.map((submitter) => (
            <li
              key={keyOf(submitter)}
              className="inline-flex min-w-0 items-center gap-1 rounded-6 bg-sunken py-0.5 pr-0.5 pl-2.5 text-13"
            >
              <span className="min-w-0 break-words">{nameOf(submitter)}</span>
              <IconButton
                icon="close"
                size="small"
                label={t('approvals.rule.remove', { name: nameOf(submitter) })}
                onClick={() => onChange(value.filter((other) => other !== submitter))}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A member by name; a department or role says what it is. */
function submitterText(
  { kind, name, gone }: { kind: SubmitterKind; name: string; gone: boolean },
  t: Translate,
): string {
  const text = t(`approvals.rule.submitter.${kind}`, { name });
  return gone ? t('approvals.rule.gone', { name: text }) : text;
}

/** All whom a rule is for, in one line. */
export function namesText(submitters: NonNullable<ApprovalRule['submittedBy']>, t: Translate): string {
  const names = submitters.map((each) => submitterText(each, t));
  // A rule that has lost all whom it named is for no one, and never for everyone.
  return names.length === 0 ? t('approvals.rule.nobody') : names.join(t('approvals.chain.comma'));
}

export function submittersText(submitters: NonNullable<ApprovalRule['submittedBy']>, t: Translate): string {
  return t('approvals.rule.submittedByNames', { names: namesText(submitters, t) });
}

function keyOf({ kind, id }: RuleSubmitter): string {
  return `${kind}:${id}`;
}

function submitterOf(value: string): RuleSubmitter | null {
  const [named, id] = value.split(':');
  const kind = submitterKinds.find((each) => each === named);
  return kind && id !== undefined ? { kind, id } : null;
}

function useOptions(): Option[] {
  const t = useText();
  const { members, departments, roles } = useNamedOptions();
  return useMemo(() => {
    const of = (kind: SubmitterKind, all: readonly Option[]) =>
      all.map((option) => ({
        ...option,
        value: `${kind}:${option.value}`,
        label: t(`approvals.rule.submitter.${kind}`, { name: option.label }),
      }));
    return [...of('department', departments), ...of('role', roles), ...of('person', members)];
  }, [members, departments, roles, t]);
}
