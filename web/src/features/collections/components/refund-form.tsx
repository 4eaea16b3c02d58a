import type { CodeMethod } from '@causeway/contract/identity.ts';
import type { FeeLevel } from '@causeway/contract/transfers-rules.ts';
import { isOnChain } from '@causeway/contract/wallets-rules.ts';
import { useRef, useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { usePermission } from '../../../lib/permission.ts';
import { amountFields, codeFields, placed } from '../../../lib/placed.ts';
import { reportError } from '../../../lib/report-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { Address } from '../../../ui/address.tsx';
import { AmountField } from '../../../ui/amount-field.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { ComboboxField } from '../../../ui/combobox-field.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { FormFoot } from '../../../ui/form-foot.tsx';
import { type Checked, type FieldProblem, useFields } from '../../../ui/form-state.ts';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner } from '../../../ui/states.tsx';
import { usePayee, usePayeeChoice } from '../../payees/index.ts';
import {
  type AmountRules,
  amountProblem,
  amountTexts,
  feeProblemOf,
  NetworkFeeChoice,
  plain,
  ReviewNote,
  rememberedLevel,
  TransferCode,
  useForeseenReview,
  useNetworkFees,
  useTransactionCode,
  useWithdrawFee,
} from '../../transfers/index.ts';
import { useWallets, withoutTrailingZeros } from '../../wallets/index.ts';
import { type Payment, type Request, useRefund } from '../api.ts';
import { excessOf } from '../request-values.ts';

interface Values {
  payeeId: string;
  amount: string;
  feeLevel: FeeLevel;
  codeMethod: CodeMethod;
  code: string;
}

/** What the form knows beside its values. */
interface Around {
  rules: AmountRules | null;
  refundable: string;
  fee: string | null;
  feeProblem: string | null;
}

/** The field under which a refusal is shown where the server names none. */
const fieldOfError: Readonly<Record<string, string>> = {
  ...codeFields,
  ...amountFields,
  paymentRequestRefundTooHigh: 'amount',
  payeeNotFound: 'payeeId',
  payeeUnusable: 'payeeId',
  payeeWaiting: 'payeeId',
  addressOwn: 'payeeId',
  addressReserved: 'payeeId',
  addressIsToken: 'payeeId',
  feeChanged: 'amount',
  tooManyCoins: 'amount',
  networkFeeUnknown: 'feeLevel',
};

function check(values: Values, around: Around): Checked<Values> {
  const content = checkContent(values, around);
  const problems: FieldProblem[] = content.ok ? [] : [...content.problems];
  if (!/^\d{6}$/.test(values.code)) problems.push({ path: ['code'], message: 'field.code' });
  return problems.length === 0 ? { ok: true, values } : { ok: false, problems };
}

/** The same of what a code is asked for. */
function checkContent(values: Values, { rules, refundable, fee, feeProblem }: Around): Checked<Values> {
  const problems: FieldProblem[] = [];
  if (values.payeeId === '') problems.push({ path: ['payeeId'], message: 'field.required' });
  const problem = rules === null ? null : amountProblem(values.amount, rules);
  if (problem !== null) problems.push({ path: ['amount'], message: amountTexts[problem] });
  else if (rules !== null && isMore(plain(values.amount), refundable))
    problems.push({ path: ['amount'], message: 'collections.refund.tooMuch' });
  else if (fee === null) problems.push({ path: ['amount'], message: feeProblem ?? 'transfers.form.feeUnknown' });
  return problems.length === 0 ? { ok: true, values } : { ok: false, problems };
}

function isMore(amount: string, most: string): boolean {
  const scale = (text: string) => {
    const [whole = '0', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(18, '0'));
  };
  return scale(amount) > scale(most);
}

interface Props {
  request: Request;
  payment: Payment;
  onClose: () => void;
}

/** Gives a payment back, or a part of it: a transfer to a payee of the company, with its code, checks and approvals. */
export function RefundForm({ request, payment, onClose }: Props) {
  const t = useText();
  const refund = useRefund();
  const { coin, chainId, decimals, walletId } = payment;
  const refundable = withoutTrailingZeros(payment.refundable ?? '0');
  const excess = request.asset === coin ? excessOf(request) : null;
  const usual = excess !== null && !isMore(excess, refundable) ? withoutTrailingZeros(excess) : refundable;
  // The same transfer, however often it is sent.
  const [id] = useState(() => newId());
  const [isUnclear, setUnclear] = useState(false);
  const wallet = useWallets()
    .data?.items.filter(isOnChain)
    .find((each) => each.id === walletId);
  const known = useRef<Around>({ rules: null, refundable, fee: null, feeProblem: null });
  const fields = useFields<Values, Values>({
    check: (values) => check(values, known.current),
    defaults: { payeeId: '', amount: usual, feeLevel: rememberedLevel(), codeMethod: 'email', code: '' },
  });
  const { payeeId, amount, feeLevel } = fields.values;
  const flat = useWithdrawFee(coin, chainId, '').data?.fee ?? null;
  const networkFees = useNetworkFees(wallet, { payeeId, amount, feeLevel });
  const fee = networkFees === null ? flat : (networkFees?.chosen?.fee ?? null);
  const rules =
    wallet === undefined ? null : { minimum: wallet.minimum, available: wallet.available, decimals, fee: fee ?? '0' };
  known.current = { rules, refundable, fee, feeProblem: feeProblemOf(networkFees) };
  const foreseen = useForeseenReview(wallet, payeeId, amount, rules);
  const { review } = foreseen;
  const code = useTransactionCode({
    fields,
    checked: checkContent(fields.values, known.current),
    boundTo: (values) => JSON.stringify([id, values.payeeId, plain(values.amount)]),
    subjectOf: (values) => ({
      kind: 'transfer',
      content: { id, walletId, payeeId: values.payeeId, amount: plain(values.amount), attachmentIds: [] },
    }),
    recipient: review?.codeRecipient,
    firstText: 'transfers.form.codeFirst',
    wouldStop: foreseen.again,
  });
  async function submit(values: Values): Promise<void> {
    if (fee === null) return;
    const { codeMethod, code: typed } = values;
    try {
      await refund.mutateAsync({
        body: {
          ...{ id, requestId: request.id, paymentId: payment.id, payeeId, fee },
          amount: plain(values.amount),
          ...(networkFees?.chosen && { feeLevel: networkFees.chosen.level }),
          ...{ codeMethod, code: typed },
        },
      });
      toast('success', t(review?.outcome === 'required' ? 'collections.refund.waits' : 'collections.refund.sent'));
      onClose();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setUnclear(!error.refused);
      reportError(error);
      throw placed(error, fieldOfError);
    }
  }
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => open || fields.submitting || onClose()}
      title={t('collections.refund.title')}
      description={t('collections.refund.text')}
    >
      <Form fields={fields} onSubmit={submit} label={t('collections.refund.title')}>
        <DescriptionList
          framed
          facts={[
            { term: t('collections.field.title'), value: request.title },
            { term: t('collections.payments.one'), value: amountLine(payment.amount, coin) },
            { term: t('collections.refund.most'), value: amountLine(payment.refundable ?? '0', coin) },
            ...(payment.from === null
              ? []
              : [{ term: t('collections.payment.from'), value: <Address value={payment.from} short /> }]),
            ...(fee === null ? [] : [{ term: t('collections.refund.fee'), value: amountLine(fee, coin) }]),
          ]}
        />
        <Banner kind="notice">{t('collections.refund.address')}</Banner>
        <PayeeField request={request} payment={payment} bound={fields.value('payeeId')} />
        <AmountField
          label={t('collections.refund.amount')}
          coin={coin}
          decimals={decimals}
          {...fields.value('amount')}
          onAll={() => fields.set('amount', refundable)}
        />
        {networkFees && <NetworkFeeChoice {...fields.value('feeLevel')} fees={networkFees} coin={coin} />}
        {isUnclear ? (
          <Banner kind="pending">{t('collections.refund.unclear')}</Banner>
        ) : (
          <ReviewNote review={review} coin={coin} onAgain={() => void foreseen.again()} />
        )}
        {!foreseen.blocked && <TransferCode {...code} code={fields.value('code')} />}
        <div className="border-t border-line pt-5">
          <FormFoot
            submitText={t('collections.refund.submit', { amount: amountLine(plain(amount) || '0', coin) })}
            busy={fields.submitting}
            negative
            onCancel={onClose}
          />
        </div>
      </Form>
    </Dialog>
  );
}

interface PayeeProps {
  request: Request;
  payment: Payment;
  bound: {
    name: string;
    value: string;
    onChange: (value: string) => void;
    onBlur: () => void;
    error: string | undefined;
  };
}

function PayeeField({ request, payment, bound }: PayeeProps) {
  const t = useText();
  const mayAdd = usePermission('payee.manage') === true;
  const { coin, chainId } = payment;
  const choice = usePayeeChoice(chainId, coin).data?.items ?? [];
  const chosen = usePayee(bound.value).data;
  const add = new URLSearchParams({ return: `/app/u-collection/${request.id}`, chain: chainId, coin });
  return (
    <ComboboxField
      label={t('collections.refund.payee')}
      placeholder={t('collections.refund.payeePlaceholder')}
      options={choice.map((payee) => ({
        value: payee.id,
        label: payee.label,
        detail: <span className="font-mono">{`${payee.address.slice(0, 8)}…${payee.address.slice(-6)}`}</span>,
      }))}
      {...bound}
      hint={
        chosen && chosen.id === bound.value ? (
          <Address value={chosen.address} copyable={false} />
        ) : (
          t('collections.refund.payeeHint')
        )
      }
      {...(mayAdd && {
        aside: (
          <PlainLink href={`/app/payee/add?${add}`} className="text-accent">
            {t('collections.refund.addPayee')}
          </PlainLink>
        ),
      })}
    />
  );
}
