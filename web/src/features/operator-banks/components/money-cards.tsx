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
import { Banner, ErrorState } from '../../../ui/states.tsx';
import { checked } from '../../identity/index.ts';
import { DialogFoot, ReasonField, type ReasonValues, reasonRule, useProposed } from '../../operator/index.ts';
import { type MoneyDetail, useCardSettlement, useProposeCardSettlement } from '../api.ts';
import { type Share, ShareList } from './share-list.tsx';

/** Whether a money is what was paid to the issuer of cards, or by it; and once it is, what it settled. Nothing where no card owes anything. */
export function MoneyCards({ detail }: { detail: MoneyDetail }) {
  const t = useText();
  const may = usePermission('operator.treasury') === true;
  const { money } = detail;
  const read = useCardSettlement(money.id);
  if (read.data === undefined) {
    return read.error === null ? null : (
      <Card title={t('ops.bankCards.title')}>
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      </Card>
    );
  }
  const { shares, possible } = read.data;
  return (
    <>
      {shares !== null && <Shares asset={money.asset} {...shares} />}
      <Possible detail={detail} possible={possible} may={may} />
    </>
  );
}

interface PossibleProps {
  detail: MoneyDetail;
  possible: { owed: string; covered: boolean } | null;
  may: boolean;
}

function Possible({ detail, possible, may }: PossibleProps) {
  const t = useText();
  const [asking, setAsking] = useState(false);
  const { money, proposalId } = detail;
  if (possible === null || Number(possible.owed) === 0) return null;
  const isDebit = money.quantity.startsWith('-');
  const text = possible.covered ? (isDebit ? 'debit' : 'credit') : 'short';
  return (
    <Card
      title={t(isDebit ? 'ops.bankCards.title' : 'ops.bankCards.titleCredit')}
      aside={
        may &&
        proposalId === null &&
        possible.covered && <Button onClick={() => setAsking(true)}>{t('ops.bankCards.record')}</Button>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="m-0 text-13 text-faint">{t(`ops.bankCards.text.${text}`)}</p>
        <DescriptionList
          facts={[{ term: t('ops.bankCards.owed'), value: <Money amount={possible.owed} coin={money.asset} /> }]}
        />
      </div>
      {asking && (
        <SettlementDialog
          detail={detail}
          owed={possible.owed}
          over={proposalId === null ? null : t('ops.over.proposed')}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}

interface SharesProps {
  asset: string;
  companies: number;
  items: readonly Share[];
}

function Shares({ asset, companies, items }: SharesProps) {
  const t = useText();
  return (
    <ShareList
      title={t('ops.bankCards.shares', { count: companies })}
      asset={asset}
      items={items}
      hint={t(companies > items.length ? 'ops.bankFees.largest' : 'ops.bankCards.signs', { count: items.length })}
    />
  );
}

const check = ({ reason }: ReasonValues) => checked({ reason: reason.trim() }, { reason: reasonRule(reason) });

interface Props {
  detail: MoneyDetail;
  owed: string;
  /** What became of the money since the dialog opened. */
  over: string | null;
  onClose: () => void;
}

function SettlementDialog({ detail: { money }, owed, over, onClose }: Props) {
  const t = useText();
  const propose = useProposeCardSettlement();
  const proposed = useProposed();
  const fields = useFields<ReasonValues, ReasonValues>({ check, defaults: { reason: '' } });
  const submit = async ({ reason }: ReasonValues) => {
    const { proposalId } = await propose.mutateAsync({ params: { id: money.id }, body: { reason } });
    proposed(proposalId);
    onClose();
  };
  const title = t('ops.bankCards.recordTitle');
  const booking = [money.bookedOn, money.reference, money.remittance || money.bankWords].filter(Boolean).join(' · ');
  return (
    <Dialog
      open
      onOpenChange={(open) => open || fields.submitting || onClose()}
      title={title}
      description={t('ops.bankCards.recordText')}
    >
      <Form fields={fields} onSubmit={submit} label={title}>
        <DescriptionList
          framed
          facts={[
            { term: t('ops.bankCards.booking'), value: <Money amount={money.quantity} coin={money.asset} /> },
            { term: t('ops.bankMoney.account'), value: `${money.bankName} ${money.account}` },
            { term: t('ops.bankMoney.reference'), value: booking === '' ? '–' : booking },
            { term: t('ops.bankCards.owed'), value: <Money amount={owed} coin={money.asset} /> },
          ]}
        />
        <Banner kind="notice">{t('ops.bankMoney.second')}</Banner>
        <ReasonField binding={fields.text('reason')} />
        <DialogFoot fields={fields} over={over} submitText={t('ops.propose')} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
