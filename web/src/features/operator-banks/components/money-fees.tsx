import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
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
import { type MoneyDetail, useProposeFees } from '../api.ts';
import { ShareList } from './share-list.tsx';

/** A debit that no company bears: whether it is our own transfer of fees, and the proposal to record it as that. */
export function MoneyFees({ detail }: { detail: MoneyDetail }) {
  const t = useText();
  const [asking, setAsking] = useState(false);
  const may = usePermission('operator.treasury') === true;
  const { fees, money, proposalId } = detail;
  return (
    <Card
      title={t('ops.bankFees.title')}
      aside={
        may &&
        proposalId === null &&
        fees?.covered === true && <Button onClick={() => setAsking(true)}>{t('ops.bankFees.record')}</Button>
      }
    >
      <div className="flex flex-col gap-4">
        {proposalId !== null && (
          <Banner kind="pending">
            {t('ops.bankFees.proposed')}{' '}
            <PlainLink href={`/app/confirmations/${proposalId}`} className="font-medium text-accent">
              {t('ops.bankMoney.openProposal')}
            </PlainLink>
          </Banner>
        )}
        {fees === null ? (
          <p className="m-0 text-13 text-faint">{t('ops.bankFees.other')}</p>
        ) : (
          <>
            <p className="m-0 text-13 text-faint">{t(fees.covered ? 'ops.bankFees.text' : 'ops.bankFees.short')}</p>
            <DescriptionList
              facts={[{ term: t('ops.banks.feesHeld'), value: <Money amount={fees.held} coin={money.asset} /> }]}
            />
          </>
        )}
      </div>
      {asking && (
        <FeesDialog
          detail={detail}
          over={proposalId === null ? null : t('ops.over.proposed')}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}

/** What of our transfer was taken from which company’s fees. */
export function FeeShares({ detail: { money, shares } }: { detail: MoneyDetail }) {
  const t = useText();
  if (shares === null) return null;
  const { companies, items } = shares;
  return (
    <ShareList
      title={t('ops.bankFees.shares', { count: companies })}
      asset={money.asset}
      items={items}
      {...(companies > items.length && { hint: t('ops.bankFees.largest', { count: items.length }) })}
    />
  );
}

const check = ({ reason }: ReasonValues) => checked({ reason: reason.trim() }, { reason: reasonRule(reason) });

interface Props {
  detail: MoneyDetail;
  /** What became of the debit since the dialog opened. */
  over: string | null;
  onClose: () => void;
}

function FeesDialog({ detail: { money, fees }, over, onClose }: Props) {
  const t = useText();
  const propose = useProposeFees();
  const proposed = useProposed();
  const fields = useFields<ReasonValues, ReasonValues>({ check, defaults: { reason: '' } });
  const submit = async ({ reason }: ReasonValues) => {
    const { proposalId } = await propose.mutateAsync({ params: { id: money.id }, body: { reason } });
    proposed(proposalId);
    onClose();
  };
  const title = t('ops.bankFees.recordTitle');
  const debit = [money.bookedOn, money.reference, money.remittance].filter(Boolean).join(' · ');
  return (
    <Dialog
      open
      onOpenChange={(open) => open || fields.submitting || onClose()}
      title={title}
      description={t('ops.bankFees.recordText')}
    >
      <Form fields={fields} onSubmit={submit} label={title}>
        <DescriptionList
          framed
          facts={[
            { term: t('ops.bankMoney.debit'), value: <Money amount={money.quantity} coin={money.asset} /> },
            { term: t('ops.bankMoney.account'), value: `${money.bankName} ${money.account}` },
            { term: t('ops.bankMoney.reference'), value: debit === '' ? '–' : debit },
            { term: t('ops.banks.feesHeld'), value: <Money amount={fees?.held ?? '0'} coin={money.asset} /> },
          ]}
        />
        <Banner kind="notice">{t('ops.bankMoney.second')}</Banner>
        <ReasonField binding={fields.text('reason')} />
        <DialogFoot fields={fields} over={over} submitText={t('ops.propose')} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
