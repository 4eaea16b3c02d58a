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
import { Banner, ErrorState } from '../../../ui/states.tsx';
import { checked } from '../../identity/index.ts';
import { DialogFoot, ReasonField, type ReasonValues, reasonRule, useProposed } from '../../operator/index.ts';
import { type MoneyDetail, type MoneyExplanation as Read, useExplanation, useProposeWithdrawal } from '../api.ts';
import { isNothing } from '../words.ts';
import { BookingLink, lineOf, TakeBackList } from './money-take-back.tsx';
import { ShareList } from './share-list.tsx';

/**
 * What the bank returned of a booking that was explained as fees or as settled with the issuer of cards, what a booking returned or may have returned, and
 * the withdrawal of what operators recorded wrongly.
 */
export function MoneyExplanation({ detail }: { detail: MoneyDetail }) {
  const t = useText();
  const may = usePermission('operator.treasury') === true;
  const { money } = detail;
  const read = useExplanation(money.id);
  if (read.data === undefined) {
    return read.error === null ? null : (
      <Card title={t('ops.bankMoney.returnedBy')}>
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      </Card>
    );
  }
  const { returnable, explained, returned, withdrawal } = read.data;
  return (
    <>
      {explained !== null && explained.returns.length > 0 && <Returns asset={money.asset} {...explained} />}
      {returned !== null && <Returned asset={money.asset} {...returned} />}
      {returnable.length > 0 && <TakeBackList detail={detail} returnable={returnable} canPropose={may} />}
      {withdrawal !== null && withdrawal !== 'bank' && <Withdrawal detail={detail} state={withdrawal} may={may} />}
    </>
  );
}

type Explained = NonNullable<Read['explained']> & { asset: string };

/** The bookings by which the bank returned of an explained one, and what it did not return. */
function Returns({ asset, about, open, returns }: Explained) {
  const t = useText();
  return (
    <Card title={t('ops.bankMoney.returnedBy')}>
      <div className="flex flex-col gap-4">
        {isNothing(open) && <Banner kind="notice">{t(`ops.bankMoney.wasTakenBack.${about}`)}</Banner>}
        <ul aria-label={t('ops.bankMoney.returnedBy')} className="m-0 list-none rounded-10 border border-line p-0">
          {returns.map((booking) => (
            <li key={booking.id} className="border-line px-4 py-3 not-last:border-b">
              <BookingLink booking={booking} />
            </li>
          ))}
        </ul>
        <DescriptionList facts={[{ term: t('ops.bankMoney.backRest'), value: <Money amount={open} coin={asset} /> }]} />
      </div>
    </Card>
  );
}

type ReturnedProps = NonNullable<Read['returned']> & { asset: string };

function Returned({ asset, about, money, shares: { companies, items } }: ReturnedProps) {
  const t = useText();
  return (
    <>
      <Banner kind="notice">
        {t(`ops.bankMoney.tookBack.${about}`)}{' '}
        <PlainLink href={`/app/banks/moneys/${money.id}`} className="font-medium text-accent">
          {t('ops.bankMoney.openOther')}
        </PlainLink>
      </Banner>
      <ShareList
        title={t('ops.bankMoney.returnShares', { count: companies })}
        asset={asset}
        items={items}
        {...(companies > items.length && { hint: t('ops.bankFees.largest', { count: items.length }) })}
      />
    </>
  );
}

interface WithdrawalProps {
  detail: MoneyDetail;
  state: 'possible' | 'returned' | 'short';
  may: boolean;
}

/** That what operators recorded was wrong. */
function Withdrawal({ detail: { money, proposalId }, state, may }: WithdrawalProps) {
  const t = useText();
  const [asking, setAsking] = useState(false);
  return (
    <Card
      title={t('ops.bankMoney.wrong')}
      aside={
        may &&
        proposalId === null &&
        state === 'possible' && <Button onClick={() => setAsking(true)}>{t('ops.bankMoney.withdraw')}</Button>
      }
    >
      <div className="flex flex-col gap-4">
        {proposalId !== null && (
          <Banner kind="pending">
            {t('ops.bankMoney.withdrawProposed')}{' '}
            <PlainLink href={`/app/confirmations/${proposalId}`} className="font-medium text-accent">
              {t('ops.bankMoney.openProposal')}
            </PlainLink>
          </Banner>
        )}
        <p className="m-0 text-13 text-faint">{t(`ops.bankMoney.wrongText.${state}`)}</p>
      </div>
      {asking && (
        <WithdrawalDialog
          money={money}
          over={
            proposalId !== null
              ? t('ops.over.proposed')
              : state === 'possible'
                ? null
                : t(`ops.bankMoney.wrongText.${state}`)
          }
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}

const check = ({ reason }: ReasonValues) => checked({ reason: reason.trim() }, { reason: reasonRule(reason) });

interface DialogProps {
  money: MoneyDetail['money'];
  /** What became of the record since the dialog opened. */
  over: string | null;
  onClose: () => void;
}

function WithdrawalDialog({ money, over, onClose }: DialogProps) {
  const t = useText();
  const propose = useProposeWithdrawal();
  const proposed = useProposed();
  const fields = useFields<ReasonValues, ReasonValues>({ check, defaults: { reason: '' } });
  const submit = async ({ reason }: ReasonValues) => {
    const { proposalId } = await propose.mutateAsync({ params: { id: money.id }, body: { reason } });
    proposed(proposalId);
    onClose();
  };
  const title = t('ops.bankMoney.withdrawTitle');
  return (
    <Dialog
      open
      onOpenChange={(open) => open || fields.submitting || onClose()}
      title={title}
      description={t('ops.bankMoney.withdrawText')}
    >
      <Form fields={fields} onSubmit={submit} label={title}>
        <DescriptionList
          framed
          facts={[
            { term: t('ops.bankCards.booking'), value: <Money amount={money.quantity} coin={money.asset} /> },
            { term: t('ops.bankMoney.account'), value: `${money.bankName} ${money.account}` },
            { term: t('ops.bankMoney.reference'), value: lineOf(money) || '–' },
            {
              term: t('ops.bankMoney.recordedAs'),
              value: t(
                money.state === 'reversal' && !money.quantity.startsWith('-')
                  ? 'ops.bankMoney.state.reversalCredit'
                  : `ops.bankMoney.state.${money.state}`,
              ),
            },
          ]}
        />
        <Banner kind="notice">{t('ops.bankMoney.second')}</Banner>
        <ReasonField binding={fields.text('reason')} />
        <DialogFoot fields={fields} over={over} submitText={t('ops.propose')} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
