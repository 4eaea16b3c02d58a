import { type RuleContent, ruleContent } from '@causeway/contract/review.ts';
import { useEffect, useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { AmountField } from '../../../ui/amount-field.tsx';
import { byContract } from '../../../ui/by-contract.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { FormFoot } from '../../../ui/form-foot.tsx';
import { useRows } from '../../../ui/form-rows.ts';
import { useFields } from '../../../ui/form-state.ts';
import { Banner } from '../../../ui/states.tsx';
import { Checkbox, TextField } from '../../../ui/text-field.tsx';
import { useTellChange } from '../../control/index.ts';
import { useAddRule, useChangeRule, useCheckChange } from '../api.ts';
import type { ReviewSetting, Rule } from '../review-setting.ts';
import { draftOf, type RuleDraft, ruleOf } from '../rule-draft.ts';
import { DualControlNote } from './dual-control-note.tsx';
import { Findings } from './findings.tsx';
import { NodesField } from './nodes-field.tsx';
import { SubmittersField } from './submitters-field.tsx';

interface Props {
  setting: ReviewSetting;
  /** Null: a new one. */
  rule: Rule | null;
  onClose: () => void;
}

const byRule = byContract(ruleContent);
const check = (draft: RuleDraft) => byRule(ruleOf(draft));

/** A rule: its name, its scope in US dollars and by who submits, the chain of approvers; its findings are shown below while the user types. */
export function RuleForm({ setting, rule, onClose }: Props) {
  const t = useText();
  const [id] = useState(() => rule?.id ?? newId());
  const [add, change] = [useAddRule(), useChangeRule()];
  const tell = useTellChange();
  const fields = useFields({ check, defaults: draftOf(rule) });
  const nodes = useRows(fields, 'nodes');
  const busy = add.isPending || change.isPending;

  async function save(content: RuleContent) {
    const body = { version: setting.version, id, rule: content };
    const effect = await (rule === null ? add : change).mutateAsync({ body });
    tell(effect, t(rule === null ? 'approvals.added' : 'approvals.edited'));
    onClose();
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={t(rule === null ? 'approvals.rule.addTitle' : 'approvals.rule.editTitle')}
    >
      <Form fields={fields} onSubmit={save}>
        <TextField label={t('approvals.rule.name')} required {...fields.text('name')} />
        <fieldset className="m-0 grid gap-4 border-0 p-0 sm:grid-cols-2">
          <legend className="mb-1.5 p-0 text-13 font-medium">{t('approvals.rule.scope')}</legend>
          <AmountField
            label={t('approvals.rule.lower')}
            hint={t('approvals.rule.lowerHint')}
            coin="USD"
            decimals={2}
            required
            {...fields.value('lower')}
          />
          <div className="flex flex-col gap-2">
            <AmountField
              label={t('approvals.rule.upper')}
              hint={t('approvals.rule.upperHint')}
              coin="USD"
              decimals={2}
              disabled={fields.values.unbounded}
              {...fields.value('upper')}
            />
            <Checkbox {...fields.box('unbounded')}>{t('approvals.rule.noUpper')}</Checkbox>
          </div>
        </fieldset>
        <SubmittersField {...fields.value('submittedBy')} shown={rule?.submittedBy ?? []} />
        <NodesField of={nodes} />
        <Checkbox {...fields.box('active')}>{t('approvals.rule.activeBox')}</Checkbox>
        <DraftFindings id={id} draft={fields.values} isNew={rule === null} />
        {setting.dualControl && <DualControlNote />}
        <FormFoot
          submitText={t(setting.dualControl ? 'approvals.rule.propose' : 'approvals.rule.save')}
          busy={busy}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

/** How long typing must rest before the findings are asked for again, in milliseconds. */
const rest_ms = 500;

/** What would be found about all rules if this draft were saved; nothing is said while it is not yet a rule. */
function DraftFindings({ id, draft, isNew }: { id: string; draft: RuleDraft; isNew: boolean }) {
  const t = useText();
  const { mutate, data, error } = useCheckChange();
  const rule = check(draft);
  const text = rule.ok ? JSON.stringify(rule.values) : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the draft
  useEffect(() => {
    if (!rule.ok) return;
    const change = { kind: isNew ? ('add' as const) : ('change' as const), id, rule: rule.values };
    const timer = setTimeout(() => mutate({ body: { change } }), rest_ms);
    return () => clearTimeout(timer);
  }, [text]);
  if (text === null) return <p className="m-0 text-13 text-faint">{t('approvals.findings.incomplete')}</p>;
  if (error instanceof ApiError) return <Banner kind="negative">{error.message}</Banner>;
  return (
    <div>
      <h3 className="m-0 text-13 font-medium">{t('approvals.findings.draft')}</h3>
      {data ? (
        <Findings label={t('approvals.findings.draft')} findings={data.findings} />
      ) : (
        <p className="m-0 text-13 text-faint">{t('ui.loading')}</p>
      )}
    </div>
  );
}
