import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { useSettled } from '../../../lib/settled.ts';
import { ComboboxField } from '../../../ui/combobox-field.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { Money } from '../../../ui/money.tsx';
import { Banner } from '../../../ui/states.tsx';
import { DialogFoot, ReasonField, useProposed } from '../../operator/index.ts';
import { type MoneyDetail, type Target, useProposeCredit, useTargets } from '../api.ts';
import { type CreditValues, checkCredit } from '../rules.ts';

const pause_ms = 200;

/** Proposes to credit a money in suspense to one company's wallet, repeating what the bank says of it; another operator confirms it. */
export function CreditDialog({
  detail: { money, suggestions, proposalId },
  target,
  onClose,
}: {
  detail: MoneyDetail;
  target: Target | null;
  onClose: () => void;
}) {
  const t = useText();
  const propose = useProposeCredit();
  const proposed = useProposed();
  const [text, setText] = useState('');
  const keyword = useSettled(text.trim(), pause_ms);
  const read = useTargets(money.id, keyword);
  const [picked, setPicked] = useState<Target | null>(target);
  const fields = useFields<CreditValues, CreditValues>({
    check: checkCredit,
    defaults: { companyId: target?.companyId ?? '', reason: '' },
  });
  const found = keyword === '' ? offered(picked, suggestions) : (read.data?.targets ?? []);
  const company = fields.value('companyId');
  const submit = async ({ companyId, reason }: CreditValues) => {
    const { proposalId } = await propose.mutateAsync({ params: { id: money.id }, body: { companyId, reason } });
    proposed(proposalId);
    onClose();
  };
  const over = proposalId === null ? null : t('ops.over.proposed');
  const title = t('ops.bankMoney.creditTitle');
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => open || fields.submitting || onClose()}
      title={title}
      description={t('ops.bankMoney.creditText')}
    >
      <Form fields={fields} onSubmit={submit} label={title}>
        <DescriptionList
          framed
          facts={[
            { term: t('ops.bankMoney.amount'), value: <Money amount={money.quantity} coin={money.asset} /> },
            { term: t('ops.bankMoney.payer'), value: money.payer ?? '–' },
            { term: t('ops.bankMoney.payerAccount'), value: money.payerAccount ?? '–' },
            { term: t('ops.bankMoney.remittance'), value: money.remittance || '–' },
          ]}
        />
        <ComboboxField
          {...company}
          label={t('ops.bankMoney.company')}
          hint={t('ops.bankMoney.companyHint')}
          options={found.map(optionOf)}
          known={picked ? optionOf(picked) : null}
          searching={keyword !== text.trim() || read.isFetching}
          onSearch={setText}
          onChange={(id) => {
            setPicked(found.find(({ companyId }) => companyId === id) ?? null);
            company.onChange(id);
          }}
        />
        <Banner kind="notice">{t('ops.bankMoney.second')}</Banner>
        <ReasonField binding={fields.text('reason')} />
        <DialogFoot fields={fields} over={over} submitText={t('ops.propose')} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

/** Before anything is typed: the choice, and the companies that are suggested. */
function offered(picked: Target | null, suggestions: MoneyDetail['suggestions']): Target[] {
  const targets = [picked, ...suggestions.map(({ target }) => target)].filter((target) => target !== null);
  return [...new Map(targets.map((target) => [target.companyId, target])).values()];
}

function optionOf({ companyId, companyName, accountNumber }: Target) {
  return { value: companyId, label: companyName, detail: accountNumber };
}
