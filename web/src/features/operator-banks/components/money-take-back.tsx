import type { BankMoney } from '@causeway/contract/operator-banks.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
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
import { type MoneyDetail, type MoneyExplanation, useProposeTakeBack } from '../api.ts';

interface Props {
  detail: MoneyDetail;
  returnable: MoneyExplanation['returnable'];
  canPropose: boolean;
}

/** Explained bookings that the bank may have returned by this money, in whole or in part, each to be recorded as that. */
export function TakeBackList({ detail: { money, proposalId }, returnable, canPropose }: Props) {
  const t = useText();
  const [asked, setAsked] = useState<Props['returnable'][number] | null>(null);
  return (
    <Card title={t(money.quantity.startsWith('-') ? 'ops.bankMoney.back.debit' : 'ops.bankMoney.back.credit')}>
      <div className="flex flex-col gap-4">
        <p className="m-0 text-13 text-faint">{t('ops.bankMoney.backText')}</p>
        <ul aria-label={t('ops.bankMoney.backList')} className="m-0 list-none rounded-10 border border-line p-0">
          {returnable.map((each) => (
            <li
              key={each.money.id}
              className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line px-4 py-3 not-last:border-b"
            >
              <BookingLink booking={each.money} open={each.open} />
              {canPropose && proposalId === null && (
                <Button onClick={() => setAsked(each)}>{t('ops.bankMoney.backRecord')}</Button>
              )}
            </li>
          ))}
        </ul>
      </div>
      {asked !== null && (
        <TakeBackDialog
          money={money}
          explained={asked.money}
          open={asked.open}
          over={proposalId === null ? null : t('ops.over.proposed')}
          onClose={() => setAsked(null)}
        />
      )}
    </Card>
  );
}

/** A booking with its amount, what it was explained as, and what the bank says of it. */
export function BookingLink({ booking, open }: { booking: BankMoney; open?: string }) {
  const t = useText();
  const { id, quantity, asset, state } = booking;
  const isWhole = open === undefined || open === quantity.replace('-', '');
  return (
    <span className="flex min-w-0 flex-1 basis-60 flex-col gap-0.5 text-13">
      <PlainLink href={`/app/banks/moneys/${id}`} className="min-w-0">
        <Money amount={quantity} coin={asset} /> <span className="text-faint wrap-anywhere">{lineOf(booking)}</span>
      </PlainLink>
      {open !== undefined && (
        <span className="text-12 text-faint">
          {t(`ops.bankMoney.state.${state}`)}
          {!isWhole && ` · ${t('ops.bankMoney.backOpen', { quantity: amountLine(open, asset) })}`}
        </span>
      )}
    </span>
  );
}

export function lineOf({ bookedOn, reference, remittance, bankWords }: BankMoney): string {
  return [bookedOn, reference, remittance || bankWords].filter(Boolean).join(' · ');
}

const check = ({ reason }: ReasonValues) => checked({ reason: reason.trim() }, { reason: reasonRule(reason) });

interface DialogProps {
  money: BankMoney;
  explained: BankMoney;
  /** What of it was not returned yet. */
  open: string;
  /** What became of the money since the dialog opened. */
  over: string | null;
  onClose: () => void;
}

/** Proposes to record it, with both bookings; another operator confirms it. */
function TakeBackDialog({ money, explained, open: notReturned, over, onClose }: DialogProps) {
  const t = useText();
  const propose = useProposeTakeBack();
  const proposed = useProposed();
  const fields = useFields<ReasonValues, ReasonValues>({ check, defaults: { reason: '' } });
  const submit = async ({ reason }: ReasonValues) => {
    const body = { explainedId: explained.id, reason };
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
            {
              term: t('ops.bankMoney.backExplained'),
              value: (
                <>
                  <Money amount={explained.quantity} coin={explained.asset} /> {lineOf(explained)}
                </>
              ),
            },
            { term: t('ops.bankMoney.backRest'), value: <Money amount={notReturned} coin={money.asset} /> },
          ]}
        />
        <Banner kind="notice">{t('ops.bankMoney.second')}</Banner>
        <ReasonField binding={fields.text('reason')} />
        <DialogFoot fields={fields} over={over} submitText={t('ops.propose')} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
