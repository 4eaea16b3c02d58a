import type { NamedInPolicy, PolicyDefinition } from '@causeway/contract/risk.ts';
import { businesses, dimensionsOf, policyNameMaxLength } from '@causeway/contract/risk-rules.ts';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form.tsx';
import { type Fields, useFields } from '../../../ui/form-state.ts';
import { PanelFormFoot } from '../../../ui/panel-form-foot.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { RadioField } from '../../../ui/radio-field.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { Banner } from '../../../ui/states.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { ControlNote, useTellChange } from '../../control/index.ts';
import { useAddPolicy, useAllPolicies, useEditPolicy, useReplay } from '../api.ts';
import { positionOf } from '../place.ts';
import {
  checkDraft,
  definitionOf,
  draftOf,
  fieldsOfContent,
  hasContent,
  type PolicyDraft,
  withBusiness,
} from '../policy-draft.ts';
import { dimensionTexts, policyPath } from '../words.ts';
import { ContentFields } from './content-fields.tsx';
import { PlaceField } from './place-field.tsx';
import { type Replay, ReplayView } from './replay-view.tsx';
import { useSentence } from './use-sentence.ts';

interface Props {
  /** The version that is changed; null: a new policy. */
  policy: { id: string; version: number; definition: PolicyDefinition; named: readonly NamedInPolicy[] } | null;
}

/** What a replay was of, and what it found. */
interface Replayed {
  of: string;
  answer: Replay;
}

/** A policy: a sentence below says what it does while the user types; before it is saved it is replayed over the last 90 days. */
export function PolicyForm({ policy }: Props) {
  const t = useText();
  const router = useRouter();
  // Chosen once, so that a form sent twice is one policy.
  const [newPolicyId] = useState(() => newId());
  const [replayed, setReplayed] = useState<Replayed | null>(null);
  const fields = useFields({ check: checkDraft, defaults: draftOf(policy?.definition ?? null) });
  const [add, edit, replay] = [useAddPolicy(), useEditPolicy(), useReplay()];
  const tell = useTellChange();
  const standing = useAllPolicies().data;
  const ownId = policy?.id ?? null;
  const position = standing && positionOf(fields.values.place, ownId, standing);
  const at = position === undefined ? {} : { position };
  const said = JSON.stringify([definitionOf(fields.values), position]);
  const current = replayed !== null && replayed.of === said;

  async function save(definition: PolicyDefinition): Promise<void> {
    const effect =
      policy === null
        ? await add.mutateAsync({ body: { id: newPolicyId, ...definition, ...at } })
        : await edit.mutateAsync({ body: { id: policy.id, version: policy.version, ...definition, ...at } });
    tell(effect, t(policy === null ? 'risk.added' : 'risk.edited'));
    router.history.push(`${policyPath}${router.state.location.searchStr}`);
  }

  async function tryOut(definition: PolicyDefinition): Promise<void> {
    const body = { policy: { ...definition, ...at, ...(policy !== null && { id: policy.id }) } };
    const answer = await replay.mutateAsync({ body });
    setReplayed({ of: said, answer });
  }

  async function submit(definition: PolicyDefinition): Promise<void> {
    try {
      await (current ? save(definition) : tryOut(definition));
    } catch (error) {
      if (error instanceof ApiError) fields.showServerErrors(fieldsOfContent(error.fields));
      throw error;
    }
  }

  return (
    <Form fields={fields} onSubmit={submit} label={t(policy === null ? 'risk.policy.add' : 'risk.policy.editTitle')}>
      <PolicyFields fields={fields} named={policy?.named ?? []} />
      {standing && <PlaceField {...fields.value('place')} ownId={ownId} standing={standing} />}
      <Says draft={fields.values} named={policy?.named ?? []} />
      {replay.isPending && <ProgressBar label={t('risk.replay.working')} done={null} />}
      {current && <ReplayView replay={replayed.answer} />}
      {!current && replayed !== null && !replay.isPending && <Banner kind="notice">{t('risk.replay.stale')}</Banner>}
      {current && <ControlNote permission="policy.manage" />}
      <PanelFormFoot>
        {!current && <span className="text-13 text-muted">{t('risk.replay.first')}</span>}
        <Button type="submit" kind="primary" busy={fields.submitting}>
          {t(current ? 'risk.policy.save' : 'risk.replay.start')}
        </Button>
      </PanelFormFoot>
    </Form>
  );
}

interface FieldsProps {
  fields: Fields<PolicyDraft, PolicyDefinition>;
  named: readonly NamedInPolicy[];
}

function PolicyFields({ fields, named }: FieldsProps) {
  const t = useText();
  const { values } = fields;
  return (
    <>
      <TextField
        label={t('risk.policy.name')}
        autoComplete="off"
        maxLength={policyNameMaxLength}
        {...fields.text('name')}
      />
      <RadioField
        label={t('risk.policy.business')}
        options={businesses.map((value) => ({ value, label: t(`risk.business.${value}`) }))}
        {...fields.value('business')}
        onChange={(business) => {
          const next = withBusiness(values, business);
          fields.set('business', business);
          fields.set('dimension', next.dimension);
        }}
      />
      <SelectField
        label={t('risk.policy.dimension')}
        options={dimensionsOf[values.business].map((value) => ({ value, label: t(dimensionTexts[value]) }))}
        {...fields.value('dimension')}
      />
      <ContentFields fields={fields} named={named} />
      <RadioField
        label={t('risk.policy.method')}
        options={[
          { value: 'forbid', label: t('risk.method.forbid'), detail: t('risk.methodText.forbid') },
          { value: 'allow_only', label: t('risk.method.allow_only'), detail: t('risk.methodText.allow_only') },
        ]}
        {...fields.value('method')}
      />
      {values.method === 'allow_only' && (
        <RadioField
          label={t('risk.policy.result')}
          options={[
            { value: 'deny', label: t('risk.result.deny'), detail: t('risk.resultText.deny') },
            { value: 'allow', label: t('risk.result.allow'), detail: t('risk.resultText.allow') },
          ]}
          {...fields.value('result')}
        />
      )}
    </>
  );
}

/** What the policy would do, said as one types. */
function Says({ draft, named }: { draft: PolicyDraft; named: readonly NamedInPolicy[] }) {
  const t = useText();
  const sentence = useSentence();
  return (
    <section className="rounded-10 border border-line bg-sunken px-4 py-3">
      <h3 className="m-0 text-12 font-medium text-muted">{t('risk.policy.says')}</h3>
      <p className="m-0 mt-1 break-words" aria-live="polite">
        {hasContent(draft) ? (
          sentence({ ...definitionOf(draft), named })
        ) : (
          <span className="text-muted">{t('risk.policy.saysNothing')}</span>
        )}
      </p>
    </section>
  );
}
