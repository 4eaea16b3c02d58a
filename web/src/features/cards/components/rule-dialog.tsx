import type { CardRule } from '@causeway/contract/cards-limits.ts';
import { type CardRuleScope, cardRuleScopes } from '@causeway/contract/cards-rules.ts';
import { isAtBank } from '@causeway/contract/wallets-rules.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { placed } from '../../../lib/placed.ts';
import { reportError } from '../../../lib/report-error.ts';
import { ComboboxField } from '../../../ui/combobox-field.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { FormFoot } from '../../../ui/form-foot.tsx';
import { type Checked, type Fields, useFields } from '../../../ui/form-state.ts';
import { RadioField } from '../../../ui/radio-field.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { ControlNote, useTellChange } from '../../control/index.ts';
import { useNamedOptions } from '../../organisation/index.ts';
import { useWallets } from '../../wallets/index.ts';
import { useSetRule } from '../api.ts';
import { type BoundsValues, boundsOf, boundsValues, checkBounds, openBounds } from '../bounds-values.ts';
import { BoundsFields } from './bounds-fields.tsx';

interface Values extends BoundsValues {
  scope: CardRuleScope;
  scopeId: string;
  asset: string;
}

function check(values: Values): Checked<Values> {
  const problems = checkBounds(values);
  if (values.scope !== 'company' && values.scopeId === '')
    problems.push({ path: ['scopeId'], message: 'field.required' });
  if (values.asset === '') problems.push({ path: ['asset'], message: 'field.required' });
  return problems.length === 0 ? { ok: true, values } : { ok: false, problems };
}

/** Sets the rule of the company, a department or a role; with a rule, changes what it says and not what it is for. */
export function RuleDialog({ rule, onClose }: { rule?: CardRule; onClose: () => void }) {
  const t = useText();
  const set = useSetRule();
  const tell = useTellChange();
  const { departments, roles } = useNamedOptions();
  const wallets = (useWallets().data?.items ?? []).filter(isAtBank);
  const fields = useFields<Values, Values>({
    check,
    defaults: rule
      ? { ...boundsValues(rule), scope: rule.scope, scopeId: rule.scopeId ?? '', asset: rule.asset }
      : { ...openBounds, scope: 'company', scopeId: '', asset: '' },
  });
  const { scope, asset } = fields.values;
  const decimals = rule?.decimals ?? wallets.find((wallet) => wallet.asset === asset)?.decimals ?? 2;
  const title = t(rule ? 'cards.rules.editTitle' : 'cards.rules.add');
  return (
    <Dialog
      open
      onOpenChange={(open) => open || fields.submitting || onClose()}
      title={title}
      description={t('cards.rules.text')}
    >
      <Form
        fields={fields}
        label={title}
        onSubmit={async (values) => {
          const scopeId = values.scope === 'company' ? null : values.scopeId;
          try {
            const body = { scope: values.scope, scopeId, asset: values.asset, ...boundsOf(values) };
            tell(await set.mutateAsync({ body }), t('cards.rules.saved'));
          } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            reportError(error);
            throw placed(error, { cardRuleScopeInvalid: 'scopeId', cardWalletInvalid: 'asset' });
          }
          onClose();
        }}
      >
        {!rule && (
          <>
            <RadioField
              label={t('cards.rules.scope')}
              options={cardRuleScopes.map((value) => ({ value, label: t(`cards.scope.${value}`) }))}
              {...fields.value('scope')}
              onChange={(next) => {
                fields.set('scope', next);
                fields.set('scopeId', '');
              }}
            />
            {scope !== 'company' && (
              <ComboboxField
                label={t(`cards.scope.${scope}`)}
                options={scope === 'department' ? departments : roles}
                {...fields.value('scopeId')}
              />
            )}
            <SelectField
              label={t('cards.field.currency')}
              hint={t('cards.rules.currencyHint')}
              options={[...new Set(wallets.map((wallet) => wallet.asset))].map((value) => ({ value, label: value }))}
              {...fields.value('asset')}
            />
          </>
        )}
        <BoundsFields
          fields={fields as unknown as Fields<BoundsValues, BoundsValues>}
          asset={asset}
          decimals={decimals}
        />
        <ControlNote permission="card.manage" />
        <FormFoot submitText={t('cards.save')} busy={fields.submitting} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
