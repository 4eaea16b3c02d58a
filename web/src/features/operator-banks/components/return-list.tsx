import type { BankMoney } from '@causeway/contract/operator-banks.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { Money } from '../../../ui/money.tsx';
import { Banner } from '../../../ui/states.tsx';
import { checked } from '../../identity/index.ts';
import { DialogFoot, ReasonField, type ReasonValues, reasonRule, useProposed } from '../../operator/index.ts';
import { type MoneyDetail, useProposeReturn } from '../api.ts';

/** Debits by which the bank may have sent the money back, each to be recorded as its return. */
export function ReturnList({ detail, canPropose }: { detail: MoneyDetail; canPropose: boolean }) {
  const t = useText();
  const [asked, setAsked] = useState<BankMoney | null>(null);
  return (
    <>
      <p className="m-0 text-13 text-faint">{t('ops.bankMoney.noReturn')}</p>
      {detail.returns.length > 0 && (
        <ul aria-label={t('ops.bankMoney.returns')} className="m-0 list-none rounded-10 border border-line p-0">
          {detail.returns.map((taken) => (
            <li
              key={taken.id}
              className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line px-4 py-3 not-last:border-b"
            >
              <span className="min-w-0 flex-1 basis-60 text-13">
                <Money amount={taken.quantity} coin={taken.asset} />{' '}
                <span className="text-faint wrap-anywhere">{lineOf(taken)}</span>
              </span>
              {canPropose && <Button onClick={() => setAsked(taken)}>{t('ops.bankMoney.return')}</Button>}
            </li>
          ))}
        </ul>
      )}
      {asked !== null && (
        <ReturnDialog
          money={detail.money}
          taken={asked}
          over={detail.proposalId === null ? null : t('ops.over.proposed')}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

function lineOf({ bookedOn, reference, remittance }: BankMoney): string {
  return [bookedOn, reference, remittance].filter(Boolean).join(' · ');
}

const check = ({ reason }: ReasonValues) => checked({ reason: reason.trim() }, { reason: reasonRule(reason) });

interface ReturnProps {
  money: BankMoney;
  taken: BankMoney;
  /** What became of the money since the dialog opened. */
  over: string | null;
  onClose: () => void;
}

/** Proposes to record the return, with both sides of it; another operator confirms it. */
function ReturnDialog({ money, taken, over, onClose }: ReturnProps) {
  const t = useText();
  const propose = useProposeReturn();
  const proposed = useProposed();
  const fields = useFields<ReasonValues, ReasonValues>({ check, defaults: { reason: '' } });
  const submit = async ({ reason }: ReasonValues) => {
    const { proposalId } = await propose.mutateAsync({ params: { id: money.id }, body: { takenId: taken.id, reason } });
    proposed(proposalId);
    onClose();
  };
  const title = t('ops.bankMoney.returnTitle');
  return (
    <Dialog
      open
      onOpenChange={(open) => open || fields.submitting || onClose()}
      title={title}
      description={t('ops.bankMoney.returnText')}
    >
      <Form fields={fields} onSubmit={submit} label={title}>
        <DescriptionList
          framed
          facts={[
            { term: t('ops.bankMoney.amount'), value: <Money amount={money.quantity} coin={money.asset} /> },
            { term: t('ops.bankMoney.payer'), value: money.payer ?? '–' },
            { term: t('ops.bankMoney.debit'), value: lineOf(taken) },
          ]}
        />
        <Banner kind="notice">{t('ops.bankMoney.second')}</Banner>
        <ReasonField binding={fields.text('reason')} />
        <DialogFoot fields={fields} over={over} submitText={t('ops.propose')} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
