import type { BankMoney } from '@causeway/contract/operator-banks.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner } from '../../../ui/states.tsx';
import { checked } from '../../identity/index.ts';
import { DialogFoot, ReasonField, type ReasonValues, reasonRule, useProposed } from '../../operator/index.ts';
import { type MoneyDetail, useProposeCardTakeBack } from '../api.ts';

interface Props {
  detail: MoneyDetail;
  settlements: readonly BankMoney[];
  canPropose: boolean;
}

/** Settlements with the issuer of cards that the bank may have taken back by this money, each to be recorded as that. */
export function TakeBackList({ detail: { money, proposalId }, settlements, canPropose }: Props) {
  const t = useText();
  const [asked, setAsked] = useState<BankMoney | null>(null);
  return (
    <Card title={t(money.quantity.startsWith('-') ? 'ops.bankMoney.back.debit' : 'ops.bankMoney.back.credit')}>
      <div className="flex flex-col gap-4">
        <p className="m-0 text-13 text-faint">{t('ops.bankMoney.backText')}</p>
        <ul aria-label={t('ops.bankMoney.backList')} className="m-0 list-none rounded-10 border border-line p-0">
          {settlements.map((settlement) => (
            <li
              key={settlement.id}
              className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line px-4 py-3 not-last:border-b"
            >
              <PlainLink href={`/app/banks/moneys/${settlement.id}`} className="min-w-0 flex-1 basis-60 text-13">
                <Money amount={settlement.quantity} coin={settlement.asset} />{' '}
                <span className="text-faint wrap-anywhere">{lineOf(settlement)}</span>
              </PlainLink>
              {canPropose && proposalId === null && (
                <Button onClick={() => setAsked(settlement)}>{t('ops.bankMoney.backRecord')}</Button>
              )}
            </li>
          ))}
        </ul>
      </div>
      {asked !== null && (
        <TakeBackDialog
          money={money}
          settlement={asked}
          over={proposalId === null ? null : t('ops.over.proposed')}
          onClose={() => setAsked(null)}
        />
      )}
    </Card>
  );
}

/** That one booking took the other back, on the page of either. */
export function TakenBack({ text, other }: { text: string; other: BankMoney }) {
  const t = useText();
  return (
    <Banner kind="notice">
      {text}{' '}
      <PlainLink href={`/app/banks/moneys/${other.id}`} className="font-medium text-accent">
        {t('ops.bankMoney.openOther')}
      </PlainLink>
    </Banner>
  );
}

function lineOf({ bookedOn, reference, remittance, bankWords }: BankMoney): string {
  return [bookedOn, reference, remittance || bankWords].filter(Boolean).join(' · ');
}

const check = ({ reason }: ReasonValues) => checked({ reason: reason.trim() }, { reason: reasonRule(reason) });

interface DialogProps {
  money: BankMoney;
  settlement: BankMoney;
  /** What became of the money since the dialog opened. */
  over: string | null;
  onClose: () => void;
}

/** Proposes to record it, with both bookings; another operator confirms it. */
function TakeBackDialog({ money, settlement, over, onClose }: DialogProps) {
  const t = useText();
  const propose = useProposeCardTakeBack();
  const proposed = useProposed();
  const fields = useFields<ReasonValues, ReasonValues>({ check, defaults: { reason: '' } });
  const submit = async ({ reason }: ReasonValues) => {
    const body = { settlementId: settlement.id, reason };
    const { proposalId } = await propose.mutateAsync({ params: { id: money.id }, body });
    proposed(proposalId);
    onClose();
  };
  const title = t('ops.bankMoney.backTitle');
  return (
    <Dialog
      open
      onOpenChange={(open) => open || fields.submitting || onClose()}
      title={title}
      description={t('ops.bankMoney.backDialog')}
    >
      <Form fields={fields} onSubmit={submit} label={title}>
        <DescriptionList
          framed
          facts={[
            { term: t('ops.bankCards.booking'), value: <Money amount={money.quantity} coin={money.asset} /> },
            { term: t('ops.bankMoney.account'), value: `${money.bankName} ${money.account}` },
            { term: t('ops.bankMoney.reference'), value: lineOf(money) || '–' },
            { term: t('ops.bankMoney.backSettlement'), value: lineOf(settlement) || '–' },
          ]}
        />
        <Banner kind="notice">{t('ops.bankMoney.second')}</Banner>
        <ReasonField binding={fields.text('reason')} />
        <DialogFoot fields={fields} over={over} submitText={t('ops.propose')} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
